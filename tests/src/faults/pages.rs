//! Pages of a `Query` that are shorter than they need to be.
//!
//! A page without items has no key after which the next page begins. It returns the key at which it began
//! itself, with a mark, which is removed before the next request is forwarded. To a caller the key is opaque.

use std::sync::atomic::{AtomicUsize, Ordering};

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

use super::fake_responses::json_response;

const START: &str = "ExclusiveStartKey";
const MARK: &str = "emptyPage";

/// Returns a page without items. The next page begins where this one does.
pub(super) fn empty(request: &Value) -> HttpResponse {
    // Each mark is different, because a paginator gives up when it receives the same key twice.
    static PAGES: AtomicUsize = AtomicUsize::new(0);
    let mut next = request.get(START).cloned().unwrap_or_else(|| json!({}));
    next[MARK] = json!({"N": PAGES.fetch_add(1, Ordering::Relaxed).to_string()});
    let body = json!({"Items": [], "Count": 0, "ScannedCount": 0, "LastEvaluatedKey": next});
    json_response(200, &body)
}

/// Limits a query to one item.
pub(super) fn shorten(request: &mut HttpRequest, mut query: Value) {
    query["Limit"] = 1.into();
    unmark(&mut query);
    put_body(request, &query);
}

/// Removes the mark of an empty page from a query.
pub(super) fn remove_mark(request: &mut HttpRequest, mut query: Value) {
    if unmark(&mut query) {
        put_body(request, &query);
    }
}

/// Removes the mark. Returns whether there was one.
fn unmark(query: &mut Value) -> bool {
    let Some(start) = query.get_mut(START).and_then(Value::as_object_mut) else {
        return false;
    };
    let is_marked = start.remove(MARK).is_some();
    if start.is_empty()
        && let Some(members) = query.as_object_mut()
    {
        members.remove(START);
    }
    is_marked
}

/// Replaces the body of a request.
pub(super) fn put_body(request: &mut HttpRequest, body: &Value) {
    let body = body.to_string();
    request
        .headers_mut()
        .insert("content-length", body.len().to_string());
    *request.body_mut() = SdkBody::from(body);
}
