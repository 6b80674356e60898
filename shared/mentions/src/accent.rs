//! Compares the accents of an occurrence with those of a name.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::fold::Folded;
use crate::script::is_word;

/// How the accents of an occurrence differ from those of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccentDifference {
    Same,
    /// The occurrence lacks some: `Skoda`.
    LeftOut,
    /// The occurrence has more: `Über` for `Uber`.
    Added,
    /// The occurrence has others, or in other places, which makes another word: `νομός` is not `νόμος`.
    Different,
}

/// Compares the accents of the letters of `written` with those of `lower`, a name in lower case.
pub(crate) fn compare_accents(written: &str, lower: &str) -> AccentDifference {
    let letters = |word: &str| -> Vec<char> {
        let lower = word.nfkc().collect::<String>().to_lowercase();
        lower.chars().filter(|&c| is_word(c)).collect()
    };
    let (here, there) = (letters(written), letters(lower));
    if here == there {
        return AccentDifference::Same;
    }
    let is_plain = |c: char| {
        c.is_ascii() || is_combining_mark(c) || Folded::of(c.encode_utf8(&mut [0; 4])).text.chars().eq([c])
    };
    let (mut left_out, mut added) = (false, false);
    if here.len() == there.len() {
        for (&here, &there) in here.iter().zip(&there).filter(|(here, there)| here != there) {
            left_out |= !is_plain(there);
            added |= !is_plain(here);
        }
    } else {
        // A letter is written as two: `ss` for `ß`.
        left_out = true;
    }
    match (left_out, added) {
        (true, true) => AccentDifference::Different,
        (true, false) => AccentDifference::LeftOut,
        (false, true) => AccentDifference::Added,
        (false, false) => AccentDifference::Same,
    }
}
