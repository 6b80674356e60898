//! `DELETE /webhooks`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::WebhookId;
use serde::Serialize;

use crate::WebhooksState;

#[derive(Serialize, schemars::JsonSchema)]
pub struct DeleteWebhookResponse {
    /// The deleted webhook.
    data: DeletedWebhookView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DeletedWebhook")]
#[serde(rename_all = "camelCase")]
struct DeletedWebhookView {
    /// The webhook's id.
    webhook_id: WebhookId,
}

/// Deletes a webhook and returns its id. Pending deliveries are not sent. Returns 404 if the webhook does not
/// exist.
pub(crate) async fn delete(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let webhook = request.query.required_text("webhookId")?;
    let webhook_id: WebhookId = request.parse_id(webhook)?;
    let store = request.store();
    store.delete_webhook(&request.tenant, &webhook_id).await?;
    ApiResponse::from_fields(&DeleteWebhookResponse {
        data: DeletedWebhookView { webhook_id },
    })
}
