//! The errors of starting the host.

use domain::catalogue::CatalogueError;
use runtime::InvalidSetting;
use store::{StoreError, WriteError};
use thiserror::Error;

/// The reason why the host cannot start.
#[derive(Debug, Error)]
pub enum HostError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("port {port} cannot be used: {source}")]
    Port { port: u16, source: std::io::Error },
    #[error("the database cannot be opened: {0}")]
    Database(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Setting(#[from] InvalidSetting),
    #[error("the demo workspace cannot be created: {0}")]
    Demo(String),
}

impl<R: std::fmt::Display> From<WriteError<R>> for HostError {
    fn from(error: WriteError<R>) -> Self {
        match error {
            WriteError::Store(error) => error.into(),
            error => Self::Demo(error.to_string()),
        }
    }
}
