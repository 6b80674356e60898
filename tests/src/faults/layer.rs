//! The HTTP client that a call goes through.

use std::fmt;
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use serde_json::{Value, json};

use super::timer::time_out;
use super::{AwsCall, Fault, Faults, made_up, pages};
use crate::HttpInterceptor;

/// How late a slow response is.
const LATE: Duration = Duration::from_millis(25);

impl HttpInterceptor for Faults {
    async fn send(
        self,
        inner: SharedHttpConnector,
        mut request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let (place, call) = self.begin(&request);
        let fault = call.fault;
        if let Some(refused) = fault.and_then(|fault| refused(fault, &call)) {
            self.end(place, None);
            return Ok(refused);
        }
        match fault {
            Some(Fault::Unreachable) => {
                self.end(place, None);
                return Err(ConnectorError::io("no connection".into()).never_connected());
            }
            Some(Fault::TimeoutBefore) => {
                self.end(place, None);
                return time_out().await;
            }
            Some(Fault::CrashBefore) => return self.crash().await,
            _ => {}
        }
        let mut left = None;
        match fault {
            Some(Fault::Unprocessed) => left = made_up::leave_out_keys(&mut request, call.request),
            Some(Fault::FailedEntries) => left = made_up::leave_out_entries(&mut request, call.request),
            Some(Fault::ShortPage) => pages::shorten(&mut request, call.request),
            _ if call.operation == "Query" => pages::go_on(&mut request, call.request),
            _ => {}
        }
        // What was sent arrives, though its caller may be dropped meanwhile.
        let (faults, sent) = (self.clone(), inner.call(request));
        let sent = tokio::spawn(async move {
            let response = sent.await;
            faults.end(place, response.as_ref().ok().map(|r| r.status().as_u16()));
            response
        });
        let response = sent.await.map_err(|e| ConnectorError::other(e.into(), None))??;
        match fault {
            Some(Fault::Lost) => Err(ConnectorError::io("the connection broke".into())),
            Some(Fault::TimeoutAfter) => time_out().await,
            Some(Fault::CrashAfter) => self.crash().await,
            Some(Fault::Reset) => made_up::cut(response, true).await,
            Some(Fault::Truncated) => made_up::cut(response, false).await,
            Some(Fault::Slow) => {
                tokio::time::sleep(LATE).await;
                Ok(response)
            }
            _ => match left {
                Some(left) => left.mark(response).await,
                None => Ok(response),
            },
        }
    }
}

/// The answer of an endpoint, or of what is before it, that did nothing.
fn refused(fault: Fault, call: &AwsCall) -> Option<HttpResponse> {
    // Its text quotes the request, as AWS's may.
    let said = call.request.to_string();
    let refuse = |status, code: &str| made_up::refusal(status, code, &said, None);
    Some(match fault {
        Fault::Throttled => refuse(400, "ProvisionedThroughputExceededException"),
        Fault::LimitExceeded => refuse(400, "RequestLimitExceeded"),
        Fault::InProgress => refuse(400, "TransactionInProgressException"),
        Fault::ServerError => refuse(500, "InternalServerError"),
        Fault::ServiceUnavailable => refuse(503, "ServiceUnavailable"),
        Fault::InvalidField => refuse(400, "ValidationException"),
        Fault::BadGateway => made_up::page(502),
        Fault::Conflict if call.operation == "UpdateItem" => refuse(400, "TransactionConflictException"),
        Fault::Conflict => {
            let actions = call.request["TransactItems"].as_array().map_or(0, Vec::len);
            let reasons: Vec<Value> = (0..actions)
                .map(|n| json!({"Code": if n == 0 { "TransactionConflict" } else { "None" }}))
                .collect();
            made_up::refusal(400, "TransactionCanceledException", &said, Some(&reasons))
        }
        Fault::EmptyPage => pages::empty(&call.request),
        Fault::FailedEntries
            if call.request["Entries"]
                .as_array()
                .is_some_and(|all| all.len() < 2) =>
        {
            made_up::response(200, &made_up::failed_entries(1, &[]))
        }
        _ => return None,
    })
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Faults")
    }
}
