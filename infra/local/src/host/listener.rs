//! The ports of the host.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::net::TcpListener;

use crate::error::HostError;

/// The address that only this machine reaches.
pub(super) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Binds a port. 0 means any free port.
pub(super) async fn bind(address: IpAddr, port: u16) -> Result<TcpListener, HostError> {
    let address = SocketAddr::new(address, port);
    TcpListener::bind(address)
        .await
        .map_err(|source| HostError::Port { address, source })
}

/// Binds the port that is `offset` above `port`, or any free port if that one is taken or `port` is 0.
pub(super) async fn bind_near(address: IpAddr, port: u16, offset: u16) -> Result<TcpListener, HostError> {
    if let Some(near) = port.checked_add(offset).filter(|_| port != 0)
        && let Ok(listener) = bind(address, near).await
    {
        return Ok(listener);
    }
    bind(address, 0).await
}
