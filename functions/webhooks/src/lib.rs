//! The API function of webhooks: URLs that are told what happens to a workspace and its entities.
#![forbid(unsafe_code)]

pub mod create;
pub mod delete;
pub mod deliveries;
mod fields;
pub mod list;
mod publish;
pub mod rotate_secret;
pub mod send_test;
mod state;
pub mod update;
pub mod view;

use api::{Route, route};

pub use crate::state::WebhooksState;

/// The endpoints of this function.
pub static ROUTES: &[Route<WebhooksState>] = &[
    route!(workspace Get "/webhooks" => list::list, csv list::COLUMNS),
    route!(workspace Post "/webhooks" => create::create),
    route!(workspace Patch "/webhooks" => update::update),
    route!(workspace Delete "/webhooks" => delete::delete),
    route!(workspace Post "/webhooks/rotate-secret" => rotate_secret::rotate),
    route!(workspace Post "/webhooks/test" => send_test::send),
    route!(workspace Get "/webhooks/deliveries" => deliveries::list::list, csv deliveries::list::COLUMNS),
    route!(workspace Post "/webhooks/deliveries/redeliver" => deliveries::redeliver::redeliver),
];
