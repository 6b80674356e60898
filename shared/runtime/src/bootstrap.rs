//! The start of a Lambda function: settings, logs, the AWS configuration, the table and the catalogue.

use std::error::Error;
use std::sync::Arc;

use aws_types::SdkConfig;
use domain::catalogue::Catalogue;
use store::Store;

use crate::clock::SystemClock;
use crate::settings::{Settings, environment_variable};
use crate::{logging, logging::start_logging};

/// The parts of a function that are created from its environment.
pub struct Bootstrap {
    pub settings: Settings,
    pub aws: SdkConfig,
    pub clock: Arc<SystemClock>,
    /// The table. No connection is open yet.
    pub store: Store,
    /// The models of the configured providers.
    pub catalogue: Arc<Catalogue>,
}

impl Bootstrap {
    /// Reads the settings and starts logging to stdout. A `main` calls this once, before anything else.
    ///
    /// Returns an error if a setting is invalid.
    pub fn from_environment() -> Result<Self, Box<dyn Error + Send + Sync>> {
        let settings = Settings::from_environment()?;
        let (level, metrics) = (&settings.log_level, &settings.metrics_namespace);
        start_logging(level.as_deref(), metrics.as_deref(), logging::stdout);
        let aws = store::connect::from_environment(environment_variable);
        let clock = Arc::new(SystemClock);
        let store = Store::new(&aws, &settings.table, clock.clone());
        let providers = settings.providers.iter().map(String::as_str);
        let catalogue = Catalogue::shipped()?.for_providers(providers);
        Ok(Self {
            store: store.with_response_retention(settings.response_retention_days),
            catalogue: Arc::new(catalogue),
            settings,
            aws,
            clock,
        })
    }
}
