use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::*;
use crate::bus::schedule::Settings;

/// Ticks at once, and then in this interval.
fn every(ms: u64) -> Settings {
    let request = Arc::new(tokio::sync::Notify::new());
    request.notify_one();
    Settings {
        interval: Duration::from_millis(ms),
        request,
    }
}

async fn until(recorded: &RecordedEvents, count: usize) {
    in_time(async {
        while recorded.lock().unwrap().len() < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_tick_is_a_scheduled_event_and_comes_when_it_is_asked_for() {
    let (handler, recorded) = recording(|_| Ok(Value::Null));
    let schedule = Schedule::start(handler, clock(), every(3_600_000));
    until(&recorded, 1).await;
    assert!(schedule.stop(TIMEOUT).await);

    let mut event = recorded.lock().unwrap()[0].clone();
    assert_eq!(event["id"].take().as_str().unwrap().len(), 36);
    let expected = json!({
        "version": "0",
        "id": null,
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": "000000000000",
        "time": "2025-12-05T19:20:01.005Z",
        "region": "us-east-1",
        "resources": ["arn:aws:events:us-east-1:000000000000:rule/tick"],
        "detail": {},
    });
    assert_eq!(event, expected);
}

#[tokio::test]
async fn the_first_tick_waits_for_the_interval() {
    let (handler, recorded) = recording(|_| Ok(Value::Null));
    let settings = Settings {
        request: Arc::default(),
        ..every(40)
    };
    let begun = std::time::Instant::now();
    let schedule = Schedule::start(handler, clock(), settings);
    until(&recorded, 1).await;
    assert!(begun.elapsed() >= Duration::from_millis(40));
    assert!(schedule.stop(TIMEOUT).await);
}

#[tokio::test]
async fn a_tick_that_is_asked_for_comes_between_those_of_the_interval() {
    let (handler, recorded) = recording(|_| Ok(Value::Null));
    let settings = every(3_600_000);
    let request = Arc::clone(&settings.request);
    let schedule = Schedule::start(handler, clock(), settings);
    until(&recorded, 1).await;
    request.notify_one();
    until(&recorded, 2).await;
    assert!(schedule.stop(TIMEOUT).await);
    assert_eq!(recorded.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_failing_or_panicking_tick_does_not_stop_the_schedule() {
    let calls = AtomicUsize::new(0);
    let (handler, recorded) = recording(move |_| match calls.fetch_add(1, Ordering::SeqCst) {
        1 => Err("no".to_owned()),
        3 => panic!("the tick broke"),
        _ => Ok(Value::Null),
    });
    let schedule = Schedule::start(handler, clock(), every(1));
    // The one that panicked was not kept.
    until(&recorded, 6).await;
    assert!(schedule.stop(TIMEOUT).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_ticks_never_run_at_once() {
    let running = Arc::new(AtomicUsize::new(0));
    let max_running = Arc::new(AtomicUsize::new(0));
    let ended = Arc::new(AtomicUsize::new(0));
    let counters = [&running, &max_running, &ended].map(Arc::clone);
    let handler: EventHandler = Arc::new(move |_| {
        let [running, max_running, ended] = counters.clone();
        async move {
            max_running.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(10)).await;
            running.fetch_sub(1, Ordering::SeqCst);
            ended.fetch_add(1, Ordering::SeqCst);
            Ok(Value::Null)
        }
        .boxed()
    });
    let schedule = Schedule::start(handler, clock(), every(1));
    in_time(async {
        while ended.load(Ordering::SeqCst) < 5 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    assert!(schedule.stop(TIMEOUT).await);
    assert_eq!(running.load(Ordering::SeqCst), 0);
    assert_eq!(max_running.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_stop_does_not_wait_forever() {
    let begun = Arc::new(tokio::sync::Notify::new());
    let begins = Arc::clone(&begun);
    let handler: EventHandler = Arc::new(move |_| {
        begins.notify_one();
        std::future::pending().boxed()
    });
    let schedule = Schedule::start(handler, clock(), every(1));
    in_time(begun.notified()).await;
    assert!(!schedule.stop(Duration::from_millis(10)).await);
}
