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

/// Calls `visit` with everything that could be a mark in a markdown text, and its byte offset: each entry
/// between brackets, and the label of each link. Code and link targets contain no marks.
pub(super) fn for_each(text: &str, mut visit: impl FnMut(usize, Mark<'_>)) {
    let prose = Prose::new(text);
    for (at, _) in prose.text.match_indices('[') {
        let rest = &prose.text[at + 1..];
        let entries = &rest[..rest.find('[').unwrap_or(rest.len())];
        if let Some((entries, _)) = entries.split_once(']') {
            let offset = prose.offset(at);
            entries
                .split([',', ';'])
                .for_each(|entry| visit(offset, Mark::parse(entry)));
        }
    }
}

/// A text without code and link targets, and with link labels in brackets.
struct Prose {
    text: String,
    /// Where the pieces of the text begin: in it, and in the markdown text.
    pieces: Vec<(usize, usize)>,
}

impl Prose {
    fn new(markdown: &str) -> Self {
        let (mut text, mut pieces) = (String::with_capacity(markdown.len()), Vec::new());
        let mut is_in_code = false;
        for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
            pieces.push((text.len(), range.start));
            match event {
                Event::Text(piece) if !is_in_code => text.push_str(&piece),
                Event::Start(Tag::Link { .. }) => text.push('['),
                Event::End(TagEnd::Link) => text.push(']'),
                Event::Start(Tag::CodeBlock(_)) => is_in_code = true,
                Event::End(TagEnd::CodeBlock) => is_in_code = false,
                Event::Start(_) | Event::End(_) | Event::Code(_) => text.push('\n'),
                Event::SoftBreak | Event::HardBreak => text.push(' '),
                _ => {}
            }
        }
        Self { text, pieces }
    }

    /// Returns the offset in the markdown text of the piece to which an offset belongs.
    fn offset(&self, at: usize) -> usize {
        let next = self.pieces.partition_point(|(start, _)| *start <= at);
        next.checked_sub(1)
            .and_then(|piece| self.pieces.get(piece))
            .map_or(0, |(_, offset)| *offset)
    }
}
