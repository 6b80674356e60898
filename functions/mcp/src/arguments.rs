//! Checks the arguments of a call, and turns them into the query or the body of a request.

use api::{ApiError, JsonBody, Kind};
use domain::error::InvalidField;
use domain::number::to_usize;
use serde_json::{Map, Value};
use url::form_urlencoded::Serializer;

use crate::tool::{Argument, TakenBy, Tool};

/// The arguments of a call, as the endpoint and the result take them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolInput {
    /// The encoded query string.
    pub(crate) query: String,
    /// The JSON text of the body. Empty if the endpoint takes a query.
    pub(crate) body: Vec<u8>,
    /// The number of rows before the first one of the result.
    pub(crate) offset: usize,
    /// The most rows of the result. `None` if it has all of them.
    pub(crate) limit: Option<usize>,
    /// Whether the endpoint returns all rows, of which the result is a page.
    pub(crate) is_cut: bool,
    /// The columns that the result does not have.
    pub(crate) left_out: Vec<&'static str>,
}

impl ToolInput {
    /// Checks the arguments as the fields of a body are checked, and that the tool knows each. The error is
    /// for the assistant.
    pub(crate) fn new(tool: &Tool, given: Map<String, Value>) -> Result<Self, ApiError> {
        let arguments = tool.arguments();
        let known: Vec<&str> = arguments.iter().map(|argument| argument.input.name).collect();
        if let Some(unknown) = given.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(unknown_argument(&known, unknown));
        }
        let given = JsonBody::from_fields(given);
        let (mut input, mut sent) = (Self::default(), Map::new());
        for argument in arguments {
            let Some(value) = argument.value(&given)? else {
                continue;
            };
            match argument.input.name {
                "limit" => input.limit = value.as_u64().map(to_usize),
                "offset" => input.offset = value.as_u64().map_or(0, to_usize),
                _ => {}
            }
            match argument.taken_by {
                TakenBy::Endpoint => {
                    sent.insert(argument.input.name.to_owned(), value);
                }
                TakenBy::Page => input.is_cut = true,
                TakenBy::Column(column) if value == false => input.left_out.push(column),
                TakenBy::Column(_) => {}
            }
        }
        if tool.writes() {
            input.body = Value::Object(sent).to_string().into_bytes();
        } else {
            input.query = query(sent);
        }
        Ok(input)
    }
}

fn unknown_argument(known: &[&str], unknown: &str) -> ApiError {
    ApiError::invalid(match known {
        [] => format!("There is no argument {unknown}. This tool takes none"),
        known => format!(
            "There is no argument {unknown}. This tool takes {}",
            known.join(", ")
        ),
    })
}

fn query(arguments: Map<String, Value>) -> String {
    let mut query = Serializer::new(String::new());
    for (name, value) in arguments {
        match value {
            Value::String(text) => query.append_pair(&name, &text),
            Value::Array(values) => {
                let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                query.append_pair(&name, &texts.join(","))
            }
            other => query.append_pair(&name, &other.to_string()),
        };
    }
    query.finish()
}

impl Argument {
    /// Returns the value that is given, or the default. Its kind decides by the same rules as those of a
    /// body's fields, which are those of [`schema`](Self::schema); null counts as absent.
    fn value(&self, given: &JsonBody) -> Result<Option<Value>, InvalidField> {
        let name = self.input.name;
        let value = match self.input.kind {
            Kind::Filter(_) | Kind::Models | Kind::List(_) => given.text_list(name)?.map(Value::from),
            Kind::Word(_, words) | Kind::OwnWord(_, words, _) => match given.text(name)? {
                Some(text) if !words.contains(&text) => {
                    let rule = format!("must be one of {}", words.join(", "));
                    return Err(InvalidField::new(name, rule));
                }
                text => text.map(Value::from),
            },
            Kind::Flag => given.flag(name)?.map(Value::from),
            Kind::Whole(least, most, _) => given.whole_number(name, least..=most)?.map(Value::from),
            _ => given.text(name)?.map(Value::from),
        };
        let value = value.or_else(|| self.default());
        if value.is_none() && self.input.is_required {
            let rule = format!("is required: {}", self.input.description);
            return Err(InvalidField::new(name, rule));
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::TOOLS;

    fn input(tool: &str, arguments: &Value) -> Result<ToolInput, String> {
        let tool = TOOLS.iter().find(|known| known.name == tool).unwrap();
        let input = ToolInput::new(tool, arguments.as_object().unwrap().clone());
        input.map_err(|error| error.message().to_owned())
    }

    #[test]
    fn the_arguments_of_a_question_become_a_query() {
        let arguments = json!({"entityId": "a b&c", "models": ["x", "y"], "tags": ["z"], "union": false, "period": null, "offset": 7.0});
        let found = input("cited_domains", &arguments).unwrap();
        assert_eq!(
            found.query,
            "entityId=a+b%26c&models=x%2Cy&tags=z&union=false&limit=20&offset=7"
        );
        assert!(found.body.is_empty());
        assert_eq!((found.offset, found.limit, found.is_cut), (7, Some(20), false));
    }

    #[test]
    fn the_arguments_of_a_change_become_a_body() {
        let arguments = json!({"entityId": "a", "prompts": ["Which one?", "Which, two?"]});
        let found = input("add_prompts", &arguments).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&found.body).unwrap(), arguments);
        assert_eq!(found.query, "");
    }

    #[test]
    fn the_endpoint_gets_no_argument_that_the_result_takes() {
        let found = input("list_tags", &json!({"limit": 5, "offset": 10})).unwrap();
        assert_eq!(
            (found.query.as_str(), found.limit, found.offset, found.is_cut),
            ("", Some(5), 10, true)
        );
        let asked = json!({"entityId": "a"});
        let found = input("recommendations", &asked).unwrap();
        assert_eq!(
            (found.query.as_str(), found.left_out),
            ("entityId=a&limit=20", vec!["metadata"])
        );
        let asked = json!({"entityId": "a", "evidence": true});
        assert_eq!(
            input("recommendations", &asked).unwrap().left_out,
            Vec::<&str>::new()
        );
    }

    #[test]
    fn a_wrong_argument_is_refused_with_what_is_right() {
        for (tool, arguments, expected) in [
            (
                "whoami",
                json!({"a": 1}),
                "There is no argument a. This tool takes none",
            ),
            (
                "run_check",
                json!({"entityId": "a", "b": 1}),
                "There is no argument b. This tool takes entityId",
            ),
            ("visibility", json!({"entityId": 7}), "entityId must be a string"),
            (
                "visibility",
                json!({"entityId": "a", "period": "90d"}),
                "period must be one of 7d, 14d, 30d",
            ),
            (
                "visibility",
                json!({"entityId": "a", "models": [1]}),
                "models[0] must be a string",
            ),
            (
                "visibility",
                json!({"entityId": "a", "models": "[\"x\"]"}),
                "models must be an array of strings",
            ),
            (
                "visibility",
                json!({"entityId": "a", "union": "no"}),
                "union must be true or false",
            ),
            (
                "rivals",
                json!({"entityId": "a", "limit": 0}),
                "limit must be a whole number from 1 to 100",
            ),
            (
                "rivals",
                json!({"entityId": "a", "limit": 1.5}),
                "limit must be a whole number from 1 to 100",
            ),
            (
                "rivals",
                json!({"entityId": "a", "offset": 9_007_199_254_740_992_u64}),
                "offset must be a whole number from 0 to 9007199254740991",
            ),
        ] {
            assert_eq!(input(tool, &arguments).unwrap_err(), expected);
        }
        for missing in [json!({}), json!({"entityId": null})] {
            let missing = input("visibility", &missing).unwrap_err();
            assert!(
                missing.starts_with("entityId is required: The id of the entity"),
                "{missing}"
            );
        }
    }
}
