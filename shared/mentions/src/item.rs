//! The items of lists, tables, headings and cards: the slots in which they stand, and the other items there.

mod marker;
mod reader;
mod series;

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use crate::bare_url::is_domain;
use crate::fold::{BRAND_NAME, MAYBE_BRAND_NAME};
use crate::language::Language;
use crate::script::{is_unspaced, is_word};
use crate::slot::{Siblings, Slot};
use crate::text::Text;
use crate::word_list::MAX_LETTERS;
use crate::word_parts::without_last_letters;
use marker::is_marker_sign;
use reader::find_slots;

/// The number of bytes of an introduction that are read.
const MAX_INTRO_BYTES: usize = 80;
/// The number of slots on each side of an item among which its siblings are looked for.
const MAX_SLOTS: usize = 64;
/// The number of other items that are looked at on each side of an item.
const MAX_SIBLINGS: usize = 16;
impl<'a> Text<'a> {
    /// Returns the slot that the prose bytes `name` begin, with at most two more words, which have capitals.
    pub(crate) fn slot_of(self, name: &Range<usize>) -> Option<&'a Slot> {
        let slots = self.slots.0.get_or_init(|| find_slots(self));
        // A sign at the start of the name counts as the item's marker: `¿Cuánto cuesta?`.
        let signs = self.slice(name).chars().take_while(|&c| is_marker_sign(c));
        let start = name.start + signs.map(char::len_utf8).sum::<usize>();
        let at = slots.partition_point(|slot| slot.range.start < start);
        let slot = slots.get(at).filter(|slot| slot.range.start == start)?;
        let rest = self.slice(&(name.end..slot.range.end.max(name.end)));
        let mut words = rest.split_whitespace();
        let is_item = name.end <= slot.range.end
            && words.clone().count() <= 2
            && words.all(|word| !word.starts_with(char::is_lowercase));
        is_item.then_some(slot)
    }

    /// Returns what the other items of the list are.
    pub(crate) fn siblings_of(self, slot: &Slot) -> Siblings {
        let mut siblings = Siblings::default();
        for other in self.other_items(slot) {
            let flags = self.folded.flags.get(self.folded_range(&other.range));
            let flags = flags.into_iter().flatten().fold(0, |all, flags| all | flags);
            let count = if flags & BRAND_NAME != 0 {
                &mut siblings.names
            } else if *other.is_unknown.get_or_init(|| is_unknown_item(self, other)) {
                &mut siblings.unknown
            } else if flags & MAYBE_BRAND_NAME != 0 {
                &mut siblings.maybe
            } else {
                &mut siblings.common
            };
            *count += 1;
        }
        siblings
    }

    /// Returns the slots of the nearest other items of the list.
    fn other_items(self, slot: &Slot) -> impl Iterator<Item = &'a Slot> {
        let slots = self.slots.0.get().map_or(&[][..], Vec::as_slice);
        let at = slots.partition_point(|other| other.range.start < slot.range.start);
        // Without a limit, a hostile text of many lists of one item takes quadratic time.
        let before = slots[..at].iter().rev().take(MAX_SLOTS);
        let after = slots[at..].iter().skip(1).take(MAX_SLOTS);
        let is_sibling = move |other: &&'a Slot| other.is_sibling_of(slot);
        let before = before.filter(is_sibling).take(MAX_SIBLINGS);
        let after = after.filter(is_sibling).take(MAX_SIBLINGS);
        before.chain(after)
    }

    /// Returns the ranges of prose that introduce the list of a slot.
    pub(crate) fn intros_of(self, slot: &Slot) -> impl Iterator<Item = Range<usize>> {
        let end_of = move |range: &Range<usize>| {
            let from = range.end.saturating_sub(MAX_INTRO_BYTES).max(range.start);
            self.prose.ceil_char_boundary(from)..range.end
        };
        slot.intros
            .each_ref()
            .map(end_of)
            .into_iter()
            .filter(|range| range.start < range.end)
    }
}

/// Returns whether an item is a domain, or begins with a word that is in no form a common one.
fn is_unknown_item(text: Text<'_>, slot: &Slot) -> bool {
    let item = text.slice(&slot.range);
    let is_short = item.split_whitespace().count() <= 3;
    let first = || item.split(|c: char| !is_word(c)).find(|word| !word.is_empty());
    let is_unknown = |word: &str| !word.starts_with(char::is_lowercase) && is_unknown_word(text, word);
    is_domain(item) || (is_short && first().is_some_and(is_unknown))
}

/// The number of letters that a form shares with a listed word.
const MIN_STEM_LETTERS: usize = 4;

/// Returns whether `word` is in no form a common word of the answer's language. It is not, if it is longer
/// than the words of the lists.
pub(crate) fn is_unknown_word(text: Text<'_>, word: &str) -> bool {
    // In German, an unknown word with a capital is a noun.
    if text.language.code() == "de" {
        return false;
    }
    let lower = word.nfc().collect::<String>().to_lowercase();
    // The lists have few inflected forms.
    let is_form_of_listed = |letters: usize| {
        let stem = without_last_letters(&lower, letters);
        stem.chars().count() >= MIN_STEM_LETTERS && text.language.common_words().contains_prefix(stem)
    };
    let is_inflected = text.language != Language::ENGLISH && (1..=3).any(is_form_of_listed);
    (3..=MAX_LETTERS).contains(&lower.chars().count())
        && !text.language.has_common_word(&lower)
        && !is_inflected
        && !is_compound_without_spaces(text, &lower)
}

/// Returns whether a word of a script without spaces consists of listed words, and at most one more
/// character.
fn is_compound_without_spaces(text: Text<'_>, word: &str) -> bool {
    if !word.contains(is_unspaced) {
        return false;
    }
    let words = text.language.common_words();
    let ends: Vec<usize> = word.char_indices().map(|(i, _)| i).chain([word.len()]).collect();
    // The smallest number of unlisted characters before each end.
    let mut unlisted = vec![usize::MAX; ends.len()];
    unlisted[0] = 0;
    for to in 1..ends.len() {
        for from in 0..to {
            let is_listed =
                (to - from > 1 || unlisted.len() == 2) && words.contains(&word[ends[from]..ends[to]]);
            if unlisted[from] != usize::MAX && (is_listed || to - from == 1) {
                let count = unlisted[from] + usize::from(!is_listed);
                unlisted[to] = unlisted[to].min(count);
            }
        }
    }
    unlisted.last().is_some_and(|&count| count <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::Folded;
    use crate::prose::Prose;
    use crate::slot::Slots;

    /// Returns the items of an answer in English.
    fn items(answer: &str) -> Vec<String> {
        let prose = Prose::parse(answer);
        let text = Text {
            prose: &prose.text,
            folded: &Folded::of(&prose.text),
            spans: &prose.spans,
            slots: &Slots::default(),
            language: Language::ENGLISH,
        };
        let slots = find_slots(text);
        slots
            .iter()
            .map(|slot| text.slice(&slot.range).to_owned())
            .collect()
    }

    #[test]
    fn lines_cells_headings_and_bold_texts_begin_with_items() {
        for (answer, wanted) in [
            (
                "- **Acme:** a good one for teams that need little of it\n- Zendo – fast",
                &["Acme", "Zendo"][..],
            ),
            (
                "### 2. Acme\n\nIt is what most people take in the end.",
                &["Acme"],
            ),
            ("🥈 Acme\n\n1️⃣ Zendo", &["Acme", "Zendo"]),
            (
                "| Tool | Price |\n|---|---|\n| Acme | $5 |",
                &["Tool", "Price", "Acme"],
            ),
            ("Best overall: Acme", &["Best overall", "Acme"]),
            ("1) Acme 2) Zendo", &["Acme", "Zendo"]),
            ("[free] Acme\n10:00 Zendo", &["Acme", "Zendo"]),
            ("It is the one that most people take in the end.", &[]),
            (
                "Good ones: Acme, Zendo and Velmora. They cost little.",
                &["Good ones", "Acme", "Zendo", "Velmora"],
            ),
            (
                "Which of them do people buy most often there? Acme, Zendo or Velmora.",
                &["Acme", "Zendo", "Velmora"],
            ),
            (
                "It is one of the two that all of us like (Acme, Zendo) very much.",
                &["Acme", "Zendo"],
            ),
            ("Acme (fast); Zendo (cheap)", &["Acme", "Zendo", "cheap"]),
            ("Acme → Zendo › Velmora", &["Acme", "Zendo", "Velmora"]),
            ("「Acme」・「Zendo」", &["Acme", "Zendo"]),
            ("C&A, H&M", &["C&A", "H&M"]),
            (
                "We looked at all of it more than once (twice, and long). We liked Acme, and so did they.",
                &[],
            ),
            (
                "It has more of it than all of the others (among them Acme, Zendo",
                &[],
            ),
        ] {
            assert_eq!(items(answer), wanted, "{answer}");
        }
    }

    #[test]
    fn the_items_of_a_list_are_siblings_and_those_of_another_are_none() {
        let answer = "Tools:\n\n- Acme\n- Zendo\n\nCriteria:\n\n- Price\n- Speed";
        let prose = Prose::parse(answer);
        let text = Text {
            prose: &prose.text,
            folded: &Folded::of(&prose.text),
            spans: &prose.spans,
            slots: &Slots::default(),
            language: Language::ENGLISH,
        };
        let at = prose.text.find("Price").unwrap();
        let slot = text.slot_of(&(at..at + "Price".len())).unwrap();
        let others: Vec<&str> = text
            .other_items(slot)
            .map(|other| text.slice(&other.range))
            .collect();
        assert_eq!(others, ["Speed"]);
        assert!(text.siblings_of(slot).are_common());
        let intros: Vec<String> = text
            .intros_of(slot)
            .map(|range| text.slice(&range).to_owned())
            .collect();
        assert_eq!(intros, ["Criteria:"]);
    }
}
