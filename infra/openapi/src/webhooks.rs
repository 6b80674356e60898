//! Describes the operations of `/webhooks` and the paths below it.

use ::webhooks::delete::DeleteWebhookResponse;
use ::webhooks::deliveries::list::ListDeliveriesResponse;
use ::webhooks::deliveries::redeliver::RedeliverResponse;
use ::webhooks::list::ListWebhooksResponse;
use ::webhooks::send_test::TestWebhookResponse;
use ::webhooks::view::{WebhookResponse, WebhookSecretResponse};
use domain::limits::MAX_WEBHOOKS;
use serde_json::{Value, json};
use store::{RedeliverError, WebhookError};

use crate::examples::{ENTITY, NOW, WEBHOOK, pagination};
use crate::operation::{Operation, Tag};

const SECRET: &str = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const DELIVERY: &str = "1795234369147-check_YeNhLe2QF84jNYyR_7";

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Webhooks",
        description: "URLs that are told when a check ends, a figure changes, or something needs attention. Messages are \
                      signed as the Standard Webhooks specification says.",
        operations: vec![
            list(),
            create(),
            update(),
            delete(),
            rotate_secret(),
            test(),
            deliveries(),
            redeliver(),
        ],
    }
}

fn example() -> Value {
    json!({
        "id": WEBHOOK, "url": "https://velumora.example/hook", "format": "json",
        "events": ["check.completed", "visibility.changed"], "entityIds": [ENTITY], "enabled": true, "disabled": null,
        "oldSecretExpiresAt": null, "createdAt": NOW, "updatedAt": NOW,
    })
}

fn example_delivery() -> Value {
    json!({
        "id": DELIVERY, "webhookId": WEBHOOK, "eventId": "check_YeNhLe2QF84jNYyR_7", "event": "check.completed",
        "entityId": ENTITY, "state": "delivered", "attempts": 1, "nextAttemptAt": null,
        "lastAttempt": {"at": NOW, "status": 204, "error": null}, "createdAt": NOW,
    })
}

fn with_links(operation: Operation, webhook: &str) -> Operation {
    operation
        .link("updateWebhook", "webhookId", webhook)
        .with("enabled", true)
        .link("testWebhook", "webhookId", webhook)
        .link("rotateWebhookSecret", "webhookId", webhook)
        .link("listDeliveries", "webhookId", webhook)
        .link("deleteWebhook", "webhookId", webhook)
}

fn list() -> Operation {
    let operation = Operation::new("listWebhooks", "The workspace's webhooks, oldest first")
        .extension()
        .response::<ListWebhooksResponse<'_>>(json!({"data": [example()], "count": 1}));
    with_links(operation, "$response.body#/data/0/id")
}

fn create() -> Operation {
    let operation = Operation::new("createWebhook", "Creates a webhook")
        .extension()
        .description(format!(
            "A workspace can have at most {MAX_WEBHOOKS} webhooks. The response has the secret with which messages are signed. A \
             message that is not accepted is tried again for three days, and can arrive after younger ones, or twice with one \
             `webhook-id`."
        ))
        .request_body(json!({
                "url": "https://velumora.example/hook", "events": ["check.completed", "visibility.changed"],
                "entityIds": [ENTITY],
            }))
        .response::<WebhookSecretResponse<'_>>(json!({"data": example(), "secret": SECRET}))
        .error(400, "url must be an https URL")
        .error(400, "url must have a public host name")
        .error(400, "events must have at least one kind of event")
        .refusal(WebhookError::Limit)
        .error(404, "Entity not found: entityIds[0]");
    with_links(operation, "$response.body#/data/id")
}

fn update() -> Operation {
    Operation::new("updateWebhook", "Changes a webhook")
        .extension()
        .description("Only the given fields change.")
        .request_body(json!({"webhookId": WEBHOOK, "enabled": true}))
        .response::<WebhookResponse<'_>>(json!({"data": example()}))
        .error(400, "webhookId is required")
        .error(400, "url must be an https URL")
        .error(404, "Entity not found: entityIds[0]")
        .link("listDeliveries", "webhookId", "$response.body#/data/id")
}

fn delete() -> Operation {
    Operation::new(
        "deleteWebhook",
        "Deletes a webhook. Pending messages are not sent.",
    )
    .extension()
    .response::<DeleteWebhookResponse>(json!({"data": {"webhookId": WEBHOOK}}))
}

fn rotate_secret() -> Operation {
    let operation = Operation::new("rotateWebhookSecret", "Gives a webhook a new secret")
    .extension()
    .description(
        "For a day, messages have a signature with the last secret as well, so that a receiver can change over. A secret before \
         that one is invalid at once.",
    )
    .request_body(json!({"webhookId": WEBHOOK}))
    .response::<WebhookSecretResponse<'_>>(json!({"data": example(), "secret": SECRET}));
    operation.link("deleteWebhook", "webhookId", "$response.body#/data/id")
}

fn test() -> Operation {
    Operation::new(
        "testWebhook",
        "Sends an event of the kind `webhook.test` to a webhook",
    )
    .extension()
    .request_body(json!({"webhookId": WEBHOOK}))
    .response::<TestWebhookResponse<'_>>(json!({
        "data": {"webhookId": WEBHOOK, "eventId": "test_9c3a2d1b6f8e7a450f4c2a1e5b7d5e90"},
        "message": "The test is being sent. The deliveries show whether it is accepted.",
    }))
    .error(400, "webhookId is required")
    .error(400, "webhookId must name a webhook that is enabled")
    .link("listDeliveries", "webhookId", "$response.body#/data/webhookId")
}

fn deliveries() -> Operation {
    Operation::new(
        "listDeliveries",
        "The deliveries of a webhook of the past seven days, the latest first",
    )
    .extension()
    .response::<ListDeliveriesResponse<'_>>(json!({"data": [example_delivery()], "pagination": pagination()}))
    .error(400, "webhookId is required")
    .link("redeliver", "webhookId", "$response.body#/data/0/webhookId")
    .with("deliveryId", "$response.body#/data/0/id")
}

fn redeliver() -> Operation {
    Operation::new("redeliver", "Sends a delivery that has ended again")
        .extension()
        .description("The message has the same `webhook-id`.")
        .request_body(json!({"webhookId": WEBHOOK, "deliveryId": DELIVERY}))
        .response::<RedeliverResponse<'_>>(json!({"data": example_delivery()}))
        .error(400, "deliveryId is required")
        .refusal(RedeliverError::Pending)
        .refusal(RedeliverError::Disabled)
        .link("listDeliveries", "webhookId", "$response.body#/data/webhookId")
}
