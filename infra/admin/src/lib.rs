//! The operator's commands for workspaces, keys, members, name requests, checks, facts and models. Each noun
//! has a file with its verbs. Every command returns one JSON object.
#![forbid(unsafe_code)]

mod arguments;
mod check;
mod connection;
mod error;
mod export;
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

pub use self::facts::FactsVerb;
pub use arguments::{Arguments, Noun};
pub use check::CheckVerb;
pub use connection::Endpoints;
pub use error::AdminError;
pub use key::KeyVerb;
pub use member::MemberVerb;
pub use model::ModelVerb;
pub use name_request::NameRequestVerb;
pub use workspace::WorkspaceVerb;

use connection::Connection;

/// Runs a command and returns a JSON object. `settings` provide the table, the bus and the configured
/// providers unless the arguments name them. The result contains an API key only if the command created it.
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
