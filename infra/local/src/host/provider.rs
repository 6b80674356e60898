//! The choice of providers: those that the environment configures, or the demo provider.

use std::cell::RefCell;
use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::clock::Clock;
use providers::Providers;
use runtime::Settings;
use tokio::net::TcpListener;

use crate::demo;
use crate::error::HostError;

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
