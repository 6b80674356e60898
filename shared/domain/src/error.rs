//! Why an input is refused.

use thiserror::Error;

/// An input that breaks a rule. The text names the field and the rule and is shown to the client.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} {rule}")]
pub struct InvalidField {
    /// The field or parameter as the client wrote it, e.g. `domain` or `prompts[3]`.
    pub field: String,
    /// What it must be, e.g. `must be 1 to 120 characters`.
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
