//! Which providers the host asks: those that are configured, else its own demo provider.

use std::sync::Arc;

use domain::catalogue::Catalogue;
use domain::clock::Clock;
use providers::Providers;
use tokio::net::TcpListener;

use crate::{HostError, demo};

pub(crate) struct Chosen {
    pub(crate) providers: Arc<Providers>,
    pub(crate) catalogue: Arc<Catalogue>,
}

/// `lookup` reads the environment as it was at start.
pub(crate) async fn choose(
    lookup: impl Fn(&str) -> Option<String>,
    clock: Arc<dyn Clock>,
) -> Result<Chosen, HostError> {
    let providers = Providers::from_lookup(lookup);
    if !providers.names().is_empty() {
        let catalogue = Catalogue::shipped()?.of_providers(providers.names());
        return Ok(Chosen {
            providers: Arc::new(providers),
            catalogue: Arc::new(catalogue),
        });
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let base_url = format!("http://{}/v1", listener.local_addr()?);
    tokio::spawn(demo::serve(listener, clock, std::future::pending()));
    let providers = Providers::from_lookup(|name| (name == "OPENAI_BASE_URL").then(|| base_url.clone()));
    Ok(Chosen {
        providers: Arc::new(providers),
        catalogue: Arc::new(demo::catalogue()?),
    })
}
