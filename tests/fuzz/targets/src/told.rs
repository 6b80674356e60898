//! Error texts name rules and never repeat input.

/// A length greater than that of every word in the service's own texts.
const LONG: usize = 24;

/// Panics if `told` repeats a long word of the input `sent`.
pub(crate) fn nothing_of(sent: &str, told: &str) {
    let is_end = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.');
    for word in sent.split(is_end).filter(|word| word.chars().count() >= LONG) {
        assert!(!told.contains(word), "an error repeats what was sent");
    }
}
