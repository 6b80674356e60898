//! The OpenAPI document against the service: every answer of every test is judged by it where it is received; here is
//! what only shows in all of them together.

mod evidence;
mod examples;
mod pages;
mod populated_workspace;
mod properties;
mod requests;
mod schema_properties;
mod statuses;

use acceptance::ApiContract;
use serde_json::Value;

/// Every operation with its method and path.
fn operations() -> impl Iterator<Item = (String, &'static str, &'static Value)> {
    let paths = ApiContract::get().document()["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap();
        methods
            .iter()
            .map(|(method, operation)| (method.to_uppercase(), path.as_str(), operation))
    })
}
