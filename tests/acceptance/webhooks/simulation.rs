//! Every event reaches a receiver that comes back, with one id, however receivers and the notifier fail.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use acceptance::{Fault, SeededRng};
use domain::id::WebhookId;
use domain::time::{DAY, MINUTE};
use domain::webhook::DeliveryState;
use store::Tenant;

use super::fixture::NotifierFixture;
use super::receiver::{Behaviour, Receiver};
use crate::rereading::setting;

/// The ways in which a receiver fails.
const FAILURES: [Behaviour; 5] = [
    Behaviour::Status(500),
    Behaviour::Status(429),
    Behaviour::Redirect,
    Behaviour::Hang,
    Behaviour::HangUp,
];

/// Three days in which receivers come and go, and the notifier dies at any call, misses messages and gets
/// them twice.
async fn three_days(seed: u64) {
    let mut rng = SeededRng::new(seed);
    let fixture = NotifierFixture::start().await;
    let tenant = &fixture.tenant;
    let mut receivers: BTreeMap<WebhookId, Receiver> = BTreeMap::new();
    for _ in 0..3 {
        let receiver = Receiver::start().await;
        receivers.insert(fixture.webhook(tenant, &receiver.url).await, receiver);
    }
    let webhooks: Vec<WebhookId> = receivers.keys().copied().collect();
    let mut recorded: BTreeMap<WebhookId, Vec<String>> = BTreeMap::new();
    let (mut crashes, mut failures) = (0, 0);
    for _ in 0..36 {
        let webhook = rng.choose(&webhooks);
        let receiver = &receivers[webhook];
        receiver.answer_with(if rng.below(2) == 0 {
            Behaviour::Accept
        } else {
            failures += 1;
            *rng.choose(&FAILURES)
        });
        for _ in 0..rng.below(3) {
            // What a client is told to have taken effect is an event.
            recorded
                .entry(*webhook)
                .or_default()
                .push(fixture.test(tenant, webhook).await);
        }
        match rng.below(4) {
            // The message is lost.
            0 => {}
            // It arrives twice, at once.
            1 => {
                tokio::join!(fixture.notify(tenant), fixture.notify(tenant));
            }
            2 => {
                fixture.faults.random(rng.next_u64(), 200, &Fault::TRANSIENT);
                fixture.notify(tenant).await;
                fixture.faults.none();
            }
            _ => crashes += u32::from(fixture.notify_until_crash(tenant, &mut rng).await),
        }
        let pause = [Duration::from_secs(6), 3 * MINUTE, 40 * MINUTE, 120 * MINUTE];
        fixture.table.advance(*rng.choose(&pause));
        fixture.tick().await;
    }
    assert!(crashes > 0 && failures > 0);
    // Everybody comes back before the third day has passed.
    for receiver in receivers.values() {
        receiver.answer_with(Behaviour::Accept);
    }
    for _ in 0..30 {
        fixture.table.advance(DAY / 8);
        fixture.tick().await;
    }
    for (webhook, receiver) in &receivers {
        let expected = recorded.remove(webhook).unwrap_or_default();
        let accepted = receiver.accepted();
        let distinct: BTreeSet<&String> = accepted.iter().collect();
        assert_eq!(
            distinct,
            expected.iter().collect(),
            "seed {seed}: each event, and nothing else"
        );
        let listed = fixture.table.store.deliveries(tenant, webhook).await.unwrap();
        assert_eq!(listed.len(), expected.len(), "seed {seed}");
        assert!(
            listed
                .iter()
                .all(|delivery| delivery.state == DeliveryState::Delivered),
            "seed {seed}"
        );
        // First attempts are in the order of the events.
        let mut first: Vec<String> = Vec::new();
        for id in receiver
            .received()
            .iter()
            .map(|message| message.header("webhook-id").to_owned())
        {
            if !first.contains(&id) {
                first.push(id);
            }
        }
        assert_eq!(first, expected, "seed {seed}");
    }
    assert!(
        fixture
            .table
            .store
            .due_notifications(fixture.table.now())
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_event_reaches_a_receiver_that_comes_back_within_three_days_with_one_id() {
    for seed in 0..setting("WEBHOOK_SEEDS").unwrap_or(3) {
        three_days(seed).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_hangs_holds_up_no_other_webhook() {
    let fixture = NotifierFixture::start().await;
    let tenant = &fixture.tenant;
    let (dead, well) = (Receiver::start().await, Receiver::start().await);
    dead.answer_with(Behaviour::Hang);
    let [dead_id, well_id] = [
        fixture.webhook(tenant, &dead.url).await,
        fixture.webhook(tenant, &well.url).await,
    ];
    for _ in 0..5 {
        fixture.test(tenant, &dead_id).await;
        fixture.test(tenant, &well_id).await;
    }
    let start = Instant::now();
    let all_well = async {
        well.wait_for(5).await;
        start.elapsed()
    };
    let (took, ()) = tokio::join!(all_well, fixture.notify(tenant));
    // Three attempts time out one after another, and then the sender leaves the others for later.
    assert_eq!(dead.received().len(), 3);
    assert!(took < start.elapsed(), "{took:?} of {:?}", start.elapsed());
    assert!(start.elapsed() >= Duration::from_millis(600));
}

#[expect(
    clippy::print_stdout,
    reason = "the times are in the documentation, and tests print only if asked to"
)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_that_hang_delay_no_other_workspace() {
    let fixture = NotifierFixture::start().await;
    let other = NotifierFixture::workspace(&fixture.table).await;
    let well = Receiver::start().await;
    let well_id = fixture.webhook(&other, &well.url).await;
    let mut hanging = Vec::new();
    for _ in 0..10 {
        let receiver = Receiver::start().await;
        receiver.answer_with(Behaviour::Hang);
        let webhook = fixture.webhook(&fixture.tenant, &receiver.url).await;
        fixture.test(&fixture.tenant, &webhook).await;
        hanging.push(receiver);
    }
    let timed = async |tenant: &Tenant| {
        let start = Instant::now();
        fixture.notify(tenant).await;
        start.elapsed()
    };
    fixture.test(&other, &well_id).await;
    let alone = timed(&other).await;
    fixture.test(&other, &well_id).await;
    let (beside, stuck) = tokio::join!(timed(&other), timed(&fixture.tenant));
    println!(
        "a message takes {alone:?} alone, and {beside:?} beside 10 receivers that hang, which take {stuck:?}"
    );
    assert_eq!(well.accepted().len(), 2);
    assert!(hanging.iter().all(|receiver| receiver.accepted().is_empty()));
    assert!(beside < stuck, "{beside:?} of {stuck:?}");
}
