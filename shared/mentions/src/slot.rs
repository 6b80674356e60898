//! The slots of an answer: the places where lists, tables, headings and cards name their items.
//!
//! Each line, cell and bold text may begin with an item. A name whose words are common is a brand among items
//! that are brands. A capital there proves nothing, because `Price` has one too.

use std::cell::OnceCell;
use std::ops::Range;

/// Where a slot is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Heading,
    /// A cell of a table's head.
    HeadCell,
    /// Another cell, of the column with this number.
    Cell(u8),
    /// A list item at this depth.
    ListItem(u8),
    /// Another line.
    Line,
    /// A bold text inside a line.
    Bold,
    /// What follows a label and a colon.
    Value,
    /// One of several short items in a line: `A, B and C`.
    Series,
}

impl Place {
    /// Returns the number of the place.
    pub(crate) fn index(self) -> u8 {
        match self {
            Self::Heading => 0,
            Self::HeadCell => 1,
            Self::Cell(0) => 2,
            Self::Cell(_) => 3,
            Self::ListItem(_) => 4,
            Self::Line => 5,
            Self::Bold => 6,
            Self::Value => 7,
            Self::Series => 8,
        }
    }
}

/// A place that names an item.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    /// The range of prose of the item, without its marker and what follows.
    pub(crate) range: Range<usize>,
    pub(crate) place: Place,
    /// Whether the item is bold, or the label of a link.
    pub(crate) is_set_apart: bool,
    /// Whether a marker precedes the item: a number, a bullet, an emoji.
    pub(crate) is_marked: bool,
    /// The sign that ends the item. A blank stands for the end of the line.
    pub(crate) end: char,
    /// The section of the answer. Slots of a section and a place are items of one list.
    pub(crate) section: u32,
    /// The ranges of prose of what introduces the list, and of the head of the column.
    pub(crate) intros: [Range<usize>; 2],
    /// Whether the item is a domain, or its first word is in no list of common words, once somebody asks.
    pub(crate) is_unknown: OnceCell<bool>,
}

impl Slot {
    /// Returns whether both are items of one list.
    pub(crate) fn is_sibling_of(&self, other: &Self) -> bool {
        self.section == other.section && self.place == other.place
    }
}

/// The slots of a text in the order of their starts. They are found when they are needed first.
#[derive(Debug, Default)]
pub(crate) struct Slots(pub(crate) OnceCell<Vec<Slot>>);

/// What the other items of a list are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Siblings {
    /// Items with certain names.
    pub(crate) names: usize,
    /// Items that are domains, or whose first word is in no list of common words.
    pub(crate) unknown: usize,
    /// Items with common words that may be a brand's name.
    pub(crate) maybe: usize,
    /// Items of common words only.
    pub(crate) common: usize,
}

impl Siblings {
    fn all(self) -> usize {
        self.names + self.unknown + self.maybe + self.common
    }

    /// Returns whether at least half of the items are names, or words that are not common.
    pub(crate) fn are_brands(self) -> bool {
        self.all() > 0 && (self.names + self.unknown) * 2 >= self.all()
    }

    /// Returns whether at least half of the items are or may be names.
    pub(crate) fn may_be_brands(self) -> bool {
        self.names + self.maybe > 0 && (self.names + self.maybe) * 2 >= self.all()
    }

    /// Returns whether at least half of the items are common words only.
    pub(crate) fn are_common(self) -> bool {
        self.common > 0 && self.common * 2 >= self.all()
    }
}
