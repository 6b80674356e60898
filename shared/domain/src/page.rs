//! Pagination of listings.

use serde::Serialize;

use crate::error::InvalidField;
use crate::limits::{DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, MAX_TABLE_ROWS};

/// The maximum integer that every JSON client reads exactly.
pub const MAX_OFFSET: usize = (1 << 53) - 1;

/// The requested range of rows of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    limit: usize,
    offset: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            limit: DEFAULT_PAGE_LIMIT,
            offset: 0,
        }
    }
}

impl Page {
    /// The page that contains all rows.
    pub const ALL: Self = Self {
        limit: usize::MAX,
        offset: 0,
    };

    /// Parses the parameters `limit`, 1 to 100, and `offset`, from 0. The defaults are 20 and 0.
    ///
    /// Numbers out of range are errors. They are not clamped.
    pub fn parse(limit: Option<&str>, offset: Option<&str>) -> Result<Self, InvalidField> {
        Self::parse_within(limit, offset, DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT)
    }

    /// Parses the parameters of a table, which has up to [`MAX_TABLE_ROWS`] rows without pages.
    pub fn parse_of_table(limit: Option<&str>, offset: Option<&str>) -> Result<Self, InvalidField> {
        Self::parse_within(limit, offset, MAX_TABLE_ROWS, MAX_TABLE_ROWS)
    }

    fn parse_within(
        limit: Option<&str>,
        offset: Option<&str>,
        default_limit: usize,
        max_limit: usize,
    ) -> Result<Self, InvalidField> {
        Ok(Self {
            limit: limit.map_or(Ok(default_limit), |text| {
                parse_whole_number("limit", text, 1, max_limit)
            })?,
            offset: offset.map_or(Ok(0), |text| parse_whole_number("offset", text, 0, MAX_OFFSET))?,
        })
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the rows of the page, where `rows` are all rows of the listing.
    pub fn select_rows<T>(&self, rows: Vec<T>) -> Vec<T> {
        rows.into_iter().skip(self.offset).take(self.limit).collect()
    }

    /// Returns the description of the page in a listing of `total` rows.
    pub fn pagination(&self, total: usize) -> Pagination {
        Pagination {
            total,
            limit: self.limit,
            offset: self.offset,
        }
    }

    /// Returns the description of the page, with page numbers, in a listing of `total` rows.
    pub fn full_pagination(&self, total: usize) -> FullPagination {
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

/// The page of a listing that a response contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Pagination {
    /// The number of rows of all pages.
    pub total: usize,
    /// The number of rows per page.
    #[schemars(range(min = 1, max = MAX_PAGE_LIMIT))]
    pub limit: usize,
    /// The number of rows that were skipped.
    pub offset: usize,
}

impl Pagination {
    /// Returns whether there are rows after these.
    pub fn has_next_page(&self) -> bool {
        self.offset.saturating_add(self.limit) < self.total
    }
}

/// The page of a listing that a response contains, with page numbers.
///
/// If the offset is not a multiple of the limit, the page number is that of the page that contains the
/// offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FullPagination {
    /// The number of rows of all pages.
    pub total_count: usize,
    /// The number of pages. It is 0 if there are no rows.
    pub total_pages: usize,
    /// The number of the page, counted from 1. It can be beyond the last page.
    #[schemars(range(min = 1, max = MAX_OFFSET))]
    pub current_page: usize,
    /// The number of rows per page.
    #[schemars(range(min = 1, max = MAX_PAGE_LIMIT))]
    pub limit: usize,
    /// The number of rows that were skipped.
    pub offset: usize,
    /// Whether there are rows after these.
    pub has_next_page: bool,
    /// Whether there are rows before these.
    pub has_previous_page: bool,
}

/// Parses a whole number from `min` to `max`. Only decimal digits are allowed, no sign.
pub fn parse_whole_number(field: &str, text: &str, min: usize, max: usize) -> Result<usize, InvalidField> {
    let is_decimal = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_decimal
        .then(|| text.parse().ok())
        .flatten()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| InvalidField::new(field, format!("must be a whole number from {min} to {max}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_without_parameters_is_the_first_twenty_rows() {
        let page = Page::parse(None, None).unwrap();
        assert_eq!((page.limit(), page.offset()), (20, 0));
        assert_eq!(page.select_rows((0..50).collect()), (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn a_number_out_of_range_is_an_error_and_not_clamped() {
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
                .select_rows(vec![1]),
            [0; 0]
        );
    }

    #[test]
    fn a_full_pagination_is_serialized_in_camel_case() {
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
        let pagination = Page::default().full_pagination(0);
        assert_eq!((pagination.total_pages, pagination.current_page), (0, 1));
        assert!(!pagination.has_next_page && !pagination.has_previous_page);
    }

    proptest! {
        #[test]
        fn following_the_next_page_shows_every_row_once(rows in 0usize..250, limit in 1usize..=100) {
            let mut seen = Vec::new();
            let mut offset = 0;
            for current in 1.. {
                let page = Page::parse(Some(&limit.to_string()), Some(&offset.to_string())).unwrap();
                let pagination = page.full_pagination(rows);
                prop_assert_eq!(pagination.current_page, current);
                prop_assert_eq!(pagination.has_previous_page, current > 1);
                seen.extend(page.select_rows((0..rows).collect()));
                if !pagination.has_next_page {
                    prop_assert_eq!(pagination.total_pages, if rows == 0 { 0 } else { current });
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
