//! What a JSON value must look like: which fields, of which types, and no others.

use serde_json::{Map, Value};

/// 2020-01-01 and 2100-01-01 in Unix milliseconds: an instant in seconds or microseconds lies outside.
const MILLIS: std::ops::Range<i64> = 1_577_836_800_000..4_102_444_800_000;

/// A value's kind.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Bool,
    Text,
    /// A text that is not empty.
    Filled,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A UUID in its usual form, in lower case.
    Uuid,
    /// A whole number from 0.
    Count,
    /// A number.
    Number,
    /// Unix time in milliseconds.
    Millis,
    /// An ISO timestamp in UTC with milliseconds and `Z`.
    Iso,
    /// `YYYY-MM-DD`.
    Day,
    Nullable(&'static Kind),
    List(&'static Kind),
    Object(&'static Shape),
}

/// An object's fields: those that must be there, and those that may be.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub required: &'static [(&'static str, Kind)],
    pub extra: &'static [(&'static str, Kind)],
}

impl Shape {
    pub const fn of(required: &'static [(&'static str, Kind)]) -> Self {
        Self { required, extra: &[] }
    }

    /// Fails with everything in which `value` differs.
    #[track_caller]
    pub fn assert(&self, value: &Value) {
        let wrong = self.differences(value);
        assert!(wrong.is_empty(), "{}\nin {value:#}", wrong.join("\n"));
    }

    /// Everything in which `value` differs, each with its place.
    pub fn differences(&self, value: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        self.compare("", value, &mut wrong);
        wrong
    }

    fn compare(&self, place: &str, value: &Value, wrong: &mut Vec<String>) {
        let Some(fields) = value.as_object() else {
            wrong.push(format!("{place}: no object"));
            return;
        };
        for (name, _) in self
            .required
            .iter()
            .filter(|(name, _)| !fields.contains_key(*name))
        {
            wrong.push(format!("{place}.{name}: missing"));
        }
        let known = || self.required.iter().chain(self.extra);
        for name in fields.keys().filter(|name| known().all(|(k, _)| k != name)) {
            wrong.push(format!("{place}.{name}: unexpected"));
        }
        for (name, kind) in known() {
            compare_field(*kind, place, name, fields, wrong);
        }
    }
}

fn compare_field(kind: Kind, place: &str, name: &str, fields: &Map<String, Value>, wrong: &mut Vec<String>) {
    if let Some(value) = fields.get(name) {
        kind.compare(&format!("{place}.{name}"), value, wrong);
    }
}

impl Kind {
    fn compare(self, place: &str, value: &Value, wrong: &mut Vec<String>) {
        match self {
            Self::Nullable(kind) if !value.is_null() => kind.compare(place, value, wrong),
            Self::Nullable(_) => {}
            Self::Object(shape) => shape.compare(place, value, wrong),
            Self::List(kind) => match value.as_array() {
                Some(values) => values
                    .iter()
                    .enumerate()
                    .for_each(|(at, value)| kind.compare(&format!("{place}[{at}]"), value, wrong)),
                None => wrong.push(format!("{place}: no array")),
            },
            plain if !plain.is_of(value) => wrong.push(format!("{place}: {value} is not {plain:?}")),
            _ => {}
        }
    }

    fn is_of(self, value: &Value) -> bool {
        let text = value.as_str();
        match self {
            Self::Bool => value.is_boolean(),
            Self::Text => text.is_some(),
            Self::Filled => text.is_some_and(|t| !t.trim().is_empty()),
            Self::OneOf(texts) => text.is_some_and(|t| texts.contains(&t)),
            Self::Uuid => text.is_some_and(|t| fits(t, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh")),
            Self::Count => value.is_u64(),
            Self::Number => value.is_number(),
            Self::Millis => value.as_i64().is_some_and(|at| MILLIS.contains(&at)),
            Self::Iso => text.is_some_and(|t| fits(t, "dddd-dd-ddTdd:dd:dd.dddZ")),
            Self::Day => text.is_some_and(|t| fits(t, "dddd-dd-dd")),
            Self::Nullable(_) | Self::List(_) | Self::Object(_) => true,
        }
    }
}

/// Whether `text` has the form: `d` a digit, `h` a hexadecimal one in lower case, others themselves.
fn fits(text: &str, form: &str) -> bool {
    let fits = |(c, form): (char, char)| match form {
        'd' => c.is_ascii_digit(),
        'h' => c.is_ascii_digit() || ('a'..='f').contains(&c),
        other => c == other,
    };
    text.chars().count() == form.chars().count() && text.chars().zip(form.chars()).all(fits)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const INNER: Shape = Shape::of(&[("id", Kind::Uuid)]);
    const OUTER: Shape = Shape {
        required: &[
            ("at", Kind::Iso),
            ("rows", Kind::List(&Kind::Object(&INNER))),
            ("end", Kind::Nullable(&Kind::Count)),
        ],
        extra: &[("more", Kind::Bool)],
    };

    #[test]
    fn what_fits_has_no_differences() {
        let rows = json!([{"id": "7dea88c1-f321-5f64-bd14-a25dfce7807a"}]);
        let value = json!({"at": "2026-01-31T00:00:00.000Z", "rows": rows, "end": null, "more": true});
        OUTER.assert(&value);
    }

    #[test]
    fn each_difference_is_named_with_its_place() {
        let value = json!({"at": "2026-01-31T00:00:00Z", "rows": [{"id": 7}, 8], "more": 1, "other": {}});
        assert_eq!(
            OUTER.differences(&value),
            [
                ".end: missing",
                ".other: unexpected",
                ".at: \"2026-01-31T00:00:00Z\" is not Iso",
                ".rows[0].id: 7 is not Uuid",
                ".rows[1]: no object",
                ".more: 1 is not Bool",
            ]
        );
    }

    #[test]
    fn numbers_are_told_apart() {
        assert!(
            Kind::Count.is_of(&json!(0)) && !Kind::Count.is_of(&json!(-1)) && !Kind::Count.is_of(&json!(1.5))
        );
        assert!(
            Kind::Millis.is_of(&json!(1_767_225_600_000_i64)) && !Kind::Millis.is_of(&json!(1_767_225_600))
        );
        assert!(Kind::Number.is_of(&json!(1.5)) && !Kind::Number.is_of(&json!("1.5")));
    }
}
