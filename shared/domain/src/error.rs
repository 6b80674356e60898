//! The error of invalid input.

use thiserror::Error;

/// An invalid field or parameter of a request. Its message names the field and the rule, and is returned to
/// the client.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} {rule}")]
pub struct InvalidField {
    /// The field or parameter as the client wrote it, e.g. `domain` or `prompts[3]`.
    pub field: String,
    /// The rule that the field breaks, e.g. `must be 1 to 120 characters`.
    pub rule: String,
}

impl InvalidField {
    pub fn new(field: impl Into<String>, rule: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            rule: rule.into(),
        }
    }
}
