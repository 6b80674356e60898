//! What names the items of a list or of a table's column.

use std::ops::Range;

use crate::prose::{Span, SpanKind};
use crate::text::Text;

/// The number of spans before the words in which the start of their list or table is looked for.
const MAX_SPANS: usize = 256;

/// The number of bytes before a list, or of the head of a column, that are read.
pub(crate) const MAX_TITLE_BYTES: usize = 80;

/// Returns the range of prose that names what the list or the column around the prose bytes `words` contains:
/// the end of the text before the list, or the cell of the table's head.
pub(crate) fn title_of_list_or_column(text: Text<'_>, words: &Range<usize>) -> Option<Range<usize>> {
    if let Some(row) = text.span(SpanKind::TableRow, words) {
        let mut cells = cells_of(text, row).take(MAX_SPANS);
        let column = cells.position(|cell| cell.range.start <= words.start && words.end <= cell.range.end)?;
        let before = text
            .spans
            .partition_point(|span| span.range.start < row.range.start);
        let mut nearest = text.spans[..before].iter().rev().take(MAX_SPANS);
        let head = nearest.find(|span| span.kind == SpanKind::TableHead)?;
        let title = cells_of(text, head).nth(column)?.range.clone();
        let end = text
            .prose
            .floor_char_boundary(title.end.min(title.start + MAX_TITLE_BYTES));
        return Some(title.start..end);
    }
    intro_of_list(text, words, MAX_TITLE_BYTES)
}

/// Returns the range of prose of the last bytes before the list around the prose bytes `words`, at most
/// `max_bytes`. Nothing is before a list that starts too far away.
pub(crate) fn intro_of_list(text: Text<'_>, words: &Range<usize>, max_bytes: usize) -> Option<Range<usize>> {
    let item = text.span(SpanKind::ListItem, words)?;
    let before = text
        .spans
        .partition_point(|span| span.range.start < item.range.start);
    let nearest = before.saturating_sub(MAX_SPANS)..before;
    let mut first = item.range.start;
    let mut is_start_seen = nearest.start == 0;
    for previous in text.spans[nearest].iter().rev() {
        if previous.kind != SpanKind::ListItem {
            continue;
        }
        // Only blanks separate the items of a list. One that the list is nested in contains its items.
        let gap = text.prose.get(previous.range.end.min(first)..first);
        let is_of_list =
            previous.range.end <= item.range.start && gap.is_some_and(|gap| gap.trim().is_empty());
        if !is_of_list {
            is_start_seen = true;
            break;
        }
        first = previous.range.start;
    }
    if !is_start_seen {
        return None;
    }
    let end = text.prose[..first].trim_end().len();
    let start = text.prose.floor_char_boundary(end.saturating_sub(max_bytes));
    (start < end).then_some(start..end)
}

/// Returns the cells of a row.
fn cells_of<'a>(text: Text<'a>, row: &Span) -> impl Iterator<Item = &'a Span> {
    let spans = text.spans_in(&row.range).iter();
    spans.filter(|span| span.kind == SpanKind::TableCell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::Folded;
    use crate::language::Language;
    use crate::prose::Prose;

    /// Returns the introduction of the list around `word`.
    fn intro_of(answer: &str, word: &str) -> Option<String> {
        let prose = Prose::parse(answer);
        let folded = Folded::of(&prose.text);
        let text = Text {
            prose: &prose.text,
            folded: &folded,
            spans: &prose.spans,
            slots: &crate::slot::Slots::default(),
            language: Language::ENGLISH,
        };
        let at = prose.text.find(word)?;
        let intro = intro_of_list(text, &(at..at + word.len()), MAX_TITLE_BYTES)?;
        Some(prose.text[intro].trim().to_owned())
    }

    #[test]
    fn the_introduction_of_a_list_is_the_text_before_its_first_item() {
        let nested = "Some banks:\n\n- Acmera\n  - free\n  - fast\n- Zendo\n  - cheap\n- Finchly";
        for (answer, word, intro) in [
            ("Some banks:\n\n- Acmera\n- Zendo", "Acmera", Some("Some banks:")),
            ("Some banks:\n\n- Acmera\n- Zendo", "Zendo", Some("Some banks:")),
            (nested, "Zendo", Some("Some banks:")),
            (nested, "Finchly", Some("Some banks:")),
            ("- Acmera\n- Zendo", "Zendo", None),
            ("Some banks: Acmera", "Acmera", None),
        ] {
            assert_eq!(intro_of(answer, word).as_deref(), intro, "{word} in {answer}");
        }
        let before_nested = intro_of(nested, "fast").unwrap();
        assert!(before_nested.ends_with("Acmera"), "{before_nested}");
    }

    #[test]
    fn a_list_that_starts_too_far_away_has_no_introduction() {
        let list = |items: usize| format!("Some banks:\n\n{}- Zendo", "- Acmera\n".repeat(items));
        assert_eq!(intro_of(&list(200), "Zendo").as_deref(), Some("Some banks:"));
        assert_eq!(intro_of(&list(300), "Zendo"), None);
    }
}
