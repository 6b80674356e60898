//! Pages that are shorter than they need be. Where a page ends without an item there is no key to go on from: a
//! mark in it says so, and is taken out before the request goes on its way. To a caller a key means nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use serde_json::{Value, json};

use super::made_up::{put_body, response};

const START: &str = "ExclusiveStartKey";
const MARK: &str = "emptyPage";

/// A page without an item; the next one begins where this one did.
pub(super) fn empty(request: &Value) -> HttpResponse {
    // No two alike: a paginator that is sent to the same key again gives up.
    static PAGES: AtomicUsize = AtomicUsize::new(0);
    let mut next = request.get(START).cloned().unwrap_or_else(|| json!({}));
    next[MARK] = json!({"N": PAGES.fetch_add(1, Ordering::Relaxed).to_string()});
    let body = json!({"Items": [], "Count": 0, "ScannedCount": 0, "LastEvaluatedKey": next});
    response(200, &body)
}

/// Lets a query read one item.
pub(super) fn shorten(request: &mut HttpRequest, mut query: Value) {
    query["Limit"] = 1.into();
    unmark(&mut query);
    put_body(request, &query);
}

/// Takes the mark of an empty page before it out of a query.
pub(super) fn go_on(request: &mut HttpRequest, mut query: Value) {
    if unmark(&mut query) {
        put_body(request, &query);
    }
}

/// Whether there was a mark.
fn unmark(query: &mut Value) -> bool {
    let Some(start) = query.get_mut(START).and_then(Value::as_object_mut) else {
        return false;
    };
    let is_marked = start.remove(MARK).is_some();
    if start.is_empty()
        && let Some(fields) = query.as_object_mut()
    {
        fields.remove(START);
    }
    is_marked
}
