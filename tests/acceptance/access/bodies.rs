//! Tests of raw request bodies: size, JSON syntax and content type.

use acceptance::{Account, ApiResponse, World};
use reqwest::Method;
use serde_json::json;

const MOST: usize = 1024 * 1024;
const PATH: &str = "/entities/addprompt";

async fn send(world: &World, account: &Account, content_type: Option<&str>, body: Vec<u8>) -> ApiResponse {
    let mut request = world
        .request(Method::POST, PATH)
        .bearer_auth(&account.key)
        .body(body);
    if let Some(content_type) = content_type {
        request = request.header("content-type", content_type);
    }
    World::execute(request).await
}

/// Returns a valid body, padded with spaces to `length` bytes.
fn padded(entity: &str, length: usize) -> Vec<u8> {
    let mut body = json!({"entityId": entity, "prompt": "Which?"})
        .to_string()
        .into_bytes();
    body.resize(length, b' ');
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_has_at_most_one_mebibyte() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world.entity(&account, "Acme", "acme.com", &[], json!({})).await;
    send(&world, &account, None, padded(&entity, MOST)).await.ok();
    for length in [MOST + 1, 2 * MOST] {
        let answer = send(&world, &account, None, padded(&entity, length)).await;
        assert!(answer.error(413).starts_with("body"));
    }
    // Bytes count, not characters.
    let wide = json!({"entityId": entity, "prompt": "Which?", "other": "é".repeat(MOST * 3 / 4)});
    assert_eq!(world.post(&account, PATH, &wide).await.status, 413);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_json_object_is_400() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world.entity(&account, "Acme", "acme.com", &[], json!({})).await;
    let deep = |n: usize| {
        format!(
            r#"{{"entityId": "{entity}", "prompt": "a?", "x": {}{}}}"#,
            "[".repeat(n),
            "]".repeat(n)
        )
    };
    let with = |more: &str| format!(r#"{{"entityId": "{entity}", "prompt": "a?", {more}}}"#);
    for body in [
        String::new(),
        " ".to_owned(),
        "{".to_owned(),
        "nonsense".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "7".to_owned(),
        "\"text\"".to_owned(),
        "{} {}".to_owned(),
        "{'entityId': 'x'}".to_owned(),
        "\u{feff}{}".to_owned(),
        format!("{{\"entityId\": \"{entity}\", \"prompt\": \"a?\",}}"),
        // Duplicate keys at any depth, even if the key is unknown or both values are equal.
        with(r#""prompt": "a?""#),
        with(r#""prompt": null"#),
        with(r#""x": {"y": 1, "y": 1}"#),
        with(r#""x": [[{"y": 1, "z": 2, "y": 3}]]"#),
        with(r#""pr\u006fmpt": "b?""#),
        // Not Unicode, not a number, too deep.
        with(r#""x": "\ud800""#),
        with(r#""x": "\udc00\ud800""#),
        with(r#""x": 1e999"#),
        with(r#""x": NaN"#),
        with(r#""x": 01"#),
        with("\"x\": \"a\u{0}b\""),
        deep(500),
        deep(200_000),
    ] {
        let answer = send(
            &world,
            &account,
            Some("application/json"),
            body.clone().into_bytes(),
        )
        .await;
        let shown: String = body.chars().take(100).collect();
        assert_eq!(answer.status, 400, "{shown}: {}", answer.body);
        assert!(answer.error(400).starts_with("body"), "{shown}");
    }
    for bytes in [
        b"{\"prompt\": \"\xff\"}".to_vec(),
        b"\xff\xfe{\x00}\x00".to_vec(),
        vec![0; 10],
    ] {
        let answer = send(&world, &account, Some("application/json"), bytes).await;
        assert!(answer.error(400).starts_with("body"));
    }
    let path = format!("/entities/prompts?entityId={entity}");
    assert_eq!(world.get(&account, &path).await.ok()["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unheard_of_fields_may_hold_whatever_json_can() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world.entity(&account, "Acme", "acme.com", &[], json!({})).await;
    for more in [
        r#""x": 123456789012345678901234567890"#,
        r#""x": -1.5e300"#,
        r#""x": 1e-999"#,
        r#""x": {"y": [[[[]]]]}"#,
        r#""x": "\u0000\ud83d\ude00""#,
        r#""": 1"#,
        r#""__proto__": {}"#,
        r#""PROMPT": 7"#,
    ] {
        let body = format!(r#"{{"entityId": "{entity}", "prompt": "a?", {more}}}"#);
        let answer = send(&world, &account, None, body.into_bytes()).await;
        assert_eq!(answer.status, 200, "{more}: {}", answer.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_content_type_is_not_checked() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world.entity(&account, "Acme", "acme.com", &[], json!({})).await;
    for content_type in [
        None,
        Some("application/json; charset=utf-8"),
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("application/octet-stream"),
        Some("nonsense"),
    ] {
        let body = json!({"entityId": entity, "prompt": "Which é?"}).to_string();
        let answer = send(&world, &account, content_type, body.into_bytes()).await;
        assert_eq!(answer.status, 200, "{content_type:?}: {}", answer.body);
    }
    let path = format!("/entities/prompts?entityId={entity}");
    let prompts = world.get(&account, &path).await.ok();
    let rows = prompts["data"].as_array().unwrap();
    assert!(
        rows.len() == 6 && rows.iter().all(|row| row["prompt"] == "Which é?"),
        "{rows:?}"
    );
}
