//! What is compared.

/// One of the two windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The earlier window.
    Base,
    /// The later window.
    Window,
}

impl Side {
    /// Both sides, the earlier first.
    pub const BOTH: [Self; 2] = [Self::Base, Self::Window];

    /// Returns 0 for the base and 1 for the window.
    pub fn index(self) -> usize {
        usize::from(self == Self::Window)
    }
}

/// A count, and what it is a share of: for example mentions of the brand and answers. The count is not above
/// the total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub count: u64,
    pub total: u64,
}

impl Counts {
    /// Adds other counts.
    pub fn add(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.total = self.total.saturating_add(other.total);
    }

    /// Returns `count` / `total`, or 0 without any.
    pub fn rate(self) -> f64 {
        if self.total == 0 {
            return 0.0;
        }
        self.count as f64 / self.total as f64
    }

    /// Returns by how much the count exceeds that of a rate.
    pub(crate) fn above(self, rate: f64) -> f64 {
        self.count as f64 - self.total as f64 * rate
    }
}

/// What one model answered to one prompt on one day.
///
/// Prompts and models are numbered from 0 without large gaps, and so are the days of each window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    pub prompt: u32,
    pub model: u32,
    pub side: Side,
    pub day: u32,
    pub counts: Counts,
}
