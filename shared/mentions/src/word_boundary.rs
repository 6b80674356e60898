//! Whether a place where a spelling occurs holds it as complete words.

use crate::fold::{Folded, GAP, NOTE, SOFT, SPACED};
use crate::script::{is_continuation, is_unspaced, is_word};
use crate::spelling::Name;

/// What was searched: the prose and its folded form.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub prose: &'a str,
    pub folded: &'a Folded,
}

/// How a name stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// As a name.
    Name,
    /// As the common words that it is made of.
    CommonWords,
}

/// A name of so few letters must not touch signs that make other words of it (`C++`, `AT&T`, `R_1`).
const SHORT: usize = 3;

/// How `name` stands at the folded bytes `start..end`; `None` where they are parts of other words.
pub(crate) fn name_at(text: Text<'_>, start: usize, end: usize, name: &Name) -> Option<Standing> {
    if !starts_apart(text, start, end, name) || !ends_apart(text, start, end, name) {
        return None;
    }
    let (mut at_seam, mut all_capital) = (false, is_capital(text, start));
    for (i, flags) in text.folded.flags[start..end].iter().enumerate().skip(1) {
        if flags & GAP != 0 {
            let seam = name.seams.binary_search(&i).is_ok();
            if !seam && name.breaks.binary_search(&i).is_err() {
                return None;
            }
            at_seam |= seam;
            all_capital &= is_capital(text, start + i);
        }
    }
    let common = if at_seam && name.is_common_apart {
        !all_capital
    } else {
        name.is_common && !source(text, start, end).contains(char::is_uppercase)
    };
    Some(if common {
        Standing::CommonWords
    } else {
        Standing::Name
    })
}

/// Whether the full `domain` (lower case) stands at the folded byte `start`, by itself or at the end of a
/// sub-domain of it, and not as a part of a longer domain or of an address.
pub(crate) fn domain_at(text: Text<'_>, start: usize, domain: &str) -> bool {
    let from = text.folded.source(start);
    let Some(length) = length_of(text.prose.get(from..).unwrap_or_default(), domain) else {
        return false;
    };
    let (before, after) = (&text.prose[..from], &text.prose[from + length..]);
    let mut left = before.chars().rev();
    let apart_before = match left.next() {
        None => true,
        Some('-') => !left.next().is_some_and(|c| is_word(c) && !is_unspaced(c)),
        Some('_' | '@') => false,
        Some(c) => !is_word(c) || is_unspaced(c),
    };
    apart_before && ends_domain(after)
}

fn ends_domain(after: &str) -> bool {
    let is_label = |c: char| (is_word(c) && !is_unspaced(c)) || c == '-' || c == '_';
    // A label of a link that did not parse: `[you.com](https://…`.
    if after.starts_with("](") || after.starts_with('@') {
        return false;
    }
    match after.chars().next() {
        Some('-') => {
            let rest = after.trim_start_matches(is_label);
            !rest
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(is_label))
        }
        Some('.') => {
            let mut next = after.chars().skip(1);
            let first = next.next().filter(|&c| is_label(c));
            first.is_none_or(|c| c.is_uppercase() && next.next().is_some_and(char::is_lowercase))
        }
        Some(c) => !is_label(c),
        None => true,
    }
}

/// How many bytes of `text` are `domain` in any case.
fn length_of(text: &str, domain: &str) -> Option<usize> {
    let mut wanted = domain.chars();
    let mut length = 0;
    for c in text.chars() {
        if wanted.as_str().is_empty() {
            break;
        }
        for lower in c.to_lowercase() {
            if wanted.next() != Some(lower) {
                return None;
            }
        }
        length += c.len_utf8();
    }
    wanted.as_str().is_empty().then_some(length)
}

fn starts_apart(text: Text<'_>, start: usize, end: usize, name: &Name) -> bool {
    let folded = text.folded;
    let flags = folded.flags_at(start);
    let Some(before) = folded.before(start) else {
        return true;
    };
    if flags & (GAP | SOFT) != 0 {
        return flags & (SPACED | SOFT) != 0 || name.letters > 1;
    }
    let sign = start - before.len_utf8();
    if folded.flags_at(sign) & NOTE != 0 {
        return true;
    }
    let first = folded.after(start).unwrap_or(' ');
    if joins(before, first, first) {
        return false;
    }
    // From here on: is the sign between this word and another?
    let tight = folded.flags_at(sign) & GAP == 0
        && folded
            .before(sign)
            .is_some_and(|c| is_word(c) && !is_unspaced(c) && !is_unspaced(first));
    match before {
        '.' if tight && is_word(first) => starts_sentence(text, start),
        '\'' if tight => !["s", "t", "m", "d", "re", "ve", "ll"].contains(&&folded.text[start..end]),
        '&' | '_' => !tight || name.letters > SHORT,
        ',' | ':' if tight => !(first.is_numeric() && folded.before(sign).is_some_and(char::is_numeric)),
        '$' | '€' | '£' => !first.is_numeric(),
        _ => true,
    }
}

fn ends_apart(text: Text<'_>, start: usize, end: usize, name: &Name) -> bool {
    let folded = text.folded;
    let flags = folded.flags_at(end);
    let Some(after) = folded.after(end) else {
        return true;
    };
    if is_continuation(after) {
        return false;
    }
    if flags & (GAP | SOFT) != 0 {
        return flags & (SPACED | SOFT) != 0 || name.letters > 1;
    }
    if flags & NOTE != 0 {
        return true;
    }
    let last = folded.before(end).filter(|_| end > start).unwrap_or(' ');
    if joins(last, after, last) {
        return false;
    }
    let next = end + after.len_utf8();
    let tight = folded.flags_at(next) & GAP == 0
        && folded
            .after(next)
            .is_some_and(|c| is_word(c) && !is_unspaced(c) && !is_unspaced(last));
    match after {
        '.' if tight => starts_sentence(text, next),
        '\'' if tight => !["t", "m", "re", "ve"].contains(&word_at(folded, next)),
        '&' | '_' => !tight || name.letters > SHORT,
        '+' | '#' => name.letters > SHORT,
        ',' | ':' if tight => !(last.is_numeric() && folded.after(next).is_some_and(char::is_numeric)),
        '%' | '€' => !last.is_numeric(),
        _ => true,
    }
}

/// Whether two neighbours at the edge of a name are one word. A sign at the edge (`.NET`, `C++`) is a part of
/// the name, so it must not touch another word either.
fn joins(left: char, right: char, sign: char) -> bool {
    let within = |c: char| is_word(c) || c == sign;
    within(left) && within(right) && !is_unspaced(left) && !is_unspaced(right)
}

/// A capital and a small letter after the dot, a small letter before it: a sentence without its space
/// (`… by Acme.The next …`), not a dot inside a word (`Node.js`).
fn starts_sentence(text: Text<'_>, i: usize) -> bool {
    let at = text.folded.source(i);
    let (before, after) = text.prose.split_at(at);
    let mut next = after.chars();
    let capital = next.next().is_some_and(char::is_uppercase) && next.next().is_some_and(char::is_lowercase);
    capital && before.chars().rev().nth(1).is_some_and(char::is_lowercase)
}

fn word_at(folded: &Folded, i: usize) -> &str {
    let rest = &folded.text[i..];
    let gap = |&(k, _): &(usize, char)| k > 0 && folded.flags_at(i + k) & GAP != 0;
    let end = rest
        .char_indices()
        .find(|at| gap(at) || !is_word(at.1))
        .map_or(rest.len(), |(k, _)| k);
    &rest[..end]
}

fn source(text: Text<'_>, start: usize, end: usize) -> &str {
    text.prose
        .get(text.folded.source(start)..text.folded.source(end))
        .unwrap_or_default()
}

fn is_capital(text: Text<'_>, i: usize) -> bool {
    text.prose
        .get(text.folded.source(i)..)
        .is_some_and(|rest| rest.starts_with(char::is_uppercase))
}
