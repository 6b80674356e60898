//! Finds URLs, domains and e-mail addresses in running text.

use std::ops::Range;

use crate::fold::REMOVED;
use crate::public_suffix::has_listed_suffix;
use crate::script::{is_unspaced, is_word};

/// Replaces bare URLs, with or without a scheme, and e-mail addresses in `text` with as many bytes of
/// [`REMOVED`], and appends them to `removed`, one per line. A domain alone (`you.com`) stays, because it is
/// a domain in prose. So do names that are joined by a slash (`Booking.com/Expedia`).
pub(crate) fn remove_urls(text: String, removed: &mut String) -> String {
    let found = find(&text);
    if found.is_empty() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for range in found {
        out.push_str(&text[done..range.start]);
        removed.push_str(&text[range.clone()]);
        removed.push('\n');
        out.extend(std::iter::repeat_n(REMOVED, range.len()));
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Returns whether `label` consists of URLs, domains and counts such as `+2`, which makes it a citation mark.
pub(crate) fn is_only_addresses(label: &str) -> bool {
    let mut addresses = 0;
    for word in label.split(|c: char| c.is_whitespace() || matches!(c, ',' | '|' | REMOVED)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        if is_address(word) {
            addresses += 1;
        } else if !word.chars().all(|c| c.is_ascii_digit()) {
            return false;
        }
    }
    addresses > 0
}

fn is_address(word: &str) -> bool {
    if word.contains("://") {
        return true;
    }
    let rest = word.rsplit('@').next().unwrap_or(word);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or(rest);
    if rest[host.len()..]
        .strip_prefix('/')
        .is_some_and(|path| are_names_joined_by_slash(host, path))
    {
        return false;
    }
    is_domain(host.strip_suffix('.').unwrap_or(host))
}

/// Returns whether `host` is a name under a public suffix, such as `you.com`. `Node.js` is not.
pub(crate) fn is_domain(host: &str) -> bool {
    if host.len() > 253 || !host.contains('.') || host.starts_with(|c: char| !c.is_alphanumeric()) {
        return false;
    }
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    if !host.split('.').all(is_label) {
        return false;
    }
    has_listed_suffix(&host.to_lowercase())
}

/// Returns the byte ranges of URLs and addresses, in order, without overlaps.
fn find(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut i, mut previous_end) = (0, 0);
    while i < bytes.len() {
        let range = match bytes[i] {
            b':' if bytes[i..].starts_with(b"://") => scheme_url(text, previous_end, i),
            b'w' | b'W' => www_url(text, i),
            b'@' => email(bytes, previous_end, i),
            b'/' => bare_url(text, previous_end, i),
            _ => None,
        };
        match range {
            Some(range) if range.end > i => {
                i = range.end;
                previous_end = range.end;
                found.push(range);
            }
            _ => i += 1,
        }
    }
    found
}

fn scheme_url(text: &str, floor: usize, colon: usize) -> Option<Range<usize>> {
    let is_scheme = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let start = run_before(text.as_bytes(), floor, colon, is_scheme);
    (start < colon).then(|| start..end_of_url(text, colon + 3, true))
}

fn www_url(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let inside = at
        .checked_sub(1)
        .is_some_and(|i| bytes[i].is_ascii_alphanumeric() || bytes[i] == b'-');
    let prefix = bytes
        .get(at..at + 4)
        .is_some_and(|p| p.eq_ignore_ascii_case(b"www."));
    let host = bytes
        .get(at + 4)
        .is_some_and(|&b| b.is_ascii_alphanumeric() || !b.is_ascii());
    (!inside && prefix && host).then(|| at..end_of_url(text, at + 4, true))
}

fn email(bytes: &[u8], floor: usize, at: usize) -> Option<Range<usize>> {
    let is_local = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'%' | b'+' | b'-');
    let is_host = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let start = run_before(bytes, floor, at, is_local);
    let end = at + 1 + bytes[at + 1..].iter().take_while(|&&b| is_host(b)).count();
    (start < at && end > at + 1).then_some(start..end)
}

fn bare_url(text: &str, floor: usize, slash: usize) -> Option<Range<usize>> {
    let in_host = |c: &char| (is_word(*c) && !is_unspaced(*c)) || matches!(c, '.' | '-');
    let host = text[floor..slash].chars().rev().take_while(in_host);
    let start = slash - host.map(char::len_utf8).sum::<usize>();
    let host = &text[start..slash];
    // The cheap conditions come first, because a text may contain many slashes.
    if !is_domain(host) || are_names_joined_by_slash(host, &text[slash + 1..]) {
        return None;
    }
    let end = end_of_url(text, slash, false);
    // `you.com/` is a domain alone.
    let has_path = text[slash..end].contains(char::is_alphanumeric);
    has_path.then_some(start..end)
}

/// Returns whether `host` and `path` are two names joined by a slash, because both contain capitals.
fn are_names_joined_by_slash(host: &str, path: &str) -> bool {
    host.contains(char::is_uppercase) && path.starts_with(char::is_uppercase)
}

/// Returns where the run of matching bytes that ends before `end` starts. It does not start before `floor`.
fn run_before(bytes: &[u8], floor: usize, end: usize, matches: impl Fn(u8) -> bool) -> usize {
    end - bytes[floor..end]
        .iter()
        .rev()
        .take_while(|&&b| matches(b))
        .count()
}

/// Returns where a URL ends. `from` is inside its host if `in_host`, or else inside its path.
fn end_of_url(text: &str, from: usize, mut in_host: bool) -> usize {
    let (mut round, mut square) = (0_usize, 0_usize);
    for (i, c) in text[from..].char_indices() {
        match c {
            '<' | '>' | '"' | '`' | '|' | '*' | '“' | '”' | '‘' | '’' | '…' | REMOVED => {
                return from + i;
            }
            '(' => round += 1,
            '[' => square += 1,
            ')' if round == 0 => return from + i,
            ')' => round -= 1,
            ']' if square == 0 => return from + i,
            ']' => square -= 1,
            '/' | '?' | '#' => in_host = false,
            c if c.is_whitespace() || is_wide_punctuation(c) => return from + i,
            c if in_host && is_unspaced(c) => return from + i,
            _ => {}
        }
    }
    text.len()
}

fn is_wide_punctuation(c: char) -> bool {
    matches!(u32::from(c), 0x3000..=0x3004 | 0x3008..=0x3020 | 0xFF01..=0xFF0F | 0xFF1A..=0xFF20 | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF65)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_addresses_are_removed_and_the_rest_stays() {
        for (text, rest) in [
            ("see https://a.com/Acme, ok", "see # ok"),
            ("(https://a.com/x_(y)) Acme", "(#) Acme"),
            ("www.acme.com and WWW.Acme.com", "# and #"),
            ("mail sales@acme.com.", "mail #"),
            ("g2.com/products/acme is", "# is"),
            ("(see g2.com/x), ok", "(see #), ok"),
            ("auf münchen.de/x und", "auf # und"),
            ("見るg2.com/xは", "見る#"),
            (
                "g2.com, (g2.com) g2.com/ g2.com.",
                "g2.com, (g2.com) g2.com/ g2.com.",
            ),
            ("(g2.com/), g2.com/.", "(g2.com/), g2.com/."),
            ("Booking.com/Expedia and", "Booking.com/Expedia and"),
            ("Booking.com/hotels and", "# and"),
            ("booking.com/Expedia and", "# and"),
            ("Node.js/Express and/or", "Node.js/Express and/or"),
            ("見るhttps://acme.comは", "見る#は"),
            ("https://ja.wikipedia.org/wiki/楽天。楽天", "#。楽天"),
            ("[x](https://a.com/Acme)Acme", "[x](#)Acme"),
            ("@Acme on X", "@Acme on X"),
        ] {
            let mut removed = String::new();
            let out = remove_urls(text.to_owned(), &mut removed);
            assert_eq!(out.len(), text.len(), "{text}");
            let squeezed: Vec<&str> = out.split(REMOVED).filter(|s| !s.is_empty()).collect();
            let rest: Vec<&str> = rest.split('#').filter(|s| !s.is_empty()).collect();
            assert_eq!(squeezed, rest, "{text}");
        }
    }

    #[test]
    fn a_label_of_domains_and_urls_is_a_citation_mark() {
        for label in [
            "vercel.com",
            "https://vercel.com/x",
            "www.a.de",
            "a.com, b.co.uk",
            "a.com +2",
            "(en.x.org/wiki/Acme)",
            "X.org/wiki",
        ] {
            assert!(is_only_addresses(label), "{label}");
        }
        for label in [
            "Vercel",
            "Node.js",
            "Vercel on vercel.com",
            "",
            "1",
            "v2.0",
            "Acme Inc.",
            "Booking.com/Expedia",
        ] {
            assert!(!is_only_addresses(label), "{label}");
        }
    }
}
