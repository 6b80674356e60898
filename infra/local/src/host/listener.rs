//! Ports on the loopback interface.

use tokio::net::TcpListener;

use crate::error::HostError;

/// Binds a port. 0 means any free port.
pub(super) async fn bind(port: u16) -> Result<TcpListener, HostError> {
    TcpListener::bind(("127.0.0.1", port))
        .await
        .map_err(|source| HostError::Port { port, source })
}

/// Binds the port that is `offset` above `port`, or any free port if that one is taken or `port` is 0.
pub(super) async fn bind_near(port: u16, offset: u16) -> Result<TcpListener, HostError> {
    if let Some(near) = port.checked_add(offset).filter(|_| port != 0)
        && let Ok(listener) = bind(near).await
    {
        return Ok(listener);
    }
    bind(0).await
}
