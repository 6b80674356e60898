//! `GET /models`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
struct Listed<'a> {
    data: Vec<Row<'a>>,
    total: usize,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    uuid: Uuid,
    name: &'a str,
    description: &'a str,
}

/// The models of configured providers, in the catalogue's order.
pub(crate) async fn models(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let rows: Vec<Row<'_>> = request
        .state
        .catalogue
        .models()
        .iter()
        .map(|m| Row {
            id: &m.id,
            uuid: m.uuid(),
            name: &m.name,
            description: &m.description,
        })
        .collect();
    ApiResponse::of(&Listed {
        total: rows.len(),
        data: rows,
    })
}
