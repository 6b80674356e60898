//! The functions that serve the API, with their endpoints. The only list of the functions' route tables: the
//! local host, the OpenAPI document and the tests read it.

mod dependencies;
mod function;

use api::Endpoint;

pub use dependencies::Dependencies;
pub use function::{ApiFunction, ApiService};

/// Every function behind the API's gateway. Those that serve endpoints are in the order of the OpenAPI
/// document.
pub fn functions() -> Vec<ApiFunction> {
    vec![
        ApiFunction::new("entities", entities::ROUTES, Dependencies::entities),
        ApiFunction::new("prompts", prompts::ROUTES, Dependencies::analytics),
        ApiFunction::new("domain-groups", domain_groups::ROUTES, Dependencies::api),
        ApiFunction::new("actions", actions::ROUTES, Dependencies::api),
        ApiFunction::new("analytics", analytics::ROUTES, Dependencies::analytics),
        ApiFunction::new("webhooks", webhooks::ROUTES, Dependencies::webhooks),
        ApiFunction::mcp(),
        ApiFunction::console(),
        fallback(),
    ]
}

/// The function that also answers requests for paths that no function has, with a 404.
pub fn fallback() -> ApiFunction {
    ApiFunction::new("workspace", workspace::ROUTES, Dependencies::api)
}

/// Every endpoint of every function.
pub fn all() -> impl Iterator<Item = Endpoint> {
    functions().into_iter().flat_map(|function| function.endpoints)
}
