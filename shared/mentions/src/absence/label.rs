//! Names that are the label of a statement that nothing was found: `Acme: no results`, a heading, a row of a table.

use super::scope::{Part, Sentence, says_nothing_found};
use crate::clause::{Token, tokens};
use crate::fold::Folded;
use crate::language::Roles;
use crate::prose::SpanKind;
use crate::text::Text;

/// The number of cells of a row that are read.
const MAX_CELLS: usize = 16;
/// The number of bytes of a cell that are read.
const MAX_CELL_BYTES: usize = 200;

/// Returns whether the name at the token `name` is the label of a statement that nothing was found.
pub(super) fn is_denied(text: Text<'_>, tokens: &[Token<'_>], name: usize, sentence: &Sentence<'_>) -> bool {
    is_label(sentence)
        || is_searched(sentence)
        || is_heading(text, tokens, name, sentence)
        || is_row_without_data(text, tokens, name)
}

/// Recognizes `Acme: no results`, `Acme – not found` and `Acme (no information)`.
fn is_label(sentence: &Sentence<'_>) -> bool {
    match sentence.after() {
        [sign, statement @ ..] if sign.token.is_sign(&[':', '-', '(', '=', '→']) => {
            let is_end = |part: &Part<'_>| part.token.is_sign(&[',', '-']) || part.has(Roles::BUT);
            let end = statement.iter().position(is_end).unwrap_or(statement.len());
            let statement = &statement[..end];
            let no_names = statement.iter().all(|part| !part.is_name);
            no_names && says_nothing_found(statement, sentence.language())
        }
        _ => false,
    }
}

/// Recognizes `I searched for Acme, but found nothing`.
fn is_searched(sentence: &Sentence<'_>) -> bool {
    let rest = sentence.rest();
    sentence.is_search()
        && !rest.is_empty()
        && rest.iter().all(|part| !part.is_name)
        && says_nothing_found(rest, sentence.language())
}

/// Recognizes a name that stands alone, as in a heading, before a sentence that says that nothing was found.
fn is_heading(text: Text<'_>, tokens: &[Token<'_>], name: usize, sentence: &Sentence<'_>) -> bool {
    let at = text.prose_range(tokens[name].range.clone());
    let end = tokens[name..].iter().find(|token| token.is_end());
    let asks = end.is_some_and(|end| text.folded.text[end.range.clone()].starts_with(['?', '؟']));
    if !(sentence.is_only_name() || asks) || text.span(SpanKind::TableCell, &at).is_some() {
        return false;
    }
    let rest = &tokens[name + 1..];
    let Some(end) = rest.iter().position(Token::is_end) else {
        return false;
    };
    let Some(next) = rest[end..].iter().position(|token| !token.is_end()) else {
        return false;
    };
    let next_sentence = Sentence::around(text, tokens, name + 1 + end + next);
    let parts = next_sentence.all();
    let no_names = parts.iter().all(|part| !part.is_name);
    no_names && says_nothing_found(parts, text.language)
}

/// Recognizes a row of a table whose other cells say that there are no data.
fn is_row_without_data(text: Text<'_>, row_tokens: &[Token<'_>], name: usize) -> bool {
    let Some(token) = row_tokens.get(name) else {
        return false;
    };
    let at = text.prose_range(token.range.clone());
    let Some(row) = text.span(SpanKind::TableRow, &at) else {
        return false;
    };
    let cells = text
        .spans_in(&row.range)
        .iter()
        .filter(|span| span.kind == SpanKind::TableCell)
        .take(MAX_CELLS);
    let (mut without_data, mut with_data) = (0, 0);
    for cell in cells.filter(|cell| !(cell.range.start <= at.start && at.end <= cell.range.end)) {
        match cell_state(text, cell.range.clone()) {
            CellState::NoData => without_data += 1,
            CellState::Empty => {}
            CellState::Data => with_data += 1,
        }
    }
    without_data > 0 && with_data == 0
}

/// What a cell of a table says.
enum CellState {
    NoData,
    Empty,
    Data,
}

fn cell_state(text: Text<'_>, cell: std::ops::Range<usize>) -> CellState {
    let folded = text.folded_range(&cell);
    let words = tokens(text, folded.start, folded.end.min(folded.start + MAX_CELL_BYTES));
    if words.iter().all(|token| !token.is_word() && !token.is_name()) {
        return CellState::Empty;
    }
    // `n/a` is one term.
    let whole = text.prose.get(cell).unwrap_or_default();
    let whole = Folded::of(whole.trim()).text;
    if text.language.lexicon().roles(&whole).has(Roles::NO_DATA) {
        return CellState::NoData;
    }
    if words.iter().any(|token| token.has(Roles::NO_DATA)) {
        return CellState::NoData;
    }
    let Some(first) = words.iter().position(|token| !token.is_end()) else {
        return CellState::Empty;
    };
    let sentence = Sentence::around(text, &words, first);
    if says_nothing_found(sentence.all(), text.language) {
        CellState::NoData
    } else {
        CellState::Data
    }
}
