//! Which providers the host asks: those that are configured, else its own demo provider.

use std::cell::RefCell;
use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::clock::Clock;
use providers::Providers;
use runtime::Settings;
use tokio::net::TcpListener;

use crate::HostError;
use crate::demo::serve;

pub(crate) struct Chosen {
    pub(crate) providers: Arc<Providers>,
    pub(crate) catalogue: Arc<Catalogue>,
    /// The variables by which a function of its own process asks the same providers.
    pub(crate) environment: Vec<(String, String)>,
}

/// `lookup` reads the environment as it was at start. `demo` are the models that the demo provider is asked for.
pub(crate) async fn choose(
    lookup: impl Fn(&str) -> Option<String>,
    demo: Catalogue,
    clock: Arc<dyn Clock>,
) -> Result<Chosen, HostError> {
    let chosen = Chosen::of(lookup, Catalogue::shipped()?);
    if !chosen.providers.names().is_empty() {
        return Ok(chosen);
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let base_url = format!("http://{}/v1", listener.local_addr()?);
    tokio::spawn(serve(listener, clock, std::future::pending()));
    let lookup = |name: &str| (name == "OPENAI_BASE_URL").then(|| base_url.clone());
    Ok(Chosen::of(lookup, demo))
}

impl Chosen {
    fn of(lookup: impl Fn(&str) -> Option<String>, catalogue: Catalogue) -> Self {
        let read = RefCell::new(Vec::new());
        let providers = Providers::from_lookup(|name| {
            let value = lookup(name)?;
            read.borrow_mut().push((name.to_owned(), value.clone()));
            Some(value)
        });
        let mut environment = read.into_inner();
        environment.push((Settings::PROVIDERS.to_owned(), providers.names().join(",")));
        Self {
            catalogue: Arc::new(catalogue.of_providers(providers.names())),
            providers: Arc::new(providers),
            environment,
        }
    }
}
