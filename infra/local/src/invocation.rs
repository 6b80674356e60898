//! The context of a function's invocation.

use domain::time::Timestamp;
use lambda_runtime::Context;

/// The end of the year 9999, in an invocation without a deadline.
const NO_DEADLINE: Timestamp = Timestamp::from_millis(253_402_300_799_999);

/// Returns the context of an invocation that must end by `deadline` in real time. `None` means no deadline.
pub fn context(request_id: &str, deadline: Option<Timestamp>) -> Context {
    let deadline = deadline.unwrap_or(NO_DEADLINE).min(NO_DEADLINE);
    let mut context = Context::default();
    request_id.clone_into(&mut context.request_id);
    context.deadline = deadline.as_millis().cast_unsigned(); // No deadline is before 1970.
    context
}
