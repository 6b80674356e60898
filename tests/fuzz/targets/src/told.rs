//! What an error may tell: rules, never what was sent.

/// Longer than every word of the service's own texts.
const LONG: usize = 24;

/// Panics where `told` repeats a long word of what was `sent`.
pub(crate) fn nothing_of(sent: &str, told: &str) {
    let is_end = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.');
    for word in sent.split(is_end).filter(|word| word.chars().count() >= LONG) {
        assert!(!told.contains(word), "an error repeats what was sent");
    }
}
