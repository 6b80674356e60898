//! The errors of starting the host.

use std::net::SocketAddr;
use std::path::PathBuf;

use domain::catalogue::CatalogueError;
use providers::InvalidBaseUrl;
use runtime::InvalidSetting;
use store::{StoreError, WriteError};
use thiserror::Error;

/// The reason why the host cannot start.
#[derive(Debug, Error)]
pub enum HostError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("port {} of {} cannot be used: {source}", .address.port(), .address.ip())]
    Port {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("the data directory {} is in use by another process (--data)", .0.display())]
    DataInUse(PathBuf),
    #[error("{} cannot be used (--data): {source}", .path.display())]
    Data { path: PathBuf, source: std::io::Error },
    #[error("{} is damaged: {rule}. Without this file, {without}.", .path.display())]
    Damaged {
        path: PathBuf,
        rule: &'static str,
        without: &'static str,
    },
    #[error("the database cannot be opened ({place}): {reason}")]
    Database { place: String, reason: String },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Setting(#[from] InvalidSetting),
    #[error(transparent)]
    Provider(#[from] InvalidBaseUrl),
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
