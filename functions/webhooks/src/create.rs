//! `POST /webhooks`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::error::InvalidField;
use domain::webhook::{Format, Webhook};
use store::NewWebhook;

use crate::WebhooksState;
use crate::fields::{EntityIds, parse_events, parse_format, parse_url};
use crate::view::WebhookSecretResponse;

/// Creates a webhook, and returns it with its secret. Returns 403 if the workspace's limit of webhooks is
/// reached, and 404 if an entity does not exist.
pub(crate) async fn create(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    body.required_text("url")?;
    let required = |field| InvalidField::new(field, "is required");
    let url = parse_url(&body, request.state.targets)?.ok_or_else(|| required("url"))?;
    let events = parse_events(&body)?.ok_or_else(|| required("events"))?;
    let format = parse_format(&body)?.unwrap_or(Format::Json);
    let entities = EntityIds::read(&body)?.parse(&request.key_scope)?.flatten();
    let new = NewWebhook {
        url,
        format,
        events,
        entities,
    };
    let api = &request.state.api;
    let now = api.clock.now();
    let repeated =
        |webhook: &Webhook| ApiResponse::from_fields(&WebhookSecretResponse::repeated(webhook, now));
    let created = api
        .store
        .create_webhook(&request.tenant, &new, &request.reply_recorder(&repeated))
        .await?;
    ApiResponse::from_fields(&WebhookSecretResponse::new(&created, now))
}
