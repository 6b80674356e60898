//! What requests take.

use api::{Body, Input, Kind, List, Resource};

/// The parameter `status` of `GET /entities/actions`.
pub(crate) const ACTIONABLE_STATUS: Input =
    Input::optional("status", Kind::Word("ActionableStatus", &["active", "dismissed", "in_task"]),
        "Only actionables with this status. Tasks are always listed.");

/// The body of `POST /entities/actions/create-task`.
pub(crate) const CREATE_TASK: Body = Body::Fields(&[
    Input::id("actionableId", Resource::Actionable, "An active actionable"),
    Input::optional("assignees", Kind::List(&List::of(Kind::Choice(Resource::Member), "The `userId` of an active member")),
        "Who works on the task"),
]);

/// The body of `POST /entities/actions/update-status`.
pub(crate) const UPDATE_STATUS: Body = Body::Fields(&[
    Input::id("taskId", Resource::Task, "The task"),
    TASK_STATUS,
]);
pub(crate) const TASK_STATUS: Input =
    Input::optional("status", Kind::Word("TaskStatus", &["not_started", "in_progress", "in_review", "done"]),
        "The column. Without it the task moves one step forward.").extension();
