//! The words around a name, by their places relative to it.

use std::ops::Range;

use crate::clause::{Token, tokens};
use crate::fold::Folded;
use crate::language::{Language, Roles};
use crate::prose::{Span, SpanKind};
use crate::text::Text;
use crate::title::intro_of_list;

/// The number of bytes of folded text that are read on each side of a name.
const MAX_DISTANCE: usize = 240;
/// The number of bytes after the sentence of a name in which the next sentence is read.
const MAX_NEXT_BYTES: usize = 160;
/// The number of bytes before a list that are read.
const MAX_INTRO_BYTES: usize = 200;
/// The maximum number of words of a sentence that is a mere label or question.
const MAX_LABEL_WORDS: usize = 3;
const MAX_CELLS: usize = 16;
const MAX_CELL_BYTES: usize = 200;

const NEGATORS: Roles = Roles::NO
    .union(Roles::NOTHING)
    .union(Roles::NOT)
    .union(Roles::MISSING)
    .union(Roles::NEITHER)
    .union(Roles::NO_DATA);

/// Where a word is, relative to the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the clause of the name, before it.
    Before,
    /// In the clause of the name, after it.
    After,
    ClauseBefore,
    ClauseAfter,
    /// In a clause that another one separates from the name's.
    FartherBefore,
    FartherAfter,
}

impl Place {
    pub(super) fn is_in_clause(self) -> bool {
        matches!(self, Self::Before | Self::After)
    }
}

/// What a negator speaks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The clause of the name.
    Clause,
    /// The sentence of the name.
    Sentence,
    /// What is said elsewhere about a name that stands alone: the negator is in the next sentence, before the
    /// list, or in another cell of the row.
    Beyond,
}

/// The sentence around a name, and what may say something about a name that stands alone.
pub(super) struct Context<'a> {
    pub language: Language,
    /// The tokens of the sentence.
    pub sentence: Vec<Token<'a>>,
    /// The places of the tokens of the sentence.
    pub places: Vec<Place>,
    /// The index of the name in the sentence.
    pub name: usize,
    /// Whether the sentence ends with a question mark.
    pub is_question: bool,
    /// The tokens of the sentence after it, if the sentence is no more than a label, asks a question or
    /// speaks of a search.
    pub next: Vec<Token<'a>>,
    /// The tokens before the list, if the name is an item without more words.
    pub intro: Vec<Token<'a>>,
    /// The tokens of the other cells of the row that are not empty, if the name is in a table.
    pub cells: Option<Vec<Vec<Token<'a>>>>,
}

impl<'a> Context<'a> {
    /// Returns the context of the name at the folded bytes `start..end`.
    pub(super) fn around_name(text: Text<'a>, start: usize, end: usize) -> Option<Self> {
        let folded: &Folded = text.folded;
        let low = folded
            .text
            .floor_char_boundary(start.saturating_sub(MAX_DISTANCE));
        let high = folded
            .text
            .floor_char_boundary((end + MAX_DISTANCE).min(folded.text.len()));
        let end_of_sentence = end_of_sentence(folded, end, high);
        let mut sentence = tokens(text, start_of_sentence(folded, low, start), end_of_sentence);
        let name = sentence
            .iter()
            .position(|token| token.is_name() && token.range.start <= start && start < token.range.end)?;
        // A line may break without a sign.
        let last = sentence[name..].iter().position(Token::is_end);
        let rest = last.map_or(end_of_sentence, |last| sentence[name + last].range.start);
        sentence.truncate(last.map_or(sentence.len(), |last| name + last));
        let before = sentence[..name].iter().rposition(Token::is_end);
        let first = before.map_or(0, |before| before + 1);
        sentence.drain(..first);
        let name = name - first;
        let is_question = matches!(folded.char_at(rest), Some('?' | '؟'));
        Some(Self {
            language: text.language,
            places: places(&sentence, name),
            is_question,
            next: next_sentence(text, &sentence, rest, is_question),
            intro: intro(text, &sentence, start..end),
            sentence,
            name,
            cells: other_cells(text, start, end),
        })
    }

    /// Returns the share of the other cells of the row that have a negator, in quarters.
    pub(super) fn denied_cells_in_quarters(&self) -> Option<usize> {
        let cells = self.cells.as_ref().filter(|cells| !cells.is_empty())?;
        let is_denied = |cell: &&Vec<Token<'_>>| cell.iter().any(|token| token.has(NEGATORS));
        Some(4 * cells.iter().filter(is_denied).count() / cells.len())
    }

    /// Returns how far a negator reaches, if there is any: the smallest scope that has one.
    pub(super) fn scope(&self) -> Option<Scope> {
        let is_negator = |token: &Token<'_>| token.has(NEGATORS);
        let mut of_sentence = self.sentence.iter().zip(&self.places);
        let cells = self.cells.iter().flatten().flatten();
        if of_sentence.any(|(token, place)| is_negator(token) && place.is_in_clause()) {
            Some(Scope::Clause)
        } else if self.sentence.iter().any(is_negator) {
            Some(Scope::Sentence)
        } else if self.next.iter().chain(&self.intro).chain(cells).any(is_negator) {
            Some(Scope::Beyond)
        } else {
            None
        }
    }
}

/// Returns where the sentence starts that contains the folded byte `to`, but not before `from`.
fn start_of_sentence(folded: &Folded, from: usize, to: usize) -> usize {
    let mut chars = folded.text[from..to].char_indices().rev();
    let found = chars.find(|&(i, c)| ends_sentence(folded, from + i, c));
    found.map_or(from, |(i, c)| from + i + c.len_utf8())
}

/// Returns where the sentence ends that contains the folded byte `from`, without its last sign, but not after
/// `to`.
fn end_of_sentence(folded: &Folded, from: usize, to: usize) -> usize {
    let mut chars = folded.text[from..to].char_indices();
    let found = chars.find(|&(i, c)| ends_sentence(folded, from + i, c));
    found.map_or(to, |(i, _)| from + i)
}

fn ends_sentence(folded: &Folded, at: usize, c: char) -> bool {
    matches!(c, '!' | '?' | ';' | '\n' | '。' | '؟' | '؛' | '।' | '·')
        || (c == '.' && folded.is_final_dot(at))
}

/// Returns the tokens of the sentence that starts after the folded byte `from`, if `sentence` leaves to it
/// what it says.
fn next_sentence<'a>(
    text: Text<'a>,
    sentence: &[Token<'a>],
    from: usize,
    is_question: bool,
) -> Vec<Token<'a>> {
    let words = sentence.iter().filter(|token| token.is_word()).count();
    let is_search = || {
        let has = |roles: Roles| sentence.iter().any(|token| token.has(roles));
        has(Roles::SEARCH) && !has(NEGATORS)
    };
    if words > MAX_LABEL_WORDS && !is_question && !is_search() {
        return Vec::new();
    }
    let folded = &text.folded.text;
    let high = folded.floor_char_boundary((from + MAX_NEXT_BYTES).min(folded.len()));
    let mut next = tokens(text, from, high);
    let first = next
        .iter()
        .position(|token| !token.is_end())
        .unwrap_or(next.len());
    next.drain(..first);
    next.truncate(next.iter().position(Token::is_end).unwrap_or(next.len()));
    next
}

/// Returns the tokens of the last sentence before the list of the name at the folded bytes `name`, if the
/// name's item has no more than a label.
fn intro<'a>(text: Text<'a>, sentence: &[Token<'a>], name: Range<usize>) -> Vec<Token<'a>> {
    let has_small_letter =
        |token: &Token<'_>| text.prose_of(token.range.clone()).contains(char::is_lowercase);
    let (plain, others): (Vec<&Token<'_>>, Vec<&Token<'_>>) = sentence
        .iter()
        .filter(|token| token.is_word())
        .partition(|token| !token.is_capital);
    // `Zendo Bank` is a label, `We use Zendo` says something.
    let is_label =
        !plain.iter().any(|token| has_small_letter(token)) && plain.len() + others.len() <= MAX_LABEL_WORDS;
    if !is_label || plain.len() > 1 {
        return Vec::new();
    }
    let Some(intro) = intro_of_list(text, &text.prose_range(name), MAX_INTRO_BYTES) else {
        return Vec::new();
    };
    let folded = text.folded_range(&intro);
    let mut tokens = tokens(text, folded.start, folded.end);
    while tokens.pop_if(|token| token.is_end()).is_some() {}
    let last = tokens.iter().rposition(Token::is_end);
    tokens.drain(..last.map_or(0, |last| last + 1));
    tokens
}

fn places(sentence: &[Token<'_>], name: usize) -> Vec<Place> {
    let mut clause = 0;
    let clauses: Vec<i32> = sentence
        .iter()
        .enumerate()
        .map(|(i, token)| {
            let is_contrast = i > 0 && token.is_word() && token.has(Roles::BUT);
            if is_contrast || separates(sentence, i) {
                clause += 1;
            }
            clause
        })
        .collect();
    let own = clauses[name];
    let place = |(i, clause): (usize, &i32)| match clause - own {
        0 if i < name => Place::Before,
        0 => Place::After,
        -1 => Place::ClauseBefore,
        1 => Place::ClauseAfter,
        distance if distance < 0 => Place::FartherBefore,
        _ => Place::FartherAfter,
    };
    clauses.iter().enumerate().map(place).collect()
}

/// Returns whether the token at `i` is a sign that separates clauses. A comma between names enumerates them.
fn separates(sentence: &[Token<'_>], i: usize) -> bool {
    let is_like_name =
        |token: &Token<'_>| token.is_name() || (token.is_capital && token.roles == Roles::NONE);
    let token = &sentence[i];
    let enumerates = token.is_sign(&[','])
        && i > 0
        && is_like_name(&sentence[i - 1])
        && sentence.get(i + 1).is_some_and(is_like_name);
    token.is_sign(&[',', ':', '-', '(', '→', '|']) && !enumerates
}

/// Returns the tokens of the other cells of the row around the name at the folded bytes `start..end`.
fn other_cells(text: Text<'_>, start: usize, end: usize) -> Option<Vec<Vec<Token<'_>>>> {
    let name = text.prose_range(start..end);
    let row = text.span(SpanKind::TableRow, &name)?;
    let cells = text
        .spans_in(&row.range)
        .iter()
        .filter(|span| span.kind == SpanKind::TableCell)
        .filter(|cell| !(cell.range.start <= name.start && name.end <= cell.range.end))
        .take(MAX_CELLS);
    let tokens_of = |cell: &Span| {
        let folded = text.folded_range(&cell.range);
        let high = folded.end.min(folded.start + MAX_CELL_BYTES);
        tokens(text, folded.start, text.folded.text.floor_char_boundary(high))
    };
    let has_words = |cell: &Vec<Token<'_>>| cell.iter().any(|token| token.is_word() || token.is_name());
    Some(cells.map(tokens_of).filter(has_words).collect())
}
