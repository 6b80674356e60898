//! Percent-decoding of paths and parameters, as API Gateway does it.

use std::collections::BTreeMap;

/// Decodes a path. Invalid escapes stay as they are, and bytes that are not UTF-8 become U+FFFD.
pub(super) fn path(raw: &str) -> String {
    decode(raw, false)
}

/// Parses and decodes a query. The values of a repeated name are joined by commas, in their order.
pub(super) fn query(raw: &str) -> BTreeMap<String, String> {
    let mut parameters: BTreeMap<String, String> = BTreeMap::new();
    for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = decode(value, true);
        parameters
            .entry(decode(name, true))
            .and_modify(|values| {
                values.push(',');
                values.push_str(&value);
            })
            .or_insert(value);
    }
    parameters
}

fn decode(raw: &str, plus_is_space: bool) -> String {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'%' => match escaped(after) {
                Some(byte) => {
                    bytes.push(byte);
                    rest = &after[2..];
                }
                None => bytes.push(b'%'),
            },
            b'+' if plus_is_space => bytes.push(b' '),
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Decodes the first two characters, which are the hexadecimal digits of a byte.
fn escaped(after: &[u8]) -> Option<u8> {
    let digit = |at: usize| after.get(at).and_then(|&c| char::from(c).to_digit(16));
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_in_a_path_are_decoded_and_a_plus_stays() {
        assert_eq!(path("/v1/a%20b+c/%C3%A9"), "/v1/a b+c/é");
    }

    #[test]
    fn invalid_escapes_stay_as_they_are() {
        assert_eq!(path("/100%/%zz/%4"), "/100%/%zz/%4");
        assert_eq!(path("/%C3%28"), "/\u{fffd}(");
    }

    #[test]
    fn values_of_a_repeated_parameter_are_joined_in_their_order() {
        let parsed = query("b=2&a=x%2Cy&b=1&flag&c=a+b%2B&&=");
        let shown: Vec<_> = parsed.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(
            shown,
            [("", ""), ("a", "x,y"), ("b", "2,1"), ("c", "a b+"), ("flag", "")]
        );
    }
}
