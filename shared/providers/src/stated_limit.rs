//! Parses the limit of requests per minute that a provider states in the headers of a response.

use reqwest::header::HeaderMap;

/// The headers of OpenAI, xAI and Perplexity, of Anthropic, and of Mistral. Gemini has none.
const HEADERS: [&str; 3] = [
    "x-ratelimit-limit-requests",
    "anthropic-ratelimit-requests-limit",
    "x-ratelimit-limit-req-minute",
];

/// Parses the stated limit. A fraction is cut off, and so is what follows the number, such as a window: `60,
/// 60;w=60`. For some accounts OpenAI states the limit of a day, so the result is only a hint.
pub(crate) fn from_headers(headers: &HeaderMap) -> Option<u32> {
    let stated = |name: &&str| {
        let text = headers.get(*name)?.to_str().ok()?.trim_start();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse().ok()
    };
    HEADERS.iter().find_map(stated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn stated(pairs: &[(&'static str, &'static str)]) -> Option<u32> {
        let headers = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        from_headers(&headers.collect())
    }

    #[test]
    fn the_limit_of_every_vendor_that_states_one_is_parsed() {
        for name in HEADERS {
            assert_eq!(stated(&[(name, "720")]), Some(720), "{name}");
        }
        assert_eq!(stated(&[("x-ratelimit-limit-tokens", "720")]), None);
    }

    #[test]
    fn a_limit_is_parsed_leniently_and_an_unreadable_one_is_ignored() {
        for (text, limit) in [
            (" 60 ", Some(60)),
            ("60.5", Some(60)),
            ("60, 60;w=60", Some(60)),
            ("0", Some(0)),
            ("", None),
            ("-5", None),
            ("many", None),
            ("99999999999", None),
        ] {
            assert_eq!(stated(&[(HEADERS[0], text)]), limit, "{text}");
        }
        let second = [(HEADERS[0], "soon"), (HEADERS[2], "50")];
        assert_eq!(stated(&second), Some(50));
    }
}
