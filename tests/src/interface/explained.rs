//! Why a value does not fit its schema, in few words.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

/// The longest explanation, in characters.
const MOST: usize = 300;

/// Where and why. Of several forms the one that fits best tells.
pub(super) fn explained(error: &ValidationError<'_>) -> String {
    let (ValidationErrorKind::AnyOf { context: forms }
    | ValidationErrorKind::OneOfNotValid { context: forms }) = error.kind()
    else {
        let text = format!("{}: {error}", error.instance_path());
        return text.chars().take(MOST).collect();
    };
    let best = forms.iter().min_by_key(|errors| errors.len());
    let inner = best.into_iter().flatten().map(explained).collect::<Vec<_>>();
    inner.join("; ")
}
