//! `GET /webhooks/deliveries`

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::id::WebhookId;
use domain::page::Pagination;
use serde::Serialize;

use crate::WebhooksState;
use crate::deliveries::DeliveryView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListDeliveriesResponse<'a> {
    /// The deliveries, the latest first.
    data: Vec<DeliveryView<'a>>,
    /// The page.
    pagination: Pagination,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "id",
    "webhookId",
    "eventId",
    "event",
    "entityId",
    "state",
    "attempts",
    "nextAttemptAt",
    "lastAttempt.at",
    "lastAttempt.status",
    "lastAttempt.error",
    "createdAt",
];

/// Returns the deliveries of a webhook of the past seven days. Returns 404 if the webhook does not exist.
pub(crate) async fn list(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let webhook = request.query.required_text("webhookId")?;
    let page = request.page()?;
    let id: WebhookId = request.parse_id(webhook)?;
    let store = request.store();
    let (webhook, deliveries) = tokio::try_join!(
        store.webhook(&request.tenant, &id),
        store.deliveries(&request.tenant, &id)
    )?;
    webhook.ok_or_else(|| ApiError::not_found("Webhook"))?;
    let total = deliveries.len();
    let rows = page.select_rows(deliveries);
    ApiResponse::from_fields(&ListDeliveriesResponse {
        data: rows.iter().map(DeliveryView::from).collect(),
        pagination: page.pagination(total),
    })
}
