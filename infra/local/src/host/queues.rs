//! The queues between the bus and the checker, and between the bus and the notifier.

use domain::number::to_usize;
use std::sync::Arc;
use std::time::Duration;

use events::{CheckQueue, NotificationsDue};

use crate::bus::{DeadLetter, Depth, EventHandler, Queue, Rule, queue};
use crate::clock::ServiceClock;

/// The number of short steps, and of steps of rereadings, that are worked on at a time.
const STEP_CONCURRENCY: usize = 5;
const REREADING_CONCURRENCY: usize = 2;
/// The number of workspaces whose webhooks are sent to at a time.
const NOTIFICATION_CONCURRENCY: usize = 5;

/// The running queues of the checker and the notifier. Clones share them.
#[derive(Clone)]
pub struct Queues {
    shards: Queue,
    steps: Queue,
    rereadings: Queue,
    notifications: Queue,
}

impl Queues {
    /// Starts the queues, which invoke `checker` and `notifier`.
    pub(super) fn start(
        checker: &EventHandler,
        notifier: &EventHandler,
        clock: &Arc<ServiceClock>,
        shard_concurrency: u32,
    ) -> Self {
        let start = |function: &EventHandler, name: &str, concurrency| {
            let settings = queue::Settings {
                name: name.to_owned(),
                concurrency,
                ..queue::Settings::default()
            };
            Queue::start(function.clone(), clock.clone(), settings)
        };
        Self {
            shards: start(checker, "shards", to_usize(shard_concurrency)),
            steps: start(checker, "steps", STEP_CONCURRENCY),
            rereadings: start(checker, "rereadings", REREADING_CONCURRENCY),
            notifications: start(notifier, "notifications", NOTIFICATION_CONCURRENCY),
        }
    }

    /// Returns the rules of the bus and the queue of each.
    pub(super) fn rules(&self) -> Vec<(Rule, Queue)> {
        let of_checks = CheckQueue::ALL.map(|queue| {
            let rule = Rule::detail_types(events::SOURCE, queue.detail_types());
            (rule, self.get(queue).clone())
        });
        let due = vec![NotificationsDue::DETAIL_TYPE];
        let rule = Rule::detail_types(NotificationsDue::SOURCE, due);
        let mut rules = Vec::from(of_checks);
        rules.push((rule, self.notifications.clone()));
        rules
    }

    /// Returns one of the checker's queues.
    pub fn get(&self, queue: CheckQueue) -> &Queue {
        match queue {
            CheckQueue::Shards => &self.shards,
            CheckQueue::Steps => &self.steps,
            CheckQueue::Rereadings => &self.rereadings,
        }
    }

    /// Returns whether all queues are idle at one moment, so that no step is left that could lead to another
    /// one.
    pub fn is_idle(&self) -> bool {
        Queue::are_idle(&self.all())
    }

    /// Waits until all queues are idle at one moment, or are shut down and their invocations have ended.
    pub async fn wait_until_idle(&self) {
        Queue::wait_until_all_idle(&self.all()).await;
    }

    /// Returns the numbers of messages in all queues by state.
    pub fn depth(&self) -> Depth {
        self.all()
            .iter()
            .map(|queue| queue.depth())
            .fold(Depth::default(), |sum, of_queue| Depth {
                visible: sum.visible + of_queue.visible,
                delayed: sum.delayed + of_queue.delayed,
                in_flight: sum.in_flight + of_queue.in_flight,
                dead_letters: sum.dead_letters + of_queue.dead_letters,
            })
    }

    /// Returns the dead letters queue by queue, the oldest of each first.
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.all().into_iter().flat_map(Queue::dead_letters).collect()
    }

    /// Stops receiving messages and waits for running invocations for at most `grace`.
    pub(super) async fn shutdown(&self, grace: Duration) {
        tokio::join!(
            self.shards.shutdown(grace),
            self.steps.shutdown(grace),
            self.rereadings.shutdown(grace),
            self.notifications.shutdown(grace)
        );
    }

    fn all(&self) -> [&Queue; 4] {
        [&self.shards, &self.steps, &self.rereadings, &self.notifications]
    }
}
