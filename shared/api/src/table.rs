//! The rows of a list or a trend as a CSV table, by RFC 4180.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};
use domain::error::InvalidField;
use domain::limits::MAX_TABLE_ROWS;
use lambda_http::http::header::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{ApiError, QueryParameters, media_ranges};

/// The maximum size of a table in bytes.
const MAX_TABLE_BYTES: usize = 5_000_000;
/// The size of a response as a JSON string. A function's response has at most 6 MB with its headers.
const MAX_ENCODED_TABLE_BYTES: usize = 6_000_000;

/// The names of a table's columns: the names of JSON fields.
///
/// A field in an object or in each element of a list has a path, such as `stats.responses`. The ends of an
/// interval such as `interval` are `intervalLow` and `intervalHigh`.
pub type Columns = &'static [&'static str];

/// The format of a successful response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    /// A table of the rows of `data`: the text of a CSV file, or the rows that a tool gets.
    Table,
}

impl Format {
    /// Returns the format that the parameter `format` names or, without it, that the header `Accept` prefers.
    /// An endpoint without `columns` answers in JSON.
    ///
    /// Returns 400 if the parameter names another format.
    pub(crate) fn parse(
        query: &QueryParameters,
        headers: &HeaderMap,
        columns: Columns,
    ) -> Result<Self, ApiError> {
        if columns.is_empty() {
            return Ok(Self::Json);
        }
        match query.text("format")? {
            Some("json") => Ok(Self::Json),
            Some("csv") => Ok(Self::Table),
            Some(_) => Err(InvalidField::new("format", "must be json or csv").into()),
            None if prefers_csv(headers) => Ok(Self::Table),
            None => Ok(Self::Json),
        }
    }
}

/// Returns whether `Accept` names CSV, and JSON with a lower weight or not at all.
fn prefers_csv(headers: &HeaderMap) -> bool {
    let (mut csv, mut json) = (0.0, 0.0);
    for (name, weight) in media_ranges(headers) {
        if name.eq_ignore_ascii_case("text/csv") {
            csv = weight;
        } else if name.eq_ignore_ascii_case("application/json") {
            json = weight;
        }
    }
    csv > json
}

/// A response with rows.
#[derive(Deserialize)]
struct Listing<'a> {
    #[serde(borrow)]
    data: Vec<&'a RawValue>,
    pagination: Option<RowCount>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RowCount {
    #[serde(alias = "totalCount")]
    total: usize,
    has_next_page: Option<bool>,
}

/// The rows of a JSON response in columns.
pub struct Table {
    /// The cells of each row, in the order of the columns. An absent field is null.
    pub rows: Vec<Vec<Value>>,
    /// The number of rows of all pages.
    pub total: usize,
    /// Whether there are rows after those of the page, if the response says so.
    pub has_next_page: Option<bool>,
}

impl Table {
    /// Reads the rows of a JSON response whose `data` is a list of objects.
    pub fn from_json(columns: Columns, json: &str) -> Result<Self, ApiError> {
        let listing: Listing<'_> = serde_json::from_str(json).map_err(ApiError::internal)?;
        let rows = listing.data.iter().map(|row| cells(columns, row));
        let rows: Vec<Vec<Value>> = rows.collect::<Result<_, _>>()?;
        let (total, has_next_page) = match listing.pagination {
            Some(rows) => (rows.total, rows.has_next_page),
            None => (rows.len(), None),
        };
        Ok(Self {
            rows,
            total,
            has_next_page,
        })
    }
}

/// Returns the CSV table of a JSON response whose `data` is a list of objects. `limit` is that of the
/// request.
///
/// Returns 400 if the table is larger than [`MAX_TABLE_BYTES`], or without a limit if it has more rows than
/// [`MAX_TABLE_ROWS`].
pub(crate) fn csv_table(columns: Columns, json: &str, limit: Option<&str>) -> Result<String, ApiError> {
    let listing: Listing<'_> = serde_json::from_str(json).map_err(ApiError::internal)?;
    let total = listing.pagination.map_or(0, |rows| rows.total);
    if limit.is_none() && total > MAX_TABLE_ROWS {
        let rule = format!(
            "must be given, with offset for the next rows: the table has more than {MAX_TABLE_ROWS} rows"
        );
        return Err(InvalidField::new("limit", rule).into());
    }
    let mut table = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    table.write_record(columns).map_err(ApiError::internal)?;
    for row in listing.data {
        let texts = cells(columns, row)?.into_iter().map(text);
        table.write_record(texts).map_err(ApiError::internal)?;
        if table.get_ref().len() > MAX_TABLE_BYTES {
            return Err(too_large(limit));
        }
    }
    let bytes = table.into_inner().map_err(ApiError::internal)?;
    if bytes.len() > MAX_TABLE_BYTES || encoded_size(&bytes) > MAX_ENCODED_TABLE_BYTES {
        return Err(too_large(limit));
    }
    String::from_utf8(bytes).map_err(ApiError::internal)
}

/// Returns 400 for a JSON response that is larger than what a function can return. `limit` is that of the
/// request.
pub(crate) fn check_size(json: &str, limit: Option<&str>) -> Result<(), ApiError> {
    // A character of JSON has at most two bytes in a JSON string.
    let fits =
        json.len() <= MAX_ENCODED_TABLE_BYTES / 2 || encoded_size(json.as_bytes()) <= MAX_ENCODED_TABLE_BYTES;
    if fits { Ok(()) } else { Err(too_large(limit)) }
}

/// Returns the size of a text as a JSON string, as which Lambda returns a body.
fn encoded_size(text: &[u8]) -> usize {
    let size = |byte: &u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.iter().map(size).sum()
}

fn too_large(limit: Option<&str>) -> ApiError {
    let verb = if limit.is_some() { "be lower" } else { "be given" };
    let rule = format!("must {verb}, with offset for the next rows: the rows do not fit into one response");
    InvalidField::new("limit", rule).into()
}

fn cells(columns: Columns, row: &RawValue) -> Result<Vec<Value>, ApiError> {
    let row: Value = serde_json::from_str(row.get()).map_err(ApiError::internal)?;
    let cells = columns
        .iter()
        .map(|column| cell(&row, column).unwrap_or(Value::Null));
    Ok(cells.collect())
}

fn cell(row: &Value, column: &str) -> Option<Value> {
    find(row, column).or_else(|| {
        let (interval, end) = match column.strip_suffix("Low") {
            Some(interval) => (interval, 0),
            None => (column.strip_suffix("High")?, 1),
        };
        find(row, interval)?.get(end).cloned()
    })
}

/// Returns the value at a path of field names with dots. A list on the path gives the list of its elements'
/// values.
fn find(value: &Value, path: &str) -> Option<Value> {
    let (name, rest) = path
        .split_once('.')
        .map_or((path, None), |(name, rest)| (name, Some(rest)));
    if let Value::Array(elements) = value {
        return Some(
            elements
                .iter()
                .filter_map(|element| find(element, path))
                .collect(),
        );
    }
    let found = value.get(name)?;
    rest.map_or_else(|| Some(found.clone()), |rest| find(found, rest))
}

/// Returns the text of a cell. Null is empty, and the elements of a list are joined by spaces.
fn text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => escape_formula(&text).into_owned(),
        Value::Array(values) => {
            let texts: Vec<String> = values.iter().map(text_of_element).collect();
            escape_formula(&texts.join(" ")).into_owned()
        }
        value => value.to_string(),
    }
}

fn text_of_element(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the text with an apostrophe before it if a spreadsheet would read it as a formula, as OWASP
/// advises ("CSV Injection").
fn escape_formula(text: &str) -> Cow<'_, str> {
    const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    if text.starts_with(FORMULA) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use lambda_http::http::header::ACCEPT;

    use super::*;

    const COLUMNS: Columns = &[
        "name",
        "intervalLow",
        "intervalHigh",
        "tags",
        "members.id",
        "stats.mentions",
        "isActive",
    ];

    fn table_of(data: &Value) -> String {
        csv_table(COLUMNS, &serde_json::json!({ "data": data }).to_string(), None).unwrap()
    }

    #[test]
    fn a_row_has_the_figures_of_the_json_text() {
        let data = serde_json::json!([
            {"name": "A \"b\", c", "interval": [1.0, 20.25], "tags": ["x", "y"], "members": [{"id": 1}, {"id": 2}],
             "stats": {"mentions": -3}, "isActive": true},
            {"name": "Zwei\nZeilen", "interval": null, "tags": [], "members": [], "stats": {"mentions": null}, "isActive": false},
        ]);
        assert_eq!(
            table_of(&data),
            "name,intervalLow,intervalHigh,tags,members.id,stats.mentions,isActive\r\n\
             \"A \"\"b\"\", c\",1.0,20.25,x y,1 2,-3,true\r\n\
             \"Zwei\nZeilen\",,,,,,false\r\n"
        );
        assert_eq!(table_of(&serde_json::json!([])).lines().count(), 1);
    }

    #[test]
    fn no_text_is_a_formula() {
        for text in [
            "=HYPERLINK(\"https://example.com\")",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "＝1",
            "＋1",
            "－1",
            "＠1",
        ] {
            let data = serde_json::json!([{"name": text, "tags": [text]}]);
            let table = table_of(&data);
            let mut rows = csv::Reader::from_reader(table.as_bytes());
            let row = rows.records().next().unwrap().unwrap();
            assert_eq!(&row[0], format!("'{text}"));
            assert_eq!(&row[3], format!("'{text}"));
        }
    }

    #[test]
    fn a_table_that_is_too_large_says_how_to_page() {
        let row = serde_json::json!({"name": "x".repeat(1_000_000)});
        let json = |rows: usize| serde_json::json!({"data": vec![row.clone(); rows]}).to_string();
        assert!(csv_table(COLUMNS, &json(4), None).is_ok());
        for limit in [None, Some("6")] {
            let error = csv_table(COLUMNS, &json(6), limit).unwrap_err();
            assert_eq!(error.into_response().status(), 400);
        }
        // Quotes take more space in the response of a function.
        let quotes = serde_json::json!({"data": [{"name": "\"".repeat(1_700_000)}]}).to_string();
        assert!(csv_table(COLUMNS, &quotes, None).is_err());
        let many =
            serde_json::json!({"data": [], "pagination": {"totalCount": MAX_TABLE_ROWS + 1}}).to_string();
        assert!(csv_table(COLUMNS, &many, None).is_err());
        assert!(csv_table(COLUMNS, &many, Some("10")).is_ok());
    }

    #[test]
    fn the_header_chooses_csv_only_if_it_prefers_it() {
        let format = |query: &str, accept: &str| {
            let headers = [(ACCEPT, accept.parse().unwrap())].into_iter().collect();
            Format::parse(&QueryParameters::parse(query), &headers, COLUMNS).ok()
        };
        for accept in [
            "text/csv",
            "TEXT/CSV; charset=utf-8",
            "application/json;q=0.5, text/csv;q=0.9",
            "text/csv, */*",
        ] {
            assert_eq!(format("", accept), Some(Format::Table), "{accept}");
            assert_eq!(format("format=json", accept), Some(Format::Json));
        }
        for accept in [
            "*/*",
            "",
            "text/html, application/json",
            "application/json, text/csv",
            "text/csv;q=0",
        ] {
            assert_eq!(format("", accept), Some(Format::Json), "{accept}");
            assert_eq!(format("format=csv", accept), Some(Format::Table));
        }
        assert_eq!(format("format=xml", ""), None);
    }

    #[test]
    fn an_endpoint_without_a_table_answers_in_json() {
        let headers = [(ACCEPT, "text/csv".parse().unwrap())].into_iter().collect();
        for query in ["", "format=json", "format=csv"] {
            let format = Format::parse(&QueryParameters::parse(query), &headers, &[]);
            assert_eq!(format.ok(), Some(Format::Json));
        }
    }
}
