//! `problems` in `tracking-status` shows what delays a running check, and what the last check lacked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acceptance::{Account, FakeOpenAi, ProviderReply, World, answer};
use domain::clock::Clock;
use domain::id::EntityId;
use domain::limits::{CHECK_DEADLINE, OVERDUE_AFTER, PAUSE_JITTER, PROBE_RETRY, PROVIDER_PAUSE};
use domain::time::{DAY, MINUTE};
use local::Options;
use serde_json::{Value, json};

use super::status;
use super::tracking::instant;

/// A service that ticks often and asks a scripted provider.
struct ProblemFixture {
    world: World,
    account: Account,
    entity: String,
}

impl ProblemFixture {
    /// Starts a service with an entity that has one prompt and two models.
    async fn start(provider: &FakeOpenAi) -> Self {
        let options = Options {
            tick: Duration::from_millis(50),
            ..Options::default()
        };
        let world = World::with(options, provider.lookup()).await;
        let account = world.account().await;
        let models = world.models(&account).await;
        let more = json!({"models": models[..2]});
        let entity = world
            .entity(&account, "Acme", "acme.com", &["Which?"], more)
            .await;
        Self {
            world,
            account,
            entity,
        }
    }

    fn advance(&self, time: Duration) {
        let clock = &self.world.host.clock;
        clock.advance_to(clock.now() + time);
    }

    /// Advances the clock in steps, and waits up to 20 seconds after each until a tick has reconciled the
    /// running check.
    async fn advance_reconciled(&self, time: Duration) {
        let id: EntityId = self.entity.parse().unwrap();
        let until = self.world.host.clock.now() + time;
        while self.world.host.clock.now() < until {
            self.advance(OVERDUE_AFTER.min(until.duration_since(self.world.host.clock.now())));
            let is_reconciled = async || {
                let entity = self.world.host.store.entity(&self.account.tenant, &id).await;
                let running = entity.unwrap().unwrap().running;
                running.is_none_or(|running| running.next_reconciliation_at > self.world.host.clock.now())
            };
            let mut polls = 0;
            while !is_reconciled().await {
                tokio::time::sleep(Duration::from_millis(20)).await;
                polls += 1;
                assert!(polls < 1_000, "the check is not reconciled");
            }
        }
    }

    /// Waits up to 20 seconds until the status matches, and returns it.
    async fn status_with(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..400 {
            let status = status(&self.world, &self.account, &self.entity).await;
            if wanted(&status) {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the status stays otherwise");
    }
}

fn problems(status: &Value) -> &[Value] {
    status["problems"].as_array().unwrap()
}

/// The delay of a probe and of the shards that wait for it.
const RECOVERY: Duration = PROBE_RETRY.saturating_add(PAUSE_JITTER);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_provider_is_one_problem_while_the_check_runs_and_none_when_it_answers() {
    let is_paid = Arc::new(AtomicBool::new(false));
    let paid = is_paid.clone();
    let provider = FakeOpenAi::start(move |_| {
        if paid.load(Ordering::SeqCst) {
            answer("Acme.", &[], &[]).into()
        } else {
            ProviderReply::error(429, "insufficient_quota")
        }
    })
    .await;
    let fixture = ProblemFixture::start(&provider).await;
    let (store, clock) = (&fixture.world.host.store, &fixture.world.host.clock);
    fixture.status_with(|status| !problems(status).is_empty()).await;
    fixture.world.host.queues.wait_until_idle().await;
    let paused = status(&fixture.world, &fixture.account, &fixture.entity).await;
    let pause = store.provider_pause("openai").await.unwrap().unwrap();
    assert_eq!(paused["isProcessing"], true);
    assert_eq!(paused["progress"], json!({"done": 0, "total": 2}));
    let problem = json!({
        "provider": "openai", "modelId": null, "reason": pause.reason, "since": pause.since.iso(),
    });
    assert_eq!(paused["problems"], json!([problem]), "two shards have one cause");
    assert!(instant(&problem["since"]) <= clock.now());

    let requests = || provider.asked().values().sum::<u32>();
    let before = requests();
    is_paid.store(true, Ordering::SeqCst);
    fixture.advance(PROVIDER_PAUSE + PAUSE_JITTER);
    fixture.status_with(|_| requests() > before).await;
    fixture.world.host.queues.wait_until_idle().await;
    fixture.advance(RECOVERY);
    let done = fixture.world.checked(&fixture.account, &fixture.entity).await;
    assert_eq!((&done["problems"], &done["progress"]), (&json!([]), &Value::Null));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overloaded_model_is_a_separate_problem_until_the_next_check_succeeds() {
    let busy = Arc::new(Mutex::new(None::<String>));
    let hinders = busy.clone();
    let provider = FakeOpenAi::start(move |body| {
        // The model that is asked first stays overloaded.
        let model = body["model"].as_str().unwrap_or_default().to_owned();
        let mut busy = hinders.lock().unwrap();
        if *busy.get_or_insert_with(|| model.clone()) == model {
            let mut reply = ProviderReply::error(429, "rate_limit_exceeded");
            reply.retry_after = Some(1_200);
            return reply;
        }
        answer("Acme.", &[], &[]).into()
    })
    .await;
    let fixture = ProblemFixture::start(&provider).await;
    let running = fixture.status_with(|status| problems(status).len() == 1).await;
    assert_eq!(running["isProcessing"], true);
    let problem = running["problems"][0].clone();
    assert_eq!(problem["provider"], "openai");
    let models = fixture.world.models(&fixture.account).await;
    assert!(models[..2].iter().any(|model| problem["modelId"] == **model));
    assert!(problem["reason"].as_str().unwrap().contains("rate limit"));

    // The shard is retried, and the problem keeps its start time.
    fixture.world.host.queues.wait_until_idle().await;
    fixture.advance(20 * MINUTE);
    fixture
        .status_with(|_| provider.asked().values().any(|times| *times > 1))
        .await;
    fixture.world.host.queues.wait_until_idle().await;
    let again = status(&fixture.world, &fixture.account, &fixture.entity).await;
    assert_eq!(again["problems"], json!([problem]));

    fixture.advance_reconciled(CHECK_DEADLINE).await;
    let ended = fixture.world.checked(&fixture.account, &fixture.entity).await;
    assert_eq!(problems(&ended).len(), 1);
    assert_eq!(ended["problems"][0]["modelId"], problem["modelId"]);
    let reason = ended["problems"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("1 of 1 questions"), "{reason}");

    *busy.lock().unwrap() = Some(String::new());
    fixture.advance(DAY);
    let well = fixture.status_with(|status| {
        status["isProcessing"] == false && status["lastCheckCompletedAt"] != ended["lastCheckCompletedAt"]
    });
    assert_eq!(well.await["problems"], json!([]));
}
