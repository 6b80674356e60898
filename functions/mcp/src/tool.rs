//! What a tool is: a name and a description for the assistant, its arguments, and the endpoint that answers it.

use api::Method;
use rmcp::model::ToolAnnotations;
use serde_json::{Map, Value, json};
use store::Rate;

/// A tool that an assistant can call.
pub struct Tool {
    pub name: &'static str,
    /// The name that people see.
    pub title: &'static str,
    /// What the tool answers, for the assistant that chooses a tool.
    pub description: &'static str,
    pub method: Method,
    /// The path of the endpoint, without the version prefix.
    pub path: &'static str,
    pub function: Function,
    pub arguments: &'static [Argument],
    pub effect: Effect,
    pub texts_from: TextOrigin,
}

/// What a call changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// Each call adds something.
    Adds,
    /// The first of several equal calls adds something, and the others are refused.
    AddsOnce,
    /// The call replaces what was there. Equal calls after it change nothing.
    Replaces,
}

/// Whose words a result has, and how far a call reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOrigin {
    /// The service's figures, ids and words, and those of its operator.
    Service,
    /// Also what people of the workspace wrote: names, tags, prompts.
    Workspace,
    /// Also what language models, web pages or providers said, or the call makes the service ask language models.
    Outside,
}

/// The function that has a tool's endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Actions,
    Analytics,
    Entities,
    Prompts,
    Workspace,
}

/// An argument of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
    pub taken_by: TakenBy,
    pub description: &'static str,
}

/// What takes an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakenBy {
    /// The endpoint, which has a parameter or field of that name.
    Endpoint,
    /// The result, which is a page of the rows of an endpoint without pages.
    Page,
    /// The result, which has this column only if the argument is true.
    Column(&'static str),
}

/// The kind of value that an argument takes. The endpoint has further rules.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Text,
    Texts,
    Choice(&'static [&'static str]),
    Flag {
        default: Option<bool>,
    },
    /// A whole number in a range.
    Whole {
        min: u64,
        max: u64,
        default: Option<u64>,
    },
}

impl Argument {
    pub(crate) const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self {
            name,
            kind,
            is_required: false,
            taken_by: TakenBy::Endpoint,
            description,
        }
    }

    pub(crate) const fn required(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self {
            name,
            kind,
            is_required: true,
            taken_by: TakenBy::Endpoint,
            description,
        }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Choice(values) => json!({"type": "string", "enum": values}),
            Kind::Flag { .. } => json!({"type": "boolean"}),
            Kind::Whole { min, max, .. } => json!({"type": "integer", "minimum": min, "maximum": max}),
        };
        let default = match self.kind {
            Kind::Flag { default } => default.map(Value::from),
            Kind::Whole { default, .. } => default.map(Value::from),
            Kind::Text | Kind::Texts | Kind::Choice(_) => None,
        };
        if let Some(default) = default {
            schema["default"] = default;
        }
        schema["description"] = self.description.into();
        schema
    }
}

impl Tool {
    /// Returns whether the tool changes something.
    pub fn writes(&self) -> bool {
        self.method != Method::Get
    }

    /// Returns the rate that a call counts against.
    pub(crate) fn rate(&self) -> Rate {
        self.method.rate()
    }

    /// Returns the tool as the protocol describes it.
    pub(crate) fn described(&self) -> rmcp::model::Tool {
        let is_repeatable = matches!(self.effect, Effect::Nothing | Effect::AddsOnce | Effect::Replaces);
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Effect::Nothing)
            .destructive(self.effect == Effect::Replaces)
            .idempotent(is_repeatable)
            .open_world(self.texts_from == TextOrigin::Outside);
        rmcp::model::Tool::new(self.name, self.description, self.input_schema())
            .with_title(self.title)
            .with_annotations(annotations)
    }

    fn input_schema(&self) -> Map<String, Value> {
        let properties = self.arguments.iter();
        let properties: Map<String, Value> = properties
            .map(|argument| (argument.name.to_owned(), argument.schema()))
            .collect();
        let required = self.arguments.iter().filter(|argument| argument.is_required);
        let required: Vec<&str> = required.map(|argument| argument.name).collect();
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        schema.insert("required".into(), required.into());
        schema.insert("additionalProperties".into(), false.into());
        schema
    }
}
