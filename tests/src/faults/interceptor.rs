//! Carries out the faults on the SDK's requests.

use std::fmt;
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use serde_json::{Value, json};

use super::aws_call::AwsCall;
use super::fault::Fault;
use super::injector::FaultInjector;
use super::omission::Omission;
use super::timer::time_out;
use super::{fake_responses, pages};
use crate::HttpInterceptor;

/// The delay of a slow response.
const SLOW: Duration = Duration::from_millis(25);

impl HttpInterceptor for FaultInjector {
    async fn intercept(
        self,
        next: SharedHttpConnector,
        mut request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let (number, mut call) = self.begin(&request);
        let fault = call.fault;
        if let Some(refusal) = fault.and_then(|fault| refusal(fault, &call)) {
            self.end(number, None);
            return Ok(refusal);
        }
        match fault {
            Some(Fault::Unreachable) => {
                self.end(number, None);
                return Err(ConnectorError::io("no connection".into()).never_connected());
            }
            Some(Fault::TimeoutBefore) => {
                self.end(number, None);
                return time_out().await;
            }
            Some(Fault::CrashBefore) => return self.crash().await,
            _ => {}
        }
        let omission = rewrite(&mut request, fault, &call.operation, call.request.take());
        let response = self.forward(number, next, request).await?;
        match fault {
            Some(Fault::Lost) => Err(ConnectorError::io("the connection broke".into())),
            Some(Fault::TimeoutAfter) => time_out().await,
            Some(Fault::CrashAfter) => self.crash().await,
            Some(Fault::Reset) => fake_responses::cut(response, true).await,
            Some(Fault::Truncated) => fake_responses::cut(response, false).await,
            Some(Fault::Slow) => {
                tokio::time::sleep(SLOW).await;
                Ok(response)
            }
            _ => match omission {
                Some(omission) => omission.report_in(response).await,
                None => Ok(response),
            },
        }
    }
}

impl FaultInjector {
    /// Sends a request, which arrives even if its caller is dropped meanwhile.
    async fn forward(
        &self,
        number: usize,
        next: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let (injector, sent) = (self.clone(), next.call(request));
        let sent = tokio::spawn(async move {
            let response = sent.await;
            injector.end(number, response.as_ref().ok().map(|r| r.status().as_u16()));
            response
        });
        sent.await.map_err(|e| ConnectorError::other(e.into(), None))?
    }
}

/// Rewrites the request as the fault requires. Returns what it omits from the request.
fn rewrite(
    request: &mut HttpRequest,
    fault: Option<Fault>,
    operation: &str,
    body: Value,
) -> Option<Omission> {
    match fault {
        Some(Fault::Unprocessed) => Some(Omission::omit_keys(request, body)),
        Some(Fault::FailedEntries) => Some(Omission::omit_entries(request, body)),
        Some(Fault::ShortPage) => {
            pages::shorten(request, body);
            None
        }
        _ => {
            if operation == "Query" {
                pages::remove_mark(request, body);
            }
            None
        }
    }
}

/// Returns the response of an endpoint, or of a proxy in front of it, that does not execute the call. Returns
/// `None` if the call is executed despite the fault.
fn refusal(fault: Fault, call: &AwsCall) -> Option<HttpResponse> {
    // The message quotes the request, as messages of AWS can.
    let message = call.request.to_string();
    let refuse = |status, code: &str| fake_responses::error(status, code, &message, None);
    Some(match fault {
        Fault::Throttled => refuse(400, "ProvisionedThroughputExceededException"),
        Fault::LimitExceeded => refuse(400, "RequestLimitExceeded"),
        Fault::InProgress => refuse(400, "TransactionInProgressException"),
        Fault::ServerError => refuse(500, "InternalServerError"),
        Fault::ServiceUnavailable => refuse(503, "ServiceUnavailable"),
        Fault::ValidationError => refuse(400, "ValidationException"),
        Fault::BadGateway => fake_responses::proxy_page(502),
        Fault::Conflict if call.operation == "UpdateItem" => refuse(400, "TransactionConflictException"),
        Fault::Conflict => {
            let actions = call.request["TransactItems"].as_array().map_or(0, Vec::len);
            let reasons: Vec<Value> = (0..actions)
                .map(|n| json!({"Code": if n == 0 { "TransactionConflict" } else { "None" }}))
                .collect();
            fake_responses::error(400, "TransactionCanceledException", &message, Some(&reasons))
        }
        Fault::EmptyPage => pages::empty(&call.request),
        Fault::FailedEntries
            if call.request["Entries"]
                .as_array()
                .is_some_and(|all| all.len() < 2) =>
        {
            fake_responses::json_response(200, &fake_responses::failed_entries(1, &[]))
        }
        _ => return None,
    })
}

impl fmt::Debug for FaultInjector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FaultInjector")
    }
}
