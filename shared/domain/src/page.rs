//! Pages of a listing.

use serde::Serialize;

use crate::error::InvalidField;
use crate::limits::{DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT};

/// The greatest whole number that every JSON client reads exactly.
const MAX_OFFSET: u64 = (1 << 53) - 1;

/// Which rows of a listing are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    limit: u64,
    offset: u64,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            limit: DEFAULT_PAGE_LIMIT.into(),
            offset: 0,
        }
    }
}

impl Page {
    /// Every row at once.
    pub const WHOLE: Self = Self {
        limit: u64::MAX,
        offset: 0,
    };

    /// Reads the parameters `limit` (1 to 100, 20 if absent) and `offset` (from 0, 0 if absent), both in
    /// decimal digits alone. What is out of range is an error, never clamped.
    pub fn parse(limit: Option<&str>, offset: Option<&str>) -> Result<Self, InvalidField> {
        let absent = Self::default();
        Ok(Self {
            limit: limit.map_or(Ok(absent.limit), |text| {
                whole("limit", text, 1, MAX_PAGE_LIMIT.into())
            })?,
            offset: offset.map_or(Ok(absent.offset), |text| whole("offset", text, 0, MAX_OFFSET))?,
        })
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The page's rows of the whole listing.
    pub fn of<T>(&self, rows: Vec<T>) -> Vec<T> {
        let skipped = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let taken = usize::try_from(self.limit).unwrap_or(usize::MAX);
        rows.into_iter().skip(skipped).take(taken).collect()
    }

    /// The short description of this page of a listing of `total` rows.
    pub fn pagination(&self, total: u64) -> Pagination {
        Pagination {
            total,
            limit: self.limit,
            offset: self.offset,
        }
    }

    /// The long description of this page of a listing of `total` rows.
    pub fn full_pagination(&self, total: u64) -> FullPagination {
        FullPagination {
            total_count: total,
            total_pages: total.div_ceil(self.limit),
            current_page: self.offset / self.limit + 1,
            limit: self.limit,
            offset: self.offset,
            has_next_page: self.offset + self.limit < total,
            has_previous_page: self.offset > 0,
        }
    }
}

/// The page that a response shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pagination {
    /// The number of rows of all pages.
    pub total: u64,
    /// The number of rows per page.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_PAGE_LIMIT)))]
    pub limit: u64,
    /// The number of rows that were skipped.
    pub offset: u64,
}

/// The page that a response shows, with its number. An offset that is no multiple of the limit is on the page that
/// contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FullPagination {
    /// The number of rows of all pages.
    pub total_count: u64,
    /// The number of pages. It is 0 if there are no rows.
    pub total_pages: u64,
    /// The number of the page, counted from 1. It can be beyond the last page.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_OFFSET)))]
    pub current_page: u64,
    /// The number of rows per page.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_PAGE_LIMIT)))]
    pub limit: u64,
    /// The number of rows that were skipped.
    pub offset: u64,
    /// Whether there are rows after these.
    pub has_next_page: bool,
    /// Whether there are rows before these.
    pub has_previous_page: bool,
}

/// Reads a parameter that is a whole number within a range, in decimal digits alone.
pub fn whole(field: &str, text: &str, least: u64, most: u64) -> Result<u64, InvalidField> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits
        .then(|| text.parse().ok())
        .flatten()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| InvalidField::new(field, format!("must be a whole number from {least} to {most}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_without_parameters_is_the_first_twenty_rows() {
        let page = Page::parse(None, None).unwrap();
        assert_eq!((page.limit(), page.offset()), (20, 0));
        assert_eq!(page.of((0..50).collect()), (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_number_in_range_is_refused_and_not_clamped() {
        let huge = "99999999999999999999999999";
        for limit in ["0", "101", "-1", "+5", " 5", "5.0", "1e1", "٥", "", "x", huge] {
            let refused = Page::parse(Some(limit), None).unwrap_err();
            assert_eq!(
                refused.to_string(),
                "limit must be a whole number from 1 to 100",
                "{limit}"
            );
        }
        for offset in ["-1", "", "0x1", "9007199254740992", huge] {
            assert_eq!(
                Page::parse(None, Some(offset)).unwrap_err().field,
                "offset",
                "{offset}"
            );
        }
        assert_eq!(Page::parse(Some("100"), Some("0")).unwrap().limit(), 100);
        assert_eq!(
            Page::parse(Some("1"), Some("9007199254740991"))
                .unwrap()
                .of(vec![1]),
            [0; 0]
        );
    }

    #[test]
    fn a_full_pagination_is_shown_in_camel_case() {
        let page = Page::parse(Some("20"), Some("30")).unwrap();
        assert_eq!(
            serde_json::to_value(page.full_pagination(51)).unwrap(),
            serde_json::json!({
                "totalCount": 51, "totalPages": 3, "currentPage": 2, "limit": 20, "offset": 30,
                "hasNextPage": true, "hasPreviousPage": true,
            })
        );
        assert_eq!(
            serde_json::to_value(page.pagination(51)).unwrap(),
            serde_json::json!({"total": 51, "limit": 20, "offset": 30})
        );
    }

    #[test]
    fn an_empty_listing_has_no_pages_and_is_on_the_first() {
        let shown = Page::default().full_pagination(0);
        assert_eq!((shown.total_pages, shown.current_page), (0, 1));
        assert!(!shown.has_next_page && !shown.has_previous_page);
    }

    proptest! {
        #[test]
        fn following_the_next_page_shows_every_row_once(rows in 0u64..250, limit in 1u64..=100) {
            let mut seen = Vec::new();
            let mut offset = 0;
            for current in 1.. {
                let page = Page::parse(Some(&limit.to_string()), Some(&offset.to_string())).unwrap();
                let shown = page.full_pagination(rows);
                prop_assert_eq!(shown.current_page, current);
                prop_assert_eq!(shown.has_previous_page, current > 1);
                seen.extend(page.of((0..rows).collect()));
                if !shown.has_next_page {
                    prop_assert_eq!(shown.total_pages, if rows == 0 { 0 } else { current });
                    break;
                }
                offset += limit;
            }
            prop_assert_eq!(seen, (0..rows).collect::<Vec<_>>());
        }

        #[test]
        fn no_text_makes_page_parsing_panic(limit in ".{0,30}", offset in ".{0,30}") {
            let _ = Page::parse(Some(&limit), Some(&offset));
        }
    }
}
