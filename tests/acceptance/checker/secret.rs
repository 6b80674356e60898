//! The providers' keys are in a secret, which is denied, missing, malformed, throttled or changed while a
//! check runs.

use std::sync::Arc;
use std::time::Duration;

use acceptance::{FakeSecretsManager, Fault, FaultInjector, SecretReply};
use domain::answer::ResponseState;
use domain::limits::{PAUSE_JITTER, PROVIDER_PAUSE};
use domain::time::{MINUTE, SECOND};
use serde_json::json;
use store::connect;

use super::fixture::{CheckerFixture, FIRST_CHECK};
use super::pauses::{PauseScenario, successful_reply};
use crate::store::table::NOON;

/// The checks of two workspaces, whose provider has its key in a secret.
struct SecretScenario {
    checks: PauseScenario,
    secret: Secret,
}

/// A secret that the SDK reads from the stand-in of its API, through faults of the connection.
struct Secret {
    api: FakeSecretsManager,
    faults: FaultInjector,
}

impl Secret {
    /// Makes a checker read its provider's settings from a secret with this reply.
    async fn install(fixture: &mut CheckerFixture, reply: SecretReply) -> Self {
        let api = FakeSecretsManager::start(reply).await;
        let faults = FaultInjector::default();
        let aws = faults.inject_into(&connect::to_endpoint(&api.endpoint));
        let clock = fixture.table.clock.clone();
        fixture.checker.providers = Arc::new(providers::from_environment(&aws, clock, api.lookup()));
        Self { api, faults }
    }
}

/// Returns the reply with a secret that has this key for the fixture's provider.
fn with_key(fixture: &CheckerFixture, key: &str) -> SecretReply {
    let base_url = &fixture.provider.base_url;
    SecretReply::Text(json!({"OPENAI_API_KEY": key, "OPENAI_BASE_URL": base_url}).to_string())
}

impl SecretScenario {
    /// Starts two checks of `prompts` prompts each, whose provider accepts only the key `new`.
    async fn start(prompts: usize, reply: Option<SecretReply>) -> Self {
        let mut checks = PauseScenario::start(prompts).await;
        checks.set_script(successful_reply);
        checks.fixture.provider.accept_only("new");
        let reply = reply.unwrap_or_else(|| with_key(&checks.fixture, "old"));
        let secret = Secret::install(&mut checks.fixture, reply).await;
        assert_eq!(secret.api.reads(), 0, "it is read on first use");
        Self { checks, secret }
    }

    /// Puts the key that the provider accepts into the secret, ends the pause, and asserts that the service's
    /// own question probes the provider and every other is answered once.
    async fn assert_recovers(&self, questions: usize) {
        let fixture = &self.checks.fixture;
        self.secret.api.set(with_key(fixture, "new"));
        self.checks
            .advance_and_deliver(PROVIDER_PAUSE + PAUSE_JITTER)
            .await;
        self.checks.run_until_ended(5).await;
        assert_eq!(self.checks.pause().await, None);
        let responses = self.checks.responses().await;
        assert_eq!(responses.len(), questions);
        assert!(responses.iter().all(|r| r.state == ResponseState::Answered));
        assert_eq!(fixture.ask_count(), 1 + questions, "nothing is asked twice");
    }
}

#[tokio::test]
async fn a_secret_that_only_an_operator_can_repair_pauses_the_provider_and_loses_nothing() {
    let unreadable = "the providers' secret cannot be read";
    let malformed = "the providers' secret is no JSON object of texts";
    for (reply, reason) in [
        (SecretReply::Error(400, "AccessDeniedException"), unreadable),
        (SecretReply::Error(400, "ResourceNotFoundException"), unreadable),
        // It is marked for deletion.
        (SecretReply::Error(400, "InvalidRequestException"), unreadable),
        (SecretReply::Binary, unreadable),
        (SecretReply::Text("sk-hidden".to_owned()), malformed),
        (
            SecretReply::Text(r#"{"OPENAI_API_KEY": ["sk-hidden"]}"#.to_owned()),
            malformed,
        ),
        (
            SecretReply::Text(r#"{"XAI_API_KEY": "sk-hidden"}"#.to_owned()),
            "the providers' secret has no key for it",
        ),
    ] {
        let scenario = SecretScenario::start(2, Some(reply.clone())).await;
        let checks = &scenario.checks;
        assert_eq!(checks.advance_and_deliver(Duration::ZERO).await, 0, "{reply:?}");
        let pause = checks.pause().await.unwrap();
        assert_eq!(pause.since, NOON, "{reply:?}");
        assert!(pause.reason.contains(reason), "{reply:?}: {}", pause.reason);
        let shards = checks.shards().await;
        assert_eq!(shards.len(), 4);
        for shard in shards {
            assert_eq!(shard.problem, Some(pause.problem()), "{reply:?}");
            assert!(shard.asks.values().all(|times| *times == 0), "nothing was asked");
        }
        let reads = scenario.secret.api.reads();
        assert_eq!(checks.advance_and_deliver(14 * MINUTE).await, 0);
        assert_eq!(
            scenario.secret.api.reads(),
            reads,
            "a paused provider needs no key"
        );
        scenario.assert_recovers(8).await;
    }
}

#[tokio::test]
async fn a_secret_that_cannot_be_read_for_the_moment_defers_the_shard_and_pauses_nothing() {
    let cases: [(Option<SecretReply>, Option<Fault>); 8] = [
        (Some(SecretReply::Error(400, "ThrottlingException")), None),
        (Some(SecretReply::Error(500, "InternalServiceError")), None),
        (Some(SecretReply::Error(503, "ServiceUnavailable")), None),
        (Some(SecretReply::Error(400, "ExpiredTokenException")), None),
        (Some(SecretReply::Error(400, "DecryptionFailure")), None),
        (None, Some(Fault::TimeoutBefore)),
        (None, Some(Fault::Unreachable)),
        (None, Some(Fault::Truncated)),
    ];
    // The questions wait between their attempts, so the cases run side by side.
    futures::future::join_all(cases.map(|(reply, fault)| assert_defers(reply, fault))).await;
}

/// Asserts that a shard is deferred for a minute if the secret cannot be read, that the provider is not
/// paused, and that the shard is answered afterwards.
async fn assert_defers(reply: Option<SecretReply>, fault: Option<Fault>) {
    let case = format!("{reply:?} {fault:?}");
    let mut fixture = CheckerFixture::start(2, super::fixture::default_answer).await;
    let key = with_key(&fixture, "new");
    let secret = Secret::install(&mut fixture, reply.unwrap_or_else(|| key.clone())).await;
    secret.faults.script(move |_| fault);
    let shards = fixture.claim_due_check().await;
    assert_eq!(shards.len(), 2, "{case}");
    assert_eq!(fixture.deliver(&shards[0]).await, 0, "{case}");
    assert_eq!(fixture.ask_count(), 0, "{case}");

    let store = &fixture.table.store;
    assert_eq!(store.provider_pause("openai").await.unwrap(), None, "{case}");
    let stored = store.shards(&fixture.tenant, &fixture.entity, FIRST_CHECK).await;
    let shard = stored.unwrap().remove(0);
    let delay = shard.not_before.unwrap().duration_since(NOON);
    assert!((59 * SECOND..=2 * MINUTE).contains(&delay), "{case}: {delay:?}");
    let reason = shard.problem.unwrap().reason;
    assert!(
        reason.contains("the providers' keys cannot be read at the moment"),
        "{case}: {reason}"
    );
    assert!(shard.asks.values().all(|times| *times == 0), "{case}");

    secret.faults.none();
    secret.api.set(key);
    assert_eq!(fixture.deliver(&shards[1]).await, 0, "{case}");
    fixture.table.advance(2 * MINUTE);
    fixture.tick().await;
    fixture.deliver_published().await;
    let responses = fixture.audit().await;
    assert_eq!(responses.len(), 4, "{case}");
    assert!(
        responses.iter().all(|r| r.state == ResponseState::Answered),
        "{case}"
    );
}

#[tokio::test]
async fn all_questions_share_one_read_of_the_secret_and_a_changed_key_is_used_within_five_minutes() {
    let mut fixture = CheckerFixture::start(27, super::fixture::default_answer).await;
    let old = with_key(&fixture, "old");
    let secret = Secret::install(&mut fixture, old).await;
    let shards = fixture.claim_due_check().await;
    assert_eq!(shards.len(), 4);
    let used = |fixture: &CheckerFixture| {
        let mut keys = fixture.provider.keys();
        keys.dedup();
        keys
    };
    // Both keys work while they are exchanged.
    for (shard, (passed, reads, keys)) in shards.iter().zip([
        (Duration::ZERO, 1, &["old"] as &[&str]),
        (4 * MINUTE, 1, &["old"]),
        (MINUTE, 2, &["old", "new"]),
        (4 * MINUTE, 2, &["old", "new"]),
    ]) {
        fixture.table.advance(passed);
        assert_eq!(fixture.deliver(shard).await, 0);
        assert_eq!(secret.api.reads(), reads);
        assert_eq!(used(&fixture), keys);
        secret.api.set(with_key(&fixture, "new"));
    }
    fixture.deliver_published().await;
    assert_eq!(fixture.audit().await.len(), 54);
}

#[tokio::test]
async fn a_key_that_the_vendor_rejects_before_the_new_one_is_read_pauses_the_provider_until_the_probe() {
    let scenario = SecretScenario::start(2, None).await;
    let checks = &scenario.checks;
    checks.advance_and_deliver(Duration::ZERO).await;
    let pause = checks.pause().await.unwrap();
    assert!(pause.reason.contains("invalid_api_key"), "{}", pause.reason);
    assert_eq!(checks.fixture.ask_count(), 0, "the vendor answered nothing");
    scenario.assert_recovers(8).await;
    assert_eq!(scenario.secret.api.reads(), 2);
    assert_eq!(checks.fixture.provider.keys().last().unwrap(), "new");
}
