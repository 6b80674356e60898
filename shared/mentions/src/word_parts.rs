//! Parts of words by which they are recognized in other forms.

use crate::script::is_unspaced;

/// The number of letters of a word that stand for its stem.
const STEM_LETTERS: usize = 5;

/// Returns the first letters of a word.
pub(crate) fn stem(word: &str) -> &str {
    let end = word
        .char_indices()
        .nth(STEM_LETTERS)
        .map_or(word.len(), |(i, _)| i);
    &word[..end]
}

/// Returns a word without its last letters, which may be an ending.
pub(crate) fn without_last_letters(word: &str, letters: usize) -> &str {
    let mut chars = word.char_indices().rev();
    letters
        .checked_sub(1)
        .map_or(word, |n| chars.nth(n).map_or("", |(i, _)| &word[..i]))
}

/// Calls `f` with a word and, if it is written without spaces, with its parts of two and three characters.
pub(crate) fn for_each_part(word: &str, mut f: impl FnMut(&str)) {
    f(word);
    if !word.starts_with(is_unspaced) {
        return;
    }
    let ends: Vec<usize> = word.char_indices().map(|(i, _)| i).chain([word.len()]).collect();
    for length in [2, 3] {
        for part in ends.windows(length + 1) {
            if let (Some(&from), Some(&to)) = (part.first(), part.last())
                && to - from < word.len()
            {
                f(&word[from..to]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_without_spaces_has_parts_and_another_has_a_stem() {
        let parts = |word: &str| {
            let mut parts = Vec::new();
            for_each_part(word, |part| parts.push(part.to_owned()));
            parts
        };
        assert_eq!(parts("shops"), ["shops"]);
        assert_eq!(parts("飲料水"), ["飲料水", "飲料", "料水"]);
        assert_eq!(stem("informação"), "infor");
        assert_eq!(stem("für"), "für");
        assert_eq!(without_last_letters("försäkringar", 3), "försäkrin");
        assert_eq!(without_last_letters("år", 3), "");
    }
}
