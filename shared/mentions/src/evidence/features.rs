//! What stands beside common words that may matter for whether they are a name.

use super::{Evidence, is_like_brand};
use crate::capital::{is_always_capitalized, starts_sentence};
use crate::classifier::Features;
use crate::clause::{Token, TokenKind};
use crate::fold::MAYBE_BRAND_NAME;
use crate::item::is_unknown_word;
use crate::language::Roles;
use crate::prose::SpanKind;
use crate::script::has_case;
use crate::text::Text;
use crate::unit::is_unit;
use crate::word_parts::{for_each_part, stem};

/// The number of words on each side of which the order matters.
const ORDERED_WORDS: usize = 3;
/// The number of characters beside the words that are read as such.
const CHARS: usize = 3;

/// The number of brands of a sentence from which more make no difference.
const MAX_BRANDS: u8 = 3;
/// The number of common words of a sentence that may be other names from which more make no difference.
const MAX_CANDIDATES: u8 = 2;

/// The number of items of a list from which more make no difference.
const MAX_ITEMS: usize = 3;

#[derive(Clone, Copy)]
enum Kind {
    Sign,
    SignAtPlace,
    SignWithTitle,
    Place,
    WordAt,
    WordAtPlace,
    StemAt,
    RoleAt,
    ShapeAt,
    ShapesBeside,
    CharsBeside,
    WordOfSentence,
    RoleOfSentence,
    BrandCount,
    CandidateCount,
    WordAnywhere,
    StemAnywhere,
    WordOfTitle,
    StemOfTitle,
    RoleOfTitle,
    OwnWord,
    Slot,
    SlotSiblings,
    UnitBeside,
}

/// On which side of the words a token is.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl Evidence<'_> {
    /// Returns the features of the evidence.
    pub(crate) fn features(&self) -> Vec<u32> {
        let mut collector = Collector {
            evidence: self,
            language: self.text.language.code(),
            place: self.place(),
            features: Features::default(),
        };
        let before = self.before.iter().rev().take_while(|token| !token.is_end());
        let before: Vec<&Token<'_>> = before.collect();
        let after: Vec<&Token<'_>> = self.after.iter().take_while(|token| !token.is_end()).collect();
        collector.add_signs();
        collector.add_shapes_beside(&before, &after);
        for (side, tokens) in [(Side::Before, before), (Side::After, after)] {
            collector.add_nearest(side, &tokens);
            collector.add_sentence(side, &tokens);
        }
        collector.add_chars_beside();
        collector.add_surroundings();
        collector.add_title();
        collector.add_own_words();
        collector.add_slot();
        collector.features.into_ids()
    }

    /// Returns where the words stand: the innermost part of the text that markdown sets apart and whether
    /// they are all of it, whether they start a sentence, whether they have a capital, whether they are
    /// several, and whether the language always writes them with a capital.
    fn place(&self) -> [u8; 6] {
        let kinds = [
            SpanKind::Heading,
            SpanKind::TableCell,
            SpanKind::Bold,
            SpanKind::ListItem,
        ];
        let span = (1u8..)
            .zip(kinds)
            .find_map(|(i, kind)| Some((i, self.text.span(kind, &self.words)?)));
        let written = self.text.slice(&self.words);
        [
            span.map_or(0, |(i, _)| i),
            u8::from(span.is_some_and(|(_, span)| span.range == self.words)),
            u8::from(starts_sentence(self.text, self.words.start)),
            u8::from(written.starts_with(char::is_uppercase)),
            u8::from(written.contains(char::is_whitespace)),
            u8::from(is_always_capitalized(self.text, written)),
        ]
    }

    /// Returns whether a token has common words that may be the name of another brand.
    fn is_other_candidate(&self, token: &Token<'_>) -> bool {
        let folded = self.text.folded;
        let own = self.text.folded_range(&self.words);
        let mut flags = folded.flags.get(token.range.clone()).into_iter().flatten();
        flags.any(|flags| flags & MAYBE_BRAND_NAME != 0)
            && folded.text.get(token.range.clone()) != folded.text.get(own)
    }
}

struct Collector<'a> {
    evidence: &'a Evidence<'a>,
    language: &'static str,
    place: [u8; 6],
    features: Features,
}

impl Collector<'_> {
    fn add(&mut self, kind: Kind, parts: &[&[u8]]) {
        self.features.add(kind as u8, parts);
    }

    /// Adds a feature that only texts of the same language share.
    fn add_in_language(&mut self, kind: Kind, place: &[u8], text: &str) {
        let language = self.language.as_bytes();
        self.add(kind, &[language, place, text.as_bytes()]);
    }

    fn add_signs(&mut self) {
        let place = self.place;
        self.add(Kind::Place, &[&place]);
        let title = &self.evidence.title;
        let has_brand_word = title.iter().any(|token| token.has(Roles::BRAND_WORD));
        let titled = [u8::from(!title.is_empty()), u8::from(has_brand_word)];
        let signs = self.evidence.signs;
        for (i, _) in (0u8..).zip(signs).filter(|&(_, is_seen)| is_seen) {
            self.add(Kind::Sign, &[&[i]]);
            self.add(Kind::SignAtPlace, &[&[i], &place]);
            self.add(Kind::SignWithTitle, &[&[i], &titled]);
        }
    }

    /// Adds what the next tokens on both sides are.
    fn add_shapes_beside(&mut self, before: &[&Token<'_>], after: &[&Token<'_>]) {
        let text = self.evidence.text;
        let first = |tokens: &[&Token<'_>]| tokens.first().map_or_else(Vec::new, |token| shape(text, token));
        let place = self.place;
        let (before, after) = (first(before), first(after));
        self.add(Kind::ShapesBeside, &[&before, &after, &place]);
        // A number before a unit, or a name after it, tells more than beside other words.
        if self.are_units() {
            self.add(Kind::UnitBeside, &[&before, &after]);
            self.add(Kind::UnitBeside, &[&before, &[Side::Before as u8]]);
            self.add(Kind::UnitBeside, &[&after, &[Side::After as u8]]);
        }
    }

    fn are_units(&self) -> bool {
        let words = self.evidence.text.slice(&self.evidence.words);
        words.split_whitespace().all(is_unit)
    }

    /// Adds the nearest tokens of one side of the sentence, the nearest one first.
    fn add_nearest(&mut self, side: Side, tokens: &[&Token<'_>]) {
        let place = self.place;
        for n in 0..ORDERED_WORDS {
            let at = [side as u8, n as u8];
            let Some(token) = tokens.get(n) else {
                self.add(Kind::ShapeAt, &[&at, b"end", &place]);
                continue;
            };
            let shape = shape(self.evidence.text, token);
            self.add(Kind::ShapeAt, &[&at, &shape]);
            if n == 0 {
                self.add(Kind::ShapeAt, &[&at, &shape, &place]);
            }
            if let TokenKind::Word(word) = token.kind {
                self.add_in_language(Kind::WordAt, &at, word);
                if n == 0 {
                    self.add_in_language(Kind::WordAtPlace, &[&at[..1], &place].concat(), word);
                }
                self.add_in_language(Kind::StemAt, &at, stem(word));
            }
            for role in token.roles.indexes() {
                self.add(Kind::RoleAt, &[&at, &[role]]);
            }
        }
    }

    fn add_sentence(&mut self, side: Side, tokens: &[&Token<'_>]) {
        let (mut brands, mut candidates) = (0u8, 0u8);
        for token in tokens {
            if let TokenKind::Word(word) = token.kind {
                self.add_in_language(Kind::WordOfSentence, &[], word);
            }
            for role in token.roles.indexes() {
                self.add(Kind::RoleOfSentence, &[&[side as u8], &[role]]);
            }
            brands = brands.saturating_add(u8::from(is_like_brand(self.evidence.text, token)));
            candidates = candidates.saturating_add(u8::from(self.evidence.is_other_candidate(token)));
        }
        self.add(Kind::BrandCount, &[&[side as u8, brands.min(MAX_BRANDS)]]);
        self.add(
            Kind::CandidateCount,
            &[&[side as u8, candidates.min(MAX_CANDIDATES)]],
        );
    }

    fn add_chars_beside(&mut self) {
        let Evidence { text, words, .. } = self.evidence;
        let mut near = String::new();
        for c in text.before(words.start).chars().rev().take(CHARS) {
            near.push(c);
            self.add_in_language(Kind::CharsBeside, &[Side::Before as u8], &near);
        }
        near.clear();
        for c in text.after(words.end).chars().take(CHARS) {
            near.push(c);
            self.add_in_language(Kind::CharsBeside, &[Side::After as u8], &near);
        }
    }

    /// Adds the words around, in other sentences and cells too.
    fn add_surroundings(&mut self) {
        for token in self.evidence.before.iter().chain(&self.evidence.after) {
            if let TokenKind::Word(word) = token.kind {
                for_each_part(word, |part| {
                    self.add_in_language(Kind::WordAnywhere, &[], part);
                    self.add_in_language(Kind::StemAnywhere, &[], stem(part));
                });
            }
        }
    }

    /// Adds the words themselves: `Price` is rarer as a name than `Notion`.
    fn add_own_words(&mut self) {
        let text = self.evidence.text;
        let own = text.slice(&self.evidence.words).to_lowercase();
        let in_slot = [u8::from(self.evidence.slot.is_some())];
        let is_unknown = own.split_whitespace().any(|word| is_unknown_word(text, word));
        self.add(Kind::OwnWord, &[&[u8::from(is_unknown)], &in_slot]);
        let are_units = self.are_units();
        let is_capital = own.to_uppercase() == text.slice(&self.evidence.words);
        self.add(
            Kind::OwnWord,
            &[b"unit", &[u8::from(are_units), u8::from(is_capital)], &in_slot],
        );
    }

    /// Adds the place that names an item, and the other items there.
    fn add_slot(&mut self) {
        let Some((slot, siblings)) = self.evidence.slot else {
            return;
        };
        let end = slot.end.to_string();
        let form = [
            slot.place.index(),
            u8::from(slot.is_set_apart),
            u8::from(slot.is_marked),
        ];
        self.add(Kind::Slot, &[&form[..1]]);
        self.add(Kind::Slot, &[&form]);
        self.add(Kind::Slot, &[&form, end.as_bytes()]);
        self.add(Kind::Slot, &[&[], end.as_bytes()]);
        let few = |count: usize| u8::try_from(count.min(MAX_ITEMS)).unwrap_or(u8::MAX); // It is small.
        let counts = [
            few(siblings.names),
            few(siblings.unknown),
            few(siblings.maybe),
            few(siblings.common),
        ];
        self.add(Kind::SlotSiblings, &[&counts]);
        for (i, count) in (0u8..).zip(counts) {
            self.add(Kind::SlotSiblings, &[&[i, count]]);
        }
    }

    fn add_title(&mut self) {
        for token in &self.evidence.title {
            if let TokenKind::Word(word) = token.kind {
                for_each_part(word, |part| {
                    self.add_in_language(Kind::WordOfTitle, &[], part);
                    self.add_in_language(Kind::StemOfTitle, &[], stem(part));
                });
            }
            for role in token.roles.indexes() {
                self.add(Kind::RoleOfTitle, &[&[role]]);
            }
        }
    }
}

fn shape(text: Text<'_>, token: &Token<'_>) -> Vec<u8> {
    match token.kind {
        TokenKind::Word(word) if word.starts_with(|c: char| c.is_ascii_digit()) => b"9".to_vec(),
        TokenKind::Word(word) if !token.is_capital && !has_case(word) && is_unknown_word(text, word) => {
            b"rare".to_vec()
        }
        TokenKind::Name => b"name".to_vec(),
        TokenKind::Sign(sign) => sign.to_string().into_bytes(),
        TokenKind::End => b"end".to_vec(),
        TokenKind::Word(_) if token.is_capital => b"Word".to_vec(),
        TokenKind::Word(_) => b"word".to_vec(),
    }
}
