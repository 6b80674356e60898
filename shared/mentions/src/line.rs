//! The lines of a text.

use crate::fold::LINE_BREAK;

/// Returns the lines of `text` with their offsets.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    parts(text, '\n')
        .flat_map(|(start, line)| parts(line, LINE_BREAK).map(move |(i, line)| (start + i, line)))
}

/// Returns the parts of `text` between the separators with their offsets. A search for several separators
/// at a time takes much longer.
pub(crate) fn parts(text: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split(separator).map(move |part| {
        let start = end;
        end = start + part.len() + separator.len_utf8();
        (start, part)
    })
}
