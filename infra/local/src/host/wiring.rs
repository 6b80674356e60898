//! What the functions are wired to: the database and the ports, the providers, and their dependencies.

use std::cell::RefCell;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use api::{ApiState, Cors};
use aws_types::SdkConfig;
use domain::catalogue::Catalogue;
use domain::clock::Clock;
use domain::limits::MIN_SHARD_CONCURRENCY;
use domain::webhook::Targets;
use events::Bus;
use openapi::endpoints::Dependencies;
use providers::Providers;
use runtime::Settings;
use store::{Store, connect};
use tokio::net::TcpListener;

use crate::clock::ServiceClock;
use crate::data::DataDir;
use crate::database::{Database, DatabaseServer};
use crate::error::HostError;
use crate::{demo, server};

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

/// The providers that the host asks.
pub(super) struct ProviderChoice {
    pub(super) providers: Arc<Providers>,
    /// The models of these providers.
    pub(super) catalogue: Arc<Catalogue>,
    /// The environment variables that make a function in a process of its own use these providers.
    pub(super) environment: Vec<(String, String)>,
    /// Whether no provider is configured, so that the demo provider is used.
    pub(super) is_demo: bool,
}

impl ProviderChoice {
    /// Chooses the providers that `lookup` configures. If there are none, starts the demo provider and
    /// chooses it, with `demo_models`.
    pub(super) async fn choose(
        lookup: impl Fn(&str) -> Option<String>,
        demo_models: Catalogue,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, HostError> {
        let configured = Self::from_lookup(lookup, Catalogue::shipped()?);
        if !configured.providers.names().is_empty() {
            return Ok(configured);
        }
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let base_url = format!("http://{}/v1", listener.local_addr()?);
        tokio::spawn(demo::serve(listener, clock, std::future::pending()));
        let lookup = |name: &str| (name == "OPENAI_BASE_URL").then(|| base_url.clone());
        Ok(Self {
            is_demo: true,
            ..Self::from_lookup(lookup, demo_models)
        })
    }

    fn from_lookup(lookup: impl Fn(&str) -> Option<String>, catalogue: Catalogue) -> Self {
        let read = RefCell::new(Vec::new());
        let providers = Providers::from_lookup(|name| {
            let value = lookup(name)?;
            read.borrow_mut().push((name.to_owned(), value.clone()));
            Some(value)
        });
        let mut environment = read.into_inner();
        environment.push((Settings::PROVIDERS.to_owned(), providers.names().join(",")));
        Self {
            catalogue: Arc::new(catalogue.for_providers(providers.names())),
            providers: Arc::new(providers),
            environment,
            is_demo: false,
        }
    }
}

/// The local replacements of DynamoDB and EventBridge, and the configurations of their clients.
pub(super) struct Backends {
    pub(super) database: Database,
    pub(super) database_server: DatabaseServer,
    /// The configuration of a DynamoDB client.
    pub(super) table_config: SdkConfig,
    pub(super) events_listener: TcpListener,
    pub(super) events_endpoint: String,
    /// The configuration of an EventBridge client.
    pub(super) events_config: SdkConfig,
}

impl Backends {
    /// Starts the database and binds the port of the events endpoint on an address. `port` is the API's.
    pub(super) async fn start(
        listen: IpAddr,
        port: u16,
        data: Option<&DataDir>,
        clock: &Arc<ServiceClock>,
    ) -> Result<Self, HostError> {
        if !listen.is_loopback() {
            tracing::warn!(
                address = %listen,
                "other machines may reach the database and the events (--listen), which ask for no key"
            );
        }
        let file = data.map(DataDir::database);
        let database = Database::open(file.as_deref(), clock.clone())?;
        let database_server = database.serve(bind_near(listen, port, 1).await?)?;
        let events_listener = bind_near(listen, port, 2).await?;
        let events_endpoint = server::url(events_listener.local_addr()?);
        Ok(Self {
            table_config: database.client_config(),
            database,
            database_server,
            events_config: connect::to_endpoint(&events_endpoint),
            events_listener,
            events_endpoint,
        })
    }
}

/// Binds a port. 0 means any free port.
pub(super) async fn bind(address: IpAddr, port: u16) -> Result<TcpListener, HostError> {
    let address = SocketAddr::new(address, port);
    TcpListener::bind(address)
        .await
        .map_err(|source| HostError::Port { address, source })
}

/// Binds the port that is `offset` above `port`, or any free port if that one is taken or `port` is 0.
async fn bind_near(address: IpAddr, port: u16, offset: u16) -> Result<TcpListener, HostError> {
    if let Some(near) = port.checked_add(offset).filter(|_| port != 0)
        && let Ok(listener) = bind(address, near).await
    {
        return Ok(listener);
    }
    bind(address, 0).await
}
