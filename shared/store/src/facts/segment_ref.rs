//! References to segments, as index entries contain them.

use std::fmt;
use std::str::FromStr;

use domain::check_key::CheckKey;
use domain::revision::Revision;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A segment of one family and one check. Its text is `<rev>.<buckets>.<kb>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SegmentRef {
    pub rev: Revision,
    /// The number of buckets: 1, except for links.
    pub buckets: usize,
    /// The size in KB.
    pub kb: usize,
}

impl SegmentRef {
    /// Returns all buckets of the segment, which is that of a check, as
    /// [`Store::buckets`](crate::Store::buckets) takes them.
    pub fn all_buckets(self, check: CheckKey) -> impl Iterator<Item = (CheckKey, Revision, usize)> {
        (0..self.buckets).map(move |bucket| (check, self.rev, bucket))
    }
}

impl fmt::Display for SegmentRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.rev, self.buckets, self.kb)
    }
}

/// The error of texts that are not a reference to a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is no revision with a number of buckets and a size")]
pub struct ParseSegmentError;

impl FromStr for SegmentRef {
    type Err = ParseSegmentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut fields = text.splitn(3, '.');
        let mut next = || fields.next().ok_or(ParseSegmentError);
        Ok(Self {
            rev: next()?.parse().map_err(|_| ParseSegmentError)?,
            buckets: next()?.parse().map_err(|_| ParseSegmentError)?,
            kb: next()?.parse().map_err(|_| ParseSegmentError)?,
        })
    }
}

impl TryFrom<String> for SegmentRef {
    type Error = ParseSegmentError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SegmentRef> for String {
    fn from(segment: SegmentRef) -> Self {
        segment.to_string()
    }
}
