//! `GET /models`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, Columns};
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListModelsResponse<'a> {
    /// The models, in the catalogue's order.
    data: Vec<ModelView<'a>>,
    /// The number of models in `data`.
    total: usize,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Model")]
struct ModelView<'a> {
    /// The model's slug.
    id: &'a str,
    /// The model's UUID. `models` of an entity and of the filters takes it.
    uuid: Uuid,
    /// The model's display name.
    name: &'a str,
    /// What kind of model it is.
    description: &'a str,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &["id", "uuid", "name", "description"];

/// Returns the models of configured providers, in the catalogue's order.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let models: Vec<ModelView<'_>> = request
        .state
        .catalogue
        .models()
        .iter()
        .map(|m| ModelView {
            id: &m.id,
            uuid: m.uuid(),
            name: &m.name,
            description: &m.description,
        })
        .collect();
    ApiResponse::from_fields(&ListModelsResponse {
        total: models.len(),
        data: models,
    })
}
