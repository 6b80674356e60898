//! What stands beside common words that may matter for whether they are a name.

use super::Evidence;
use crate::classifier::Features;
use crate::clause::{Token, TokenKind};
use crate::fold::MAYBE_BRAND_NAME;
use crate::head::is_unknown_word;
use crate::language::Roles;
use crate::prose::SpanKind;
use crate::script::is_unspaced;
use crate::text::Text;
use crate::usage::{is_always_capitalized, starts_sentence};

/// The number of words on each side of which the order matters.
const ORDERED_WORDS: usize = 3;
/// The number of characters beside the words that are read as such.
const CHARS: usize = 3;

/// Kinds of features.
#[derive(Clone, Copy)]
enum Kind {
    Sign,
    SignAtPlace,
    Place,
    NearWord,
    NearRole,
    NearShape,
    Neighbours,
    Char,
    Word,
    Role,
    Brands,
    Title,
    TitleRole,
    Candidates,
    AnyWord,
    AnyStem,
    NearStem,
    TitleStem,
    SignWithTitle,
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
        let mut features = Features::default();
        let mut add = |kind: Kind, parts: &[&[u8]]| features.add(kind as u8, parts);
        let place = self.place();
        let has_brand_word = self.title.iter().any(|token| token.has(Roles::BRAND_WORD));
        let titled = [u8::from(!self.title.is_empty()), u8::from(has_brand_word)];
        add(Kind::Place, &[&place]);
        for (i, _) in (0u8..).zip(&self.signs).filter(|&(_, &is_seen)| is_seen) {
            add(Kind::Sign, &[&[i]]);
            add(Kind::SignAtPlace, &[&[i], &place]);
            add(Kind::SignWithTitle, &[&[i], &titled]);
        }
        let language = self.text.language.code().as_bytes();
        let before: Vec<&Token<'_>> = self
            .before
            .iter()
            .rev()
            .take_while(|token| !token.is_end())
            .collect();
        let after: Vec<&Token<'_>> = self.after.iter().take_while(|token| !token.is_end()).collect();
        for (side, tokens) in [(Side::Before, &before), (Side::After, &after)] {
            for n in 0..ORDERED_WORDS {
                let at = [side as u8, n as u8];
                let Some(token) = tokens.get(n) else {
                    add(Kind::NearShape, &[&at, b"end", &place]);
                    continue;
                };
                add(Kind::NearShape, &[&at, &shape(self.text, token)]);
                if n == 0 {
                    add(Kind::NearShape, &[&at, &shape(self.text, token), &place]);
                }
                if let TokenKind::Word(word) = token.kind {
                    add(Kind::NearWord, &[language, &at, word.as_bytes()]);
                    add(Kind::NearStem, &[language, &at, stem(word).as_bytes()]);
                }
                each_role(token.roles, |role| add(Kind::NearRole, &[&at, &[role]]));
            }
            let (mut brands, mut candidates) = (0u8, 0u8);
            for token in tokens {
                if let TokenKind::Word(word) = token.kind {
                    add(Kind::Word, &[language, word.as_bytes()]);
                }
                each_role(token.roles, |role| add(Kind::Role, &[&[side as u8], &[role]]));
                brands += u8::from(super::is_like_brand(self.text, token));
                candidates += u8::from(self.is_other_candidate(token));
            }
            add(Kind::Brands, &[&[side as u8, brands.min(3)]]);
            add(Kind::Candidates, &[&[side as u8, candidates.min(2)]]);
        }
        for token in self.before.iter().chain(&self.after) {
            if let TokenKind::Word(word) = token.kind {
                for_parts(word, |part| {
                    add(Kind::AnyWord, &[language, part.as_bytes()]);
                    add(Kind::AnyStem, &[language, stem(part).as_bytes()]);
                });
            }
        }
        for token in &self.title {
            if let TokenKind::Word(word) = token.kind {
                for_parts(word, |part| {
                    add(Kind::Title, &[language, part.as_bytes()]);
                    add(Kind::TitleStem, &[language, stem(part).as_bytes()]);
                });
            }
            each_role(token.roles, |role| add(Kind::TitleRole, &[&[role]]));
        }
        let first = |tokens: &[&Token<'_>]| {
            tokens
                .first()
                .map(|token| shape(self.text, token))
                .unwrap_or_default()
        };
        add(Kind::Neighbours, &[&first(&before), &first(&after), &place]);
        let prose = self.text.prose;
        let mut near = String::new();
        for c in prose[..self.words.start].chars().rev().take(CHARS) {
            near.push(c);
            add(Kind::Char, &[language, b"<", near.as_bytes()]);
        }
        near.clear();
        for c in prose[self.words.end..].chars().take(CHARS) {
            near.push(c);
            add(Kind::Char, &[language, b">", near.as_bytes()]);
        }
        features.into_ids()
    }

    /// Returns whether a token has common words that may be the name of another brand.
    fn is_other_candidate(&self, token: &Token<'_>) -> bool {
        let folded = self.text.folded;
        let own = self.text.folded_range(&self.words);
        let is_candidate = |flags: &[u8]| flags.iter().any(|flags| flags & MAYBE_BRAND_NAME != 0);
        is_candidate(folded.flags.get(token.range.clone()).unwrap_or_default())
            && folded.text.get(token.range.clone()) != folded.text.get(own)
    }

    /// Returns where the words stand: the innermost part of the text that markdown sets apart and whether they are all of it,
    /// whether they start a sentence, whether they have a capital, whether they are several, and whether the language always
    /// writes them with a capital.
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
        let written = self.text.prose.get(self.words.clone()).unwrap_or_default();
        [
            span.map_or(0, |(i, _)| i),
            u8::from(span.is_some_and(|(_, span)| span.range == self.words)),
            u8::from(starts_sentence(self.text.prose, self.words.start)),
            u8::from(written.starts_with(char::is_uppercase)),
            u8::from(written.contains(char::is_whitespace)),
            u8::from(is_always_capitalized(self.text, written)),
        ]
    }
}

/// Returns what kind of token it is.
fn shape(text: Text<'_>, token: &Token<'_>) -> Vec<u8> {
    let has_case = |word: &str| word.contains(|c: char| c.is_lowercase() || c.is_uppercase());
    match token.kind {
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

/// Calls `f` with the number of each of `roles`.
fn each_role(roles: Roles, f: impl FnMut(u8)) {
    roles.indexes().for_each(f);
}

/// Calls `f` with a word and, if it is written without spaces, with its parts of two and three characters.
fn for_parts(word: &str, mut f: impl FnMut(&str)) {
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

fn stem(word: &str) -> &str {
    let end = word
        .char_indices()
        .nth(STEM_LETTERS)
        .map_or(word.len(), |(i, _)| i);
    &word[..end]
}

const STEM_LETTERS: usize = 5;
