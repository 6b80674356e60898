//! Reads the slots of a text line by line.

use std::cell::OnceCell;
use std::ops::Range;

use super::marker::{MAX_MARKER_LETTERS, marker_length};
use super::series::series_at;
use crate::fold::REMOVED;
use crate::line::{lines_with_offsets, split_with_offsets};
use crate::prose::{Span, SpanKind};
use crate::script::is_word;
use crate::slot::{Place, Slot};
use crate::text::Text;

/// The maximum length of an item in bytes, and in words.
const MAX_ITEM_BYTES: usize = 90;
const MAX_ITEM_WORDS: usize = 6;
/// The maximum length of a line in which several items are numbered, in bytes.
const MAX_SERIES_BYTES: usize = 400;
/// The number of items that make a sentence a series.
const MIN_ITEMS_OF_SENTENCE: usize = 3;
/// The state while the lines of a text are read.
struct Reader<'a> {
    text: Text<'a>,
    slots: Vec<Slot>,
    section: u32,
    /// The last line that is no item.
    intro: Range<usize>,
    /// The cells of the head of the current table.
    columns: Vec<Range<usize>>,
    /// Where the head of the current table starts.
    table: Option<usize>,
}

/// Returns the slots of a text in the order of their starts.
pub(super) fn find_slots(text: Text<'_>) -> Vec<Slot> {
    let mut reader = Reader {
        text,
        slots: Vec::new(),
        section: 0,
        intro: 0..0,
        columns: Vec::new(),
        table: None,
    };
    for (start, line) in lines_with_offsets(text.prose) {
        for (i, cell) in split_with_offsets(line, '\t') {
            reader.read_line(start + i..start + i + cell.len());
        }
    }
    reader.slots.sort_by_key(|slot| slot.range.start);
    reader.slots.dedup_by_key(|slot| slot.range.start);
    reader.slots
}

/// An item and what ends it.
struct Item {
    range: Range<usize>,
    end: char,
    is_set_apart: bool,
    is_marked: bool,
}

impl<'a> Reader<'a> {
    fn read_line(&mut self, line: Range<usize>) {
        if self.text.slice(&line).trim().is_empty() {
            return;
        }
        let place = self.place_of(&line);
        if place == Place::Heading {
            self.section += 1;
        }
        let section = if place == Place::Heading { 0 } else { self.section };
        let intros = match place {
            Place::Cell(column) => {
                let head = self.columns.get(usize::from(column)).cloned();
                [self.intro.clone(), head.unwrap_or(0..0)]
            }
            _ => [self.intro.clone(), 0..0],
        };
        // Of two slots that start together, the first one is kept.
        self.read_series(&line);
        self.read_numbered_series(&line);
        let found = self.item_of(&line);
        let is_heading = place == Place::Heading;
        let is_item = found.is_some();
        if let Some(item) = found {
            let after = item.range.end..line.end;
            let end = item.end;
            let label = item.range.clone();
            self.slots.push(slot(item, place, section, intros));
            if is_label(end, self.text.slice(&after)) {
                self.read_value(&after, label);
            }
        }
        self.read_bold_texts(&line, place);
        self.read_bracket_at_end(&line);
        let ends_as_intro = self.text.slice(&line).trim_end().ends_with([':', '：']);
        if !is_item || is_heading || (place == Place::Line && ends_as_intro) {
            if ends_as_intro && !is_heading {
                self.section += 1;
            }
            self.intro = line;
        }
    }

    /// Returns where a line stands. A line is the text of a cell, a list item, a heading, or another line.
    fn place_of(&mut self, line: &Range<usize>) -> Place {
        let text = self.text;
        let inside = line.start..line.start;
        let has = |kind| text.span(kind, &inside).is_some();
        if has(SpanKind::Heading) {
            return Place::Heading;
        }
        if let Some(row) = text.span(SpanKind::TableHead, &inside) {
            if self.table != Some(row.range.start) {
                self.table = Some(row.range.start);
                self.columns.clear();
                self.section += 1;
            }
            self.columns.push(line.clone());
            return Place::HeadCell;
        }
        if let Some(row) = text.span(SpanKind::TableRow, &inside) {
            let cell = text.span(SpanKind::TableCell, &inside);
            let cells = text.spans_in(&row.range).iter();
            let column = cells
                .filter(|span| span.kind == SpanKind::TableCell)
                .take(usize::from(u8::MAX))
                .take_while(|span| Some(*span) != cell)
                .count();
            return Place::Cell(u8::try_from(column).unwrap_or(u8::MAX)); // Further columns are one.
        }
        match text.depth(SpanKind::ListItem, &inside) {
            0 => Place::Line,
            depth => Place::ListItem(u8::try_from(depth).unwrap_or(u8::MAX)), // Markdown nests less.
        }
    }

    /// Returns the item that a line begins with, unless it begins with a sentence.
    fn item_of(&mut self, line: &Range<usize>) -> Option<Item> {
        let written = self.text.slice(line);
        let marker = marker_length(written);
        let is_marked = !written[..marker].trim().is_empty();
        let start = line.start + marker;
        let item = self.item_at(start..line.end)?;
        Some(Item { is_marked, ..item })
    }

    /// Returns the item at the start of the prose bytes `range`.
    fn item_at(&self, range: Range<usize>) -> Option<Item> {
        let text = self.text;
        let whole = text.slice(&range);
        let whole = &whole[..whole.floor_char_boundary(MAX_ITEM_BYTES * 2)];
        let first = whole.chars().next()?;
        let apart = [SpanKind::Bold, SpanKind::LinkLabel]
            .into_iter()
            .find_map(|kind| {
                let span = text.span(kind, &(range.start..range.start + first.len_utf8()))?;
                (span.range.start + MAX_MARKER_LETTERS * 4 >= range.start).then_some(span)
            });
        let limit = apart.map_or(whole.len(), |span: &Span| {
            span.range.end.saturating_sub(range.start).min(whole.len())
        });
        let (length, end) = item_length(&whole[..whole.floor_char_boundary(limit)]);
        let item = whole[..length].trim_end();
        let end = if end == ' ' {
            let rest = whole[length..].trim_start();
            rest.chars().next().unwrap_or(' ')
        } else {
            end
        };
        let is_sentence = apart.is_none() && end != ':' && item.ends_with(['.', '!', '?', '。']);
        let words = item.split_whitespace().count();
        let is_item = !item.is_empty()
            && item.len() <= MAX_ITEM_BYTES
            && words <= MAX_ITEM_WORDS
            && !(is_sentence && words > 2);
        is_item.then(|| Item {
            range: range.start..range.start + item.len(),
            end: if end.is_alphanumeric() { 'a' } else { end },
            is_set_apart: apart.is_some(),
            is_marked: false,
        })
    }

    /// Reads what follows a label and its colon: the name in `Best for teams: Acme`.
    fn read_value(&mut self, after: &Range<usize>, label: Range<usize>) {
        let written = self.text.slice(after);
        let is_sign = |c: char| !c.is_alphanumeric();
        let start = after.start + (written.len() - written.trim_start_matches(is_sign).len());
        if let Some(item) = self.item_at(start..after.end) {
            let intros = [self.intro.clone(), label];
            self.slots.push(slot(item, Place::Value, self.section, intros));
        }
    }

    /// Reads the items of a line, or of a sentence or bracket in it, that consists of several short items.
    fn read_series(&mut self, line: &Range<usize>) {
        let written = self.text.slice(line);
        let mut done = marker_length(written);
        self.read_series_at(line.start + done..line.end, self.intro.clone(), 2);
        let may_begin = |b: u8| matches!(b, b':' | b'(' | b'.' | b'?' | b'!');
        for (i, c) in chars_at(written, may_begin) {
            let start = i + c.len_utf8();
            let min_items = match c {
                ':' | '：' | '(' | '（' => 2,
                '.' | '?' | '!' if written[start..].starts_with(char::is_whitespace) => MIN_ITEMS_OF_SENTENCE,
                '。' | '？' | '！' => MIN_ITEMS_OF_SENTENCE,
                _ => continue,
            };
            if i >= done {
                let intro = line.start..line.start + i;
                let end = self.read_series_at(line.start + start..line.end, intro, min_items);
                done = end.saturating_sub(line.start);
            }
        }
    }

    /// Reads the items at the start of the prose bytes `range` if they are a series of at least `min_items`.
    /// Returns where it ends.
    fn read_series_at(&mut self, range: Range<usize>, intro: Range<usize>, min_items: usize) -> usize {
        let (items, end) = series_at(self.text, &range);
        if items.len() < min_items {
            return range.start;
        }
        for range in items {
            let item = Item {
                range,
                end: ',',
                is_set_apart: false,
                is_marked: false,
            };
            let intros = [self.intro.clone(), intro.clone()];
            self.slots.push(slot(item, Place::Series, self.section, intros));
        }
        end
    }

    /// Reads the items of a line in which several are numbered: `1) Acme 2) Zendo`.
    fn read_numbered_series(&mut self, line: &Range<usize>) {
        let written = self.text.slice(line);
        if written.len() > MAX_SERIES_BYTES {
            return;
        }
        // Markdown has taken the first number of `1) Acme 2) Zendo` for that of a list.
        let is_list_item = self
            .text
            .span(SpanKind::ListItem, &(line.start..line.start))
            .is_some();
        let mut starts: Vec<(usize, usize)> = if is_list_item { vec![(0, 0)] } else { Vec::new() };
        for (i, c) in chars_at(written, |b| b.is_ascii_digit() || b == b'(') {
            let is_number = c.is_numeric() || matches!(c, '(' | '🥇' | '🥈' | '🥉');
            if is_number && !written[..i].ends_with(is_word) {
                let marker = marker_length(&written[i..]);
                let has_number = written[i..i + marker].contains(char::is_numeric) || c > '\u{1f000}';
                if marker > 0 && has_number && starts.last().is_none_or(|&(_, end)| end <= i) {
                    starts.push((i, i + marker));
                }
            }
        }
        if starts.len() < 2 {
            return;
        }
        let ends = starts
            .iter()
            .skip(1)
            .map(|&(start, _)| start)
            .chain([written.len()]);
        for (&(_, from), to) in starts.iter().zip(ends) {
            let range = line.start + from..line.start + to.max(from);
            if let Some(item) = self.item_at(range) {
                let intros = [self.intro.clone(), line.start..line.start + starts[0].0];
                self.slots.push(slot(item, Place::Series, self.section, intros));
            }
        }
    }

    /// Reads the item in brackets at the end of a line: `the cheapest one (Acme)`.
    fn read_bracket_at_end(&mut self, line: &Range<usize>) {
        let written = self.text.slice(line).trim_end_matches(['.', ' ', REMOVED]);
        let Some(inside) = written.strip_suffix([')', '）']) else {
            return;
        };
        if let Some(open) = inside.rfind(['(', '（'])
            && open > 0
        {
            let from = line.start + open + inside[open..].chars().next().map_or(1, char::len_utf8);
            if let Some(item) = self.item_at(from..line.start + inside.len()) {
                let intros = [self.intro.clone(), 0..0];
                self.slots.push(slot(item, Place::Value, self.section, intros));
            }
        }
    }

    /// Reads the bold texts of a line that begin after its start.
    fn read_bold_texts(&mut self, line: &Range<usize>, place: Place) {
        if matches!(place, Place::Heading | Place::HeadCell) {
            return;
        }
        let spans: Vec<Range<usize>> = self
            .text
            .spans_in(line)
            .iter()
            .filter(|span| span.kind == SpanKind::Bold && span.range.start > line.start)
            .map(|span| span.range.clone())
            .collect();
        for span in spans {
            let written = self.text.slice(&span);
            let start = span.start + (written.len() - written.trim_start().len());
            if let Some(item) = self.item_at(start..line.end.min(span.end)) {
                let intros = [self.intro.clone(), 0..0];
                self.slots.push(slot(item, Place::Bold, self.section, intros));
            }
        }
    }
}

/// Returns the characters of `text` that are not ASCII, or whose byte `is_wanted`, with their offsets.
fn chars_at(text: &str, is_wanted: impl Fn(u8) -> bool) -> impl Iterator<Item = (usize, char)> {
    let is_start = move |&(i, &b): &(usize, &u8)| !b.is_ascii() && text.is_char_boundary(i) || is_wanted(b);
    let starts = text.as_bytes().iter().enumerate().filter(is_start);
    starts.filter_map(|(i, _)| Some((i, text[i..].chars().next()?)))
}

/// Returns whether a colon follows an item that ends at `after`, perhaps behind a quotation mark.
fn is_label(end: char, after: &str) -> bool {
    let is_colon = |c: char| matches!(c, ':' | '：');
    let is_quote = |c: char| matches!(c, '"' | '”' | '“' | '»');
    is_colon(end) || after.trim_start_matches(is_quote).starts_with(is_colon)
}

fn slot(item: Item, place: Place, section: u32, intros: [Range<usize>; 2]) -> Slot {
    Slot {
        range: item.range,
        place,
        is_set_apart: item.is_set_apart,
        is_marked: item.is_marked,
        end: item.end,
        section,
        intros,
        is_unknown: OnceCell::new(),
    }
}

/// Returns the length of the item at the start of `text` and the sign that ends it, or a blank at the end.
fn item_length(text: &str) -> (usize, char) {
    let mut before = ' ';
    for (i, c) in text.char_indices() {
        let after = text[i + c.len_utf8()..].chars().next().unwrap_or(' ');
        let is_inside = is_word(c)
            || c.is_whitespace()
            || matches!(
                c,
                '&' | '\'' | '’' | '+' | '!' | '?' | '@' | '_' | '®' | '™' | '\u{30fb}' | '\u{ad}'
            )
            || (matches!(c, '-' | '/' | '‑') && !before.is_whitespace() && !after.is_whitespace())
            || (c == '.' && !after.is_whitespace());
        if !is_inside || c == REMOVED {
            return (i, if c == ' ' { ',' } else { c });
        }
        before = c;
    }
    (text.len(), ' ')
}
