use std::time::Instant;

use serde_json::json;

use super::*;
use crate::Providers;
use crate::testing::{
    GENERATION_REQUEST, QUESTION, ServerAction, TestServer, start_server, start_server_with,
};

const ID: &str = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:keys/a b-x1";
const ANSWER: &str = r#"{"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hi"}]}]}"#;

fn port(server: &TestServer) -> String {
    server.origin.rsplit(':').next().unwrap().to_owned()
}

/// Returns the extension's response for a secret with this text.
fn secret_response(text: &str) -> ServerAction {
    let reply = json!({"ARN": ID, "Name": "keys", "SecretString": text, "VersionStages": ["AWSCURRENT"]});
    ServerAction::respond(200, "", &reply.to_string())
}

/// Returns the extension's response while it is starting.
fn starting_response() -> ServerAction {
    ServerAction::respond(400, "", "not ready to serve traffic, please wait")
}

fn providers(port: &str, more: &[(&str, &str)]) -> Providers {
    Providers::from_lookup(|name| {
        let configured = more.iter().find(|(key, _)| *key == name);
        match name {
            "SECRET_ID" => Some(ID.to_owned()),
            "AWS_SESSION_TOKEN" => Some("token-1".to_owned()),
            "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT" => Some(port.to_owned()),
            _ => configured.map(|(_, value)| (*value).to_owned()),
        }
    })
}

async fn ask(providers: &Providers) -> Result<String, AskError> {
    let answer = providers.get("openai").unwrap().ask(&QUESTION).await?;
    Ok(answer.text)
}

#[tokio::test]
async fn the_fingerprint_is_that_of_the_key_in_the_secret() {
    let text = json!({"OPENAI_API_KEY": "sk-1"});
    let extension = start_server(secret_response(&text.to_string())).await;
    let in_environment = Providers::from_lookup(|name| (name == "OPENAI_API_KEY").then(|| "sk-1".to_owned()));
    let secret = providers(&port(&extension), &[]);
    let [a, b] = [&secret, &in_environment].map(|providers| providers.get("openai").unwrap());
    assert_eq!(a.key_fingerprint().await, b.key_fingerprint().await);
}

#[tokio::test]
async fn a_question_is_asked_with_the_key_and_the_address_in_the_secret() {
    let mut vendor = start_server(ServerAction::respond(200, "", ANSWER)).await;
    let text = json!({"OPENAI_API_KEY": "sk-1\n", "OPENAI_BASE_URL": vendor.origin, "OTHER": "x"});
    let mut extension = start_server(secret_response(&text.to_string())).await;
    assert_eq!(ask(&providers(&port(&extension), &[])).await, Ok("Hi".to_owned()));

    let read = extension.requests.recv().await.unwrap();
    let id = "arn%3Aaws%3Asecretsmanager%3Aeu-central-1%3A123456789012%3Asecret%3Akeys%2Fa+b-x1";
    let line = format!("GET /secretsmanager/get?secretId={id} HTTP/1.1\r\n");
    assert!(read.starts_with(&line), "{read}");
    assert!(
        read.contains("x-aws-parameters-secrets-token: token-1\r\n"),
        "{read}"
    );
    assert!(
        vendor
            .request()
            .await
            .head
            .contains("authorization: bearer sk-1\r\n")
    );
}

#[tokio::test]
async fn environment_variables_take_precedence_and_a_key_among_them_needs_no_secret() {
    let mut vendor = start_server(ServerAction::respond(200, "", ANSWER)).await;
    let text = json!({"OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": "http://127.0.0.1:1"});
    let mut extension = start_server(secret_response(&text.to_string())).await;
    let origin = vendor.origin.clone();
    let address = ("OPENAI_BASE_URL", origin.as_str());
    let with_key = providers(&port(&extension), &[address, ("OPENAI_API_KEY", "sk-given")]);
    ask(&with_key).await.unwrap();
    assert!(extension.requests.try_recv().is_err());
    assert!(vendor.request().await.head.contains("bearer sk-given"));

    ask(&providers(&port(&extension), &[address])).await.unwrap();
    assert!(extension.requests.try_recv().is_ok());
    assert!(vendor.request().await.head.contains("bearer sk-secret"));
}

#[tokio::test]
async fn a_key_that_was_changed_in_the_secret_is_used_for_the_next_question() {
    let mut vendor = start_server(ServerAction::respond(200, "", ANSWER)).await;
    let keys = ["old", "new"].map(|key| {
        secret_response(&json!({"OPENAI_API_KEY": key, "OPENAI_BASE_URL": vendor.origin}).to_string())
    });
    let extension = start_server_with(keys.into()).await;
    let providers = providers(&port(&extension), &[]);
    for key in ["old", "new"] {
        ask(&providers).await.unwrap();
        assert!(vendor.request().await.head.contains(&format!("bearer {key}\r\n")));
    }
}

#[tokio::test]
async fn requests_to_an_extension_that_is_starting_or_failing_are_retried() {
    let vendor = start_server(ServerAction::respond(200, "", ANSWER)).await;
    let text = json!({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": vendor.origin}).to_string();
    let responses = [
        starting_response(),
        starting_response(),
        ServerAction::respond(500, "", "busy"),
        ServerAction::Send(Vec::new()),
        secret_response(&text),
    ];
    let mut extension = start_server_with(responses.into()).await;
    ask(&providers(&port(&extension), &[])).await.unwrap();
    for _ in 0..5 {
        assert!(extension.requests.try_recv().is_ok());
    }
}

#[tokio::test]
async fn an_extension_that_never_starts_is_unavailable_after_five_seconds() {
    let started = Instant::now();
    let extension = start_server(starting_response()).await;
    let (starting, unreachable) = (providers(&port(&extension), &[]), providers("1", &[]));
    let (starting, unreachable) = tokio::join!(ask(&starting), ask(&unreachable));
    let wait = Err(AskError::unavailable("the providers' keys cannot be had"));
    assert_eq!((&starting, &unreachable), (&wait, &wait));
    let elapsed = started.elapsed();
    assert!(elapsed >= TIMEOUT && elapsed < TIMEOUT * 2, "{elapsed:?}");
}

#[tokio::test]
async fn a_refusal_and_unusable_settings_are_not_retried() {
    let denied = r#"{"__type": "AccessDeniedException", "message": "token-1 may not"}"#;
    let mut extension = start_server(ServerAction::respond(400, "", denied)).await;
    let refused = ask(&providers(&port(&extension), &[])).await;
    let reason = "the providers' secret cannot be read".to_owned();
    assert_eq!(refused, Err(AskError::InvalidKey { reason }));
    assert!(extension.requests.recv().await.is_some());
    assert!(extension.requests.try_recv().is_err(), "a refusal is final");
    assert_eq!(ask(&providers("port", &[])).await, refused);
    let without_token = Providers::from_lookup(|name| (name == "SECRET_ID").then(|| ID.to_owned()));
    assert_eq!(ask(&without_token).await, refused);
}

#[tokio::test]
async fn a_secret_without_the_key_or_without_json_is_a_bad_key_and_is_not_shown() {
    for text in [
        "{}",
        r#"{"OPENAI_API_KEY": " "}"#,
        r#"{"XAI_API_KEY": "sk-hidden"}"#,
        "sk-hidden",
        r#"["sk-hidden"]"#,
        r#"{"OPENAI_API_KEY": {"sk-hidden": 1}}"#,
    ] {
        let extension = start_server(secret_response(text)).await;
        let providers = providers(&port(&extension), &[]);
        let openai = providers.get("openai").unwrap();
        for error in [
            openai.ask(&QUESTION).await.unwrap_err(),
            openai.generate_prompts(&GENERATION_REQUEST).await.unwrap_err(),
        ] {
            assert!(matches!(error, AskError::InvalidKey { .. }), "{text}: {error:?}");
            assert!(
                !format!("{error:?} {providers:?}").contains("hidden"),
                "{error:?}"
            );
        }
    }
}

#[test]
fn with_a_secret_every_provider_is_configured_under_its_own_name() {
    let all = Providers::from_lookup(|name| name.ends_with("_API_KEY").then(|| "k".to_owned())).names();
    assert_eq!(providers("1", &[]).names(), all);
    assert_eq!(all.len(), 6);
}
