//! Extracts the prose of a markdown answer: the text that a reader sees, without link targets.
//!
//! Prose contains headings, lists, tables, quotes, footnotes, code spans and link labels. It contains fenced
//! code if that is no program, because models fence plain tables, data and whole answers. It contains
//! indented code, because most of it is a list that is indented too far. It contains the text between HTML
//! tags, but not the tags.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::fold::{LINE_BREAK, REMOVED};
use crate::{bare_url, citation_mark, html_tag, source_mark};

/// The maximum length of a citation mark in bytes. Labels nest, and without a limit, reading them would take
/// quadratic time.
const MAX_CITATION_MARK_BYTES: usize = 2048;

/// The prose of an answer. `\n` separates blocks, table cells and hard breaks, [`LINE_BREAK`] is a soft
/// break, and [`REMOVED`] replaces removed text.
#[derive(Default)]
pub(crate) struct Prose {
    /// The text.
    pub text: String,
    /// Link targets, URLs, addresses and citation marks, one per line.
    pub links: String,
    /// The parts of the text that markdown sets apart, in order of their starts.
    pub spans: Vec<Span>,
    pieces: Vec<Piece>,
}

/// A part of the prose that markdown sets apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub kind: SpanKind,
    /// The range of bytes of the prose.
    pub range: Range<usize>,
}

/// What a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpanKind {
    Bold,
    Heading,
    ListItem,
    TableHead,
    TableRow,
    TableCell,
    LinkLabel,
}

impl SpanKind {
    fn of(tag: TagEnd) -> Option<Self> {
        Some(match tag {
            TagEnd::Strong => Self::Bold,
            TagEnd::Heading(_) => Self::Heading,
            TagEnd::Item => Self::ListItem,
            TagEnd::TableHead => Self::TableHead,
            TagEnd::TableRow => Self::TableRow,
            TagEnd::TableCell => Self::TableCell,
            TagEnd::Link => Self::LinkLabel,
            _ => return None,
        })
    }
}

/// A part of the prose and the part of the answer that it comes from.
struct Piece {
    prose_offset: usize,
    length: usize,
    answer_offset: usize,
    /// Whether both parts are equal, byte for byte. If not, every byte of the prose maps to `answer_offset`.
    is_verbatim: bool,
}

impl Prose {
    /// Parses `answer` as markdown.
    pub(crate) fn parse(answer: &str) -> Self {
        let mut builder = ProseBuilder {
            answer,
            ..ProseBuilder::default()
        };
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS;
        for (event, range) in Parser::new_ext(answer, options).into_offset_iter() {
            builder.push_event(event, range);
        }
        let mut prose = builder.prose;
        let length = prose.text.len();
        prose.spans.retain_mut(|span| {
            span.range.end = span.range.end.min(length);
            span.range.start < span.range.end
        });
        prose.text = bare_url::remove_urls(prose.text, &mut prose.links);
        prose.text = citation_mark::remove_marks(prose.text, &mut prose.links);
        prose.text = source_mark::remove_marks(prose.text, &mut prose.links);
        prose
    }

    /// Returns the byte offset in the answer for the byte offset `at` in the prose. It is a char boundary if
    /// a character other than [`REMOVED`] starts at `at`.
    pub(crate) fn answer_offset(&self, at: usize) -> usize {
        let next = self.pieces.partition_point(|piece| piece.prose_offset <= at);
        let Some(piece) = next.checked_sub(1).and_then(|i| self.pieces.get(i)) else {
            return 0;
        };
        if piece.is_verbatim {
            piece.answer_offset + (at - piece.prose_offset).min(piece.length)
        } else {
            piece.answer_offset
        }
    }
}

#[derive(Default)]
struct ProseBuilder<'a> {
    answer: &'a str,
    prose: Prose,
    /// The open links, the innermost last.
    open_labels: Vec<OpenLabel>,
    /// The indexes of the open spans, the innermost last.
    open_spans: Vec<usize>,
    is_in_program: bool,
    /// Whether fenced code is HTML or XML.
    is_in_markup: bool,
    html: HtmlState,
}

struct OpenLabel {
    prose_offset: usize,
    piece_count: usize,
}

/// The state of a block of HTML between its lines.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum HtmlState {
    #[default]
    Outside,
    Inside,
    Comment,
}

/// A part of a line of HTML: text, or markup that is removed.
struct HtmlPart {
    /// The length in bytes.
    length: usize,
    is_markup: bool,
    /// The state after this part.
    next_state: HtmlState,
}

impl HtmlPart {
    fn text(length: usize) -> Self {
        Self {
            length,
            is_markup: false,
            next_state: HtmlState::Outside,
        }
    }

    fn markup(length: usize, next_state: HtmlState) -> Self {
        Self {
            length,
            is_markup: true,
            next_state,
        }
    }
}

impl ProseBuilder<'_> {
    fn push_event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start_element(&tag, range),
            Event::End(tag) => self.end_element(tag),
            Event::Text(_) if self.is_in_program => {}
            Event::Text(html) if self.is_in_markup => self.push_html(&html, range.start),
            Event::Text(text) => self.push_text(&text, range),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push_code(&text, range);
            }
            Event::Html(html) => self.push_html(&html, range.start),
            Event::InlineHtml(html) => {
                self.push_link(&html);
                self.prose.text.push_str(html_tag::separator(&html));
            }
            Event::SoftBreak => self.prose.text.push(LINE_BREAK),
            Event::HardBreak | Event::Rule => self.prose.text.push('\n'),
            // The number of a footnote ends the word before it.
            Event::FootnoteReference(_) => self.prose.text.push(' '),
            Event::TaskListMarker(_) => {}
        }
    }

    fn start_element(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.push_link(dest_url);
                self.open_labels.push(OpenLabel {
                    prose_offset: self.prose.text.len(),
                    piece_count: self.prose.pieces.len(),
                });
            }
            Tag::CodeBlock(kind) => {
                let content = self.answer.get(range).unwrap_or_default(); // The parser gives ranges of the answer.
                self.is_in_markup = is_markup(kind);
                self.is_in_program = is_program(kind, content);
                self.prose.text.push('\n');
            }
            _ => self.prose.text.push('\n'),
        }
        if let Some(kind) = SpanKind::of(tag.to_end()) {
            let start = self.prose.text.len();
            self.open_spans.push(self.prose.spans.len());
            self.prose.spans.push(Span {
                kind,
                range: start..usize::MAX,
            });
        }
    }

    /// Ends the innermost span if `tag` is its end.
    fn end_span(&mut self, tag: TagEnd) {
        if SpanKind::of(tag).is_some()
            && let Some(span) = self.open_spans.pop().and_then(|i| self.prose.spans.get_mut(i))
        {
            span.range.end = self.prose.text.len();
        }
    }

    fn end_element(&mut self, tag: TagEnd) {
        self.end_span(tag);
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {}
            TagEnd::Link | TagEnd::Image => self.end_link(),
            _ => {
                self.is_in_program = false;
                self.is_in_markup = false;
                self.html = HtmlState::Outside;
                self.prose.text.push('\n');
            }
        }
    }

    /// Removes the label from the text if it is a citation mark.
    fn end_link(&mut self) {
        let Some(open) = self.open_labels.pop() else {
            return;
        };
        let Some(label) = self.prose.text.get(open.prose_offset..) else {
            return;
        };
        if label.len() <= MAX_CITATION_MARK_BYTES
            && (bare_url::is_only_addresses(label) || citation_mark::is_number(label))
        {
            let label = label.to_owned();
            self.push_link(&label);
            self.prose.text.truncate(open.prose_offset);
            self.prose.pieces.truncate(open.piece_count);
            self.prose.text.push(REMOVED);
        }
    }

    fn push_link(&mut self, target: &str) {
        self.prose.links.push_str(target);
        self.prose.links.push('\n');
    }

    fn push_text(&mut self, text: &str, range: Range<usize>) {
        let is_verbatim = self.answer.get(range.clone()) == Some(text);
        self.add(text, range.start, is_verbatim);
    }

    /// Adds code without its backticks.
    fn push_code(&mut self, text: &str, range: Range<usize>) {
        let inside = self
            .answer
            .get(range.clone())
            .and_then(|source| source.find(text));
        let start = inside.map_or(range.start, |inside| range.start + inside);
        self.add(text, start, inside.is_some());
    }

    fn push_html(&mut self, html: &str, at: usize) {
        let mut rest = html;
        while !rest.is_empty() {
            let from = at + (html.len() - rest.len());
            let part = match self.html {
                HtmlState::Outside if rest.starts_with("<!--") => HtmlPart::markup(4, HtmlState::Comment),
                HtmlState::Outside if rest.starts_with('<') => HtmlPart::markup(1, HtmlState::Inside),
                HtmlState::Outside => HtmlPart::text(rest.find('<').unwrap_or(rest.len())),
                HtmlState::Inside => self.skip_to(rest, ">", HtmlState::Inside),
                HtmlState::Comment => self.skip_to(rest, "-->", HtmlState::Comment),
            };
            let (piece, after) = rest.split_at(part.length);
            if part.is_markup {
                // A tag may span lines; its separator is added where it starts.
                if self.html == HtmlState::Outside {
                    self.prose.text.push_str(html_tag::separator(rest));
                }
            } else {
                let is_verbatim = self.answer.get(from..from + piece.len()) == Some(piece);
                self.add(piece, if is_verbatim { from } else { at }, is_verbatim);
            }
            self.html = part.next_state;
            rest = after;
        }
    }

    /// Returns the markup up to and including `end`. Without `end`, the markup continues in the next line.
    fn skip_to(&mut self, rest: &str, end: &str, state: HtmlState) -> HtmlPart {
        let found = rest.find(end).map(|i| i + end.len());
        let length = found.unwrap_or(rest.len());
        if state == HtmlState::Inside {
            self.push_link(&rest[..length]);
        }
        HtmlPart::markup(length, found.map_or(state, |_| HtmlState::Outside))
    }

    fn add(&mut self, text: &str, answer_offset: usize, is_verbatim: bool) {
        self.prose.pieces.push(Piece {
            prose_offset: self.prose.text.len(),
            length: text.len(),
            answer_offset,
            is_verbatim,
        });
        self.prose.text.push_str(text);
    }
}

/// Returns whether fenced code is a program: at least a third of its lines look like one. Prose, tables and
/// data are none, whatever the fence says.
fn is_program(kind: &CodeBlockKind<'_>, block: &str) -> bool {
    let Some(language) = language_of(kind) else {
        return false;
    };
    if PROSE_FENCES.contains(&language.as_str()) {
        return false;
    }
    if is_markup(kind) {
        return block.contains("<script");
    }
    let lines = block.lines().skip(1).map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("```") && !line.starts_with("~~~"));
    let (mut all, mut code) = (0, 0);
    for line in lines {
        all += 1;
        code += usize::from(is_code(line));
    }
    code * 3 >= all
}

/// Returns whether fenced code is HTML or XML, whose text is read without its tags.
fn is_markup(kind: &CodeBlockKind<'_>) -> bool {
    language_of(kind).is_some_and(|language| ["html", "xml", "svg"].contains(&language.as_str()))
}

/// Returns the language of fenced code in small letters.
fn language_of(kind: &CodeBlockKind<'_>) -> Option<String> {
    let CodeBlockKind::Fenced(info) = kind else {
        return None;
    };
    let language = info.split([' ', ',', '{']).next();
    language.map(str::to_ascii_lowercase)
}

/// The languages of fences whose content is no program.
const PROSE_FENCES: [&str; 15] = [
    "",
    "text",
    "txt",
    "plain",
    "plaintext",
    "markdown",
    "md",
    "json",
    "jsonl",
    "yaml",
    "yml",
    "csv",
    "tsv",
    "toml",
    "table",
];

/// The words with which lines of programs start.
const CODE_WORDS: [&str; 34] = [
    "import ",
    "from ",
    "def ",
    "class ",
    "const ",
    "let ",
    "var ",
    "function ",
    "return",
    "if (",
    "for ",
    "while ",
    "elif ",
    "else",
    "try",
    "except",
    "public ",
    "private ",
    "package ",
    "use ",
    "fn ",
    "print",
    "console.",
    "$ ",
    "npm ",
    "pip ",
    "curl ",
    "sudo ",
    "git ",
    "SELECT ",
    "INSERT ",
    "#include",
    "echo ",
    "export ",
];

/// Returns whether a line looks like a line of a program.
fn is_code(line: &str) -> bool {
    let is_quoted_pair = line.starts_with('"') && line.contains("\":");
    !is_quoted_pair
        && (line.ends_with([';', '{', '}', '(', '\\'])
            || line.ends_with("):")
            || [" = ", "=>", "()", "==", "->", "://", "</", "/>", " --"]
                .iter()
                .any(|sign| line.contains(sign))
            || line.starts_with(['<', '@', '{', '}', '$'])
            || line.starts_with("//")
            || line.starts_with("# ")
            || CODE_WORDS.iter().any(|word| line.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(answer: &str) -> String {
        Prose::parse(answer)
            .text
            .replace([REMOVED, LINE_BREAK], " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn markdown_reads_as_its_prose() {
        for (answer, prose) in [
            ("# One\n\n- **two**\n- `three`\n\n> four", "One two three four"),
            ("| a | b |\n|---|---|\n| c | d |", "a b c d"),
            ("x[^1]\n\n[^1]: note", "x note"),
            ("[label](https://a.com \"title\")", "label"),
            ("x ([a.com](https://a.com/b)) y", "x ( ) y"),
            ("<https://a.com> x@a.com y", "y"),
            ("AT&amp;T \\*x", "AT&T *x"),
            ("```js\nlet a;\n```\n\n```\nb\n```\n\n    c", "b c"),
            ("<div class=\"a\">\nb <!-- c\nd --> e\n</div>", "b e"),
            ("a <b title=\"c\">d</b><br>e", "a d e"),
            ("a<sup>1</sup>b <i>c</i>d<!-- x -->e", "a 1 b cde"),
            ("<p>\n<b>a</b>b<sup\nid=1>c</sup>\n</p>", "ab c"),
            ("![alt](a.png)", "alt"),
            ("[a][1]\n\n[1]: https://b.com", "a"),
        ] {
            assert_eq!(words(answer), prose, "{answer}");
        }
    }

    #[test]
    fn an_offset_maps_to_the_same_text_in_the_answer() {
        let answer = "# Top\n\n* **Ac**me &amp; [Böse](https://x.com), `` co`de ``\n<p>\nhtml</p>";
        let prose = Prose::parse(answer);
        for word in ["Top", "Ac", "me", "Böse", "co`de", "html"] {
            let at = prose.answer_offset(prose.text.find(word).unwrap());
            assert!(answer[at..].starts_with(word), "{word} at {at}");
        }
    }

    proptest! {
        #[test]
        fn offsets_are_char_boundaries(answer in "([#*_`\\[\\]()<>|&!~:-]|\n| |https://|a|é|😀|```|&amp;|</p>){0,60}") {
            let prose = Prose::parse(&answer);
            for (at, _) in prose.text.char_indices().filter(|&(_, c)| c != REMOVED) {
                prop_assert!(answer.is_char_boundary(prose.answer_offset(at)));
            }
        }
    }
}
