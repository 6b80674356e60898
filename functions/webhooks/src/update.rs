//! `PATCH /webhooks`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::error::InvalidField;
use domain::id::WebhookId;
use store::WebhookUpdate;

use crate::WebhooksState;
use crate::fields::{EntityIds, parse_events, parse_format, parse_url};
use crate::view::{WebhookResponse, WebhookView};

const FIELDS: [&str; 5] = ["url", "format", "events", "entityIds", "enabled"];

/// Changes the given fields of a webhook, and returns it. Returns 404 if the webhook or an entity does not
/// exist.
pub(crate) async fn update(request: ApiRequest<WebhooksState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let webhook = body.required_text("webhookId")?;
    if !FIELDS.iter().any(|field| body.is_given(field)) {
        return Err(InvalidField::new("body", "must have url, format, events, entityIds or enabled").into());
    }
    let mut update = WebhookUpdate {
        url: parse_url(&body, request.state.targets)?,
        format: parse_format(&body)?,
        events: parse_events(&body)?,
        entities: None,
        is_enabled: body.flag("enabled")?,
    };
    let entities = EntityIds::read(&body)?;
    let id: WebhookId = request.parse_id(webhook)?;
    update.entities = entities.parse(&request.key_scope)?;
    let api = &request.state.api;
    let updated = api.store.update_webhook(&request.tenant, &id, &update).await?;
    ApiResponse::from_fields(&WebhookResponse {
        data: WebhookView::new(&updated, api.clock.now()),
    })
}
