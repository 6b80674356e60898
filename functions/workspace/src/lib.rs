//! The API function of a workspace: its plan, usage and members, what a key may do, and the models that its
//! entities can ask.
#![forbid(unsafe_code)]

pub mod keys;
pub mod members;
pub mod models;
pub mod workspace;

use api::{ApiState, Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<ApiState>] = &[
    route!(workspace "getWorkspace" Get "/workspace" => workspace::get),
    route!(workspace "listMembers" Get "/workspace/members" => members::list, csv members::COLUMNS),
    route!("getKey" Get "/keys/self" => keys::get_self),
    route!("listModels" Get "/models" => models::list, csv models::COLUMNS),
];
