//! The client of the table.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_types::SdkConfig;
use domain::clock::Clock;
use domain::limits::DEFAULT_RESPONSE_RETENTION_DAYS;
use domain::time::DAY;

use crate::connect;

/// The client of the table. It is cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(crate) db: Client,
    pub(crate) table: String,
    pub(crate) clock: Arc<dyn Clock>,
    /// The time for which responses and their checks are kept.
    pub(crate) response_retention: Duration,
}

impl Store {
    /// Creates a client of the table named `table`. The clock decides which items have expired, because
    /// DynamoDB deletes them later.
    pub fn new(aws: &SdkConfig, table: impl Into<String>, clock: Arc<dyn Clock>) -> Self {
        Self {
            db: connect::client(aws),
            table: table.into(),
            clock,
            response_retention: DEFAULT_RESPONSE_RETENTION_DAYS * DAY,
        }
    }

    /// Keeps responses and their checks for `days`. Items that are already written keep their expiry.
    #[must_use]
    pub fn with_response_retention(self, days: u32) -> Self {
        Self {
            response_retention: days * DAY,
            ..self
        }
    }
}
