//! The media types that a client accepts.

use lambda_http::http::header::{ACCEPT, HeaderMap};

/// Returns the media ranges of the header `Accept` with their weights, in the order in which they were sent.
pub fn media_ranges(headers: &HeaderMap) -> impl Iterator<Item = (&str, f64)> {
    let accepted = headers.get_all(ACCEPT);
    let texts = accepted.iter().filter_map(|value| value.to_str().ok());
    let ranges = texts.flat_map(|text| text.split(','));
    ranges.map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or("");
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
        (name, weight.unwrap_or(1.0))
    })
}
