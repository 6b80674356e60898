use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tokio::sync::Semaphore;

use super::*;
use crate::bus::queue::Settings;

fn quick() -> Settings {
    Settings {
        retry_delay: Duration::from_millis(5),
        ..Settings::default()
    }
}

#[tokio::test]
async fn a_message_reaches_the_handler_as_an_sqs_event() {
    let (handler, recorded) = recording(|_| Ok(Value::Null));
    let queue = Queue::start(handler, clock(), quick());
    let id = queue.send("{\"a\":1}".to_owned());
    in_time(queue.wait_until_idle()).await;

    let mut event = recorded.lock().unwrap()[0].clone();
    let receipt = event["Records"][0]["receiptHandle"].take();
    assert_eq!(receipt.as_str().unwrap().len(), 36);
    let expected = json!({"Records": [{
        "messageId": id,
        "receiptHandle": null,
        "body": "{\"a\":1}",
        "attributes": {
            "ApproximateReceiveCount": "1",
            "SentTimestamp": "1764962401005",
            "SenderId": "000000000000",
            "ApproximateFirstReceiveTimestamp": "1764962401005",
        },
        "messageAttributes": {},
        "md5OfBody": "00000000000000000000000000000000",
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:checks",
        "awsRegion": "us-east-1",
    }]});
    assert_eq!(event, expected);
    let read: aws_lambda_events::sqs::SqsEvent = serde_json::from_value(event).unwrap();
    assert_eq!(read.records[0].message_id, Some(id));
}

#[tokio::test]
async fn a_failed_message_is_retried_after_its_delay() {
    let settings = Settings {
        retry_delay: Duration::from_millis(40),
        ..Settings::default()
    };
    let (handler, recorded) =
        recording(
            |event| match event["Records"][0]["attributes"]["ApproximateReceiveCount"].as_str() {
                Some("1") => Err("not yet".to_owned()),
                _ => Ok(Value::Null),
            },
        );
    let queue = Queue::start(handler, clock(), settings);
    let begun = std::time::Instant::now();
    queue.send("m".to_owned());
    in_time(queue.wait_until_idle()).await;
    assert!(begun.elapsed() >= Duration::from_millis(40));
    assert_eq!(bodies(&recorded), [["m"], ["m"]]);
    assert_eq!(queue.dead_letters(), []);
}

#[tokio::test]
async fn a_message_that_fails_or_panics_too_often_is_a_dead_letter() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let handler: EventHandler = Arc::new(move |_| {
        assert!(
            counted.fetch_add(1, Ordering::SeqCst).is_multiple_of(2),
            "the handler broke"
        );
        std::future::ready(Err("no".to_owned())).boxed()
    });
    let settings = Settings {
        max_receives: 4,
        ..quick()
    };
    let queue = Queue::start(handler, clock(), settings);
    let id = queue.send("m".to_owned());
    in_time(queue.wait_until_idle()).await;

    assert_eq!(calls.load(Ordering::SeqCst), 4);
    let letters = queue.dead_letters();
    assert_eq!(letters.len(), 1);
    assert_eq!(
        (
            &letters[0].message_id,
            letters[0].body.as_str(),
            letters[0].receives
        ),
        (&id, "m", 4)
    );
    // A panic's own text may hold anything.
    assert_eq!(letters[0].reason, "the function panicked");
    let depth = Depth {
        visible: 0,
        delayed: 0,
        in_flight: 0,
        dead_letters: 1,
    };
    assert_eq!(queue.depth(), depth);
}

/// Invocations that wait until they are let go, with their greatest number at a time.
struct Gate {
    open: Semaphore,
    running: AtomicUsize,
    max_running: AtomicUsize,
}

fn gated() -> (EventHandler, Arc<Gate>) {
    let gate = Arc::new(Gate {
        open: Semaphore::new(0),
        running: AtomicUsize::new(0),
        max_running: AtomicUsize::new(0),
    });
    let shared = Arc::clone(&gate);
    let handler: EventHandler = Arc::new(move |_| {
        let gate = Arc::clone(&shared);
        async move {
            let running = gate.running.fetch_add(1, Ordering::SeqCst) + 1;
            gate.max_running.fetch_max(running, Ordering::SeqCst);
            gate.open.acquire().await.unwrap().forget();
            gate.running.fetch_sub(1, Ordering::SeqCst);
            Ok(Value::Null)
        }
        .boxed()
    });
    (handler, gate)
}

async fn until(mut is_so: impl FnMut() -> bool) {
    in_time(async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_invocations_do_not_exceed_the_limit() {
    let (handler, gate) = gated();
    let settings = Settings {
        concurrency: 3,
        ..quick()
    };
    let queue = Queue::start(handler, clock(), settings);
    for n in 0..40 {
        queue.send(n.to_string());
    }
    until(|| gate.running.load(Ordering::SeqCst) == 3).await;
    assert_eq!(queue.depth().in_flight, 3);
    assert_eq!(queue.depth().visible, 37);
    assert!(!queue.is_idle());
    gate.open.add_permits(40);
    in_time(queue.wait_until_idle()).await;
    assert_eq!(gate.max_running.load(Ordering::SeqCst), 3);
    assert!(queue.is_idle());
}

#[tokio::test]
async fn messages_that_a_handler_sends_keep_the_queue_busy() {
    let slot: Arc<Mutex<Option<Queue>>> = Arc::default();
    let shared = Arc::clone(&slot);
    let (handler, recorded) = recording(move |event| {
        let left: u32 = event["Records"][0]["body"].as_str().unwrap().parse().unwrap();
        if left > 0 {
            let queue = shared.lock().unwrap();
            queue.as_ref().unwrap().send((left - 1).to_string());
        }
        Ok(Value::Null)
    });
    let queue = Queue::start(handler, clock(), quick());
    *slot.lock().unwrap() = Some(queue.clone());
    queue.send("9".to_owned());
    in_time(queue.wait_until_idle()).await;
    assert_eq!(recorded.lock().unwrap().len(), 10);
}

/// Returns a queue whose handler sends one less than it receives to the other queue of `queues`, down to
/// zero.
fn relay(queues: &Arc<Mutex<Vec<Queue>>>, other: usize) -> (Queue, RecordedEvents) {
    let queues = Arc::clone(queues);
    let (handler, recorded) = recording(move |event| {
        let left: u32 = event["Records"][0]["body"].as_str().unwrap().parse().unwrap();
        if left > 0 {
            let queue = queues.lock().unwrap()[other].clone();
            queue.send((left - 1).to_string());
        }
        Ok(Value::Null)
    });
    (Queue::start(handler, clock(), quick()), recorded)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn queues_that_send_to_each_other_are_idle_only_together() {
    let queues: Arc<Mutex<Vec<Queue>>> = Arc::default();
    let [(here, of_here), (there, of_there)] = [relay(&queues, 1), relay(&queues, 0)];
    *queues.lock().unwrap() = vec![here.clone(), there.clone()];
    for round in 1..=50 {
        here.send("99".to_owned());
        in_time(Queue::wait_until_all_idle(&[&here, &there])).await;
        assert!(Queue::are_idle(&[&here, &there]));
        let handled = of_here.lock().unwrap().len() + of_there.lock().unwrap().len();
        assert_eq!(handled, 100 * round);
    }
}

#[tokio::test]
async fn queues_are_not_idle_while_one_of_them_works() {
    let (handler, gate) = gated();
    let busy = Queue::start(handler, clock(), quick());
    let (handler, _) = recording(|_| Ok(Value::Null));
    let free = Queue::start(handler, clock(), quick());
    busy.send("m".to_owned());
    let both = [&free, &busy];
    assert!(!Queue::are_idle(&both) && free.is_idle());
    let early = tokio::time::timeout(Duration::from_millis(20), Queue::wait_until_all_idle(&both)).await;
    assert!(early.is_err());
    gate.open.add_permits(1);
    in_time(Queue::wait_until_all_idle(&both)).await;
    assert!(Queue::are_idle(&both));
}

#[tokio::test]
async fn a_shutdown_lets_running_invocations_end_and_receives_no_more() {
    let (handler, gate) = gated();
    let settings = Settings {
        concurrency: 1,
        ..quick()
    };
    let queue = Queue::start(handler, clock(), settings);
    queue.send("running".to_owned());
    queue.send("waiting".to_owned());
    until(|| gate.running.load(Ordering::SeqCst) == 1).await;
    let stop_then_go_on = async {
        // In this order: the queue must know that it stops before the invocation ends.
        tokio::join!(biased; queue.shutdown(TIMEOUT), async { gate.open.add_permits(2) })
    };
    let (left, ()) = in_time(stop_then_go_on).await;
    assert_eq!((left.visible, left.in_flight), (1, 0));
    in_time(queue.wait_until_idle()).await;
    assert_eq!(queue.depth().visible, 1);
}

#[tokio::test]
async fn a_shutdown_does_not_wait_forever() {
    let (handler, gate) = gated();
    let queue = Queue::start(handler, clock(), quick());
    queue.send("stuck".to_owned());
    until(|| gate.running.load(Ordering::SeqCst) == 1).await;
    assert_eq!(
        in_time(queue.shutdown(Duration::from_millis(10))).await.in_flight,
        1
    );
}
