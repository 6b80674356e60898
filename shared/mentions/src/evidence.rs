//! Evidence in an answer that common words are a brand's name, where their capitals prove nothing.
//!
//! A possessive is enough by itself. A logistic regression weighs all others: quotation marks, a noun or verb
//! of brands beside the name (`Target stores`, `Target offers`), examples after a general noun (`shops such
//! as Target`), an enumeration with another brand, a bold name or list head whose siblings are brands, a link
//! whose label is the name, another spelling of the name in brackets, what names the list or the column, and
//! the words, their roles and characters nearby. It has learned the weights (`classifier`) from the labelled
//! texts in `tests/reading/sentences`.

mod features;

use std::ops::Range;

use crate::classifier::Classifier;
use crate::clause::{Token, TokenKind, tokens};
use crate::item::is_unknown_word;
use crate::language::Roles;
use crate::prose::SpanKind;
use crate::script::has_case;
use crate::slot::{Siblings, Slot};
use crate::text::Text;
use crate::title::title_of_list_or_column;

/// The number of folded bytes that are read on each side of a name.
const MAX_DISTANCE: usize = 200;

/// Decides whether common words are a brand's name.
pub static NAME_CLASSIFIER: Classifier = Classifier::new(include_bytes!("../weights/name"), 4);

/// What may show that common words are a name.
pub(crate) struct Evidence<'a> {
    text: Text<'a>,
    /// The range of prose of the words.
    words: Range<usize>,
    /// The tokens before and after them.
    before: Vec<Token<'a>>,
    after: Vec<Token<'a>>,
    /// The tokens of what names the list or the column of the words.
    title: Vec<Token<'a>>,
    /// The place that names an item, if the words stand in one, and the other items there.
    slot: Option<(&'a Slot, Siblings)>,
    signs: [bool; SIGNS],
}

const SIGNS: usize = 10;
/// The index of the sign that is enough by itself.
const POSSESSIVE: usize = 2;

impl<'a> Evidence<'a> {
    /// Collects the evidence beside the common words at the folded bytes `range`. The caller has set the flag
    /// `BRAND_NAME` on all names that are certain.
    pub(crate) fn collect(text: Text<'a>, range: Range<usize>) -> Self {
        let folded = &text.folded.text;
        let low = folded.floor_char_boundary(range.start.saturating_sub(MAX_DISTANCE));
        let high = folded.floor_char_boundary((range.end + MAX_DISTANCE).min(folded.len()));
        let before = tokens(text, low, range.start);
        let after = tokens(text, range.end, high);
        let words = text.prose_range(range);
        let slot = text.slot_of(&words);
        let slot = slot.map(|slot| (slot, text.siblings_of(slot)));
        let title = title_of(text, &words, slot.map(|(slot, _)| slot));
        let siblings = slot.map(|(_, siblings)| siblings).unwrap_or_default(); // Words in no slot have no siblings.
        let signs = [
            is_quoted(text, &words),
            starts_capitalized_name(text, &words, &after),
            is_possessive(text, &words, &after),
            is_beside_brand_terms(&before, &after),
            is_enumerated_with_brand(text, &before, &after),
            is_label_or_alias(text, &words, &after),
            siblings.are_brands(),
            is_beside_brand_in_caseless_script(text, &words, &before, &after),
            siblings.may_be_brands(),
            siblings.are_common(),
        ];
        Self {
            text,
            words,
            before,
            after,
            title,
            slot,
            signs,
        }
    }

    /// Returns whether the words are a name.
    pub(crate) fn shows_name(&self) -> bool {
        self.signs[POSSESSIVE] || NAME_CLASSIFIER.accepts(&self.features())
    }
}

/// Returns the tokens of what introduces the list of a slot and names its column, or the list around other
/// words.
fn title_of<'a>(text: Text<'a>, words: &Range<usize>, slot: Option<&Slot>) -> Vec<Token<'a>> {
    let ranges: Vec<Range<usize>> = match slot {
        Some(slot) => text.intros_of(slot).collect(),
        None => title_of_list_or_column(text, words).into_iter().collect(),
    };
    let tokens_of = |range: Range<usize>| {
        let folded = text.folded_range(&range);
        tokens(text, folded.start, folded.end)
    };
    ranges.into_iter().flat_map(tokens_of).collect()
}

/// Returns whether another brand is in the sentence, if the name is written in a script without capitals.
/// There, the common words of a name are not more frequent than the name where brands are compared.
fn is_beside_brand_in_caseless_script(
    text: Text<'_>,
    name: &Range<usize>,
    before: &[Token<'_>],
    after: &[Token<'_>],
) -> bool {
    if has_case(text.slice(name)) {
        return false;
    }
    let before = before.iter().rev().take_while(|token| !token.is_end());
    let after = after.iter().take_while(|token| !token.is_end());
    before.chain(after).any(|token| is_like_brand(text, token))
}

fn is_quoted(text: Text<'_>, name: &Range<usize>) -> bool {
    let before = text.before(name.start).chars().next_back();
    matches!(
        (before, text.after(name.end).chars().next()),
        (
            Some('"' | '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '「' | '『' | '《' | '‹'),
            Some('"' | '“' | '”' | '«' | '»' | '’' | '」' | '』' | '》' | '›')
        )
    )
}

/// Returns whether `'s` follows, or a mere apostrophe after a final s, x, z or ß: `Siemens’ Garantie`.
fn is_possessive(text: Text<'_>, name: &Range<usize>, after: &[Token<'_>]) -> bool {
    let is_apostrophe = |c: char| matches!(c, '\'' | '’');
    // A closing quotation mark looks like an apostrophe.
    let before = text.before(name.start);
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let is_opened = line.contains(['‘', '‚']) || line.contains(" '") || line.starts_with('\'');
    let ends_in_s = text.slice(name).ends_with(['s', 'x', 'z', 'ß']);
    let is_bare = || {
        let rest = text.after(name.end).strip_prefix(is_apostrophe);
        rest.and_then(|rest| rest.strip_prefix(' '))
            .is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    };
    let has_s = after
        .first()
        .is_some_and(|token| token.kind == TokenKind::Word("'s"));
    has_s || (ends_in_s && !is_opened && is_bare())
}

fn is_beside_brand_terms(before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let is_after = after
        .first()
        .is_some_and(|token| token.has(Roles::BRAND_WORD.union(Roles::BRAND_VERB)));
    let is_before = before
        .last()
        .is_some_and(|token| token.has(Roles::BRAND_WORD.union(Roles::SUCH_AS)));
    is_after || is_before
}

/// Returns whether a capitalized word follows that its place does not explain: `Delta Faucet makes`.
fn starts_capitalized_name(text: Text<'_>, name: &Range<usize>, after: &[Token<'_>]) -> bool {
    let is_set_apart = [SpanKind::Heading, SpanKind::Bold, SpanKind::TableCell]
        .into_iter()
        .any(|kind| text.span(kind, name).is_some());
    let is_capital = text.slice(name).starts_with(char::is_uppercase);
    let next = after.first().filter(|token| token.is_word() && token.is_capital);
    is_capital && !is_set_apart && text.language.code() != "de" && next.is_some()
}

fn is_enumerated_with_brand(text: Text<'_>, before: &[Token<'_>], after: &[Token<'_>]) -> bool {
    let joins =
        |token: &Token<'_>| token.is_sign(&[',', '/', '&', '+']) || token.has(Roles::AND.union(Roles::OR));
    let next = |side: Vec<&Token<'_>>| {
        let joints = side.iter().take_while(|token| joins(token)).count();
        joints > 0 && side.get(joints).is_some_and(|token| is_like_brand(text, token))
    };
    next(before.iter().rev().collect()) || next(after.iter().collect())
}

/// Returns whether a token is a certain name or a capitalized word that is not common.
fn is_like_brand(text: Text<'_>, token: &Token<'_>) -> bool {
    token.is_name()
        || (token.is_word() && token.is_capital && is_unknown_word(text, text.prose_of(token.range.clone())))
}

/// Returns whether the name is the whole label of a link, or another spelling follows it in brackets:
/// `小米（Xiaomi）`.
fn is_label_or_alias(text: Text<'_>, name: &Range<usize>, after: &[Token<'_>]) -> bool {
    let is_label = text
        .span(SpanKind::LinkLabel, name)
        .is_some_and(|label| label.range == *name);
    let alias = match after {
        [bracket, alias, ..] if bracket.is_sign(&['(', '（']) => Some(alias),
        _ => None,
    };
    is_label || alias.is_some_and(|alias| alias.is_capital && is_like_brand(text, alias))
}
