//! The reasons for refusing a write that several operations share.

use domain::error::InvalidField;
use domain::workspace::{SubscriptionStatus, Workspace};
use thiserror::Error;

/// A reason for refusing a write that several operations share.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The workspace has no such item.
    #[error("{0} not found")]
    NotFound(Resource),
    /// A field breaks a rule that depends on stored items.
    #[error(transparent)]
    InvalidField(#[from] InvalidField),
    /// The subscription is canceled, so clients cannot write.
    #[error("the subscription is canceled")]
    Canceled,
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
        }
    }
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the workspace if clients can write to it. A workspace that does not exist counts as canceled.
pub(crate) fn refuse_if_canceled(workspace: Option<Workspace>) -> Result<Workspace, Refusal> {
    workspace
        .filter(|workspace| workspace.status != SubscriptionStatus::Canceled)
        .ok_or(Refusal::Canceled)
}

/// Returns how many prompts the workspace can still add, or a refusal if `wanted` are more.
pub(crate) fn require_free_prompts(workspace: &Workspace, wanted: usize) -> Result<u32, Refusal> {
    let limit = workspace.prompts_limit;
    let free = limit.saturating_sub(workspace.prompts_used);
    if wanted > usize::try_from(free).unwrap_or(usize::MAX) {
        return Err(Refusal::PromptLimit { limit, free });
    }
    Ok(free)
}
