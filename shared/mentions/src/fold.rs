//! Folding: texts that are the same to a reader become the same bytes.
//!
//! Compatibility decomposition, case folding, accents off Latin, Greek and Cyrillic letters, one form of
//! quotes and hyphens. What separates words is taken out and remembered as a flag of the character after
//! it, so that `Demand IQ`, `Demand-IQ` and `DemandIQ` are all `demandiq`.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::script::{is_ignorable, is_note_mark, is_word, takes_accents};

/// Stands for text that was taken out (a URL, an address): one byte, never a part of a name.
pub(crate) const FILLER: char = '\u{1f}';
/// A line break inside a paragraph: a space to a name, an end to a clause.
pub(crate) const LINE: char = '\u{2028}';

/// Makes a key of the character before it: `1️⃣`.
const KEYCAP: char = '\u{20e3}';

/// Space (or a mark that counts as one) stood before this character.
pub(crate) const SPACED: u8 = 1;
/// A hyphen stood between this character and the one before.
pub(crate) const HYPHENED: u8 = 2;
/// A line break was a part of the space.
pub(crate) const LINED: u8 = 4;
/// The character is a superscript, subscript, circled or keycap digit.
pub(crate) const NOTE: u8 = 8;
/// The character is a part of a brand's name (set by the matcher).
pub(crate) const NAMED: u8 = 16;
/// A zero-width space stood before this character: it may part words, or only lines.
pub(crate) const SOFT: u8 = 32;
/// Any separation that a reader sees.
pub(crate) const GAP: u8 = SPACED | HYPHENED | LINED;

/// A folded text without its separators.
#[derive(Default)]
pub(crate) struct Folded {
    pub text: String,
    /// For each byte of `text`, and its end, the byte in the source that it comes from.
    pub at: Vec<u32>,
    /// For each byte of `text` the flags of its character.
    pub flags: Vec<u8>,
    gap: u8,
    hyphen: Option<u32>,
    after_word: bool,
}

impl Folded {
    /// Folds `source`, which must be shorter than 4 GiB.
    pub(crate) fn of(source: &str) -> Self {
        let mut folded = Self::default();
        folded.text.reserve(source.len());
        folded.at.reserve(source.len() + 1);
        folded.flags.reserve(source.len());
        let mut chars = source.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            let marked = chars
                .peek()
                .is_some_and(|&(_, next)| !next.is_ascii() && is_combining_mark(next));
            let at = to_u32(start);
            if marked {
                let mut end = start + c.len_utf8();
                while let Some((i, mark)) = chars.next_if(|&(_, next)| is_combining_mark(next)) {
                    end = i + mark.len_utf8();
                }
                folded.cluster(&source[start..end], at);
            } else if c.is_ascii() {
                folded.push(c.to_ascii_lowercase(), at, 0);
            } else if is_ideograph(c) {
                folded.push(c, at, 0);
            } else {
                folded.cluster(&source[start..start + c.len_utf8()], at);
            }
        }
        folded.flush_hyphen();
        folded.at.push(to_u32(source.len()));
        folded
    }

    /// The character that ends before byte `i`.
    pub(crate) fn before(&self, i: usize) -> Option<char> {
        self.text[..i].chars().next_back()
    }

    /// The character at byte `i`.
    pub(crate) fn after(&self, i: usize) -> Option<char> {
        self.text[i..].chars().next()
    }

    /// The flags of the character at byte `i`; the end of the text is a gap.
    pub(crate) fn flags_at(&self, i: usize) -> u8 {
        self.flags.get(i).copied().unwrap_or(SPACED)
    }

    /// The byte of the source that byte `i` of `text`, or its end, comes from.
    pub(crate) fn source(&self, i: usize) -> usize {
        self.at.get(i).map_or(0, |&at| at as usize)
    }

    /// One character with its marks.
    fn cluster(&mut self, cluster: &str, at: u32) {
        let note = if cluster.chars().next().is_some_and(is_note_mark) || cluster.contains(KEYCAP) {
            NOTE
        } else {
            0
        };
        let mut base = self.text.chars().next_back().unwrap_or(' ');
        let quoted = cluster.chars().map(quote);
        for c in quoted.nfkd().default_case_fold().nfkd() {
            if is_combining_mark(c) {
                if is_ignorable(c) || takes_accents(base) {
                    continue;
                }
            } else {
                base = c;
            }
            match c {
                'ø' => self.push('o', at, note),
                'ł' => self.push('l', at, note),
                'đ' | 'ð' => self.push('d', at, note),
                'ħ' => self.push('h', at, note),
                'ŧ' => self.push('t', at, note),
                'ı' => self.push('i', at, note),
                'æ' => ['a', 'e'].into_iter().for_each(|c| self.push(c, at, note)),
                'œ' => ['o', 'e'].into_iter().for_each(|c| self.push(c, at, note)),
                c => self.push(c, at, note),
            }
        }
    }

    fn push(&mut self, c: char, at: u32, note: u8) {
        match c {
            // A hard break stays a character: no name goes across it.
            '\n' => self.keep(c, at, note),
            LINE => self.space(SPACED | LINED),
            // Emphasis that did not close, and marks of registration, stand between words.
            '*' | '®' => self.space(SPACED),
            '\u{200b}' => self.space(SOFT),
            '`' => self.keep('\'', at, note),
            // The last one is the tatweel, with which Arabic joins a particle to a foreign name.
            '-' | '‐' | '‑' | '‒' | '–' | '−' | '・' | '\u{640}' => {
                if self.after_word && self.gap == 0 && self.hyphen.is_none() {
                    self.hyphen = Some(at);
                } else {
                    self.keep('-', at, note);
                }
            }
            FILLER if self.text.ends_with(FILLER) => {}
            FILLER => self.keep(c, at, note),
            c if c.is_whitespace() => self.space(SPACED),
            c if is_ignorable(c) => {}
            c => self.keep(c, at, note),
        }
    }

    fn space(&mut self, gap: u8) {
        self.flush_hyphen();
        self.gap |= gap;
    }

    fn keep(&mut self, c: char, at: u32, note: u8) {
        let word = is_word(c);
        if word && self.hyphen.take().is_some() {
            self.gap |= HYPHENED;
        }
        self.flush_hyphen();
        self.append(c, at, note);
        self.after_word = word;
    }

    /// A hyphen that joins no words is a character of its own.
    fn flush_hyphen(&mut self) {
        if let Some(at) = self.hyphen.take() {
            self.append('-', at, 0);
            self.after_word = false;
        }
    }

    fn append(&mut self, c: char, at: u32, note: u8) {
        self.text.push(c);
        let flags = note | std::mem::take(&mut self.gap);
        self.at.resize(self.text.len(), at);
        self.flags.resize(self.text.len(), note);
        if let Some(first) = self.flags.get_mut(self.text.len() - c.len_utf8()) {
            *first = flags;
        }
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x3400..=0x4DBF | 0x4E00..=0x9FFF)
}

/// One form of quotes, before compatibility decomposition turns some of them into a space and a mark;
/// marks of registration become one that separates, instead of the letters `TM`.
fn quote(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | 'ʼ' | '′' | '´' | '`' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
        '™' | '℠' => '®',
        c => c,
    }
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_that_read_the_same_fold_to_the_same_text() {
        for (left, right) in [
            ("Demand IQ", "demand-iq"),
            ("Demand‑IQ", "DemandIQ"),
            ("Demand\u{a0}IQ", "Demand \u{2028} IQ"),
            ("Citroën", "CITROE\u{308}N"),
            ("ＡＣＭＥ", "ac\u{ad}m\u{200d}e"),
            ("Straße", "STRASSE"),
            ("Ørsted", "orsted"),
            ("ΣΊΣΥΦΟΣ", "σισυφος"),
            ("Ёлка", "елка"),
            ("İstanbul", "istanbul"),
            ("ﬁrma", "FIRMA"),
            ("ｶﾞﾝﾀﾞﾑ", "ガンダム"),
            ("한국", "한국"),
            ("McDonald’s", "McDonald's"),
            ("Acme® Cloud™", "acme cloud"),
            ("E*TRADE", "etrade"),
        ] {
            assert_eq!(
                Folded::of(left).text,
                Folded::of(right).text,
                "{left} and {right}"
            );
        }
    }

    #[test]
    fn texts_that_read_differently_stay_different() {
        for (left, right) in [
            ("Demand - IQ", "Demand IQ"),
            ("Demand, IQ", "Demand IQ"),
            ("Demand\nIQ", "Demand IQ"),
            ("が", "か"),
            ("หมู", "หม"),
            ("ñ", "m"),
        ] {
            assert_ne!(
                Folded::of(left).text,
                Folded::of(right).text,
                "{left} and {right}"
            );
        }
    }

    #[test]
    fn separators_become_flags_and_offsets_lead_back() {
        let folded = Folded::of("Ä b-c\u{2028}d –e");
        assert_eq!(folded.text, "abcd-e");
        assert_eq!(folded.flags, [0, SPACED, HYPHENED, SPACED | LINED, SPACED, 0]);
        assert_eq!(folded.at, [0, 3, 5, 9, 11, 14, 15]);
    }

    proptest! {
        #[test]
        fn offsets_are_char_boundaries_in_order(source in any::<String>()) {
            let folded = Folded::of(&source);
            prop_assert_eq!(folded.at.len(), folded.text.len() + 1);
            prop_assert_eq!(folded.flags.len(), folded.text.len());
            prop_assert!(folded.at.iter().all(|&at| source.is_char_boundary(at as usize)));
            prop_assert!(folded.at.is_sorted());
        }
    }
}
