//! What a client says about the response that it wants.

use lambda_http::http::header::{ACCEPT_ENCODING, HeaderMap, HeaderName, IF_NONE_MATCH};

/// Returns whether the client accepts a body that is compressed by gzip.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let mut any = false;
    for item in items(headers, ACCEPT_ENCODING) {
        let (coding, parameters) = item.split_once(';').unwrap_or((item, ""));
        let weight = parameters.trim().strip_prefix("q=").unwrap_or("1");
        let is_accepted = weight.trim().parse::<f32>().is_ok_and(|weight| weight > 0.0);
        match coding.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => return is_accepted,
            "*" => any = is_accepted,
            _ => {}
        }
    }
    any
}

/// Returns whether the client has a copy with this entity tag. Whether a tag is weak does not matter here.
pub(crate) fn has_copy(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    items(headers, IF_NONE_MATCH).any(|known| known == "*" || opaque(known) == opaque(tag))
}

fn items(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use lambda_http::http::header::HeaderValue;

    use super::*;

    fn with(name: HeaderName, value: &'static str) -> HeaderMap {
        [(name, HeaderValue::from_static(value))].into_iter().collect()
    }

    #[test]
    fn gzip_is_accepted_by_its_name_or_a_star_unless_its_weight_is_zero() {
        for (accepted, values) in [
            (
                true,
                [
                    "gzip",
                    "br, GZIP",
                    "gzip;q=0.1",
                    "deflate, gzip ; q=1.0",
                    "*",
                    "x-gzip",
                ]
                .as_slice(),
            ),
            (
                false,
                &[
                    "",
                    "identity",
                    "br",
                    "gzip;q=0",
                    "gzip; q=0.000, *",
                    "*;q=0",
                    "gzip;q=x",
                    "gzipped",
                ],
            ),
        ] {
            for value in values {
                assert_eq!(accepts_gzip(&with(ACCEPT_ENCODING, value)), accepted, "{value}");
            }
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_copy_is_known_by_its_tag() {
        for (known, values) in [
            (true, ["W/\"1a\"", "\"1a\"", "\"2b\", W/\"1a\"", "*"].as_slice()),
            (false, &["", "\"1\"", "W/\"1A\"", "1a"]),
        ] {
            for value in values {
                assert_eq!(
                    has_copy(&with(IF_NONE_MATCH, value), "W/\"1a\""),
                    known,
                    "{value}"
                );
            }
        }
        assert!(!has_copy(&HeaderMap::new(), "W/\"1a\""));
    }
}
