//! Route tables. Lambda functions, the local host, the OpenAPI document and the tests of the template read the same tables.

use std::future::Future;
use std::pin::Pin;

use crate::{ApiError, ApiRequest, ApiResponse, Columns};

/// An HTTP method that the API uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    Get,
    Post,
    Patch,
    Delete,
}

impl Method {
    /// Returns the method's name in upper case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Returns the rate limit that requests with this method count against: the read rate for GET, and the write rate
    /// otherwise.
    pub fn rate(self) -> store::Rate {
        if self == Self::Get {
            store::Rate::Read
        } else {
            store::Rate::Write
        }
    }
}

/// The function that handles the requests of an endpoint.
pub type Handler<S> =
    fn(ApiRequest<S>) -> Pin<Box<dyn Future<Output = Result<ApiResponse, ApiError>> + Send>>;

/// An endpoint. `path` excludes the version prefix [`BASE_PATH`](crate::BASE_PATH).
pub struct Route<S> {
    pub method: Method,
    pub path: &'static str,
    pub handler: Handler<S>,
    pub reach: Reach,
    /// The columns of the CSV table. Empty if the endpoint has none.
    pub columns: Columns,
}

/// What an endpoint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Entities. A key that is bound to entities can use it, and reaches only these.
    Entities,
    /// The workspace itself. A key that is bound to entities cannot use it.
    Workspace,
}

/// Creates an entry of a route table, as in `route!(Post "/entities/run-check" => run_check::create)`.
///
/// `workspace` before the method marks an endpoint that is about the workspace itself. `csv` gives the columns of a list or a trend, as in
/// `route!(Get "/tags" => list::list, csv list::COLUMNS)`.
#[macro_export]
#[doc(hidden)]
macro_rules! __route {
    (workspace $($route:tt)*) => {
        $crate::route!(@Workspace $($route)*)
    };
    (@$reach:ident $method:ident $path:literal => $handler:path) => {
        $crate::route!(@$reach $method $path => $handler, csv &[])
    };
    (@$reach:ident $method:ident $path:literal => $handler:path, csv $columns:expr) => {
        $crate::Route {
            method: $crate::Method::$method,
            path: $path,
            handler: |request| Box::pin($handler(request)),
            reach: $crate::Reach::$reach,
            columns: $columns,
        }
    };
    ($($route:tt)*) => {
        $crate::route!(@Entities $($route)*)
    };
}
pub use __route as route;
