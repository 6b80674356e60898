//! The route `POST /clock` of the events endpoint, which moves service time forward. A deployed service has
//! no such path.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::clock::Clock;
use http::header::{CONTENT_TYPE, ORIGIN};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::clock::ServiceClock;
use crate::data::{self, DataDir};

const PATH: &str = "/clock";
/// The longest jump, which is a year of 365 days.
const MAX_SECONDS: u32 = 31_536_000;

struct Jump {
    clock: Arc<ServiceClock>,
    /// Where service time is saved.
    data: Option<DataDir>,
    /// Asks for the tick after a jump.
    tick: Arc<Notify>,
    /// Whether the demo's history is complete, or there is none to make.
    has_history: Arc<AtomicBool>,
}

/// Returns the route. A request moves service time forward once, saves it, and asks for one tick.
pub(crate) fn router(
    clock: Arc<ServiceClock>,
    data: Option<DataDir>,
    tick: Arc<Notify>,
    has_history: Arc<AtomicBool>,
) -> Router {
    let state = Arc::new(Jump {
        clock,
        data,
        tick,
        has_history,
    });
    Router::new().route(PATH, post(jump)).with_state(state)
}

/// Answers before the work that has become due has ended.
async fn jump(State(jump): State<Arc<Jump>>, headers: HeaderMap, body: Bytes) -> Response {
    // A browser names the page that a request comes from, and no page may move the clock.
    if headers.contains_key(ORIGIN) {
        let rule = json!({ "error": "web pages cannot move the clock" });
        return response(StatusCode::FORBIDDEN, &rule);
    }
    // The history moves the clock itself, and would skip the days of a jump.
    if !jump.has_history.load(Ordering::Relaxed) {
        let rule =
            json!({ "error": "the demo's history is still being made: try again when the host is ready" });
        return response(StatusCode::CONFLICT, &rule);
    }
    let Some(time) = parse(&body) else {
        let rule = format!("advanceSeconds must be a whole number from 0 to {MAX_SECONDS}");
        return response(StatusCode::BAD_REQUEST, &json!({ "error": rule }));
    };
    if let Err(error) = data::advance(jump.data.as_ref(), &jump.clock, time) {
        let text = format!("the service time was not saved: {error}");
        return response(StatusCode::INTERNAL_SERVER_ERROR, &json!({ "error": text }));
    }
    jump.tick.notify_one();
    response(StatusCode::OK, &json!({ "now": jump.clock.now() }))
}

/// Returns the time of the jump. As in JSON Schema, `24.0` and `1e2` are whole numbers.
fn parse(body: &[u8]) -> Option<Duration> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let seconds = body["advanceSeconds"].as_f64()?;
    let is_in_range = seconds.fract() == 0.0 && (0.0..=f64::from(MAX_SECONDS)).contains(&seconds);
    is_in_range.then(|| Duration::from_secs_f64(seconds))
}

fn response(status: StatusCode, body: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use domain::time::{DAY, Timestamp};
    use tokio::net::TcpListener;

    use super::*;
    use crate::server;
    use crate::test_client::send;

    /// Serves the route. Returns its address, its clock, and what it asks for ticks.
    async fn serve() -> (SocketAddr, Arc<ServiceClock>, Arc<Notify>) {
        let (address, clock, tick, _) = serve_with_history(true).await;
        (address, clock, tick)
    }

    async fn serve_with_history(
        has_history: bool,
    ) -> (SocketAddr, Arc<ServiceClock>, Arc<Notify>, Arc<AtomicBool>) {
        let has_history = Arc::new(AtomicBool::new(has_history));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let clock = Arc::new(ServiceClock::new(Timestamp::from_millis(1_700_000_000_000)));
        let tick = Arc::new(Notify::new());
        let router = router(clock.clone(), None, tick.clone(), has_history.clone());
        tokio::spawn(server::serve(listener, router, std::future::pending()));
        (address, clock, tick, has_history)
    }

    #[tokio::test]
    async fn a_jump_is_refused_until_the_demo_has_its_history() {
        let (address, clock, _, has_history) = serve_with_history(false).await;
        let before = clock.now();
        let body = br#"{"advanceSeconds": 86400}"#;
        let reply = send(address, "POST /clock", &[], body).await;
        let rule = "the demo's history is still being made: try again when the host is ready";
        assert_eq!((reply.status, reply.json()), (409, json!({ "error": rule })));
        assert!(clock.now() < before + DAY);
        has_history.store(true, Ordering::Relaxed);
        assert_eq!(send(address, "POST /clock", &[], body).await.status, 200);
        assert!(clock.now() >= before + DAY);
    }

    #[tokio::test]
    async fn a_jump_moves_service_time_asks_for_a_tick_and_returns_the_new_time() {
        let (address, clock, tick) = serve().await;
        for (body, time) in [
            (r#"{"advanceSeconds": 0}"#, Duration::ZERO),
            (r#"{"advanceSeconds": 86400}"#, DAY),
            (r#"{"advanceSeconds": 8.64e4, "other": 1}"#, DAY),
            (r#"{"advanceSeconds": 31536000}"#, 365 * DAY),
        ] {
            let before = clock.now();
            let reply = send(address, "POST /clock", &[], body.as_bytes()).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
            assert_eq!(reply.header("content-type"), Some("application/json"));
            let now = Timestamp::from_millis(reply.json()["now"].as_i64().unwrap());
            assert!(before + time <= now && now <= clock.now(), "{body}: {now:?}");
            assert!(now < before + time + DAY, "{body}: {now:?}");
            tick.notified().await;
        }
    }

    #[tokio::test]
    async fn what_is_no_whole_number_of_seconds_up_to_a_year_is_refused_and_moves_nothing() {
        let (address, clock, tick) = serve().await;
        let before = clock.now();
        for body in [
            "",
            "{",
            "[]",
            "7",
            "{}",
            r#"{"advanceSeconds": null}"#,
            r#"{"advanceSeconds": "60"}"#,
            r#"{"advanceSeconds": true}"#,
            r#"{"advanceSeconds": [60]}"#,
            r#"{"advanceSeconds": -1}"#,
            r#"{"advanceSeconds": 0.5}"#,
            r#"{"advanceSeconds": 31536001}"#,
            r#"{"advanceSeconds": 1e300}"#,
            r#"{"advanceseconds": 60}"#,
        ] {
            let reply = send(address, "POST /clock", &[], body.as_bytes()).await;
            assert_eq!(reply.status, 400, "{body}");
            let rule = "advanceSeconds must be a whole number from 0 to 31536000";
            assert_eq!(reply.json(), json!({ "error": rule }), "{body}");
        }
        assert!(clock.now() < before + DAY);
        let ticked = tokio::time::timeout(Duration::from_millis(10), tick.notified()).await;
        assert!(ticked.is_err(), "nothing has asked for a tick");
    }

    #[tokio::test]
    async fn a_web_page_cannot_move_the_clock() {
        let (address, clock, _) = serve().await;
        let before = clock.now();
        for origin in ["http://127.0.0.1:9400", "https://example.com", "null"] {
            let header = format!("Origin: {origin}");
            let reply = send(
                address,
                "POST /clock",
                &[&header],
                br#"{"advanceSeconds": 86400}"#,
            )
            .await;
            assert_eq!(reply.status, 403, "{origin}");
        }
        assert!(clock.now() < before + DAY);
    }

    #[tokio::test]
    async fn another_method_than_post_is_refused() {
        let (address, ..) = serve().await;
        assert_eq!(send(address, "GET /clock", &[], b"").await.status, 405);
    }
}
