//! The API function of webhooks: URLs that are told what happens to a workspace and its entities.
#![forbid(unsafe_code)]

pub mod create;
pub mod delete;
pub mod deliveries;
mod fields;
pub mod list;
#[rustfmt::skip] // A line per field.
mod requests;
pub mod rotate_secret;
pub mod send_test;
mod state;
pub mod update;
pub mod view;

use api::parameters::{LIMIT, OFFSET};
use api::{Route, route};

pub use crate::state::WebhooksState;

/// The endpoints of this function.
pub static ROUTES: &[Route<WebhooksState>] = &[
    route!(workspace "listWebhooks" Get "/webhooks" => list::list, csv list::COLUMNS),
    route!(workspace "createWebhook" Post "/webhooks" => create::create, body requests::CREATE),
    route!(workspace "updateWebhook" Patch "/webhooks" => update::update, body requests::UPDATE),
    route!(workspace "deleteWebhook" Delete "/webhooks" => delete::delete, query [requests::WEBHOOK_ID]),
    route!(workspace "rotateWebhookSecret" Post "/webhooks/rotate-secret" => rotate_secret::rotate, body requests::WEBHOOK),
    route!(workspace "testWebhook" Post "/webhooks/test" => send_test::send, body requests::WEBHOOK),
    route!(workspace "listDeliveries" Get "/webhooks/deliveries" => deliveries::list::list, csv deliveries::list::COLUMNS,
        query [requests::WEBHOOK_ID, LIMIT, OFFSET]),
    route!(workspace "redeliver" Post "/webhooks/deliveries/redeliver" => deliveries::redeliver::redeliver, body requests::REDELIVERY),
];
