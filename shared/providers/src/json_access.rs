//! Reads members of a JSON body that can be missing or have another type.

use serde::Deserialize;
use serde_json::Value;
use serde_json_lenient::Deserializer;

use crate::AskError;

/// Parses JSON. If it has characters that JSON does not allow, such as half a surrogate pair, invalid UTF-8
/// or line breaks in a string, they are replaced or kept, because one character is no reason to lose a whole
/// answer.
pub(crate) fn parse(json: &[u8]) -> Option<Value> {
    let json = json.strip_prefix("\u{feff}".as_bytes()).unwrap_or(json);
    serde_json::from_slice(json).ok().or_else(|| {
        let mut lenient = Deserializer::from_slice_with_options(json, true, true, true, false, false);
        let value = Value::deserialize(&mut lenient).ok()?;
        lenient.end().ok().map(|()| value)
    })
}

/// Parses a body that must be a JSON object. Anything else is [`AskError::AnswerLost`].
pub(crate) fn parse_object(body: &[u8]) -> Result<Value, AskError> {
    parse(body)
        .filter(Value::is_object)
        .ok_or_else(|| AskError::answer_lost("the answer is unreadable"))
}

/// Returns the items of an array, or none for other values.
pub(crate) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns the items of the array under `name`, or none for other values.
pub(crate) fn items_mut<'a>(
    value: &'a mut Value,
    name: &str,
) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    value
        .get_mut(name)
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
}

/// Returns a string that contains more than white space.
pub(crate) fn non_blank_text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

/// Returns a number of tokens, or 0 for other values.
pub(crate) fn token_count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0) // What a provider does not count is shown as none.
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_damaged_character_is_replaced_and_a_damaged_document_is_none() {
        for text in [
            r#"{"a":"x\ud83dy"}"#,
            r#"{"a":"x\udc00y"}"#,
            "{\"a\":\"x\u{fffd}y\"}",
        ] {
            assert_eq!(parse(text.as_bytes()), Some(json!({"a": "x\u{fffd}y"})), "{text}");
        }
        for end in ["x", "}", ",", " {}", "{\"a\":\"\\ud83d\"}"] {
            for text in [r#"{"a":"x\ud83dy"}"#, r#"{"a":"xy"}"#] {
                assert_eq!(parse(format!("{text}{end}").as_bytes()), None, "{text}{end}");
            }
        }
        assert_eq!(parse(br#"{"a":"x\ud83dy""#), None);
    }
}
