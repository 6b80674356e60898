//! `POST /webhooks/rotate-secret`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::WebhookId;
use domain::webhook::Webhook;

use crate::WebhooksState;
use crate::view::WebhookSecretResponse;

/// Gives a webhook a new secret, and returns it. For a day, messages are signed with the last secret as well.
/// Returns 404 if the webhook does not exist.
pub(crate) async fn rotate(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let id: WebhookId = request.parse_id(body.required_text("webhookId")?)?;
    let api = &request.state.api;
    let now = api.clock.now();
    let repeated =
        |webhook: &Webhook| ApiResponse::from_fields(&WebhookSecretResponse::repeated(webhook, now));
    let rotated = api
        .store
        .rotate_webhook_secret(&request.tenant, &id, &request.reply_recorder(&repeated))
        .await?;
    ApiResponse::from_fields(&WebhookSecretResponse::new(&rotated, now))
}
