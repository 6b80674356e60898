//! Request bodies: JSON objects, read field by field so that an error names the field and the rule.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use domain::error::InvalidField;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::ApiError;

/// A JSON object. `null` counts as absent; unknown fields are ignored.
#[derive(Debug, Clone)]
pub struct JsonBody {
    fields: Map<String, Value>,
    /// What errors put before a field's name, e.g. `prompts[2].`.
    path: String,
}

impl JsonBody {
    /// Reads a body: a JSON object in which no object has a key twice.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        if body.is_empty() {
            return Err(InvalidField::new("body", "must be a JSON object").into());
        }
        let value: Strict = serde_json::from_slice(body)
            .map_err(|e| InvalidField::new("body", format!("must be valid JSON: {}", place(&e))))?;
        Self::from_value("body", String::new(), value.0).map_err(Into::into)
    }

    /// One text for all bodies that are equal as JSON.
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

    /// The field's name as errors show it.
    pub fn name(&self, field: &str) -> String {
        format!("{}{field}", self.path)
    }

    fn value(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|v| !v.is_null())
    }

    /// The field is there, even as `null`.
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    /// The field is there and not `null`.
    pub fn is_given(&self, field: &str) -> bool {
        self.value(field).is_some()
    }

    /// The field is given, or an object in one of the lists has it.
    pub fn mentions(&self, field: &str) -> bool {
        let in_list = |value: &Value| value.as_array().is_some_and(|items| items.iter().any(has(field)));
        self.is_given(field) || self.fields.values().any(in_list)
    }

    fn wrong(&self, field: &str, rule: &str) -> InvalidField {
        InvalidField::new(self.name(field), rule)
    }

    pub fn text(&self, field: &str) -> Result<Option<&str>, InvalidField> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(field, "must be a string")),
        }
    }

    /// A text that must be there and not be empty.
    pub fn required_text(&self, field: &str) -> Result<&str, InvalidField> {
        let text = self.text(field)?.filter(|t| !t.trim().is_empty());
        text.ok_or_else(|| self.wrong(field, "is required"))
    }

    pub fn flag(&self, field: &str) -> Result<Option<bool>, InvalidField> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.wrong(field, "must be true or false")),
        }
    }

    /// A whole number of a range.
    pub fn whole(&self, field: &str, range: RangeInclusive<u32>) -> Result<Option<u32>, InvalidField> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
        let (least, most) = (range.start(), range.end());
        let rule = || format!("must be a whole number from {least} to {most}");
        let number = number.filter(|n| range.contains(n));
        number.map(Some).ok_or_else(|| self.wrong(field, &rule()))
    }

    pub fn list(&self, field: &str) -> Result<Option<&[Value]>, InvalidField> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Array(values)) => Ok(Some(values)),
            Some(_) => Err(self.wrong(field, "must be an array")),
        }
    }

    /// A list of strings.
    pub fn texts(&self, field: &str) -> Result<Option<Vec<&str>>, InvalidField> {
        let Some(values) = self.list(field)? else {
            return Ok(None);
        };
        let text = |(place, value): (usize, &'_ Value)| match value {
            Value::String(_) => Ok(place),
            _ => Err(self.wrong(&format!("{field}[{place}]"), "must be a string")),
        };
        values.iter().enumerate().try_for_each(|v| text(v).map(|_| ()))?;
        Ok(Some(values.iter().filter_map(Value::as_str).collect()))
    }

    /// An item of one of the object's lists, as an object.
    pub fn item(&self, field: &str, place: usize, value: &Value) -> Result<Self, InvalidField> {
        let name = self.name(&format!("{field}[{place}]"));
        Self::from_value(&name, format!("{name}."), value.clone())
    }
}

fn has(field: &str) -> impl Fn(&Value) -> bool {
    move |value| value.get(field).is_some_and(|v| !v.is_null())
}

/// Where JSON is broken, without repeating what was sent.
fn place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.starts_with(DUPLICATE) {
        text
    } else {
        format!("line {} column {}", error.line(), error.column())
    }
}

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
        let mut seen = BTreeSet::new();
        while let Some((key, Strict(value))) = map.next_entry::<String, Strict>()? {
            if !seen.insert(key.clone()) {
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
    fn a_body_that_is_no_json_object_is_refused() {
        assert_eq!(error(""), "body must be a JSON object");
        assert_eq!(error("[1]"), "body must be a JSON object");
        assert!(error("{").starts_with("body must be valid JSON: line 1"));
        assert!(error(r#"{"a":"\ud800"}"#).starts_with("body must be valid JSON"));
        assert!(error(&"[".repeat(100_000)).starts_with("body must be valid JSON"));
    }

    #[test]
    fn a_key_twice_is_refused_at_any_depth() {
        assert!(error(r#"{"a":1,"a":1}"#).contains("key twice"));
        assert!(error(r#"{"x":[{"a":1,"b":2,"a":3}]}"#).contains("key twice"));
    }

    #[test]
    fn a_whole_number_is_one_of_its_range() {
        let whole = |json: &str| {
            let fields = JsonBody::parse(format!(r#"{{"hours":{json}}}"#).as_bytes()).unwrap();
            fields
                .whole("hours", 1..=720)
                .map_err(|invalid| invalid.to_string())
        };
        assert_eq!(whole("1"), Ok(Some(1)));
        assert_eq!(whole("720"), Ok(Some(720)));
        let refused = Err("hours must be a whole number from 1 to 720".to_owned());
        for json in [
            "0",
            "721",
            "-1",
            "1.5",
            "24.0",
            "1e2",
            "4294967297",
            "\"24\"",
            "true",
            "[24]",
        ] {
            assert_eq!(whole(json), refused, "{json}");
        }
    }

    #[test]
    fn a_field_is_mentioned_at_the_top_or_in_a_list() {
        let mentions = |body: &str| JsonBody::parse(body.as_bytes()).unwrap().mentions("tags");
        assert!(mentions(r#"{"tags":[]}"#));
        assert!(mentions(r#"{"updates":[{"a":1},{"tags":7}]}"#));
        assert!(!mentions(
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
            fields.texts("list").unwrap_err().to_string(),
            "list[1] must be a string"
        );
        assert_eq!(fields.text("none").unwrap(), None);
        assert_eq!(fields.whole("none", 1..=9).unwrap(), None);
        assert_eq!(
            fields.required_text("none").unwrap_err().to_string(),
            "none is required"
        );
    }
}
