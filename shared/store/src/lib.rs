//! The single table: the only crate that knows its keys. One file per aggregate, one named function per
//! access pattern; `README.md` lists them all.
#![forbid(unsafe_code)]

mod access;
mod api_keys;
mod board;
mod brands;
mod checks;
pub mod connect;
mod entities;
mod error;
mod expression;
mod facts;
mod groups;
mod items;
mod keys;
mod members;
mod name_requests;
mod once;
mod pauses;
mod prompts;
mod seen;
pub mod table;
mod tags;
mod tenant;
mod transaction;
mod workspaces;

use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use aws_types::SdkConfig;
use domain::clock::Clock;
use domain::limits::RESPONSE_DAYS_DEFAULT;
use domain::time::DAY;

pub use access::{Access, Denied, Rate};
pub use api_keys::{KeyRates, KeySummary};
pub use board::create_task::CreateTaskRefused;
pub use board::dismiss::DismissRefused;
pub use board::move_task::MoveRefused;
pub use checks::claim::{Claim, NotClaimed, Trigger};
pub use checks::due::Due;
pub use checks::finish::Finish;
pub use checks::shards::{Lease, NotLeased};
pub use entities::change::ChangeRefused;
pub use entities::create::{CreateRefused, Created, NewEntity};
pub use entities::delete::DeleteRefused;
pub use error::StoreError;
pub use facts::{CheckSegments, FactIndex, SegmentRef, Slot};
pub use groups::{GroupChange, GroupRefused, NewGroup};
pub use members::MemberRefused;
pub use name_requests::{NameRefused, NameWish, ReviewRefused};
pub use once::{Once, Recorded, RequestKey};
pub use pauses::Probing;
pub use prompts::add::AddRefused;
pub use prompts::change::{Changed, PromptRefused};
pub use tags::TagRefused;
pub use tenant::Tenant;
pub use workspaces::{NewWorkspace, WorkspaceChange};

/// The table, through one client. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    db: Client,
    table: String,
    clock: Arc<dyn Clock>,
    /// How long answers and what belongs to their check are kept, in service milliseconds.
    responses_kept: i64,
}

impl Store {
    /// A store on `table`. The clock decides which items have expired: DynamoDB deletes them later.
    pub fn new(aws: &SdkConfig, table: impl Into<String>, clock: Arc<dyn Clock>) -> Self {
        Self {
            db: connect::client(aws),
            table: table.into(),
            clock,
            responses_kept: i64::from(RESPONSE_DAYS_DEFAULT) * DAY,
        }
    }

    /// Keeps answers, with their checks, for so many days from now on; what was written before keeps its end.
    #[must_use]
    pub fn keeping_responses(self, days: u32) -> Self {
        Self {
            responses_kept: i64::from(days) * DAY,
            ..self
        }
    }
}
