//! DynamoDB's HTTP interface: one operation per request, which the header `X-Amz-Target` names.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use dynoxide::{Database, DynoxideError};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, StatusCode, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// DynamoDB's limit for the body of a request.
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;
pub(super) const JSON: &str = "application/x-amz-json-1.0";
const TARGET_PREFIXES: [&str; 2] = ["DynamoDB_20120810.", "DynamoDBStreams_20120810."];
const UNKNOWN_OPERATION: &str = r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#;

/// Serves `POST /` with any credentials.
pub(super) fn router(database: Database) -> Router {
    Router::new()
        .fallback(handle)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(database)
}

async fn handle(
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    State(database): State<Database>,
    body: Bytes,
) -> Response {
    let target = headers
        .get("x-amz-target")
        .and_then(|target| target.to_str().ok())
        .filter(|_| method == Method::POST && uri.path() == "/");
    let (status, body) = answer(&database, target, &body);
    (status, [(CONTENT_TYPE, JSON)], body).into_response()
}

/// Answers the request whose header `X-Amz-Target` is `target`.
pub(super) fn answer(database: &Database, target: Option<&str>, body: &[u8]) -> (StatusCode, String) {
    let operation = target.and_then(|target| {
        TARGET_PREFIXES
            .iter()
            .find_map(|prefix| target.strip_prefix(prefix))
    });
    match operation.and_then(|operation| dispatch(database, operation, body)) {
        Some(Ok(body)) => (StatusCode::OK, body),
        Some(Err(error)) => {
            let status = StatusCode::from_u16(error.status_code());
            (
                status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
                error.to_json(),
            )
        }
        None => (StatusCode::BAD_REQUEST, UNKNOWN_OPERATION.to_owned()),
    }
}

/// Runs an operation and returns its JSON. Returns `None` if there is no operation with this name.
fn dispatch(database: &Database, operation: &str, body: &[u8]) -> Option<dynoxide::Result<String>> {
    macro_rules! run {
        ($($name:literal => $method:ident,)*) => {
            match operation {
                $($name => Some(run(body, |request| database.$method(request))),)*
                _ => None,
            }
        };
    }
    run! {
        "BatchExecuteStatement" => batch_execute_statement,
        "BatchGetItem" => batch_get_item,
        "BatchWriteItem" => batch_write_item,
        "CreateTable" => create_table,
        "DeleteItem" => delete_item,
        "DeleteTable" => delete_table,
        "DescribeStream" => describe_stream,
        "DescribeTable" => describe_table,
        "DescribeTimeToLive" => describe_time_to_live,
        "ExecuteStatement" => execute_statement,
        "ExecuteTransaction" => execute_transaction,
        "GetItem" => get_item,
        "GetRecords" => get_records,
        "GetShardIterator" => get_shard_iterator,
        "ListStreams" => list_streams,
        "ListTables" => list_tables,
        "ListTagsOfResource" => list_tags_of_resource,
        "PutItem" => put_item,
        "Query" => query,
        "Scan" => scan,
        "TagResource" => tag_resource,
        "TransactGetItems" => transact_get_items,
        "TransactWriteItems" => transact_write_items,
        "UntagResource" => untag_resource,
        "UpdateItem" => update_item,
        "UpdateTable" => update_table,
        "UpdateTimeToLive" => update_time_to_live,
    }
}

fn run<Request, Answer>(
    body: &[u8],
    operation: impl FnOnce(Request) -> dynoxide::Result<Answer>,
) -> dynoxide::Result<String>
where
    Request: DeserializeOwned,
    Answer: Serialize,
{
    let request = serde_json::from_slice(body)
        .map_err(|error| DynoxideError::SerializationException(error.to_string()))?;
    serde_json::to_string(&operation(request)?)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}
