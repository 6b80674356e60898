//! The lines of a text.

use crate::fold::LINE_BREAK;

/// Returns the lines of `text` with their offsets.
pub(crate) fn lines_with_offsets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    split_with_offsets(text, '\n').flat_map(|(start, line)| {
        split_with_offsets(line, LINE_BREAK).map(move |(i, line)| (start + i, line))
    })
}

/// Returns the parts of `text` between the separators with their offsets. A search for several separators
/// at a time takes much longer.
pub(crate) fn split_with_offsets(text: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split(separator).map(move |part| {
        let start = end;
        end = start + part.len() + separator.len_utf8();
        (start, part)
    })
}
