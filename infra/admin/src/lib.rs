//! The operator's commands: workspaces, keys, members, names, checks, facts, models. One file per noun, with its verbs and what they
//! answer; each answer is one JSON object.
#![forbid(unsafe_code)]

mod arguments;
mod check;
mod connection;
mod error;
mod facts;
mod key;
mod member;
mod model;
mod name_request;
mod workspace;

use std::sync::Arc;

use domain::clock::Clock;
use runtime::Settings;
use serde_json::Value;

pub use arguments::{Arguments, Noun};
pub use check::CheckVerb;
pub use connection::Endpoints;
pub use error::AdminError;
pub use facts::FactsVerb;
pub use key::KeyVerb;
pub use member::MemberVerb;
pub use model::ModelVerb;
pub use name_request::NameRequestVerb;
pub use workspace::WorkspaceVerb;

use connection::Connection;

/// Does what the arguments say. `settings` are the functions' own: table, bus, and configured providers where
/// the arguments name none. The answer is a JSON object; an API key is in it only where the key was just made.
pub async fn run(
    arguments: Arguments,
    settings: &Settings,
    clock: Arc<dyn Clock>,
) -> Result<Value, AdminError> {
    let at = Connection::new(arguments.endpoints, settings, clock);
    match arguments.noun {
        Noun::Workspace { verb } => workspace::run(verb, &at).await,
        Noun::Key { verb } => key::run(verb, &at).await,
        Noun::Member { verb } => member::run(verb, &at).await,
        Noun::NameRequest { verb } => name_request::run(verb, &at).await,
        Noun::Check { verb } => check::run(verb, &at).await,
        Noun::Facts { verb } => facts::run(verb, &at).await,
        Noun::Model { verb } => model::run(&verb, &at),
    }
}
