//! Short descriptions of schema violations.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

/// The maximum length of a description, in characters.
const MAX_CHARS: usize = 300;

/// Describes where and why a value violates its schema. Of several alternatives, it describes the one that
/// fits best.
pub(super) fn describe(error: &ValidationError<'_>) -> String {
    let (ValidationErrorKind::AnyOf {
        context: alternatives,
    }
    | ValidationErrorKind::OneOfNotValid {
        context: alternatives,
    }) = error.kind()
    else {
        let text = format!("{}: {error}", error.instance_path());
        return text.chars().take(MAX_CHARS).collect();
    };
    let best = alternatives.iter().min_by_key(|errors| errors.len());
    let inner = best.into_iter().flatten().map(describe).collect::<Vec<_>>();
    inner.join("; ")
}
