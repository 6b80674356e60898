//! `GET /models`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
struct ListModelsResponse<'a> {
    data: Vec<ModelView<'a>>,
    total: usize,
}

#[derive(Serialize)]
struct ModelView<'a> {
    id: &'a str,
    uuid: Uuid,
    name: &'a str,
    description: &'a str,
}

/// The models of configured providers, in the catalogue's order.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let rows: Vec<ModelView<'_>> = request
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
    ApiResponse::of(&ListModelsResponse {
        total: rows.len(),
        data: rows,
    })
}
