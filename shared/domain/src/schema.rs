//! JSON Schemas of the values in responses, for the OpenAPI document.

/// Implements `JsonSchema` for a type whose `Serialize` is not derived. The schema is inlined where the type
/// is used.
macro_rules! inline_schema {
    ($name:ty, $schema:tt) => {
        $crate::schema::schema!($name, true, $schema);
    };
}
pub(crate) use inline_schema;

/// Implements `JsonSchema` for a type whose `Serialize` is not derived. The schema is a component with the
/// type's name.
macro_rules! named_schema {
    ($name:ty, $schema:tt) => {
        $crate::schema::schema!($name, false, $schema);
    };
}
pub(crate) use named_schema;

macro_rules! schema {
    ($name:ty, $is_inline:literal, $schema:tt) => {
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                $is_inline
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}
pub(crate) use schema;

/// Stands for a text that is an ISO 8601 timestamp in UTC with milliseconds.
#[derive(Debug)]
pub enum IsoTimestamp {}

inline_schema!(IsoTimestamp, {
    "type": "string",
    "format": "date-time",
    "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$",
});

/// Stands for a text that is a day as `YYYY-MM-DD`.
#[derive(Debug)]
pub enum IsoDay {}

inline_schema!(IsoDay, {"type": "string", "format": "date"});

/// Stands for a number from 0 to 100.
#[derive(Debug)]
pub enum Percentage {}

inline_schema!(Percentage, {"type": "number", "minimum": 0, "maximum": 100});

/// Stands for the low and the high end of an interval of percentages.
#[derive(Debug)]
pub enum Interval {}

inline_schema!(Interval, {
    "type": "array",
    "items": {"type": "number", "minimum": 0, "maximum": 100},
    "minItems": 2,
    "maxItems": 2,
});

/// Stands for a difference of percentages, −100 to 100.
#[derive(Debug)]
pub enum Points {}

inline_schema!(Points, {"type": "number", "minimum": -100, "maximum": 100});

/// Stands for the low and the high end of an interval of a difference of percentages.
#[derive(Debug)]
pub enum PointInterval {}

inline_schema!(PointInterval, {
    "type": "array",
    "items": {"type": "number", "minimum": -100, "maximum": 100},
    "minItems": 2,
    "maxItems": 2,
});

/// Stands for a probability, 0 to 1.
#[derive(Debug)]
pub enum Probability {}

inline_schema!(Probability, {"type": "number", "minimum": 0, "maximum": 1});

/// Stands for a rank, which counts from 1.
#[derive(Debug)]
pub enum Rank {}

inline_schema!(Rank, {"type": "integer", "minimum": 1, "maximum": u32::MAX});

/// Stands for query parameters by their names.
#[derive(Debug)]
pub enum QueryParameters {}

named_schema!(QueryParameters, {"type": "object", "additionalProperties": {"type": "string"}});
