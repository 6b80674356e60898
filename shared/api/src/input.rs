//! What a request takes: query parameters and the fields of a body. A route lists them as data. The OpenAPI
//! document, the tools for assistants and the tests of the contract read that list. Handlers read the inputs
//! by name, and the tests compare these names with the list.

use std::str::FromStr;

use domain::error::InvalidField;

/// A query parameter, or a field of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
    /// Whether the input is not in the contract.
    pub is_extension: bool,
    /// Whether `null` is a value, and not the absence of one.
    pub takes_null: bool,
    pub description: &'static str,
}

/// The kind of value that an input takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The id of what the request is about. An unknown one is 404.
    Subject(Resource),
    /// An id from a list of the workspace. An unknown one is 400.
    Choice(Resource),
    /// A list of ids, separated by commas. A response matches if it has one of them, and an unknown one
    /// matches nothing.
    Filter(Resource),
    /// A list of the UUIDs of models, separated by commas. An unknown one is 400.
    Models,
    /// The UUID of a brand that answers cite.
    Cited,
    /// One line with a visible character and this maximum length in characters.
    Name(usize),
    /// A text that is not empty, possibly with line breaks, with this maximum length in characters.
    Text(usize),
    /// A text that can be empty, possibly with line breaks, with this maximum length in characters.
    Note(usize),
    /// One of these words, which are the values of the schema of this name.
    Word(&'static str, &'static [&'static str]),
    /// One of these words, which are a schema of this name that no response has, and the default.
    OwnWord(&'static str, &'static [&'static str], Option<&'static str>),
    /// A list of these words, separated by commas.
    Metrics(&'static [&'static str]),
    Flag,
    /// A whole number from a minimum to a maximum, with the default that the document states.
    Whole(u64, u64, Option<u64>),
    /// A day or a timestamp.
    Day,
    /// A day of the base of a comparison.
    BaseDay,
    Language,
    Geolocation,
    /// A domain or an http(s) URL.
    Domain,
    /// A domain or an http(s) URL, or an empty text.
    DomainOrEmpty,
    /// An https URL that is called.
    Webhook,
    /// Any text.
    Search,
    List(&'static List),
    /// An object, which is the schema of this name.
    Object(&'static str, &'static [Input]),
    /// The text of the first of these fields, or an object, which is the schema of this name.
    TextOrObject(&'static str, &'static [Input]),
    /// No value is taken.
    Never,
}

/// An array of a body.
#[derive(Debug, PartialEq, Eq)]
pub struct List {
    pub item: Kind,
    /// Describes an item that is no object.
    pub description: &'static str,
    pub least: usize,
    /// The maximum number of items.
    pub most: usize,
    /// Whether the maximum is one of different items.
    pub counts_distinct: bool,
}

impl List {
    /// A list of any length.
    pub const fn of(item: Kind, description: &'static str) -> Self {
        Self {
            item,
            description,
            least: 0,
            most: usize::MAX,
            counts_distinct: false,
        }
    }
}

/// What the ids of a request identify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    Entity,
    Prompt,
    Group,
    Actionable,
    Task,
    Tag,
    Webhook,
    Delivery,
    Response,
    /// A member, by `userId`.
    Member,
    /// A brand, by its UUID or the id of an entity.
    Brand,
    /// A model. All workspaces share the models.
    Model,
}

/// The body of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    None,
    /// An object with these fields.
    Fields(&'static [Input]),
    /// One of several objects, each of which is the schema of its name.
    OneOf(&'static [(&'static str, &'static [Input])]),
}

impl Input {
    /// An input that must be given.
    pub const fn required(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self {
            name,
            kind,
            is_required: true,
            is_extension: false,
            takes_null: false,
            description,
        }
    }

    /// The id of what the request is about.
    pub const fn id(name: &'static str, of: Resource, description: &'static str) -> Self {
        Self::required(name, Kind::Subject(of), description)
    }

    /// An input that can be left out.
    pub const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self {
            is_required: false,
            ..Self::required(name, kind, description)
        }
    }

    /// Parses one of the words that the input takes. Returns `None` if there is no text.
    pub fn word<T: FromStr>(&self, text: Option<&str>) -> Result<Option<T>, InvalidField> {
        let parse = |text: &str| {
            text.parse().map_err(|_| {
                let (last, others) = self.words().split_last().unwrap_or((&"", &[]));
                InvalidField::new(self.name, format!("must be {} or {last}", others.join(", ")))
            })
        };
        text.map(parse).transpose()
    }

    fn words(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Word(_, words) | Kind::OwnWord(_, words, _) | Kind::Metrics(words) => words,
            _ => &[],
        }
    }

    /// Marks the input as one that is not in the contract.
    #[must_use]
    pub const fn extension(self) -> Self {
        Self {
            is_extension: true,
            ..self
        }
    }

    /// The input where it is not taken, for this reason.
    #[must_use]
    pub const fn never(self, reason: &'static str) -> Self {
        Self {
            takes_null: self.takes_null,
            ..Self::optional(self.name, Kind::Never, reason)
        }
    }

    /// Makes `null` a value.
    #[must_use]
    pub const fn or_null(self) -> Self {
        Self {
            takes_null: true,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::board::TaskStatus;

    use super::*;

    #[test]
    fn a_word_that_is_not_taken_is_refused_with_those_that_are() {
        let words = &["not_started", "in_progress", "in_review", "done"];
        let status = Input::optional("status", Kind::Word("TaskStatus", words), "");
        assert_eq!(status.word(Some("in_review")), Ok(Some(TaskStatus::InReview)));
        assert_eq!(status.word::<TaskStatus>(None), Ok(None));
        assert_eq!(
            status.word::<TaskStatus>(Some("Done")).unwrap_err().to_string(),
            "status must be not_started, in_progress, in_review or done"
        );
    }
}
