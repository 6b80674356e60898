//! The events endpoint: EventBridge's PutEvents over HTTP, with one bus, whose rules each have a queue as
//! their target.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use domain::clock::Clock;
use http::{HeaderValue, Method, Response, StatusCode, header};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::entry::{self, EntryError};
use super::queue::Queue;
use crate::local_programs::only_local_programs;
use crate::server;

/// The maximum length of a request body, in bytes. Ten entries of the maximum size fit into it even if their
/// text is escaped.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
/// EventBridge's limit for the total size of the entries of a request, in bytes.
const MAX_ENTRIES_BYTES: usize = 256 * 1024;

/// A predicate on the envelope that selects the events that go to a queue.
#[derive(Clone)]
pub struct Rule(Arc<dyn Fn(&Value) -> bool + Send + Sync>);

impl Rule {
    /// Matches events for which `matches` returns true.
    pub fn new(matches: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(matches))
    }

    /// Matches events of one of these sources.
    pub fn sources(sources: Vec<String>) -> Self {
        Self::new(move |event| {
            let source = event["source"].as_str().unwrap_or_default();
            sources.iter().any(|known| known == source)
        })
    }

    /// Matches events of this source that have one of these `detail-type`s.
    pub fn detail_types(source: &'static str, detail_types: Vec<&'static str>) -> Self {
        Self::new(move |event| {
            let detail_type = event["detail-type"].as_str();
            event["source"] == source && detail_types.iter().any(|known| Some(*known) == detail_type)
        })
    }
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
        let app = Router::new().fallback(handle).with_state(self).merge(routes);
        let address = listener.local_addr()?;
        server::serve(listener, only_local_programs(app, address.ip()), shutdown).await
    }

    /// Puts one entry on the bus and returns the id of the event.
    fn put(&self, entry: &Value) -> Result<String, EntryError> {
        let event = entry::envelope(entry, self.clock.now())?;
        let id = event["id"].as_str().unwrap_or_default().to_owned();
        for (_, queue) in self.rules.iter().filter(|(rule, _)| (rule.0)(&event)) {
            queue.send(event.to_string()).map_err(|_| EntryError {
                code: "ThrottlingException",
                message: "The queue is full.".to_owned(),
            })?;
        }
        Ok(id)
    }

    fn put_events(&self, request: &Value) -> Result<Value, RequestError> {
        let entries = match request.get("Entries") {
            None | Some(Value::Null) => {
                return Err(RequestError::validation(
                    "Value null at 'entries'",
                    "Member must not be null",
                ));
            }
            Some(Value::Array(entries)) => entries,
            Some(_) => return Err(RequestError::SERIALIZATION),
        };
        if !(1..=10).contains(&entries.len()) {
            let (bound, length) = if entries.is_empty() {
                ("greater", 1)
            } else {
                ("less", 10)
            };
            let rule = format!("Member must have length {bound} than or equal to {length}");
            return Err(RequestError::validation("Value at 'entries'", &rule));
        }
        if entries.iter().map(entry::size).sum::<usize>() > MAX_ENTRIES_BYTES {
            let text = "Total size of the entries in the request is over the limit.";
            return Err(RequestError::new("ValidationException", text));
        }

        let mut failed = 0;
        let results: Vec<Value> = entries
            .iter()
            .map(|entry| match self.put(entry) {
                Ok(id) => json!({ "EventId": id }),
                Err(error) => {
                    failed += 1;
                    json!({ "ErrorCode": error.code, "ErrorMessage": error.message })
                }
            })
            .collect();
        Ok(json!({ "FailedEntryCount": failed, "Entries": results }))
    }
}

/// The error with which EventBridge rejects a request.
struct RequestError {
    status: StatusCode,
    kind: &'static str,
    message: String,
}

impl RequestError {
    const SERIALIZATION: Self = Self {
        status: StatusCode::BAD_REQUEST,
        kind: "SerializationException",
        message: String::new(),
    };

    fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            kind,
            message: message.into(),
        }
    }

    fn validation(subject: &str, rule: &str) -> Self {
        let text = format!("1 validation error detected: {subject} failed to satisfy constraint: {rule}");
        Self::new("ValidationException", text)
    }
}

async fn handle(State(events): State<EventsEndpoint>, request: Request) -> Response<Body> {
    let (status, body) = match put_events(&events, request).await {
        Ok(body) => (StatusCode::OK, body),
        Err(error) => {
            let body = json!({ "__type": error.kind, "message": error.message });
            (error.status, body)
        }
    };
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/x-amz-json-1.1");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    if let Ok(id) = HeaderValue::from_str(&Uuid::new_v4().to_string()) {
        response.headers_mut().insert("x-amzn-requestid", id);
    }
    response
}

async fn put_events(events: &EventsEndpoint, request: Request) -> Result<Value, RequestError> {
    let (parts, body) = request.into_parts();
    let is_put_events = parts
        .headers
        .get("x-amz-target")
        .is_some_and(|target| target == "AWSEvents.PutEvents");
    if parts.method != Method::POST || parts.uri.path() != "/" || !is_put_events {
        return Err(RequestError::new(
            "UnknownOperationException",
            "This endpoint implements only PutEvents.",
        ));
    }
    let body = to_bytes(body, MAX_BODY_BYTES).await.map_err(|_| RequestError {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        kind: "RequestEntityTooLargeException",
        message: String::new(),
    })?;
    let request = serde_json::from_slice(&body).map_err(|_| RequestError::SERIALIZATION)?;
    events.put_events(&request)
}
