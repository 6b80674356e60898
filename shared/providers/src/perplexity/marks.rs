//! Finds the marks by which a text cites search results: `[1]`, `[1, 2]` and `[web:1][web:4]`.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A search result that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark<'a> {
    /// The kind of result, such as `web`, if the mark contains it.
    pub(super) kind: Option<&'a str>,
    pub(super) id: &'a str,
}

impl<'a> Mark<'a> {
    /// Parses `4` or `web:4`.
    pub(super) fn parse(text: &'a str) -> Self {
        let text = text.trim();
        match text.split_once(':') {
            Some((kind, id)) if !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase()) => {
                Self {
                    kind: Some(kind),
                    id: id.trim(),
                }
            }
            _ => Self { kind: None, id: text },
        }
    }
}

/// Calls `visit` with everything that could be a mark in a markdown text: each entry between brackets, and the label of
/// each link. Code and link targets contain no marks.
pub(super) fn for_each(text: &str, mut visit: impl FnMut(Mark<'_>)) {
    let prose = prose(text);
    for rest in prose.split('[').skip(1) {
        if let Some((entries, _)) = rest.split_once(']') {
            entries
                .split([',', ';'])
                .for_each(|entry| visit(Mark::parse(entry)));
        }
    }
}

/// Returns the text without code and link targets, and with link labels in brackets.
fn prose(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    let mut is_in_code = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Text(text) if !is_in_code => prose.push_str(&text),
            Event::Start(Tag::Link { .. }) => prose.push('['),
            Event::End(TagEnd::Link) => prose.push(']'),
            Event::Start(Tag::CodeBlock(_)) => is_in_code = true,
            Event::End(TagEnd::CodeBlock) => is_in_code = false,
            Event::Start(_) | Event::End(_) | Event::Code(_) => prose.push('\n'),
            Event::SoftBreak | Event::HardBreak => prose.push(' '),
            _ => {}
        }
    }
    prose
}
