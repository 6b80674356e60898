//! Compares the OpenAPI document with the service. The test client validates every response; the tests here
//! cover what only all responses together show.

mod evidence;
mod examples;
mod populated_workspace;
mod properties;
mod requests;
mod schema_properties;
mod statuses;

use acceptance::ApiContract;
use serde_json::Value;

/// Returns every operation with its method and path.
fn operations() -> impl Iterator<Item = (String, &'static str, &'static Value)> {
    let paths = ApiContract::get().document()["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap();
        methods
            .iter()
            .map(|(method, operation)| (method.to_uppercase(), path.as_str(), operation))
    })
}
