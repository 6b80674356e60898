//! Raw query strings.

use acceptance::RawResponse;

use super::CanceledWorkspace;
use super::headers::send;
use crate::contract::inputs::{InputKind, RequestVariant};
use crate::contract::request_variants::REQUEST_VARIANTS;

/// The endpoint whose query is taken apart: it has parameters of most kinds.
fn fanouts() -> &'static RequestVariant {
    let mut variants = REQUEST_VARIANTS.iter();
    variants
        .find(|variant| variant.route == "GET /query-fanouts")
        .unwrap()
}

/// Sends a raw query string.
async fn ask(canceled: &CanceledWorkspace, query: &str) -> Option<RawResponse> {
    ask_bytes(canceled, query.as_bytes()).await
}

async fn ask_bytes(canceled: &CanceledWorkspace, query: &[u8]) -> Option<RawResponse> {
    let line = [b"GET /v1/query-fanouts?", query, b" HTTP/1.1"].concat();
    let head = format!(
        "Host: a\r\nAuthorization: Bearer {}",
        canceled.fixture.account.key
    );
    send(&canceled.world, &line, head.as_bytes(), b"").await
}

fn status_and_text(answer: Option<RawResponse>) -> (u16, String) {
    let answer = answer.unwrap();
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
    let good = joined(&fanouts().good(&canceled.fixture).query);
    let expected = status_and_text(ask(&canceled, &good).await);
    for ignored in ignored_parameters() {
        // A question mark at the start belongs to the first name.
        for query in [format!("{good}&{ignored}"), format!("{ignored}&{good}")] {
            let shown: String = ignored.chars().take(60).collect();
            assert_eq!(status_and_text(ask(&canceled, &query).await), expected, "{shown}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_parameter_is_one_value_however_it_is_encoded() {
    let canceled = CanceledWorkspace::new().await;
    let percent = |text: &str| {
        text.bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<String>()
    };
    let good = fanouts().good(&canceled.fixture).query;
    let expected = status_and_text(ask(&canceled, &joined(&good)).await);
    let encoded: Vec<_> = good
        .iter()
        .map(|(name, value)| (percent(name), percent(value)))
        .collect();
    assert_eq!(status_and_text(ask(&canceled, &joined(&encoded)).await), expected);
    for (n, (name, value)) in good.iter().enumerate() {
        let of = async |new: &str| {
            let mut pairs = good.clone();
            new.clone_into(&mut pairs[n].1);
            status_and_text(ask(&canceled, &joined(&pairs)).await)
        };
        let kind = fanouts().kind(name);
        if let InputKind::Filter(_) | InputKind::Models = kind {
            // A list can be one parameter with encoded commas, or several parameters.
            let x = if kind == InputKind::Models {
                value.as_str()
            } else {
                "x"
            };
            for same in [
                format!("{value},{x}"),
                format!("{value}%2C{x}"),
                format!("{value}&{name}={x}"),
                format!("+{value}%20,+{x},,"),
                format!("&{name}={value}"),
            ] {
                assert_eq!(of(&same).await, expected, "{name} {same}");
            }
        } else {
            // A repeated scalar, even if one value is empty or one name is encoded.
            for twice in [
                format!("{value}&{name}={value}"),
                format!("&{}={value}", percent(name)),
                format!("{value}&{name}"),
            ] {
                let (status, text) = of(&twice).await;
                assert_eq!(status, 400, "{name} {twice}: {text}");
                assert!(text.starts_with(&format!("{{\"error\":\"{name} ")), "{text}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_no_query_has_are_refused_or_mean_themselves() {
    let canceled = CanceledWorkspace::new().await;
    let start = format!("entityId={}&search=a", canceled.fixture.other);
    for byte in 0_u8..=255 {
        let answer = ask_bytes(&canceled, &[start.as_bytes(), &[byte, b'b']].concat()).await;
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
