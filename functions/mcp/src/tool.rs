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
    /// Whether the result has texts of language models or web pages.
    pub has_outside_texts: bool,
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

/// An argument of a tool. It has the name of the endpoint's parameter or field.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
    pub description: &'static str,
}

/// The kind of value that an argument takes. The endpoint has further rules.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Text,
    /// A list of texts. A single text is a list of one.
    Texts,
    Choice(&'static [&'static str]),
    Flag,
    /// A whole number in a range.
    Whole {
        min: u64,
        max: u64,
    },
}

impl Argument {
    pub(crate) const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self {
            name,
            kind,
            is_required: false,
            description,
        }
    }

    pub(crate) const fn required(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self {
            name,
            kind,
            is_required: true,
            description,
        }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Choice(values) => json!({"type": "string", "enum": values}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Whole { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        };
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
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(!self.writes())
            .destructive(false)
            .open_world(false);
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
