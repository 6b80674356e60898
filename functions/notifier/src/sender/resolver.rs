//! Resolves the names of receivers and checks their addresses.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use domain::webhook::Targets;
use futures::future::BoxFuture;
use reqwest::dns;
use thiserror::Error;

/// Finds the addresses of a name.
pub trait Resolve: Send + Sync {
    fn resolve(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the operating system.
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// The error of a name with an address that is not permitted.
#[derive(Debug, Error)]
#[error("an address of the host is not permitted")]
pub(super) struct NotPermitted;

/// The resolver of the HTTP client, which connects to nothing but the addresses that it returns.
pub(super) struct CheckedResolver {
    pub(super) targets: Targets,
    pub(super) inner: Arc<dyn Resolve>,
}

impl dns::Resolve for CheckedResolver {
    fn resolve(&self, name: dns::Name) -> dns::Resolving {
        let (targets, found) = (self.targets, self.inner.resolve(name.as_str()));
        Box::pin(async move {
            let found = found.await?;
            if found.is_empty() || !found.iter().all(|address| targets.permits(*address)) {
                return Err(NotPermitted.into());
            }
            // The client replaces the port 0 by the URL's.
            let addresses = found.into_iter().map(|address| SocketAddr::new(address, 0));
            let addresses: dns::Addrs = Box::new(addresses);
            Ok(addresses)
        })
    }
}
