//! The reasons for refusing a write that several operations share.

use domain::error::InvalidField;
use domain::number::to_usize;
use domain::time::Timestamp;
use domain::workspace::{SubscriptionStatus, Workspace};
use thiserror::Error;

/// A reason for refusing a write that several operations share.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The workspace has no such item.
    #[error("{0} not found")]
    NotFound(Resource),
    /// The workspace has no item with the id in this field, which is one of several ids in the request.
    #[error("{0} not found: {1}")]
    NotFoundAt(Resource, String),
    /// A field breaks a rule that depends on stored items.
    #[error(transparent)]
    InvalidField(#[from] InvalidField),
    /// The subscription is canceled, so clients cannot write.
    #[error("the subscription is canceled")]
    Canceled,
    /// The subscription has ended, so clients cannot write.
    #[error("the subscription has ended")]
    Ended,
    /// The workspace's limit of prompts would be exceeded.
    #[error("the limit of {limit} prompts would be exceeded: {free} are free")]
    PromptLimit { limit: u32, free: u32 },
}

/// A kind of item that a write can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    Workspace,
    Entity,
    Prompt,
    Tag,
    Group,
    Actionable,
    Task,
    Webhook,
    Delivery,
}

impl Resource {
    /// Returns the name by which clients know the resource.
    pub fn name(self) -> &'static str {
        match self {
            Self::Workspace => "Workspace",
            Self::Entity => "Entity",
            Self::Prompt => "Prompt",
            Self::Tag => "Tag",
            Self::Group => "Domain group",
            Self::Actionable => "Actionable",
            Self::Task => "Task",
            Self::Webhook => "Webhook",
            Self::Delivery => "Delivery",
        }
    }
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the workspace if clients can write to it at `now`. A workspace that does not exist counts as
/// canceled.
pub(crate) fn require_subscription(
    workspace: Option<Workspace>,
    now: Timestamp,
) -> Result<Workspace, Refusal> {
    let workspace = workspace.ok_or(Refusal::Canceled)?;
    check_subscription(&workspace, now)?;
    Ok(workspace)
}

/// Returns a refusal if clients cannot write to the workspace at `now`.
pub(crate) fn check_subscription(workspace: &Workspace, now: Timestamp) -> Result<(), Refusal> {
    if workspace.status == SubscriptionStatus::Canceled {
        return Err(Refusal::Canceled);
    }
    if workspace.subscription_ends_at.is_some_and(|end| end <= now) {
        return Err(Refusal::Ended);
    }
    Ok(())
}

/// Returns how many prompts the workspace can still add, or a refusal if `wanted` are more.
pub(crate) fn require_free_prompts(workspace: &Workspace, wanted: usize) -> Result<u32, Refusal> {
    let limit = workspace.prompts_limit;
    let free = limit.saturating_sub(workspace.prompts_used);
    if wanted > to_usize(free) {
        return Err(Refusal::PromptLimit { limit, free });
    }
    Ok(free)
}
