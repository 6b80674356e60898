use std::sync::atomic::{AtomicI64, AtomicUsize};

use serde_json::json;

use super::*;
use crate::Providers;
use crate::testing::{GENERATION_REQUEST, QUESTION, ServerAction, start_server};

const ANSWER: &str = r#"{"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hi"}]}]}"#;

/// A secret whose value and whose clock a test sets, and which counts how often it is read.
struct TestSecret {
    value: std::sync::Mutex<Result<String, SecretError>>,
    reads: AtomicUsize,
    millis: AtomicI64,
}

impl TestSecret {
    fn new(value: Result<&str, SecretError>) -> Arc<Self> {
        Arc::new(Self {
            value: std::sync::Mutex::new(value.map(str::to_owned)),
            reads: AtomicUsize::new(0),
            millis: AtomicI64::new(0),
        })
    }

    fn set(&self, value: Result<&str, SecretError>) {
        *self.value.lock().unwrap() = value.map(str::to_owned);
    }

    fn advance(&self, time: Duration) {
        let millis = i64::try_from(time.as_millis()).unwrap();
        self.millis.fetch_add(millis, Ordering::Relaxed);
    }

    fn set_back(&self, time: Duration) {
        let millis = i64::try_from(time.as_millis()).unwrap();
        self.millis.fetch_sub(millis, Ordering::Relaxed);
    }

    fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    fn cached(self: &Arc<Self>) -> CachedSecret {
        CachedSecret::new(self.clone(), self.clone())
    }

    fn providers(self: &Arc<Self>, environment: &[(&str, &str)]) -> Providers {
        let lookup = |name: &str| {
            let configured = environment.iter().find(|(key, _)| *key == name);
            configured.map(|(_, value)| (*value).to_owned())
        };
        Providers::with_secret(lookup, self.clone(), self.clone())
    }
}

impl SecretSource for TestSecret {
    fn read(&self) -> BoxFuture<'_, Result<String, SecretError>> {
        Box::pin(async {
            self.reads.fetch_add(1, Ordering::Relaxed);
            // Others begin to wait meanwhile.
            tokio::task::yield_now().await;
            self.value.lock().unwrap().clone()
        })
    }
}

impl Clock for TestSecret {
    fn now(&self) -> Timestamp {
        self.real_now()
    }

    fn real_now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.load(Ordering::Relaxed))
    }
}

fn throttled() -> SecretError {
    SecretError::Unavailable("ThrottlingException".to_owned())
}

async fn ask(providers: &Providers) -> Result<String, AskError> {
    let answer = providers.get("openai").unwrap().ask(&QUESTION).await?;
    Ok(answer.text)
}

#[tokio::test]
async fn the_secret_is_read_on_first_use_and_again_after_five_minutes() {
    let secret = TestSecret::new(Ok(r#"{"A": "1"}"#));
    let cached = secret.cached();
    assert_eq!(secret.reads(), 0);
    for (passed, value, reads) in [(0, "1", 1), (299, "1", 1), (1, "2", 2)] {
        secret.advance(Duration::from_secs(passed));
        assert_eq!(cached.values().await.unwrap()["A"], value);
        assert_eq!(secret.reads(), reads);
        secret.set(Ok(r#"{"A": "2"}"#));
    }
    secret.set_back(Duration::from_secs(3_600));
    cached.values().await.unwrap();
    assert_eq!(
        secret.reads(),
        3,
        "a clock that was set back keeps no value for longer"
    );
}

#[tokio::test]
async fn all_that_need_the_secret_at_the_same_time_share_one_read_and_its_error() {
    for value in [Ok("{}"), Err(throttled())] {
        let secret = TestSecret::new(value.clone());
        let cached = secret.cached();
        let (a, b, c) = tokio::join!(cached.values(), cached.values(), cached.values());
        assert_eq!(secret.reads(), 1);
        for values in [a, b, c] {
            assert_eq!(values.is_ok(), value.is_ok());
        }
    }
}

#[tokio::test]
async fn an_error_is_not_kept_and_neither_is_a_read_that_was_given_up() {
    let secret = TestSecret::new(Err(throttled()));
    let cached = secret.cached();
    assert!(cached.values().await.is_err());
    secret.set(Ok("{}"));
    tokio::select! {
        biased;
        _ = cached.values() => panic!("a read takes a moment"),
        () = std::future::ready(()) => {}
    }
    assert!(cached.values().await.is_ok());
    assert_eq!(secret.reads(), 3);
}

#[tokio::test]
async fn the_fingerprint_is_that_of_the_key_in_the_secret() {
    let secret = TestSecret::new(Ok(r#"{"OPENAI_API_KEY": "sk-1"}"#)).providers(&[]);
    let in_environment = Providers::from_lookup(|name| (name == "OPENAI_API_KEY").then(|| "sk-1".to_owned()));
    let [a, b] = [&secret, &in_environment].map(|providers| providers.get("openai").unwrap());
    assert_eq!(a.key_fingerprint().await, b.key_fingerprint().await);
}

#[tokio::test]
async fn a_question_is_asked_with_the_key_and_the_address_in_the_secret() {
    let mut vendor = start_server(ServerAction::respond(200, "", ANSWER)).await;
    let text = json!({"OPENAI_API_KEY": "sk-1\n", "OPENAI_BASE_URL": vendor.origin, "OTHER": "x"});
    let secret = TestSecret::new(Ok(&text.to_string()));
    assert_eq!(ask(&secret.providers(&[])).await, Ok("Hi".to_owned()));
    let request = vendor.request().await;
    assert!(request.head.contains("authorization: bearer sk-1\r\n"));
}

#[tokio::test]
async fn environment_variables_take_precedence_and_a_key_among_them_needs_no_secret() {
    let mut vendor = start_server(ServerAction::respond(200, "", ANSWER)).await;
    let text = json!({"OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": "http://127.0.0.1:1"});
    let secret = TestSecret::new(Ok(&text.to_string()));
    let origin = vendor.origin.clone();
    let address = ("OPENAI_BASE_URL", origin.as_str());
    let with_key = secret.providers(&[address, ("OPENAI_API_KEY", "sk-given")]);
    ask(&with_key).await.unwrap();
    assert_eq!(secret.reads(), 0);
    assert!(vendor.request().await.head.contains("bearer sk-given"));

    ask(&secret.providers(&[address])).await.unwrap();
    assert_eq!(secret.reads(), 1);
    assert!(vendor.request().await.head.contains("bearer sk-secret"));
}

#[tokio::test]
async fn a_secret_that_could_not_be_read_this_time_says_nothing_about_the_key() {
    let secret = TestSecret::new(Err(throttled()));
    let error = ask(&secret.providers(&[])).await.unwrap_err();
    assert_eq!(
        error,
        AskError::unavailable("the providers' keys cannot be read at the moment")
    );
    assert_eq!(error.throttle(), None, "the provider itself throttled nothing");
}

#[tokio::test]
async fn a_secret_that_is_refused_lacks_the_key_or_is_no_json_is_a_bad_key_and_is_not_shown() {
    let refused = Err(SecretError::Unusable("AccessDeniedException".to_owned()));
    let malformed = [
        "{}",
        r#"{"OPENAI_API_KEY": " "}"#,
        r#"{"XAI_API_KEY": "sk-hidden"}"#,
        "sk-hidden",
        "",
        r#"["sk-hidden"]"#,
        r#"{"OPENAI_API_KEY": {"sk-hidden": 1}}"#,
    ];
    for value in malformed.map(Ok).into_iter().chain([refused]) {
        let providers = TestSecret::new(value.clone()).providers(&[]);
        let openai = providers.get("openai").unwrap();
        for error in [
            openai.ask(&QUESTION).await.unwrap_err(),
            openai.generate_prompts(&GENERATION_REQUEST).await.unwrap_err(),
        ] {
            assert!(
                matches!(error, AskError::InvalidKey { .. }),
                "{value:?}: {error:?}"
            );
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
    assert_eq!(TestSecret::new(Ok("{}")).providers(&[]).names(), all);
    assert_eq!(all.len(), 6);
}
