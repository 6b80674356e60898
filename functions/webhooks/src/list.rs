//! `GET /webhooks`

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use serde::Serialize;

use crate::WebhooksState;
use crate::view::WebhookView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListWebhooksResponse<'a> {
    /// The webhooks.
    data: Vec<WebhookView<'a>>,
    /// The number of webhooks in `data`.
    count: usize,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "id",
    "url",
    "format",
    "events",
    "entityIds",
    "enabled",
    "disabled.at",
    "disabled.reason",
    "oldSecretExpiresAt",
    "createdAt",
    "updatedAt",
];

/// Returns the workspace's webhooks, oldest first, without their secrets.
pub(crate) async fn list(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let api = &request.state.api;
    let webhooks = api.store.webhooks(&request.tenant).await?;
    let now = api.clock.now();
    ApiResponse::from_fields(&ListWebhooksResponse {
        data: webhooks
            .iter()
            .map(|webhook| WebhookView::new(webhook, now))
            .collect(),
        count: webhooks.len(),
    })
}
