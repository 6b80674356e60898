//! `POST /webhooks/deliveries/redeliver`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::WebhookId;
use domain::webhook::{Delivery, DeliveryId};
use serde::Serialize;

use crate::WebhooksState;
use crate::deliveries::DeliveryView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct RedeliverResponse<'a> {
    /// The delivery, which is pending again.
    data: DeliveryView<'a>,
}

/// Sends a delivery that has ended again, with the same event id. Returns 404 if the webhook has no such
/// delivery, and 409 if it is pending or the webhook is disabled.
pub(crate) async fn redeliver(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let webhook = body.required_text("webhookId")?;
    let delivery = body.required_text("deliveryId")?;
    let webhook: WebhookId = request.parse_id(webhook)?;
    let id: DeliveryId = delivery
        .trim()
        .parse()
        .map_err(|_| ApiError::not_found("Delivery"))?;
    let to_response = |delivery: &Delivery| {
        ApiResponse::from_fields(&RedeliverResponse {
            data: delivery.into(),
        })
    };
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let delivery = store.redeliver(&request.tenant, &webhook, &id, &recorder).await?;
    request.state.publish_notifications(&request.tenant).await;
    to_response(&delivery)
}
