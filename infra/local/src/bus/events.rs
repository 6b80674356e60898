//! The events endpoint: EventBridge's PutEvents over HTTP, with one bus, whose rules each have a queue as
//! their target.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use domain::clock::Clock;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, StatusCode, Uri};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::queue::Queue;
use super::{ACCOUNT, REGION};
use crate::local_programs::only_local_programs;
use crate::server;

/// The maximum length of a request body, in bytes. Ten entries of the maximum size fit into it even if their
/// text is escaped.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
/// EventBridge's limits for the entries of a request: their number, and their size together in bytes.
const MAX_ENTRIES: usize = 10;
const MAX_ENTRIES_BYTES: usize = 256 * 1024;

/// Selects the events that go to a queue.
#[derive(Clone)]
pub struct Rule {
    source: &'static str,
    /// The kinds of events. `None` matches all of the source.
    detail_types: Option<Vec<&'static str>>,
}

impl Rule {
    /// Matches all events of this source.
    pub fn source(source: &'static str) -> Self {
        Self {
            source,
            detail_types: None,
        }
    }

    /// Matches events of this source that have one of these `detail-type`s.
    pub fn detail_types(source: &'static str, detail_types: Vec<&'static str>) -> Self {
        Self {
            source,
            detail_types: Some(detail_types),
        }
    }

    fn matches(&self, entry: &Entry) -> bool {
        let detail_types = self.detail_types.as_ref();
        entry.source == self.source
            && detail_types.is_none_or(|types| types.contains(&entry.detail_type.as_str()))
    }
}

/// A request to put events on a bus, without what the service never sends.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PutEvents {
    entries: Option<Vec<Entry>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Entry {
    source: String,
    detail_type: String,
    detail: String,
}

/// The bus. Accepts entries and puts each on the queues of the rules that it matches.
#[derive(Clone)]
pub struct EventsEndpoint {
    rules: Vec<(Rule, Queue)>,
    clock: Arc<dyn Clock>,
}

impl EventsEndpoint {
    /// Creates a bus with these rules and the queue of each.
    pub fn new(rules: impl IntoIterator<Item = (Rule, Queue)>, clock: Arc<dyn Clock>) -> Self {
        Self {
            rules: rules.into_iter().collect(),
            clock,
        }
    }

    /// Serves `POST /` with `X-Amz-Target: AWSEvents.PutEvents` until `shutdown` completes. Accepts any
    /// credentials and any bus name.
    pub async fn serve<F>(self, listener: TcpListener, shutdown: F) -> io::Result<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.serve_beside(Router::new(), listener, shutdown).await
    }

    /// Serves as [`Self::serve`] does, beside other routes.
    pub(crate) async fn serve_beside<F>(
        self,
        routes: Router,
        listener: TcpListener,
        shutdown: F,
    ) -> io::Result<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let limit = DefaultBodyLimit::max(MAX_BODY_BYTES);
        let app = Router::new().fallback(handle).layer(limit).with_state(self);
        let address = listener.local_addr()?;
        server::serve(
            listener,
            only_local_programs(app.merge(routes), address.ip()),
            shutdown,
        )
        .await
    }

    /// Puts the entries of a request on the bus. The error is a kind and a message.
    fn put_events(&self, body: &[u8]) -> Result<Value, (&'static str, String)> {
        let request: PutEvents =
            serde_json::from_slice(body).map_err(|_| ("SerializationException", String::new()))?;
        let entries: Vec<Entry> = request.entries.into_iter().flatten().collect();
        if !(1..=MAX_ENTRIES).contains(&entries.len()) {
            let rule = format!("Value at 'entries' must have 1 to {MAX_ENTRIES} members");
            return Err(("ValidationException", rule));
        }
        let size = |entry: &Entry| entry.source.len() + entry.detail_type.len() + entry.detail.len();
        if entries.iter().map(size).sum::<usize>() > MAX_ENTRIES_BYTES {
            let rule = "Total size of the entries in the request is over the limit.".to_owned();
            return Err(("ValidationException", rule));
        }
        let results: Vec<Value> = entries.iter().map(|entry| self.put(entry)).collect();
        let failed = results.iter().filter(|result| result.get("ErrorCode").is_some());
        Ok(json!({ "FailedEntryCount": failed.count(), "Entries": results }))
    }

    /// Puts one entry on the bus. Returns the id of its event, or why it is rejected.
    fn put(&self, entry: &Entry) -> Value {
        let rejected = |code: &str, rule: &str| json!({ "ErrorCode": code, "ErrorMessage": rule });
        if entry.source.is_empty() || entry.detail_type.is_empty() {
            return rejected("InvalidArgument", "Source and DetailType are required arguments.");
        }
        let detail: Option<Value> = serde_json::from_str(&entry.detail).ok();
        let Some(detail) = detail.filter(Value::is_object) else {
            return rejected("MalformedDetail", "Detail is malformed.");
        };
        let id = Uuid::new_v4().to_string();
        let event = json!({
            "version": "0",
            "id": id,
            "detail-type": entry.detail_type,
            "source": entry.source,
            "account": ACCOUNT,
            "time": self.clock.now().iso(),
            "region": REGION,
            "resources": [],
            "detail": detail,
        });
        for (_, queue) in self.rules.iter().filter(|(rule, _)| rule.matches(entry)) {
            queue.send(event.to_string());
        }
        json!({ "EventId": id })
    }
}

async fn handle(
    State(events): State<EventsEndpoint>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let target = headers.get("x-amz-target");
    let is_put_events = target.is_some_and(|target| target == "AWSEvents.PutEvents");
    let result = if method == Method::POST && uri.path() == "/" && is_put_events {
        events.put_events(&body)
    } else {
        let rule = "This endpoint implements only PutEvents.".to_owned();
        Err(("UnknownOperationException", rule))
    };
    let (status, body) = match result {
        Ok(body) => (StatusCode::OK, body),
        Err((kind, message)) => {
            let body = json!({ "__type": kind, "message": message });
            (StatusCode::BAD_REQUEST, body)
        }
    };
    (
        status,
        [(CONTENT_TYPE, "application/x-amz-json-1.1")],
        body.to_string(),
    )
        .into_response()
}
