//! The functions as they are deployed, in one process.

use std::sync::Arc;

use acceptance::api_event;
use api::ApiState;
use domain::limits::DEFAULT_FREQUENCY_HOURS;
use domain::webhook::Targets;
use events::Bus;
use local::functions;
use local::gateway::ApiHandler;
use openapi::endpoints::Dependencies;
use providers::Providers;
use serde_json::Value;

use super::table::{Table, catalogue};

/// An instance of each function. It keeps what a running Lambda keeps.
pub(super) struct Instance(Vec<(String, ApiHandler)>);

impl Instance {
    pub(super) fn start(table: &Table) -> Self {
        let api = ApiState {
            store: table.store.clone(),
            clock: table.clock.clone(),
            catalogue: Arc::new(catalogue()),
            cors: Arc::default(),
            known_keys: Arc::default(),
        };
        Self(functions::routes(&Dependencies {
            api,
            bus: Bus::new(&table.database.client_config(), "unused"),
            providers: Arc::new(Providers::default()),
            frequency_hours: DEFAULT_FREQUENCY_HOURS,
            webhook_targets: Targets::PublicAndLoopback,
        }))
    }

    /// Returns the response to a GET request, as API Gateway gets it.
    pub(super) async fn request(&self, key: &str, path: &str, query: &str) -> Value {
        let (_, handler) = self.0.iter().find(|(route, _)| route == path).unwrap();
        let key = format!("Bearer {key}");
        handler(api_event("GET", path, query, &[("authorization", &key)], None)).await
    }
}
