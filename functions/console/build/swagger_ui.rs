//! The files of Swagger UI. Their crate has them only as responses of its routes.

use std::error::Error;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use swagger_ui_dist::{ApiDefinition, OpenApiSource, generate_routes};
use tower::ServiceExt;

use crate::console_files::SourceFile;

const NAMES: [&str; 2] = ["swagger-ui.css", "swagger-ui-bundle.js"];

/// Returns the files that the page loads.
pub(crate) fn files() -> Result<Vec<SourceFile>, Box<dyn Error>> {
    futures::executor::block_on(async {
        let mut files = Vec::new();
        for name in NAMES {
            files.push(SourceFile {
                path: name.to_owned(),
                content: content(name).await?,
            });
        }
        Ok(files)
    })
}

async fn content(name: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let routes = generate_routes(ApiDefinition {
        uri_prefix: "/docs",
        api_definition: OpenApiSource::Uri("/openapi.json"),
        title: None,
    });
    let request = Request::get(format!("/docs/{name}")).body(Body::empty())?;
    let response = routes.oneshot(request).await?;
    if !response.status().is_success() {
        return Err(format!("swagger-ui-dist has no {name}").into());
    }
    Ok(to_bytes(response.into_body(), usize::MAX).await?.to_vec())
}
