//! Checks the arguments of a call, and turns them into the query or the body of a request.

use serde_json::{Map, Value};
use url::form_urlencoded::Serializer;

use crate::tool::{Argument, Kind, Tool};
use crate::tools::DEFAULT_ROWS;

/// The arguments of a call, as the endpoint takes them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RequestInput {
    /// The encoded query string.
    pub(crate) query: String,
    /// The JSON text of the body. Empty if the endpoint takes a query.
    pub(crate) body: Vec<u8>,
}

impl RequestInput {
    /// Checks that every argument is known, has its kind, and is there if it is required. The error is a sentence for the assistant.
    pub(crate) fn new(tool: &Tool, given: &Map<String, Value>) -> Result<Self, String> {
        if let Some(unknown) = given
            .keys()
            .find(|name| !tool.arguments.iter().any(|known| known.name == **name))
        {
            return Err(unknown_argument(tool, unknown));
        }
        let mut arguments = Vec::new();
        for argument in tool.arguments {
            match given.get(argument.name) {
                None | Some(Value::Null) if argument.is_required => {
                    return Err(format!(
                        "The argument {} is required: {}",
                        argument.name, argument.description
                    ));
                }
                None | Some(Value::Null) => {}
                Some(value) => arguments.push((argument.name, argument.checked(value)?)),
            }
        }
        let pages = tool.arguments.iter().any(|argument| argument.name == "limit");
        if pages && !arguments.iter().any(|(name, _)| *name == "limit") {
            arguments.push(("limit", DEFAULT_ROWS.into()));
        }
        Ok(if tool.writes() {
            Self {
                query: String::new(),
                body: body(arguments),
            }
        } else {
            Self {
                query: query(arguments),
                body: Vec::new(),
            }
        })
    }
}

fn unknown_argument(tool: &Tool, unknown: &str) -> String {
    let known: Vec<&str> = tool.arguments.iter().map(|argument| argument.name).collect();
    match known.as_slice() {
        [] => format!("There is no argument {unknown}. This tool takes none"),
        known => format!(
            "There is no argument {unknown}. This tool takes {}",
            known.join(", ")
        ),
    }
}

fn body(arguments: Vec<(&'static str, Value)>) -> Vec<u8> {
    let fields = arguments
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.collect()).to_string().into_bytes()
}

fn query(arguments: Vec<(&'static str, Value)>) -> String {
    let mut query = Serializer::new(String::new());
    for (name, value) in arguments {
        match value {
            Value::String(text) => query.append_pair(name, &text),
            Value::Array(values) => {
                let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                query.append_pair(name, &texts.join(","))
            }
            other => query.append_pair(name, &other.to_string()),
        };
    }
    query.finish()
}

impl Argument {
    /// Returns the value if it has the argument's kind.
    fn checked(&self, value: &Value) -> Result<Value, String> {
        let rule = match (self.kind, value) {
            (Kind::Text, Value::String(_)) | (Kind::Flag, Value::Bool(_)) => return Ok(value.clone()),
            (Kind::Texts, Value::String(text)) => return Ok(vec![text.clone()].into()),
            (Kind::Texts, Value::Array(values)) if values.iter().all(Value::is_string) => {
                return Ok(value.clone());
            }
            (Kind::Choice(values), Value::String(text)) if values.contains(&text.as_str()) => {
                return Ok(value.clone());
            }
            (Kind::Whole { min, max }, Value::Number(number))
                if number
                    .as_u64()
                    .is_some_and(|number| (min..=max).contains(&number)) =>
            {
                return Ok(value.clone());
            }
            (Kind::Text, _) => "must be a text".to_owned(),
            (Kind::Texts, _) => "must be a list of texts".to_owned(),
            (Kind::Flag, _) => "must be true or false".to_owned(),
            (Kind::Choice(values), _) => format!("must be one of {}", values.join(", ")),
            (Kind::Whole { min, max }, _) => format!("must be a whole number from {min} to {max}"),
        };
        Err(format!("The argument {} {rule}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::TOOLS;

    fn input(tool: &str, arguments: &Value) -> Result<RequestInput, String> {
        let tool = TOOLS.iter().find(|known| known.name == tool).unwrap();
        RequestInput::new(tool, arguments.as_object().unwrap())
    }

    #[test]
    fn the_arguments_of_a_question_become_a_query() {
        let arguments = json!({"entityId": "a b&c", "models": ["x", "y"], "tags": "z", "union": false, "period": null, "offset": 7});
        let found = input("cited_domains", &arguments).unwrap();
        assert_eq!(
            found.query,
            "entityId=a+b%26c&models=x%2Cy&tags=z&union=false&offset=7&limit=50"
        );
        assert!(found.body.is_empty());
    }

    #[test]
    fn the_arguments_of_a_change_become_a_body() {
        let arguments = json!({"entityId": "a", "prompts": ["Which one?", "Which, two?"]});
        let found = input("add_prompts", &arguments).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&found.body).unwrap(), arguments);
        assert_eq!(found.query, "");
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
            (
                "visibility",
                json!({"entityId": 7}),
                "The argument entityId must be a text",
            ),
            (
                "visibility",
                json!({"entityId": "a", "period": "90d"}),
                "The argument period must be one of 7d, 14d, 30d",
            ),
            (
                "visibility",
                json!({"entityId": "a", "models": [1]}),
                "The argument models must be a list of texts",
            ),
            (
                "visibility",
                json!({"entityId": "a", "union": "no"}),
                "The argument union must be true or false",
            ),
            (
                "rivals",
                json!({"entityId": "a", "limit": 0}),
                "The argument limit must be a whole number from 1 to 100",
            ),
            (
                "rivals",
                json!({"entityId": "a", "limit": 1.5}),
                "The argument limit must be a whole number from 1 to 100",
            ),
        ] {
            assert_eq!(input(tool, &arguments).unwrap_err(), expected);
        }
        let missing = input("visibility", &json!({})).unwrap_err();
        assert!(
            missing.starts_with("The argument entityId is required: The id of the entity"),
            "{missing}"
        );
    }
}
