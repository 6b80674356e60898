//! Request bodies: strict JSON objects that are parsed field by field.

use api::prompts::{PromptDefaults, parse_geolocation, parse_language, parse_prompt_text, parse_prompts};
use api::{ApiError, JsonBody};
use domain::brand;
use domain::error::InvalidField;
use domain::limits::{
    MAX_ALIASES, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, MAX_PROMPT_CHARS, MAX_PROMPTS_PER_REQUEST,
};
use domain::tag::TagName;
use domain::target::Target;
use domain::text::validate_optional_text;
use serde_json::Value;

use crate::{samples, told};

pub(crate) fn run(data: &[u8]) {
    let sent = String::from_utf8_lossy(data);
    let fields = match JsonBody::parse(data) {
        Ok(fields) => fields,
        Err(error) => {
            assert!(error.message().starts_with("body must "));
            return told::nothing_of(&sent, error.message());
        }
    };
    // An accepted body has the content that any JSON parser finds, without duplicate keys.
    let value: Value = serde_json::from_slice(data).unwrap();
    assert_eq!(members(&value), colons(data), "a key is there twice");
    let object = value.as_object().unwrap();
    for (name, value) in object {
        assert!(fields.has(name));
        assert_eq!(fields.is_given(name), !value.is_null());
    }
    let canonical = fields.clone().canonical();
    let again = JsonBody::parse(canonical.as_bytes()).unwrap();
    // Parsing a number with more digits than an `f64` holds can change its last digit. No field accepts a
    // fraction.
    if !has_fraction(&value) {
        assert_eq!(again.canonical(), canonical);
        assert_eq!(serde_json::from_str::<Value>(&canonical).unwrap(), value);
    }

    let refused = |error: InvalidField| {
        let error = ApiError::from(error);
        assert!(error.message().len() < 300);
        told::nothing_of(&sent, error.message());
    };
    for name in [
        "name",
        "generatePrompts",
        "frequencyHours",
        "models",
        "entities",
        "updates",
    ] {
        let given = object.get(name).filter(|value| !value.is_null());
        let read = [
            fields.text(name).map(|text| text.map(Value::from)),
            fields.flag(name).map(|flag| flag.map(Value::from)),
            fields
                .whole_number(name, 1..=720)
                .map(|whole| whole.map(|whole| as_written(whole, given))),
            fields.text_list(name).map(|texts| texts.map(Value::from)),
        ];
        for read in read {
            match read {
                Ok(value) => assert_eq!(value.as_ref(), given),
                Err(error) => refused(error),
            }
        }
        if let Ok(Some(items)) = fields.list(name) {
            for (place, item) in items.iter().enumerate() {
                match fields.item(name, place, item) {
                    Ok(item) => assert_eq!(item.full_name("x"), format!("{name}[{place}].x")),
                    Err(error) => refused(error),
                }
            }
        }
    }
    domain_values(&fields).into_iter().for_each(refused);
}

/// Returns a whole number as a value, with a fraction of 0 if it is given with one.
fn as_written(whole: u32, given: Option<&Value>) -> Value {
    match given {
        Some(value) if value.is_f64() => f64::from(whole).into(),
        _ => whole.into(),
    }
}

/// Returns whether the value contains a number that is stored as an `f64`.
fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_fraction),
        Value::Object(object) => object.values().any(has_fraction),
        value => value.is_f64(),
    }
}

/// Returns the number of members of all objects in a value.
fn members(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(members).sum(),
        Value::Object(object) => object.len() + object.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// Returns the number of colons outside the strings of a JSON text, which is one per member.
fn colons(json: &[u8]) -> usize {
    let (mut count, mut in_string, mut escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b':' if !in_string => count += 1,
            _ => {}
        }
    }
    count
}

/// Parses the fields of requests and asserts that every value is within its bounds.
fn domain_values(fields: &JsonBody) -> Vec<InvalidField> {
    let mut refused = Vec::new();
    let mut keep = |error: Option<InvalidField>| refused.extend(error);
    keep(parse_language(fields).err());
    keep(parse_geolocation(fields).err());
    match parse_prompt_text(fields) {
        Ok(text) => assert!((1..=MAX_PROMPT_CHARS).contains(&text.as_str().chars().count())),
        Err(error) => keep(Some(error)),
    }
    match PromptDefaults::parse(fields, &[]).and_then(|defaults| parse_prompts(fields, &defaults)) {
        Ok(Some(prompts)) => assert!(prompts.len() <= MAX_PROMPTS_PER_REQUEST),
        Ok(None) => assert!(!fields.is_given("prompts")),
        Err(error) => keep(Some(error)),
    }
    if let Ok(Some(names)) = fields.text_list("aliases") {
        match brand::parse_aliases("aliases", &names) {
            Ok(aliases) => assert!(aliases.len() <= MAX_ALIASES.min(names.len())),
            Err(error) => keep(Some(error)),
        }
    }
    for name in ["name", "domain", "description"] {
        let Ok(Some(text)) = fields.text(name) else {
            continue;
        };
        match brand::parse_name(name, text) {
            Ok(read) => assert!((1..=MAX_NAME_CHARS).contains(&read.chars().count())),
            Err(error) => keep(Some(error)),
        }
        match validate_optional_text(name, text, MAX_DESCRIPTION_CHARS) {
            Ok(read) => assert_eq!(
                validate_optional_text(name, &read, MAX_DESCRIPTION_CHARS).as_ref(),
                Ok(&read)
            ),
            Err(error) => keep(Some(error)),
        }
        keep(TagName::parse(name, text).err());
        keep(Target::parse_domain(name, text).err());
    }
    refused
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = samples::BODIES
        .iter()
        .map(|body| body.as_bytes().to_vec())
        .collect();
    seeds.push(br#"{"a":1,"b":{"c":[1,{"d":null,"d":2}]}}"#.to_vec());
    seeds.push(format!(r#"{{"name":["a",{}7]}}"#, "2".repeat(74)).into_bytes());
    seeds.push(br#"{"name":1e400,"frequencyHours":-0.0,"updates":[[],{}]}"#.to_vec());
    seeds.push(br#"{"name":"\ud83d\ude00\u0000","models":["a",7],"prompts":[{"prompt":"Which?","language":"A-Secret-Of-More-Than-24-Characters"}]}"#.to_vec());
    seeds
}
