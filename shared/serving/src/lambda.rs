//! Runs an HTTP service as a Lambda function.

use std::convert::Infallible;
use std::future::ready;
use std::pin::Pin;

use lambda_http::request::LambdaRequest;
use lambda_http::tower::ServiceExt;
use lambda_http::{
    Adapter, Body, Error, IntoResponse, LambdaEvent, Request, Response, Service, lambda_runtime,
};
use serde::Serialize;

use crate::event::sanitize_event;

/// A response whose body is text or binary, as its variant says.
///
/// `lambda_http` would find that out from the headers and decode text from its character set, for which a
/// function links the tables of all character sets.
struct EncodedResponse(Response<Body>);

impl IntoResponse for EncodedResponse {
    fn into_response(self) -> Pin<Box<dyn Future<Output = Response<Body>> + Send>> {
        Box::pin(ready(self.0))
    }
}

/// Serves an HTTP service behind API Gateway until the Lambda ends.
pub async fn run<S>(service: S) -> Result<(), Error>
where
    S: Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static,
{
    lambda_runtime::run(adapter(service)).await
}

/// Makes an HTTP service one of events of API Gateway, which Lambda and the local host invoke.
pub fn adapter<S>(
    service: S,
) -> impl Service<LambdaEvent<LambdaRequest>, Response = impl Serialize, Error = S::Error, Future: Send>
where
    S: Service<Request, Response = Response<Body>, Error: Send, Future: Send> + 'static,
{
    Adapter::from(service.map_response(EncodedResponse)).map_request(|event: LambdaEvent<_>| LambdaEvent {
        payload: sanitize_event(event.payload),
        ..event
    })
}

#[cfg(test)]
mod tests {
    use lambda_http::http::header::CONTENT_TYPE;
    use lambda_http::{Context, service_fn};
    use serde_json::{Value, json};

    use super::*;

    async fn response_with(content_type: &'static str, body: Body) -> Value {
        let service = service_fn(move |_: Request| {
            let response = Response::builder().header(CONTENT_TYPE, content_type);
            ready(Ok::<_, Infallible>(response.body(body.clone()).unwrap()))
        });
        let event = json!({
            "version": "2.0", "routeKey": "$default", "rawPath": "/", "rawQueryString": "", "headers": {},
            "isBase64Encoded": false, "requestContext": {"http": {"method": "GET", "path": "/"}, "stage": "$default"},
        });
        let request = serde_json::from_str(&event.to_string()).unwrap();
        let invocation = LambdaEvent::new(request, Context::default());
        serde_json::to_value(adapter(service).oneshot(invocation).await.unwrap()).unwrap()
    }

    #[tokio::test]
    async fn a_text_is_sent_as_it_is_and_binary_data_as_base64() {
        for (content_type, body, sent, is_base64) in [
            (
                "application/json",
                Body::from("{\"a\":\"é\"}"),
                "{\"a\":\"é\"}",
                false,
            ),
            ("text/csv; charset=utf-8", Body::from("a,ü\r\n"), "a,ü\r\n", false),
            ("text/html", Body::Binary(vec![0x1f, 0x8b, 0xff]), "H4v/", true),
        ] {
            let response = response_with(content_type, body).await;
            assert_eq!(response["body"], sent, "{content_type}");
            assert_eq!(response["isBase64Encoded"], is_base64, "{content_type}");
            assert_eq!(response["headers"]["content-type"], content_type);
        }
    }
}
