//! Finds the pages that the text of an answer links to.

use linkify::{LinkFinder, LinkKind};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, TextMergeStream};

use crate::citations::Citations;

/// The punctuation of Chinese and Japanese. A sentence can go on right after an address.
const WIDE_PUNCTUATION: &[char] = &[
    '。', '，', '、', '；', '：', '！', '？', '（', '）', '「', '」', '『', '』', '【', '】', '《', '》',
    '〉', '”', '’', '»',
];

/// Adds the https pages that a Markdown text links to and that the provider does not report. Code links to
/// nothing.
pub(super) fn add(citations: &mut Citations, text: &str) {
    if !text.contains("https://") {
        return;
    }
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let (mut is_code, mut is_link) = (false, false);
    for event in TextMergeStream::new(Parser::new_ext(text, Options::ENABLE_TABLES)) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Start(Tag::Link { dest_url, .. }) => {
                is_link = true;
                citations.add_linked(&dest_url);
            }
            Event::End(TagEnd::Link) => is_link = false,
            Event::Text(text) if !is_code && !is_link => {
                for link in finder.links(&text) {
                    let address = link.as_str().split(WIDE_PUNCTUATION).next();
                    address
                        .into_iter()
                        .for_each(|address| citations.add_linked(address));
                }
            }
            _ => {}
        }
    }
}
