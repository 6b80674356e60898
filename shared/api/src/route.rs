//! Routes as data: the same tables serve the Lambdas, the local host, and the tests that compare them with
//! the template.

use std::future::Future;
use std::pin::Pin;

use crate::{ApiError, ApiRequest, ApiResponse};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    Get,
    Post,
    Patch,
    Delete,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// GET counts against the read rate, everything else against the write rate.
    pub fn rate(self) -> store::Rate {
        if self == Self::Get {
            store::Rate::Read
        } else {
            store::Rate::Write
        }
    }
}

pub type Handler<S> =
    fn(ApiRequest<S>) -> Pin<Box<dyn Future<Output = Result<ApiResponse, ApiError>> + Send>>;

/// One endpoint. `path` is without the version prefix.
pub struct Route<S> {
    pub method: Method,
    pub path: &'static str,
    pub handler: Handler<S>,
}

/// One entry of a route table: `route!(Get "/entities" => list::list)`.
#[macro_export]
#[doc(hidden)]
macro_rules! __route {
    ($method:ident $path:literal => $handler:path) => {
        $crate::Route {
            method: $crate::Method::$method,
            path: $path,
            handler: |request| Box::pin($handler(request)),
        }
    };
}
pub use __route as route;
