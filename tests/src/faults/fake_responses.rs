//! Responses that the endpoint did not send.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use axum::body::Bytes;
use http_body::{Body, Frame};
use serde_json::{Value, json};

pub(super) fn json_response(status: u16, body: &Value) -> HttpResponse {
    with_body(
        status,
        "application/x-amz-json-1.0",
        SdkBody::from(body.to_string()),
    )
}

/// Returns an error in the format of DynamoDB and EventBridge. `reasons` are a transaction's cancellation
/// reasons.
pub(super) fn error(status: u16, code: &str, message: &str, reasons: Option<&[Value]>) -> HttpResponse {
    let mut body = json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": message});
    if let Some(reasons) = reasons {
        body["CancellationReasons"] = reasons.into();
    }
    json_response(status, &body)
}

/// Returns a proxy's HTML page.
pub(super) fn proxy_page(status: u16) -> HttpResponse {
    let body = SdkBody::from("<html><body><h1>Bad Gateway</h1></body></html>");
    with_body(status, "text/html", body)
}

/// Returns the first half of a response. With `is_broken`, the connection breaks there; otherwise the body
/// looks complete.
pub(super) async fn cut(real: HttpResponse, is_broken: bool) -> Result<HttpResponse, ConnectorError> {
    let status = real.status().as_u16();
    let mut body = read_body(real).await?;
    body.truncate(body.len() / 2);
    let body = if is_broken {
        SdkBody::from_body_1_x(BrokenBody(Some(Bytes::from(body))))
    } else {
        SdkBody::from(body)
    };
    Ok(with_body(status, "application/x-amz-json-1.0", body))
}

/// A body whose connection breaks after the first bytes.
struct BrokenBody(Option<Bytes>);

impl Body for BrokenBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let first = self.0.take().map(|bytes| Ok(Frame::data(bytes)));
        Poll::Ready(first.or_else(|| Some(Err(io::ErrorKind::ConnectionReset.into()))))
    }
}

/// Returns the body of a `PutEvents` response in which every second entry, beginning with the first one,
/// failed. `accepted` are the results of the other entries.
pub(super) fn failed_entries(entries: usize, accepted: &[Value]) -> Value {
    let refused = json!({"ErrorCode": "InternalFailure", "ErrorMessage": "Not accepted."});
    let mut accepted = accepted.iter();
    let results: Vec<&Value> = (0..entries)
        .map(|index| {
            if index % 2 == 0 {
                &refused
            } else {
                accepted.next().unwrap_or(&refused)
            }
        })
        .collect();
    json!({"FailedEntryCount": entries.div_ceil(2), "Entries": results})
}

pub(super) async fn read_body(mut real: HttpResponse) -> Result<Vec<u8>, ConnectorError> {
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
