//! Responses that the real endpoint did not give.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use axum::body::Bytes;
use http_body::{Body, Frame};
use serde_json::{Value, json};

pub(super) fn response(status: u16, body: &Value) -> HttpResponse {
    with_body(
        status,
        "application/x-amz-json-1.0",
        SdkBody::from(body.to_string()),
    )
}

/// An error as DynamoDB and EventBridge write it.
pub(super) fn refusal(status: u16, code: &str, said: &str, reasons: Option<&[Value]>) -> HttpResponse {
    let mut body = json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": said});
    if let Some(reasons) = reasons {
        body["CancellationReasons"] = reasons.into();
    }
    response(status, &body)
}

/// What a proxy says of itself.
pub(super) fn page(status: u16) -> HttpResponse {
    let body = SdkBody::from("<html><body><h1>Bad Gateway</h1></body></html>");
    with_body(status, "text/html", body)
}

/// Half of a response; `broken`: the connection breaks there, otherwise it looks like all.
pub(super) async fn cut(real: HttpResponse, broken: bool) -> Result<HttpResponse, ConnectorError> {
    let status = real.status().as_u16();
    let mut body = bytes(real).await?;
    body.truncate(body.len() / 2);
    let body = if broken {
        SdkBody::from_body_1_x(Broken(Some(Bytes::from(body))))
    } else {
        SdkBody::from(body)
    };
    Ok(with_body(status, "application/x-amz-json-1.0", body))
}

/// A body whose connection breaks after its beginning.
struct Broken(Option<Bytes>);

impl Body for Broken {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let begun = self.0.take().map(|bytes| Ok(Frame::data(bytes)));
        Poll::Ready(begun.or_else(|| Some(Err(io::ErrorKind::ConnectionReset.into()))))
    }
}

/// What was taken out of a request.
pub(super) enum Left {
    /// `UnprocessedKeys`.
    Keys(Value),
    /// How many entries the request had.
    Entries(usize),
}

/// Takes every second key out of a batch.
pub(super) fn leave_out_keys(request: &mut HttpRequest, mut body: Value) -> Option<Left> {
    let mut unread = json!({});
    for (table, items) in body["RequestItems"].as_object_mut().into_iter().flatten() {
        let keys = items["Keys"].as_array().cloned().unwrap_or_default();
        let (read, left): (Vec<_>, Vec<_>) = keys.chunks(2).map(|pair| (&pair[0], pair.get(1))).unzip();
        items["Keys"] = read.into_iter().cloned().collect();
        let left: Vec<Value> = left.into_iter().flatten().cloned().collect();
        if !left.is_empty() {
            unread[table] = items.clone();
            unread[table]["Keys"] = left.into();
        }
    }
    put_body(request, &body);
    Some(Left::Keys(unread))
}

/// Takes every second entry out of those to publish, the first one included.
pub(super) fn leave_out_entries(request: &mut HttpRequest, mut body: Value) -> Option<Left> {
    let entries = body["Entries"].as_array().cloned().unwrap_or_default();
    body["Entries"] = entries.iter().skip(1).step_by(2).cloned().collect();
    put_body(request, &body);
    Some(Left::Entries(entries.len()))
}

/// What PutEvents answers for so many entries of which it took every second one, with the results of those.
pub(super) fn failed_entries(entries: usize, taken: &[Value]) -> Value {
    let refused = json!({"ErrorCode": "InternalFailure", "ErrorMessage": "Not taken."});
    let mut taken = taken.iter();
    let results: Vec<&Value> = (0..entries)
        .map(|place| {
            if place % 2 == 0 {
                &refused
            } else {
                taken.next().unwrap_or(&refused)
            }
        })
        .collect();
    json!({"FailedEntryCount": entries.div_ceil(2), "Entries": results})
}

impl Left {
    /// The real response, with what was left out in it.
    pub(super) async fn mark(self, real: HttpResponse) -> Result<HttpResponse, ConnectorError> {
        if !real.status().is_success() {
            return Ok(real);
        }
        let mut body: Value = serde_json::from_slice(&bytes(real).await?).unwrap_or_default();
        match self {
            Self::Keys(unread) => body["UnprocessedKeys"] = unread,
            Self::Entries(count) => {
                let taken = body["Entries"].as_array().cloned().unwrap_or_default();
                body = failed_entries(count, &taken);
            }
        }
        Ok(response(200, &body))
    }
}

pub(super) fn put_body(request: &mut HttpRequest, body: &Value) {
    let body = body.to_string();
    request
        .headers_mut()
        .insert("content-length", body.len().to_string());
    *request.body_mut() = SdkBody::from(body);
}

async fn bytes(mut real: HttpResponse) -> Result<Vec<u8>, ConnectorError> {
    let body = ByteStream::new(real.take_body())
        .collect()
        .await
        .map_err(|e| ConnectorError::io(e.into()))?;
    Ok(body.to_vec())
}

fn with_body(status: u16, content_type: &'static str, body: SdkBody) -> HttpResponse {
    let status = StatusCode::try_from(status).expect("a status");
    let mut response = HttpResponse::new(status, body);
    response.headers_mut().insert("content-type", content_type);
    response
}
