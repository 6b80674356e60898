//! Responses that the real endpoint did not give.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use serde_json::{Value, json};

pub(super) fn response(status: u16, body: &Value) -> HttpResponse {
    let status = StatusCode::try_from(status).expect("a status");
    let mut response = HttpResponse::new(status, SdkBody::from(body.to_string()));
    response
        .headers_mut()
        .insert("content-type", "application/x-amz-json-1.0");
    response
}

/// Takes every second key out of a batch; what was taken out, as `UnprocessedKeys` names it.
pub(super) fn leave_out(request: &mut HttpRequest, mut body: Value) -> Value {
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
    let body = body.to_string();
    request
        .headers_mut()
        .insert("content-length", body.len().to_string());
    *request.body_mut() = SdkBody::from(body);
    unread
}

pub(super) async fn with_unread(
    mut real: HttpResponse,
    unread: &Value,
) -> Result<HttpResponse, ConnectorError> {
    let bytes = ByteStream::new(real.take_body())
        .collect()
        .await
        .map_err(|e| ConnectorError::io(e.into()))?;
    let mut body: Value = serde_json::from_slice(&bytes.into_bytes()).unwrap_or_default();
    body["UnprocessedKeys"] = unread.clone();
    Ok(response(200, &body))
}
