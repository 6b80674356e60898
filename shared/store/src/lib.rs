//! The DynamoDB table. No other crate knows its keys. Each aggregate has a file or a folder, and each access
//! pattern has a function; `README.md` lists them all.
#![forbid(unsafe_code)]

mod access;
mod api_keys;
mod board;
mod brands;
mod checks;
mod cited_domains;
pub mod connect;
mod entities;
mod erasure;
mod error;
mod expression;
mod facts;
mod groups;
mod idempotency;
mod items;
mod keys;
mod members;
mod name_requests;
mod pauses;
mod prompts;
mod provider_rates;
mod refusal;
mod rereading;
mod retry;
mod store;
pub mod table;
mod tags;
mod tenant;
mod transaction;
mod webhooks;
mod workspaces;

pub use access::{Access, AuthError, Quota, Rate};
pub use api_keys::{KeySettings, KeySummary};
pub use board::create_task::CreateTaskError;
pub use board::dismiss::DismissError;
pub use board::move_task::MoveTaskError;
pub use brands::plan_brands;
pub use checks::admission::{AdmissionRequest, AdmissionState, RunningCheckItem};
pub use checks::answers::{PageStart, ResponsePage};
pub use checks::claim::{Claim, ClaimError, Trigger};
pub use checks::due::{DueItem, DueSubject};
pub use checks::finish::CheckOutcome;
pub use checks::shards::{Lease, LeaseError};
pub use entities::create::{CreateEntityError, CreatedEntity, FirstCheck, NewEntity};
pub use entities::names::TakenName;
pub use entities::update::UpdateEntityError;
pub use erasure::{DeletedWorkspace, ErasedItems};
pub use error::{StoreError, WriteError};
pub use facts::{
    CheckSegments, Consistency, FactIndex, FactsKind, IndexEntry, MonthIndex, ParseSegmentError, SegmentRef,
};
pub use groups::{GroupError, GroupUpdate, NewGroup};
pub use idempotency::{RecordedReply, ReplyRecorder, RequestIdentity};
pub use members::MemberError;
pub use name_requests::{NameRequestError, NewNameRequest, ReviewError};
pub use pauses::ProbeClaim;
pub use prompts::update::UpdatedPrompt;
pub use refusal::{Refusal, Resource};
pub use rereading::{Prepared, Rereading, RereadingLease, RereadingPass, RereadingProgress};
pub use store::Store;
pub use tags::TagError;
pub use tenant::Tenant;
pub use webhooks::{NewWebhook, RedeliverError, WebhookError, WebhookUpdate};
pub use workspaces::{NewWorkspace, WorkspaceUpdate};
