//! The response to each error of the store. The status codes and messages are part of the API's contract.

use domain::board::ActionableStatus;
use domain::error::InvalidField;
use domain::limits::{MAX_CHECKS_PER_DAY, MAX_TAGS_PER_WORKSPACE, MAX_TASKS, MAX_WEBHOOKS};
use store::{
    AuthError, ClaimError, CreateEntityError, CreateTaskError, DismissError, GroupError, MoveTaskError,
    NameRequestError, RedeliverError, Refusal, Resource, StoreError, TagError, TakenName, UpdateEntityError,
    WebhookError, WriteError,
};

use crate::ApiError;

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::temporarily_unavailable(error),
            StoreError::Internal(_) => Self::internal(error),
        }
    }
}

impl<R: Into<ApiError>> From<WriteError<R>> for ApiError {
    fn from(error: WriteError<R>) -> Self {
        match error {
            WriteError::Refused(refusal) => refusal.into(),
            WriteError::AlreadyRecorded => Self::conflict("The same request was answered a moment ago"),
            WriteError::Store(error) => error.into(),
        }
    }
}

impl From<AuthError> for ApiError {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::Unknown => Self::invalid_key("Invalid API key"),
            AuthError::Deactivated => Self::invalid_key("API key is deactivated"),
            AuthError::TooMany(quota) => Self::too_many("Rate limit exceeded", quota.resets_in),
            AuthError::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound(Resource::Workspace) => Self::internal("a key's workspace does not exist"),
            Refusal::NotFound(resource) => Self::not_found(resource.name()),
            Refusal::NotFoundAt(resource, field) => Self::not_found_at(resource.name(), &field),
            Refusal::InvalidField(invalid) => invalid.into(),
            Refusal::Canceled => Self::forbidden("The subscription is canceled"),
            Refusal::Ended => Self::forbidden("The subscription has ended"),
            Refusal::PromptLimit { limit, free } => Self::forbidden(format!(
                "The workspace's limit of {limit} prompts would be exceeded: {free} are free"
            )),
        }
    }
}

impl From<CreateEntityError> for ApiError {
    fn from(error: CreateEntityError) -> Self {
        match error {
            CreateEntityError::Common(refusal) => refusal.into(),
            CreateEntityError::AlreadyTracked => {
                Self::conflict("This domain or name is tracked in the workspace already")
            }
            CreateEntityError::EntityLimit { limit } => {
                Self::forbidden(format!("The workspace's limit of {limit} entities is reached"))
            }
            CreateEntityError::TooMany { retry_after } => {
                Self::too_many("The hourly limit of entity creations is reached", retry_after)
            }
        }
    }
}

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::Common(refusal) => refusal.into(),
            WebhookError::Limit => Self::forbidden(format!(
                "The workspace's limit of {MAX_WEBHOOKS} webhooks is reached"
            )),
        }
    }
}

impl From<RedeliverError> for ApiError {
    fn from(error: RedeliverError) -> Self {
        match error {
            RedeliverError::Common(refusal) => refusal.into(),
            RedeliverError::Pending => {
                Self::conflict("The delivery is pending, and is tried again by itself")
            }
            RedeliverError::Disabled => Self::conflict("The webhook is disabled"),
        }
    }
}

impl From<UpdateEntityError> for ApiError {
    fn from(error: UpdateEntityError) -> Self {
        match error {
            UpdateEntityError::Common(refusal) => refusal.into(),
            UpdateEntityError::AlreadyTracked => {
                Self::conflict("This target is tracked in the workspace already")
            }
            UpdateEntityError::AliasTaken(taken) => Self::conflict(taken_text("aliases", &taken)),
        }
    }
}

/// Returns the text for a name that another brand has. Whose it is, a client may not be allowed to know.
fn taken_text(field: &str, taken: &TakenName) -> String {
    let name = &taken.0;
    format!("{field} must not have “{name}”: another tracked brand has it as name, alias or domain")
}

impl From<NameRequestError> for ApiError {
    fn from(error: NameRequestError) -> Self {
        match error {
            NameRequestError::Common(refusal) => refusal.into(),
            NameRequestError::SameName => {
                InvalidField::new("suggestedName", "must differ from the current name").into()
            }
            NameRequestError::NameTaken(taken) => Self::conflict(taken_text("suggestedName", &taken)),
            NameRequestError::AliasTaken(taken) => Self::conflict(taken_text("aliases", &taken)),
            NameRequestError::Pending => {
                Self::conflict("A name change request of this entity waits for its review already")
            }
        }
    }
}

impl From<ClaimError> for ApiError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Common(refusal) => refusal.into(),
            ClaimError::Running | ClaimError::NotDue => Self::conflict("A check of this entity is running"),
            ClaimError::NoActivePrompt => Self::invalid("entityId must name an entity with an active prompt"),
            ClaimError::NoModel => {
                Self::invalid("entityId must name an entity with a model of a configured provider")
            }
            ClaimError::NoCredits { needed, balance } => Self::forbidden(format!(
                "The check needs {needed} credits, the balance is {balance}"
            )),
            ClaimError::PlanTooLarge { prompts, brands } => Self::forbidden(format!(
                "A check of {prompts} prompts that looks for {brands} brands is too large"
            )),
            ClaimError::TooMany => Self::forbidden(format!(
                "An entity has at most {MAX_CHECKS_PER_DAY} checks a day before no more can be asked for"
            )),
        }
    }
}

impl From<TagError> for ApiError {
    fn from(error: TagError) -> Self {
        match error {
            TagError::Common(refusal) => refusal.into(),
            TagError::TagLimit => Self::forbidden(format!(
                "The workspace's limit of {MAX_TAGS_PER_WORKSPACE} tags is reached"
            )),
            TagError::NameTaken => Self::conflict("The workspace has a tag of this name already"),
        }
    }
}

impl From<GroupError> for ApiError {
    fn from(error: GroupError) -> Self {
        match error {
            GroupError::Common(refusal) => refusal.into(),
            GroupError::InOtherGroup { index } => {
                Self::conflict(format!("entities[{index}] is a member of another domain group"))
            }
            GroupError::EntityLimit { limit } => Self::forbidden(format!(
                "The workspace's limit of {limit} entities would be exceeded"
            )),
            GroupError::ScopeLimit { limit } => Self::forbidden(format!(
                "The domain groups of one entity may be at most {limit} groups and members together"
            )),
        }
    }
}

impl From<CreateTaskError> for ApiError {
    fn from(error: CreateTaskError) -> Self {
        match error {
            CreateTaskError::Common(refusal) => refusal.into(),
            CreateTaskError::NotActive(ActionableStatus::Dismissed) => {
                Self::conflict("The actionable is dismissed")
            }
            CreateTaskError::NotActive(_) => Self::conflict("The actionable is a task already"),
            CreateTaskError::TaskLimit => {
                Self::forbidden(format!("The entity's limit of {MAX_TASKS} tasks is reached"))
            }
        }
    }
}

impl From<DismissError> for ApiError {
    fn from(error: DismissError) -> Self {
        match error {
            DismissError::Common(refusal) => refusal.into(),
            DismissError::InTask => {
                Self::conflict("The actionable is a task on the board: it cannot be dismissed")
            }
        }
    }
}

impl From<MoveTaskError> for ApiError {
    fn from(error: MoveTaskError) -> Self {
        match error {
            MoveTaskError::Common(refusal) => refusal.into(),
            MoveTaskError::Done => Self::conflict("The task is done: without status it has no next step"),
        }
    }
}
