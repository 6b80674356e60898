//! Raw query strings.

use acceptance::{RawResponse, send_raw};

use super::CanceledWorkspace;
use crate::contract::inputs::{InputKind, RequestVariant};
use crate::contract::request_variants::REQUEST_VARIANTS;

/// Sends a raw query string.
async fn ask(canceled: &CanceledWorkspace, variant: &RequestVariant, query: &str) -> RawResponse {
    let to = canceled
        .world
        .host
        .ready
        .base_url
        .trim_start_matches("http://")
        .trim_end_matches("/v1");
    let (method, path, key) = (
        variant.endpoint().method(),
        variant.endpoint().path(),
        &canceled.fixture.account.key,
    );
    let head = "Connection: close\r\nContent-Length: 0";
    let request = format!(
        "{method} /v1{path}?{query} HTTP/1.1\r\nHost: {to}\r\n{head}\r\nAuthorization: Bearer {key}\r\n\r\n"
    );
    send_raw(to, request.as_bytes()).await.unwrap()
}

fn status_and_text(answer: RawResponse) -> (u16, String) {
    (answer.status, String::from_utf8(answer.body).unwrap())
}

/// Returns query fragments that the service ignores beside valid parameters.
fn ignored_parameters() -> Vec<String> {
    let mut ignored_parameters: Vec<String> = [
        "",
        "&",
        "=",
        "&&=&",
        "unheardOf",
        "a[]=1",
        "entityId[]=x",
        "entityid=x",
        "ENTITYID=x",
        "entityId%00=x",
        "%",
        "%=%",
        "%zz=%zz",
        "%E",
        "+",
        "%20entityId=x",
        "entityId+=x",
        "entityId%5B0%5D=x",
        "__proto__[a]=1",
        "constructor=1",
        "%ED%A0%80=%ED%A0%80",
        "%FF=%C3",
        "a=b=c",
        "?",
        "?entityId=x",
        ";entityId=x",
        "a=%0d%0aX-Injected:+1",
        "x=%F0%9F%98%80",
    ]
    .map(str::to_owned)
    .to_vec();
    // The gateway takes targets of 8 KB.
    ignored_parameters.push("a&".repeat(3_500));
    ignored_parameters.push("a=1&".repeat(1_750));
    ignored_parameters.push(format!("a={}", "b".repeat(7_000)));
    ignored_parameters.push(format!("a={}", "%20".repeat(2_300)));
    ignored_parameters.push(format!("{}=1", "%5B".repeat(2_300)));
    ignored_parameters
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stands_beside_good_parameters_means_nothing() {
    let canceled = CanceledWorkspace::new().await;
    let mut made = 0;
    for variant in REQUEST_VARIANTS
        .iter()
        .filter(|variant| !variant.endpoint().takes_body())
    {
        let good = joined(&variant.good(&canceled.fixture).query);
        let expected = status_and_text(ask(&canceled, variant, &good).await);
        for ignored in ignored_parameters() {
            let query = if made % 2 == 0 {
                format!("{good}&{ignored}")
            } else {
                format!("{ignored}&{good}")
            };
            let shown: String = ignored.chars().take(60).collect();
            // A question mark at the start belongs to the first name.
            assert_eq!(
                status_and_text(ask(&canceled, variant, &query).await),
                expected,
                "{} {shown}",
                variant.route
            );
            made += 1;
        }
    }
    println!("queries: {made} attacks");
    assert!(made >= 700, "{made}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_parameter_is_one_value_however_it_is_encoded() {
    let canceled = CanceledWorkspace::new().await;
    let percent = |text: &str| {
        text.bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<String>()
    };
    let mut made = 0;
    for variant in REQUEST_VARIANTS
        .iter()
        .filter(|variant| !variant.endpoint().takes_body())
    {
        let good = variant.good(&canceled.fixture).query;
        let expected = status_and_text(ask(&canceled, variant, &joined(&good)).await);
        let encoded: Vec<_> = good
            .iter()
            .map(|(name, value)| (percent(name), percent(value)))
            .collect();
        assert_eq!(
            status_and_text(ask(&canceled, variant, &joined(&encoded)).await),
            expected,
            "{}",
            variant.route
        );
        for (location, kind) in &variant.inputs {
            let n = good.iter().position(|(name, _)| name == location).unwrap();
            let (name, value) = &good[n];
            let of = async |new: &str| {
                let mut pairs = good.clone();
                pairs[n] = (name.clone(), new.to_owned());
                status_and_text(ask(&canceled, variant, &joined(&pairs)).await)
            };
            if let InputKind::Filter(_) | InputKind::Models = kind {
                // A list can be one parameter with encoded commas, or several parameters.
                let x = if *kind == InputKind::Models { value } else { "x" };
                let both = of(&format!("{value},{x}")).await;
                assert_eq!(both, expected, "{} {location}", variant.route);
                for same in [
                    format!("{value}%2C{x}"),
                    format!("{value}&{name}={x}"),
                    format!("+{value}%20,+{x},,"),
                    format!("&{name}={value}"),
                ] {
                    assert_eq!(of(&same).await, both, "{} {location} {same}", variant.route);
                    made += 1;
                }
            } else {
                // A repeated scalar, even if one value is empty or one name is encoded.
                for twice in [
                    format!("{value}&{name}={value}"),
                    format!("&{}={value}", percent(name)),
                    format!("{value}&{name}"),
                ] {
                    let (status, text) = of(&twice).await;
                    assert_eq!(status, 400, "{} {location} {twice}: {text}", variant.route);
                    assert!(
                        text.starts_with(&format!("{{\"error\":\"{location} ")),
                        "{} {text}",
                        variant.route
                    );
                    made += 1;
                }
            }
        }
    }
    println!("encodings: {made} attacks");
    assert!(made >= 250, "{made}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_no_query_has_are_refused_or_mean_themselves() {
    let canceled = CanceledWorkspace::new().await;
    let fanouts = REQUEST_VARIANTS
        .iter()
        .find(|variant| variant.route == "GET /query-fanouts")
        .unwrap();
    for byte in 0_u8..=255 {
        let entity = &canceled.fixture.other;
        let to = canceled
            .world
            .host
            .ready
            .base_url
            .trim_start_matches("http://")
            .trim_end_matches("/v1");
        let start = format!("GET /v1{}?entityId={entity}&search=a", fanouts.endpoint().path());
        let rest = format!(
            "b HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
            canceled.fixture.account.key
        );
        let answer = send_raw(to, &[start.as_bytes(), &[byte], rest.as_bytes()].concat()).await;
        let status = answer.map_or(400, |answer| answer.status);
        assert!(status == 200 || status == 400, "{byte:#x}: {status}");
    }
}

fn joined(pairs: &[(String, String)]) -> String {
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    pairs.join("&")
}
