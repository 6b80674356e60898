//! Request bodies. A body is a JSON object whose fields are read one by one, so that an error names the field
//! and the rule.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use domain::error::InvalidField;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::ApiError;

/// A JSON object of a request's body. A field that is `null` counts as absent. Unknown fields are ignored.
///
/// A method that reads a field returns an error (400) if the field's value has the wrong type.
#[derive(Debug, Clone)]
pub struct JsonBody {
    fields: Map<String, Value>,
    /// The prefix of a field's name in errors, such as `prompts[2].`, or empty for the body itself.
    path: String,
}

impl JsonBody {
    /// Parses a body. Returns 400 if it is not a JSON object, or if an object in it has a key twice.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        if body.is_empty() {
            return Err(InvalidField::new("body", "must be a JSON object").into());
        }
        let value = parse_json(body).map_err(|fault| InvalidField::new("body", fault.rule))?;
        Self::from_value("body", String::new(), value).map_err(Into::into)
    }

    /// Creates a body of fields that are parsed already, such as the arguments of a tool.
    pub fn from_fields(fields: Map<String, Value>) -> Self {
        Self {
            fields,
            path: String::new(),
        }
    }

    /// Returns the JSON text of the body with sorted keys, so that bodies that are equal as JSON have equal
    /// texts.
    pub fn canonical(self) -> String {
        let mut value = Value::Object(self.fields);
        value.sort_all_objects();
        value.to_string()
    }

    fn from_value(field: &str, path: String, value: Value) -> Result<Self, InvalidField> {
        match value {
            Value::Object(fields) => Ok(Self { fields, path }),
            _ => Err(InvalidField::new(field, "must be a JSON object")),
        }
    }

    /// Returns the field's name with its path in the body, such as `prompts[2].tags`. Errors show it.
    pub fn full_name(&self, field: &str) -> String {
        format!("{}{field}", self.path)
    }

    fn value(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|v| !v.is_null())
    }

    /// Returns whether the field is present, even as `null`.
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    /// Returns whether the field is present and not `null`.
    pub fn is_given(&self, field: &str) -> bool {
        self.value(field).is_some()
    }

    /// Returns whether the field is given in the body or in an object of one of the body's lists.
    pub fn is_given_at_any_level(&self, field: &str) -> bool {
        let in_list = |value: &Value| {
            value
                .as_array()
                .is_some_and(|items| items.iter().any(object_has(field)))
        };
        self.is_given(field) || self.fields.values().any(in_list)
    }

    fn invalid(&self, field: &str, rule: &str) -> InvalidField {
        InvalidField::new(self.full_name(field), rule)
    }

    /// Returns a string.
    pub fn text(&self, field: &str) -> Result<Option<&str>, InvalidField> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.invalid(field, "must be a string")),
        }
    }

    /// Returns a required string, which must contain more than whitespace.
    pub fn required_text(&self, field: &str) -> Result<&str, InvalidField> {
        let text = self.text(field)?.filter(|t| !t.trim().is_empty());
        text.ok_or_else(|| self.invalid(field, "is required"))
    }

    /// Returns an optional id. It must not be empty.
    pub fn optional_id(&self, field: &str) -> Result<Option<&str>, InvalidField> {
        match self.text(field)? {
            Some(id) if id.trim().is_empty() => Err(self.invalid(field, "must not be empty")),
            id => Ok(id),
        }
    }

    /// Returns a Boolean.
    pub fn flag(&self, field: &str) -> Result<Option<bool>, InvalidField> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.invalid(field, "must be true or false")),
        }
    }

    /// Returns a whole number, which must be in `range`. As in JSON Schema, `24.0` and `1e2` are whole
    /// numbers.
    pub fn whole_number<N>(&self, field: &str, range: RangeInclusive<N>) -> Result<Option<N>, InvalidField>
    where
        N: TryFrom<u64> + PartialOrd + fmt::Display,
    {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let number = value.as_f64().filter(|number| number.fract() == 0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float that is converted saturates, and what saturates is in no range"
        )]
        let number = number.filter(|number| *number >= 0.0).map(|number| number as u64);
        let (min, max) = (range.start(), range.end());
        let rule = || format!("must be a whole number from {min} to {max}");
        let number = number.and_then(|number| N::try_from(number).ok());
        let number = number.filter(|n| range.contains(n));
        number.map(Some).ok_or_else(|| self.invalid(field, &rule()))
    }

    /// Returns an array.
    pub fn list(&self, field: &str) -> Result<Option<&[Value]>, InvalidField> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Array(values)) => Ok(Some(values)),
            Some(_) => Err(self.invalid(field, "must be an array")),
        }
    }

    /// Returns an array of strings.
    pub fn text_list(&self, field: &str) -> Result<Option<Vec<&str>>, InvalidField> {
        let values = match self.value(field) {
            None => return Ok(None),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(self.invalid(field, "must be an array of strings")),
        };
        let texts = values.iter().enumerate().map(|(index, value)| {
            value
                .as_str()
                .ok_or_else(|| self.invalid(&format!("{field}[{index}]"), "must be a string"))
        });
        texts.collect::<Result<_, _>>().map(Some)
    }

    /// Returns `value`, the element of the array `field` at `index`, as a JSON object.
    pub fn item(&self, field: &str, index: usize, value: &Value) -> Result<Self, InvalidField> {
        let name = self.full_name(&format!("{field}[{index}]"));
        Self::from_value(&name, format!("{name}."), value.clone())
    }
}

fn object_has(field: &str) -> impl Fn(&Value) -> bool {
    move |value| value.get(field).is_some_and(|v| !v.is_null())
}

/// Why a text is no JSON value that the service reads.
#[derive(Debug)]
pub struct JsonError {
    /// The rule that the text breaks, and where, without the client's text.
    pub rule: String,
    /// Whether the text is no JSON at all.
    pub is_syntax: bool,
}

impl JsonError {
    fn new(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let position = format!("line {} column {}", error.line(), error.column());
        // The library tells its kinds of errors by their texts alone.
        let (rule, is_syntax) = if text.starts_with(DUPLICATE) {
            (format!("must be valid JSON: {text}"), false)
        } else if text.starts_with("recursion limit exceeded") {
            (
                format!("must be nested at most {MAX_DEPTH} deep: {position}"),
                false,
            )
        } else if text.starts_with("number out of range") {
            let rule = format!("must not have a number that is out of range: {position}");
            (rule, false)
        } else {
            (format!("must be valid JSON: {position}"), true)
        };
        Self { rule, is_syntax }
    }
}

/// Parses a JSON value in which no object has a key twice.
pub fn parse_json(text: &[u8]) -> Result<Value, JsonError> {
    let value: Result<Strict, _> = serde_json::from_slice(text);
    value
        .map(|strict| strict.0)
        .map_err(|error| JsonError::new(&error))
}

/// The deepest nesting of a body, which the JSON library limits.
const MAX_DEPTH: u32 = 127;

const DUPLICATE: &str = "an object has a key twice";

/// A JSON value in which no object has a key twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        let mut keys = BTreeSet::new();
        while let Some((key, Strict(value))) = map.next_entry::<String, Strict>()? {
            if !keys.insert(key.clone()) {
                return Err(serde::de::Error::custom(DUPLICATE));
            }
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(body: &str) -> String {
        JsonBody::parse(body.as_bytes()).unwrap_err().message().to_owned()
    }

    #[test]
    fn a_body_that_is_not_a_json_object_is_refused() {
        assert_eq!(error(""), "body must be a JSON object");
        assert_eq!(error("[1]"), "body must be a JSON object");
        assert!(error("{").starts_with("body must be valid JSON: line 1"));
        assert!(error(r#"{"a":"\ud800"}"#).starts_with("body must be valid JSON"));
        assert!(error(r#"{"a":tru}"#).starts_with("body must be valid JSON: line 1 column"));
    }

    #[test]
    fn valid_json_that_is_too_deep_or_has_too_large_a_number_is_not_called_invalid() {
        let nested = |depth: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert!(JsonBody::parse(nested(126).as_bytes()).is_ok());
        assert!(error(&nested(127)).starts_with("body must be nested at most 127 deep: line 1"));
        assert!(
            error(r#"{"a":1e999}"#).starts_with("body must not have a number that is out of range: line 1")
        );
    }

    #[test]
    fn a_duplicate_key_is_refused_at_any_depth() {
        assert!(error(r#"{"a":1,"a":1}"#).contains("key twice"));
        assert!(error(r#"{"x":[{"a":1,"b":2,"a":3}]}"#).contains("key twice"));
    }

    #[test]
    fn a_whole_number_must_be_in_its_range() {
        let hours = |json: &str| {
            let fields = JsonBody::parse(format!(r#"{{"hours":{json}}}"#).as_bytes()).unwrap();
            fields
                .whole_number("hours", 1..=720)
                .map_err(|invalid| invalid.to_string())
        };
        assert_eq!(hours("1"), Ok(Some(1)));
        assert_eq!(hours("720"), Ok(Some(720)));
        assert_eq!(hours("24.0"), Ok(Some(24)));
        assert_eq!(hours("1e2"), Ok(Some(100)));
        let refused = Err("hours must be a whole number from 1 to 720".to_owned());
        for json in [
            "0",
            "721",
            "-1",
            "1.5",
            "1e3",
            "1e300",
            "4294967297",
            "\"24\"",
            "true",
            "[24]",
        ] {
            assert_eq!(hours(json), refused, "{json}");
        }
    }

    #[test]
    fn a_field_is_given_at_the_top_or_in_a_list() {
        let is_given = |body: &str| {
            JsonBody::parse(body.as_bytes())
                .unwrap()
                .is_given_at_any_level("tags")
        };
        assert!(is_given(r#"{"tags":[]}"#));
        assert!(is_given(r#"{"updates":[{"a":1},{"tags":7}]}"#));
        assert!(!is_given(
            r#"{"tags":null,"updates":["tags",{"tags":null}],"a":{"tags":1}}"#
        ));
    }

    #[test]
    fn a_wrong_type_names_the_field() {
        let fields = JsonBody::parse(br#"{"name":1,"flag":"yes","list":["a",2],"none":null}"#).unwrap();
        assert_eq!(
            fields.text("name").unwrap_err().to_string(),
            "name must be a string"
        );
        assert_eq!(
            fields.flag("flag").unwrap_err().to_string(),
            "flag must be true or false"
        );
        assert_eq!(
            fields.text_list("list").unwrap_err().to_string(),
            "list[1] must be a string"
        );
        let text = fields.text_list("name").unwrap_err();
        assert_eq!(text.to_string(), "name must be an array of strings");
        assert_eq!(fields.text("none").unwrap(), None);
        assert_eq!(fields.whole_number("none", 1..=9).unwrap(), None);
        assert_eq!(
            fields.required_text("none").unwrap_err().to_string(),
            "none is required"
        );
    }
}
