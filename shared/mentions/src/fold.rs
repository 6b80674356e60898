//! Folds text. Texts that look equal to a reader become equal bytes.
//!
//! Folding applies compatibility decomposition and case folding, removes accents from Latin, Greek and
//! Cyrillic letters, and unifies quotation marks and hyphens. It removes separators between words and keeps
//! them as flags of the next character, so that `Demand IQ`, `Demand-IQ` and `DemandIQ` all become
//! `demandiq`.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::script::{is_ignorable, is_note_mark, is_optional_mark, is_word, takes_accents};

/// Replaces removed text (a URL, an address). It has one byte and is never part of a name.
pub(crate) const REMOVED: char = '\u{1f}';
/// A line break inside a paragraph. It is a space inside a name and ends a clause.
pub(crate) const LINE_BREAK: char = '\u{2028}';

/// Makes the character before it a keycap: `1️⃣`.
const KEYCAP: char = '\u{20e3}';

/// Flag: a space, or a mark that counts as one, precedes the character.
pub(crate) const SPACED: u8 = 1;
/// Flag: a hyphen joins the character and the one before.
pub(crate) const HYPHENED: u8 = 2;
/// Flag: the space before the character contains a line break.
pub(crate) const LINE_BROKEN: u8 = 4;
/// Flag: the character is a superscript, subscript, circled or keycap digit.
pub(crate) const NOTE_MARK: u8 = 8;
/// Flag: the character is part of a brand's name. The matcher sets it.
pub(crate) const BRAND_NAME: u8 = 16;
/// Flag: a zero-width space precedes the character. It may separate words or be a mere line-break
/// opportunity.
pub(crate) const ZERO_WIDTH_SPACED: u8 = 32;
/// Flag: the character may be part of a brand's name, or of common words. The matcher sets it.
pub(crate) const MAYBE_BRAND_NAME: u8 = 64;
/// The flags of visible separators.
pub(crate) const GAP: u8 = SPACED | HYPHENED | LINE_BROKEN;

/// A folded text without separators.
#[derive(Default)]
pub(crate) struct Folded {
    /// The folded text.
    pub text: String,
    /// The byte offset in the source for each byte of `text`, and for its end.
    pub offsets: Vec<u32>,
    /// The flags of the character for each byte of `text`.
    pub flags: Vec<u8>,
    /// Flags of the separators since the last character.
    pending_gap: u8,
    /// The source offset of a hyphen that may join words.
    pending_hyphen: Option<u32>,
    /// Whether the last character is part of a word.
    is_after_word: bool,
}

impl Folded {
    /// Folds `source`, which must be shorter than 4 GiB.
    pub(crate) fn of(source: &str) -> Self {
        let mut folded = Self::default();
        folded.text.reserve(source.len());
        folded.offsets.reserve(source.len() + 1);
        folded.flags.reserve(source.len());
        let mut chars = source.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            let has_marks = chars
                .peek()
                .is_some_and(|&(_, next)| !next.is_ascii() && is_combining_mark(next));
            let at = to_u32(start);
            if folded.pending_gap == 0 && folded.is_sign_of_abbreviation(&source[start..]) {
                continue;
            }
            if has_marks {
                let mut end = start + c.len_utf8();
                while let Some((i, mark)) = chars.next_if(|&(_, next)| is_combining_mark(next)) {
                    end = i + mark.len_utf8();
                }
                folded.push_cluster(&source[start..end], at);
            } else if c.is_ascii() {
                folded.push(c.to_ascii_lowercase(), at, 0);
            } else if is_ideograph(c) {
                folded.push(c, at, 0);
            } else {
                folded.push_cluster(&source[start..start + c.len_utf8()], at);
            }
        }
        folded.flush_hyphen();
        folded.offsets.push(to_u32(source.len()));
        folded
    }

    /// Returns the character that ends before byte `i`.
    pub(crate) fn char_before(&self, i: usize) -> Option<char> {
        self.text[..i].chars().next_back()
    }

    /// Returns the character that starts at byte `i`.
    pub(crate) fn char_at(&self, i: usize) -> Option<char> {
        self.text[i..].chars().next()
    }

    /// Returns the flags of the character at byte `i`. The end of the text counts as a space.
    pub(crate) fn flags_at(&self, i: usize) -> u8 {
        self.flags.get(i).copied().unwrap_or(SPACED)
    }

    /// Returns whether the dot at byte `i` may end a sentence: a space, a removed mark (`found.[1]`) or the
    /// end of the text follows, perhaps after closing quotation marks and brackets.
    pub(crate) fn is_final_dot(&self, i: usize) -> bool {
        let rest = &self.text[i + 1..];
        let closing = |c: char| matches!(c, '"' | '\'' | ')' | ']' | '」' | '』' | '》');
        let next = self.text.len() - rest.trim_start_matches(closing).len();
        (i + 1..=next).any(|at| self.flags_at(at) & GAP != 0) || self.char_at(next) == Some(REMOVED)
    }

    /// Returns the source offset of byte `i` of `text`, or of its end.
    pub(crate) fn source_offset(&self, i: usize) -> usize {
        self.offsets.get(i).map_or(0, |&offset| offset as usize)
    }

    /// Returns whether `rest` starts with a sign that marks an abbreviation and may be left out: the dot
    /// between letters of Thai and Devanagari, and the gershayim before the last letter in Hebrew.
    fn is_sign_of_abbreviation(&self, rest: &str) -> bool {
        let mut next = rest.chars();
        let is_hebrew = |c: Option<char>| c.is_some_and(|c| ('א'..='ת').contains(&c));
        let is_dotted = |c: Option<char>| {
            c.is_some_and(|c| matches!(u32::from(c), 0x0900..=0x0963 | 0x0971..=0x097F | 0x0E01..=0x0E4E))
        };
        match next.next() {
            Some('.') => is_dotted(self.text.chars().next_back()) && is_dotted(next.next()),
            Some('"' | '״' | '”' | '\'' | '׳' | '’') => {
                is_hebrew(self.text.chars().next_back()) && is_hebrew(next.next()) && !is_hebrew(next.next())
            }
            _ => false,
        }
    }

    /// Folds one character with its combining marks.
    fn push_cluster(&mut self, cluster: &str, at: u32) {
        let note_flag = if cluster.chars().next().is_some_and(is_note_mark) || cluster.contains(KEYCAP) {
            NOTE_MARK
        } else {
            0
        };
        let mut base = self.text.chars().next_back().unwrap_or(' ');
        let unified = cluster.chars().map(unify_sign);
        for c in unified.nfkd().default_case_fold().nfkd() {
            if is_combining_mark(c) {
                if is_ignorable(c) || is_optional_mark(c) || takes_accents(base) {
                    continue;
                }
            } else {
                base = c;
            }
            match c {
                'ø' => self.push('o', at, note_flag),
                'ł' => self.push('l', at, note_flag),
                'đ' | 'ð' => self.push('d', at, note_flag),
                'ħ' => self.push('h', at, note_flag),
                'ŧ' => self.push('t', at, note_flag),
                'ı' => self.push('i', at, note_flag),
                'æ' => ['a', 'e'].into_iter().for_each(|c| self.push(c, at, note_flag)),
                'œ' => ['o', 'e'].into_iter().for_each(|c| self.push(c, at, note_flag)),
                c => self.push(c, at, note_flag),
            }
        }
    }

    fn push(&mut self, c: char, at: u32, note_flag: u8) {
        match c {
            // A hard break is a character, because no name goes across it.
            '\n' => self.push_char(c, at, note_flag),
            LINE_BREAK => self.push_gap(SPACED | LINE_BROKEN),
            // Unclosed emphasis and trademark signs separate words.
            '*' | '®' => self.push_gap(SPACED),
            '\u{200b}' => self.push_gap(ZERO_WIDTH_SPACED),
            '`' => self.push_char('\'', at, note_flag),
            // The last one is the tatweel. Arabic joins a particle to a foreign name with it.
            '-' | '‐' | '‑' | '‒' | '–' | '−' | '・' | '\u{640}' | '\u{5be}' => {
                if self.is_after_word && self.pending_gap == 0 && self.pending_hyphen.is_none() {
                    self.pending_hyphen = Some(at);
                } else {
                    self.push_char('-', at, note_flag);
                }
            }
            REMOVED if self.text.ends_with(REMOVED) => {}
            REMOVED => self.push_char(c, at, note_flag),
            c if c.is_whitespace() => self.push_gap(SPACED),
            c if is_ignorable(c) => {}
            c => self.push_char(c, at, note_flag),
        }
    }

    fn push_gap(&mut self, gap: u8) {
        self.flush_hyphen();
        self.pending_gap |= gap;
    }

    /// Adds a character that stays.
    fn push_char(&mut self, c: char, at: u32, note_flag: u8) {
        let word = is_word(c);
        if word && self.pending_hyphen.take().is_some() {
            self.pending_gap |= HYPHENED;
        }
        self.flush_hyphen();
        self.append(c, at, note_flag);
        self.is_after_word = word;
    }

    /// Adds the pending hyphen as a character, because it joins no words.
    fn flush_hyphen(&mut self) {
        if let Some(at) = self.pending_hyphen.take() {
            self.append('-', at, 0);
            self.is_after_word = false;
        }
    }

    /// Appends a character with the flags of the separators before it.
    fn append(&mut self, c: char, at: u32, note_flag: u8) {
        self.text.push(c);
        let flags = note_flag | std::mem::take(&mut self.pending_gap);
        self.offsets.resize(self.text.len(), at);
        self.flags.resize(self.text.len(), note_flag);
        if let Some(first) = self.flags.get_mut(self.text.len() - c.len_utf8()) {
            *first = flags;
        }
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x3400..=0x4DBF | 0x4E00..=0x9FFF)
}

/// Unifies quotation marks, before compatibility decomposition turns some of them into a space and a mark.
/// Trademark signs become one that separates words, instead of the letters `TM`.
fn unify_sign(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | 'ʼ' | '′' | '´' | '`' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '״' => '"',
        '™' | '℠' => '®',
        c => c,
    }
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX) // Answers are cut far below 4 GiB.
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
            ("צה״ל", "צהל"),
            ("एच.डी.एफ.सी", "एचडीएफसी"),
            ("ธ.ก.ส", "ธกส"),
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
            ("ב\"אסם\"", "באסם"),
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
        assert_eq!(
            folded.flags,
            [0, SPACED, HYPHENED, SPACED | LINE_BROKEN, SPACED, 0]
        );
        assert_eq!(folded.offsets, [0, 3, 5, 9, 11, 14, 15]);
    }

    proptest! {
        #[test]
        fn offsets_are_char_boundaries_in_order(source in any::<String>()) {
            let folded = Folded::of(&source);
            prop_assert_eq!(folded.offsets.len(), folded.text.len() + 1);
            prop_assert_eq!(folded.flags.len(), folded.text.len());
            prop_assert!(folded.offsets.iter().all(|&at| source.is_char_boundary(at as usize)));
            prop_assert!(folded.offsets.is_sorted());
        }
    }
}
