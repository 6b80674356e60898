//! `POST /webhooks/test`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::WebhookId;
use domain::webhook::Event;
use serde::Serialize;

use crate::WebhooksState;

#[derive(Serialize, schemars::JsonSchema)]
pub struct TestWebhookResponse<'a> {
    /// The event that is sent.
    data: TestedWebhookView<'a>,
    /// What happens next.
    message: &'static str,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "TestedWebhook")]
#[serde(rename_all = "camelCase")]
struct TestedWebhookView<'a> {
    /// The webhook's id.
    webhook_id: &'a WebhookId,
    /// The id of the event, which is the message's `webhook-id`.
    event_id: &'a str,
}

/// Sends an event of the kind `webhook.test` to a webhook. Returns 400 if the webhook is disabled, and 404 if
/// it does not exist.
pub(crate) async fn send(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let id: WebhookId = request.parse_id(body.required_text("webhookId")?)?;
    let to_response = |event: &Event| {
        ApiResponse::from_fields(&TestWebhookResponse {
            data: TestedWebhookView {
                webhook_id: &id,
                event_id: event.id.as_str(),
            },
            message: "The test is being sent. The deliveries show whether it is accepted.",
        })
    };
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let event = store.test_webhook(&request.tenant, &id, &recorder).await?;
    request.state.publish_notifications(&request.tenant).await;
    to_response(&event)
}
