//! The separators that HTML tags stand for.

/// Tags that do not separate words: `<b>Zen</b>do`.
const INLINE_TAGS: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "big", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "s",
    "samp", "small", "span", "strike", "strong", "tt", "u", "var", "wbr",
];

/// Tags that start a new line or cell.
const BLOCK_TAGS: &[&str] = &[
    "article", "aside", "blockquote", "caption", "dd", "details", "div", "dl", "dt", "figure", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
];

/// What stands for `<br>`, which breaks a line inside a name too: `Acme<br>Cloud`.
const LINE_BREAK: &str = "\u{2028}";

/// Returns what replaces the tag or comment at the start of `html` in the prose: nothing, a space (`<sup>`
/// and unknown tags), a soft break (`<br>`) or a hard one.
pub(crate) fn separator(html: &str) -> &'static str {
    let tag = html.trim_start_matches(['<', '/']);
    if tag.starts_with('!') {
        return "";
    }
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let name = &tag[..end.unwrap_or(tag.len())];
    let is_in = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(name));
    if name.eq_ignore_ascii_case("br") {
        LINE_BREAK
    } else if is_in(INLINE_TAGS) {
        ""
    } else if is_in(BLOCK_TAGS) {
        "\n"
    } else {
        " "
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_joins_or_parts_the_words_around_it() {
        for (html, wanted) in [
            ("<b>", ""),
            ("</STRONG>", ""),
            ("<span class=\"x\">", ""),
            ("<!-- x -->", ""),
            ("<sup>", " "),
            ("</sub>", " "),
            ("<big-thing>", " "),
            ("<br/>", LINE_BREAK),
            ("</td>", "\n"),
            ("<div", "\n"),
            ("<", " "),
        ] {
            assert_eq!(separator(html), wanted, "{html}");
        }
    }
}
