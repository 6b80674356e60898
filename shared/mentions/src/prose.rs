//! The prose of a markdown answer: what a reader reads, apart from where links lead.
//!
//! Headings, lists, tables, quotes, footnotes, code spans and labels of links count. Fenced code counts
//! where it is no program: without a language, or `text`, `markdown` and their like (models like to fence
//! plain tables and whole answers). Indented code counts, because most of it is a list that was indented
//! too far. Tags of HTML do not count, the text between them does.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::fold::{FILLER, LINE};
use crate::{bare_url, html_tag};

/// The longest label, in bytes, that can be a citation mark. Labels nest: without an end to each, reading them
/// would take the square of the answer's length.
const LONGEST_MARK: usize = 2048;

/// The prose of an answer. Blocks, table cells and hard breaks are apart by `\n`, soft breaks are [`LINE`],
/// what was taken out is [`FILLER`].
#[derive(Default)]
pub(crate) struct Prose {
    pub text: String,
    /// Targets of links, URLs, addresses and citation marks, one a line.
    pub links: String,
    pieces: Vec<Piece>,
}

/// Where a part of the prose comes from.
struct Piece {
    prose: usize,
    length: usize,
    answer: usize,
    /// The part is the same text as in the answer, byte for byte; otherwise all of it is at `answer`.
    verbatim: bool,
}

impl Prose {
    /// Reads `answer`.
    pub(crate) fn of(answer: &str) -> Self {
        let mut reader = Reader {
            answer,
            ..Reader::default()
        };
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS;
        for (event, range) in Parser::new_ext(answer, options).into_offset_iter() {
            reader.read(event, range);
        }
        let mut prose = reader.prose;
        prose.text = bare_url::take_out(prose.text, &mut prose.links);
        prose
    }

    /// The byte of the answer that byte `at` of the prose comes from: a char boundary where a character
    /// other than [`FILLER`] starts at `at`.
    pub(crate) fn offset(&self, at: usize) -> usize {
        let next = self.pieces.partition_point(|piece| piece.prose <= at);
        let Some(piece) = next.checked_sub(1).and_then(|i| self.pieces.get(i)) else {
            return 0;
        };
        if piece.verbatim {
            piece.answer + (at - piece.prose).min(piece.length)
        } else {
            piece.answer
        }
    }
}

#[derive(Default)]
struct Reader<'a> {
    answer: &'a str,
    prose: Prose,
    /// Where in the prose the labels of the open links start, and how many pieces there were.
    labels: Vec<(usize, usize)>,
    program: bool,
    tag: HtmlTag,
}

/// Where a block of HTML is, between its lines.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum HtmlTag {
    #[default]
    Outside,
    Inside,
    Comment,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(_) if self.program => {}
            Event::Text(text) => self.text(&text, range),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.code(&text, range),
            Event::Html(html) => self.html(&html, range.start),
            Event::InlineHtml(html) => {
                self.link(&html);
                self.prose.text.push_str(html_tag::separator(&html));
            }
            Event::SoftBreak => self.prose.text.push(LINE),
            Event::HardBreak | Event::Rule => self.prose.text.push('\n'),
            // A note's number ends the word before it.
            Event::FootnoteReference(_) => self.prose.text.push(' '),
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link(dest_url);
                self.labels.push((self.prose.text.len(), self.prose.pieces.len()));
            }
            Tag::CodeBlock(kind) => {
                self.program = is_program(kind);
                self.prose.text.push('\n');
            }
            _ => self.prose.text.push('\n'),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {}
            TagEnd::Link | TagEnd::Image => self.end_link(),
            _ => {
                self.program = false;
                self.tag = HtmlTag::Outside;
                self.prose.text.push('\n');
            }
        }
    }

    /// Takes the label out again if it is a citation mark.
    fn end_link(&mut self) {
        let Some((start, pieces)) = self.labels.pop() else {
            return;
        };
        let Some(label) = self.prose.text.get(start..) else {
            return;
        };
        if label.len() <= LONGEST_MARK && bare_url::is_only_addresses(label) {
            let label = label.to_owned();
            self.link(&label);
            self.prose.text.truncate(start);
            self.prose.pieces.truncate(pieces);
            self.prose.text.push(FILLER);
        }
    }

    fn link(&mut self, target: &str) {
        self.prose.links.push_str(target);
        self.prose.links.push('\n');
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        let verbatim = self.answer.get(range.clone()) == Some(text);
        self.add(text, range.start, verbatim);
    }

    /// Code is shown without its backticks.
    fn code(&mut self, text: &str, range: Range<usize>) {
        let inside = self
            .answer
            .get(range.clone())
            .and_then(|source| source.find(text));
        self.add(text, range.start + inside.unwrap_or(0), inside.is_some());
    }

    fn html(&mut self, html: &str, at: usize) {
        let mut rest = html;
        while !rest.is_empty() {
            let from = at + (html.len() - rest.len());
            let (end, skip, next) = match self.tag {
                HtmlTag::Outside if rest.starts_with("<!--") => (4, true, HtmlTag::Comment),
                HtmlTag::Outside if rest.starts_with('<') => (1, true, HtmlTag::Inside),
                HtmlTag::Outside => (rest.find('<').unwrap_or(rest.len()), false, HtmlTag::Outside),
                HtmlTag::Inside => self.skip_to(rest, ">", HtmlTag::Inside),
                HtmlTag::Comment => self.skip_to(rest, "-->", HtmlTag::Comment),
            };
            let (piece, after) = rest.split_at(end);
            if skip {
                // A tag may go on over several lines; it stands where it starts.
                if self.tag == HtmlTag::Outside {
                    self.prose.text.push_str(html_tag::separator(rest));
                }
            } else {
                let verbatim = self.answer.get(from..from + piece.len()) == Some(piece);
                self.add(piece, if verbatim { from } else { at }, verbatim);
            }
            self.tag = next;
            rest = after;
        }
    }

    fn skip_to(&mut self, rest: &str, end: &str, now: HtmlTag) -> (usize, bool, HtmlTag) {
        let found = rest.find(end).map(|i| i + end.len());
        let until = found.unwrap_or(rest.len());
        if now == HtmlTag::Inside {
            self.link(&rest[..until]);
        }
        (until, true, if found.is_some() { HtmlTag::Outside } else { now })
    }

    fn add(&mut self, text: &str, answer: usize, verbatim: bool) {
        self.prose.pieces.push(Piece {
            prose: self.prose.text.len(),
            length: text.len(),
            answer,
            verbatim,
        });
        self.prose.text.push_str(text);
    }
}

fn is_program(kind: &CodeBlockKind<'_>) -> bool {
    let CodeBlockKind::Fenced(info) = kind else {
        return false;
    };
    let language = info.split([' ', ',', '{']).next().unwrap_or_default();
    !["", "text", "txt", "plain", "plaintext", "markdown", "md"]
        .contains(&language.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(answer: &str) -> String {
        Prose::of(answer)
            .text
            .replace([FILLER, LINE], " ")
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
    fn an_offset_leads_to_the_same_text_in_the_answer() {
        let answer = "# Top\n\n* **Ac**me &amp; [Böse](https://x.com), `` co`de ``\n<p>\nhtml</p>";
        let prose = Prose::of(answer);
        for word in ["Top", "Ac", "me", "Böse", "co`de", "html"] {
            let at = prose.offset(prose.text.find(word).unwrap());
            assert!(answer[at..].starts_with(word), "{word} at {at}");
        }
    }

    proptest! {
        #[test]
        fn offsets_are_char_boundaries(answer in "([#*_`\\[\\]()<>|&!~:-]|\n| |https://|a|é|😀|```|&amp;|</p>){0,60}") {
            let prose = Prose::of(&answer);
            for (at, _) in prose.text.char_indices().filter(|&(_, c)| c != FILLER) {
                prop_assert!(answer.is_char_boundary(prose.offset(at)));
            }
        }
    }
}
