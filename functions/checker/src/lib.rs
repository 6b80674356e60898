//! The checker claims due checks, asks the models, and folds the answers into facts.
//!
//! The schedule invokes [`Checker::handle`] with ticks, and the queue invokes it with the events of checks.
//! An event can arrive twice, late, out of order or not at all. The table records what has happened, and
//! every step reads it first. Each step, with what triggers it:
//!
//! - `tick` (the schedule): Finds what is due. Reconciles running checks, erases what was deleted, has
//!   notifications sent, and admits work.
//! - `admit` (a tick, `CheckClaimed`, the end of a shard): Publishes `ShardReady` for as many shards as
//!   workers can take up soon. Claims due checks.
//! - `claim` (`admit`, `CheckWanted` of an operator): Claims a check and publishes `CheckClaimed`.
//! - `shard` (`ShardReady`): Asks one model up to 25 questions and records the responses.
//! - `fold` (`FoldDue`): Folds the answers so far of a running check into interim facts.
//! - `finish` (`CheckAnswered`): Folds the responses into facts, updates the board and finishes the check.
//! - `reconcile` (a tick): Finds shards that nobody works on, and lost events. Finishes a check whose
//!   deadline has passed.
//! - `reread` (a tick, `RereadingDue`): Reads recorded answers again after the names or the rules have
//!   changed.
//! - `clean_up` (`EntityDeleted`, a tick): Ends the running check of a deleted entity and erases what it has.
//! - `erase_workspace` (a tick): Erases a deleted workspace, once its entities are erased.
#![forbid(unsafe_code)]

mod admit;
mod checker;
mod claim;
mod clean_up;
mod dispatch;
mod erase_workspace;
mod error;
mod finish;
mod fold;
mod notify;
mod reading;
mod recommend;
mod reconcile;
mod reread;
mod shard;
mod spans;
mod tick;

pub use checker::Checker;
pub use dispatch::RECONCILE_ALL;
pub use error::CheckerError;
