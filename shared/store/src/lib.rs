//! The DynamoDB table. No other crate knows its keys. Each aggregate has a file or a folder, and each access pattern has a
//! function; `README.md` lists them all.
#![forbid(unsafe_code)]

mod access;
mod api_keys;
mod board;
mod brands;
mod checks;
mod cited_domains;
pub mod connect;
mod entities;
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
mod refusal;
mod retry;
mod store;
pub mod table;
mod tags;
mod tenant;
mod transaction;
mod workspaces;

pub use access::{Access, AuthError, Rate};
pub use api_keys::{KeyRates, KeySummary};
pub use board::create_task::CreateTaskError;
pub use board::dismiss::DismissError;
pub use board::move_task::MoveTaskError;
pub use checks::claim::{Claim, ClaimError, Trigger};
pub use checks::due::DueEntity;
pub use checks::finish::CheckOutcome;
pub use checks::shards::{Lease, LeaseError};
pub use entities::create::{CreateEntityError, CreatedEntity, FirstCheck, NewEntity};
pub use entities::update::UpdateEntityError;
pub use error::{StoreError, WriteError};
pub use facts::{CheckSegments, FactIndex, SegmentRef};
pub use groups::{GroupError, GroupUpdate, NewGroup};
pub use idempotency::{RecordedReply, ReplyRecorder, RequestIdentity};
pub use members::MemberError;
pub use name_requests::{NameRequestError, NewNameRequest, ReviewError};
pub use pauses::ProbeClaim;
pub use prompts::update::UpdatedPrompt;
pub use refusal::{Refusal, Resource};
pub use store::Store;
pub use tags::TagError;
pub use tenant::Tenant;
pub use workspaces::{NewWorkspace, WorkspaceUpdate};
