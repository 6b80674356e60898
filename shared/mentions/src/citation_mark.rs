//! Removes citation marks from running text: `[1]`, `[1, 2]`, `[web:3]`, `[acme.com]`, `【4†source】`.

use crate::bare_url::is_only_addresses;
use crate::fold::REMOVED;

const MAX_MARK_BYTES: usize = 160;

/// Replaces citation marks in `text` with as many bytes of [`REMOVED`], and appends them to `removed`, one
/// per line.
pub(crate) fn remove_marks(text: String, removed: &mut String) -> String {
    let mut out = String::new();
    let (mut done, mut from) = (0, 0);
    while let Some(open) = text[from..].find(['[', '【']).map(|i| from + i) {
        let bracket = if text[open..].starts_with('[') {
            ('[', ']')
        } else {
            ('【', '】')
        };
        let inside = open + bracket.0.len_utf8();
        from = inside;
        let end = text[inside..]
            .find(['[', '【', '\n', bracket.1])
            .map(|i| inside + i);
        let Some(close) = end.filter(|&end| text[end..].starts_with(bracket.1)) else {
            continue;
        };
        let content = &text[inside..close];
        if content.len() <= MAX_MARK_BYTES && (is_number(content) || is_only_addresses(content)) {
            let after = close + bracket.1.len_utf8();
            out.push_str(&text[done..open]);
            removed.push_str(content);
            removed.push('\n');
            out.extend(std::iter::repeat_n(REMOVED, after - open));
            (done, from) = (after, after);
        }
    }
    if done == 0 {
        return text;
    }
    out.push_str(&text[done..]);
    out
}

/// Returns whether the content of a mark consists of numbers: `1`, `1, 2`, `^3`, `web:4`, `4†source`.
pub(crate) fn is_number(content: &str) -> bool {
    let mut parts = content
        .split([',', ';', ' ', '–'])
        .filter(|part| !part.is_empty())
        .peekable();
    parts.peek().is_some()
        && parts.all(|part| {
            let part = part.trim_matches(['[', ']']);
            let part = part.split('†').next().unwrap_or(part);
            let number = part.rsplit([':', '^', '#']).next().unwrap_or(part);
            let kind = &part[..part.len() - number.len()];
            let is_kind = kind
                .bytes()
                .all(|b| b.is_ascii_lowercase() || matches!(b, b':' | b'^' | b'#'));
            (1..=4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit()) && is_kind
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_removed_and_other_brackets_stay() {
        for (text, rest) in [
            ("Acme[1] and Zendo [2, 3].", "Acme and Zendo ."),
            ("found nothing[web:1][web:4] about", "found nothing about"),
            ("fast [acme.com] [2]", "fast  "),
            ("Acme【4†source】.", "Acme."),
            ("[Acme] and [x] and [see 1]", "[Acme] and [x] and [see 1]"),
            ("a[", "a["),
            ("[[1]]", "[]"),
        ] {
            let mut removed = String::new();
            let out = remove_marks(text.to_owned(), &mut removed);
            assert_eq!(out.len(), text.len(), "{text}");
            assert_eq!(out.replace(REMOVED, ""), rest, "{text}");
        }
    }
}
