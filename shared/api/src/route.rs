//! Route tables. Lambda functions, the local host, the OpenAPI document and the tests of the template read
//! the same tables.

use std::future::Future;
use std::pin::Pin;

use crate::{ApiError, ApiRequest, ApiResponse, BASE_PATH, Body, Columns, Input};

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

    /// Returns the rate limit that requests with this method count against: the read rate for GET, and the
    /// write rate otherwise.
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

/// An endpoint, and the function that handles its requests.
pub struct Route<S> {
    pub endpoint: Endpoint,
    pub handler: Handler<S>,
}

/// A method and a path, with what a request takes. `path` excludes the version prefix
/// [`BASE_PATH`](crate::BASE_PATH).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Endpoint {
    /// The name of the operation in the OpenAPI document.
    pub id: &'static str,
    pub method: Method,
    pub path: &'static str,
    pub reach: Reach,
    /// The columns of the CSV table. Empty if the endpoint has none.
    pub columns: Columns,
    /// The query parameters, without `format`.
    pub query: &'static [Input],
    pub body: Body,
}

impl Endpoint {
    /// The path with the version prefix, for example `/v1/entities`.
    pub fn full_path(&self) -> String {
        format!("{BASE_PATH}{}", self.path)
    }
}

/// What an endpoint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Entities. A key that is bound to entities can use it, and reaches only these.
    Entities,
    /// The workspace itself. A key that is bound to entities cannot use it.
    Workspace,
}

/// Creates an entry of a route table, as in
/// `route!("updateEntity" Patch "/entities" => update::update, body requests::UPDATE)`.
///
/// `workspace` before the id marks an endpoint that is about the workspace itself. `csv` gives the
/// columns of a list or a trend, and `query` the parameters, as in
/// `route!("listTags" Get "/tags" => list::list, csv list::COLUMNS, query [LIMIT, OFFSET])`.
#[macro_export]
#[doc(hidden)]
macro_rules! __route {
    (workspace $($route:tt)*) => {
        $crate::route!(@Workspace $($route)*)
    };
    (@$reach:ident $id:literal $method:ident $path:literal => $handler:path
        $(, csv $columns:expr)? $(, query [$($query:expr),* $(,)?])? $(, body $body:expr)?) => {
        $crate::Route {
            endpoint: $crate::Endpoint {
                id: $id,
                method: $crate::Method::$method,
                path: $path,
                reach: $crate::Reach::$reach,
                columns: $crate::route!(@or &[] $(, $columns)?),
                query: &[$($($query),*)?],
                body: $crate::route!(@or $crate::Body::None $(, $body)?),
            },
            handler: |request| Box::pin($handler(request)),
        }
    };
    (@or $default:expr) => {
        $default
    };
    (@or $default:expr, $given:expr) => {
        $given
    };
    ($($route:tt)*) => {
        $crate::route!(@Entities $($route)*)
    };
}
pub use __route as route;
