//! What tags of HTML do to the words around them.

/// The text stays one word across these: `<b>Zen</b>do`.
const JOINING: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "big", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "s",
    "samp", "small", "span", "strike", "strong", "tt", "u", "var", "wbr",
];

/// These start a line or a cell of their own.
const BLOCKS: &[&str] = &[
    "article", "aside", "blockquote", "br", "caption", "dd", "details", "div", "dl", "dt", "figure", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
];

/// What stands in the prose for the tag or comment that `html` starts with: nothing, a space (`<sup>`, and
/// tags that are not known), or a hard break.
pub(crate) fn separator(html: &str) -> &'static str {
    let tag = html.trim_start_matches(['<', '/']);
    if tag.starts_with('!') {
        return "";
    }
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let name = &tag[..end.unwrap_or(tag.len())];
    let of = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(name));
    if of(JOINING) {
        ""
    } else if of(BLOCKS) {
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
            ("<br/>", "\n"),
            ("</td>", "\n"),
            ("<div", "\n"),
            ("<", " "),
        ] {
            assert_eq!(separator(html), wanted, "{html}");
        }
    }
}
