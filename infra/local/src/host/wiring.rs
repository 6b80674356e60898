//! The third phase of the start: the dependencies of the functions.

use std::sync::Arc;

use api::{ApiState, Cors};
use aws_types::SdkConfig;
use domain::limits::MIN_SHARD_CONCURRENCY;
use domain::webhook::Targets;
use events::Bus;
use openapi::endpoints::Dependencies;
use runtime::Settings;
use store::Store;

use super::backends::Backends;
use super::provider::ProviderChoice;
use crate::clock::ServiceClock;

/// The name of the table, as in the template.
pub(super) const TABLE: &str = "visibility";
/// The name of the bus, as in the template.
const BUS: &str = "visibility";

/// Replaces the configuration with which functions reach the table and the bus.
pub(super) type Interceptor<'a> = Box<dyn Fn(SdkConfig) -> SdkConfig + 'a>;

/// The parts of the host from which functions are constructed.
pub(super) struct Wiring<'a> {
    pub(super) settings: &'a Settings,
    pub(super) backends: &'a Backends,
    pub(super) providers: &'a ProviderChoice,
    pub(super) clock: Arc<ServiceClock>,
}

impl Wiring<'_> {
    /// Returns the host's own access to the table.
    pub(super) fn store(&self) -> Store {
        self.store_with(&self.backends.table_config)
    }

    /// Returns the host's own access to the bus.
    pub(super) fn bus(&self) -> Bus {
        Bus::new(&self.backends.events_config, BUS)
    }

    /// Returns the dependencies of functions in this process, which reach the table and the bus through
    /// `interceptor`.
    pub(super) fn dependencies(&self, interceptor: &Interceptor<'_>) -> Dependencies {
        let api = ApiState {
            store: self.store_with(&interceptor(self.backends.table_config.clone())),
            clock: self.clock.clone(),
            catalogue: self.providers.catalogue.clone(),
            cors: Arc::new(Cors::new(self.settings.cors_origins.clone())),
            known_keys: Arc::default(),
        };
        Dependencies {
            api,
            bus: Bus::new(&interceptor(self.backends.events_config.clone()), BUS),
            providers: self.providers.providers.clone(),
            frequency_hours: self.settings.frequency_hours,
            // A receiver on this machine is what a developer tries first.
            webhook_targets: Targets::PublicAndLoopback,
        }
    }

    /// Returns the environment variables of functions in processes of their own.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        let Settings {
            response_retention_days,
            frequency_hours,
            cors_origins,
            shard_concurrency,
            ..
        } = self.settings;
        let own = [
            (Settings::TABLE, TABLE.to_owned()),
            (Settings::BUS, BUS.to_owned()),
            (
                Settings::RESPONSE_RETENTION_DAYS,
                response_retention_days.to_string(),
            ),
            (Settings::FREQUENCY_HOURS, frequency_hours.to_string()),
            (Settings::CORS_ORIGINS, cors_origins.join(",")),
            // The queue here can work on one shard at a time, and a queue of SQS cannot.
            (
                Settings::SHARD_CONCURRENCY,
                shard_concurrency.max(&MIN_SHARD_CONCURRENCY).to_string(),
            ),
            (
                "AWS_ENDPOINT_URL_DYNAMODB",
                self.backends.database_server.endpoint.clone(),
            ),
            (
                "AWS_ENDPOINT_URL_EVENTBRIDGE",
                self.backends.events_endpoint.clone(),
            ),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value));
        self.providers.environment.iter().cloned().chain(own).collect()
    }

    fn store_with(&self, config: &SdkConfig) -> Store {
        Store::new(config, TABLE, self.clock.clone())
            .with_response_retention(self.settings.response_retention_days)
    }
}
