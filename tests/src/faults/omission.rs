//! Omits parts of a batch request and reports them in its response as not processed.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use serde_json::{Value, json};

use super::fake_responses::{failed_entries, json_response, read_body};
use super::pages::put_body;

/// The parts that were omitted from a request.
pub(super) enum Omission {
    /// The value of `UnprocessedKeys`.
    Keys(Value),
    /// Every second entry. The value is the number of all entries.
    Entries(usize),
}

impl Omission {
    /// Omits every second key of a `BatchGetItem`.
    pub(super) fn omit_keys(request: &mut HttpRequest, mut body: Value) -> Self {
        let mut unprocessed = json!({});
        for (table, items) in body["RequestItems"].as_object_mut().into_iter().flatten() {
            let keys = items["Keys"].as_array().cloned().unwrap_or_default();
            let (read, omitted): (Vec<_>, Vec<_>) =
                keys.chunks(2).map(|pair| (&pair[0], pair.get(1))).unzip();
            items["Keys"] = read.into_iter().cloned().collect();
            let omitted: Vec<Value> = omitted.into_iter().flatten().cloned().collect();
            if !omitted.is_empty() {
                unprocessed[table] = items.clone();
                unprocessed[table]["Keys"] = omitted.into();
            }
        }
        put_body(request, &body);
        Self::Keys(unprocessed)
    }

    /// Omits every second entry of a `PutEvents`, beginning with the first one.
    pub(super) fn omit_entries(request: &mut HttpRequest, mut body: Value) -> Self {
        let entries = body["Entries"].as_array().cloned().unwrap_or_default();
        body["Entries"] = entries.iter().skip(1).step_by(2).cloned().collect();
        put_body(request, &body);
        Self::Entries(entries.len())
    }

    /// Adds the omitted parts to the endpoint's response.
    pub(super) async fn report_in(self, real: HttpResponse) -> Result<HttpResponse, ConnectorError> {
        if !real.status().is_success() {
            return Ok(real);
        }
        let mut body: Value = serde_json::from_slice(&read_body(real).await?).unwrap_or_default();
        match self {
            Self::Keys(unprocessed) => body["UnprocessedKeys"] = unprocessed,
            Self::Entries(count) => {
                let accepted = body["Entries"].as_array().cloned().unwrap_or_default();
                body = failed_entries(count, &accepted);
            }
        }
        Ok(json_response(200, &body))
    }
}
