//! What a tool is: a name and a description for the assistant, its arguments, and the endpoint that answers
//! it.

use api::{Body, Input, Kind, Method};
use domain::limits::DEFAULT_PAGE_LIMIT;
use rmcp::model::ToolAnnotations;
use serde_json::{Map, Value, json};
use store::Rate;

use crate::texts::TEXTS;

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
    /// The arguments besides those of the endpoint.
    pub own: &'static [Argument],
    /// The names of what the endpoint takes and the tool does not.
    pub without: &'static [&'static str],
    /// The names of what the endpoint can do without and the tool cannot.
    pub requires: &'static [&'static str],
    /// What arguments of these names are, where [`TEXTS`] says something else.
    pub texts: &'static [(&'static str, &'static str)],
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
    /// Also what language models, web pages or providers said, or the call makes the service ask language
    /// models.
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

/// An argument of a tool. The endpoint has further rules for its value.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub input: Input,
    pub taken_by: TakenBy,
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

impl Argument {
    /// The value of an argument that is not given.
    pub(crate) fn default(&self) -> Option<Value> {
        match self.taken_by {
            TakenBy::Column(_) => Some(false.into()),
            _ if self.input.name == "limit" => Some(DEFAULT_PAGE_LIMIT.into()),
            _ => None,
        }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.input.kind {
            Kind::Filter(_) | Kind::Models | Kind::List(_) => {
                json!({"type": "array", "items": {"type": "string"}})
            }
            Kind::Word(_, words) | Kind::OwnWord(_, words, _) => json!({"type": "string", "enum": words}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Whole(least, most, _) => json!({"type": "integer", "minimum": least, "maximum": most}),
            _ => json!({"type": "string"}),
        };
        if let Some(default) = self.default() {
            schema["default"] = default;
        }
        schema["description"] = self.input.description.into();
        schema
    }
}

impl Tool {
    /// Returns the arguments: what the endpoint takes, in its order, and the tool's own.
    pub fn arguments(&self) -> Vec<Argument> {
        let endpoint = self.endpoint();
        let inputs = endpoint.map_or(&[][..], |endpoint| match endpoint.body {
            Body::None => endpoint.query,
            Body::Fields(fields) => fields,
            Body::OneOf(forms) => forms.last().map_or(&[], |(_, fields)| fields),
        });
        let taken = inputs
            .iter()
            .filter(|input| input.kind != Kind::Never && !self.without.contains(&input.name));
        let of_endpoint = taken.map(|input| Argument {
            input: *input,
            taken_by: TakenBy::Endpoint,
        });
        of_endpoint
            .chain(self.own.iter().copied())
            .map(|argument| self.described_argument(argument))
            .collect()
    }

    fn described_argument(&self, mut argument: Argument) -> Argument {
        let input = &mut argument.input;
        let mut texts = self.texts.iter().chain(TEXTS);
        if let Some((_, text)) = texts.find(|(name, _)| *name == input.name) {
            input.description = text;
        }
        input.is_required |= self.requires.contains(&input.name);
        argument
    }

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
        let arguments = self.arguments();
        let properties: Map<String, Value> = arguments
            .iter()
            .map(|argument| (argument.input.name.to_owned(), argument.schema()))
            .collect();
        let inputs = arguments.iter().map(|argument| argument.input);
        let required: Vec<&str> = inputs
            .filter(|input| input.is_required)
            .map(|input| input.name)
            .collect();
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        schema.insert("required".into(), required.into());
        schema.insert("additionalProperties".into(), false.into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::TOOLS;

    #[test]
    fn every_tool_is_described_and_what_it_changes_of_its_endpoint_is_there() {
        for tool in TOOLS {
            assert!(
                tool.description.len() > 30 && tool.name.len() < 20,
                "{}",
                tool.name
            );
            assert!(tool.endpoint().is_some(), "{}", tool.path);
            let everything = Tool {
                without: &[],
                ..*tool
            }
            .arguments();
            let names: Vec<&str> = everything.iter().map(|argument| argument.input.name).collect();
            // What the endpoint takes itself is not cut from its rows.
            assert_eq!(
                names.iter().collect::<BTreeSet<_>>().len(),
                names.len(),
                "{names:?}"
            );
            let changed = tool.without.iter().chain(tool.requires);
            for name in changed.chain(tool.texts.iter().map(|(name, _)| name)) {
                assert!(names.contains(name), "{} {name}", tool.name);
            }
        }
    }

    #[test]
    fn every_argument_has_a_text_for_assistants_and_every_text_an_argument() {
        let arguments = TOOLS.iter().flat_map(Tool::arguments);
        let names: BTreeSet<&str> = arguments.map(|argument| argument.input.name).collect();
        assert_eq!(names, TEXTS.iter().map(|(name, _)| *name).collect());
    }
}
