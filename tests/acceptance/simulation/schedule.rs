//! The faults and events of a run, all of which follow from one seed.

mod tests;

use std::time::Duration;

use acceptance::SeededRng;
use domain::time::{DAY, HOUR, MINUTE, SECOND};

/// The rates of faults, per thousand cases. Each run has some kinds of faults and none of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FaultRates {
    /// An SDK call fails temporarily.
    pub(super) calls: u32,
    /// A process crashes at a call or at a question.
    pub(super) crashes: u32,
    /// The bus rejects an event, or accepts it and never delivers it.
    pub(super) lost: u32,
    /// A message is delivered twice.
    pub(super) repeated: u32,
    /// A message is delivered minutes late.
    pub(super) late: u32,
    /// The provider does something other than answer.
    pub(super) replies: u32,
}

/// The initial state of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tracked {
    pub(super) prompts: u32,
    pub(super) models: usize,
    /// The creation claims the first check. Otherwise a tick claims it.
    pub(super) claims_at_once: bool,
}

/// An action of a client or an operator on one of the entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    RunCheck,
    /// The operator requests a check by an event.
    RequestCheck,
    PausePrompt(u32),
    DeletePrompt(u32),
    DeleteEntity,
    Deactivate,
    Activate,
    /// Selects `count` models, counted from the first or from the last one.
    SelectModels {
        count: usize,
        from_last: bool,
    },
    /// Adds an alias that answers contain, or removes it.
    SetAlias(bool),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// With `reconcile_all`, the tick reconciles all running checks, as it does when the local host starts.
    Tick {
        reconcile_all: bool,
    },
    /// Moves the clock by this number of milliseconds.
    Jump(i64),
    /// Moves the clock to the deadline of checks that have just begun, as if ticks had reconciled them all
    /// the time.
    ReachDeadline,
    Act {
        entity: usize,
        action: Action,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Schedule {
    seed: u64,
    pub(super) fault_rates: FaultRates,
    /// The number of messages that are handled concurrently.
    pub(super) workers: usize,
    /// The maximum duration of an invocation.
    pub(super) invocation: Duration,
    pub(super) credits: i64,
    pub(super) entities: Vec<Tracked>,
    /// The events by the time since the start, in order.
    pub(super) events: Vec<(Duration, Event)>,
}

impl Schedule {
    pub(super) fn of(seed: u64) -> Self {
        let mut rng = SeededRng::new(seed);
        let mut rate = |high| *rng.choose(&[0, high / 5, high]);
        let fault_rates = FaultRates {
            calls: rate(60),
            crashes: rate(400),
            lost: rate(200),
            repeated: rate(400),
            late: rate(200),
            replies: rate(400),
        };
        let entities = (0..*rng.choose(&[1, 1, 1, 2, 3]))
            .map(|_| tracked(&mut rng))
            .collect();
        let has_few_credits = rng.chance(20);
        let credits = if has_few_credits {
            rng.below(40).into()
        } else {
            100_000
        };
        let horizon = *rng.choose(&[5, 20, 60, 150]) * millis(MINUTE);
        let mut schedule = Self {
            seed,
            fault_rates,
            workers: 2 + rng.below(3) as usize,
            invocation: Duration::from_secs(*rng.choose(&[900, 900, 240])),
            credits,
            entities,
            events: Vec::new(),
        };
        schedule.add_events(&mut rng, horizon);
        schedule
    }

    /// Adds the actions, the clock jumps and the ticks, before the horizon or soon after one another.
    fn add_events(&mut self, rng: &mut SeededRng, horizon: i64) {
        let first = i64::from(rng.below(60_000));
        self.add(
            first,
            Event::Tick {
                reconcile_all: rng.chance(50),
            },
        );
        let entities = u32::try_from(self.entities.len()).unwrap();
        if rng.chance(25) {
            // The check ends while its first answers are in flight.
            let at = first + i64::from(5_000 + rng.below(40_000));
            let (entity, action) = (rng.below(entities) as usize, Action::DeleteEntity);
            if rng.chance(50) {
                self.add(at, Event::Act { entity, action });
            } else {
                self.add(at, Event::ReachDeadline);
                self.add(
                    at + i64::from(rng.below(20_000)),
                    Event::Tick { reconcile_all: false },
                );
            }
        }
        for _ in 0..rng.below(6) {
            let (at, entity) = (self.choose_time(rng, horizon), rng.below(entities) as usize);
            let action = action(rng, self.entities[entity].prompts);
            if action == Action::RunCheck && rng.chance(40) {
                let action = Action::RunCheck;
                self.add(at, Event::Act { entity, action });
            }
            self.add(at, Event::Act { entity, action });
        }
        if rng.chance(50) {
            for _ in 0..1 + rng.below(4) {
                let (at, by) = (self.choose_time(rng, horizon), jump(rng));
                self.add(at, Event::Jump(by));
            }
        }
        for _ in 0..rng.below(8) {
            let (at, reconcile_all) = (self.choose_time(rng, horizon), rng.chance(10));
            self.add(at, Event::Tick { reconcile_all });
        }
        self.events.sort_by_key(|(at, _)| *at);
    }

    /// Chooses a time, which is usually soon after another event, so that events coincide.
    fn choose_time(&self, rng: &mut SeededRng, horizon: i64) -> i64 {
        if rng.chance(60) {
            let near = rng.choose(&self.events).0.as_millis();
            return i64::try_from(near).unwrap() + i64::from(rng.below(45_000));
        }
        rng.below(u32::try_from(horizon).unwrap()).into()
    }

    fn add(&mut self, ms: i64, event: Event) {
        self.events
            .push((Duration::from_millis(ms.unsigned_abs()), event));
    }

    /// Returns the generator for the `n`th decision of a kind.
    pub(super) fn rng(&self, kind: &str, n: u64) -> SeededRng {
        let mut rng = SeededRng::new(self.seed ^ n.rotate_left(32));
        for byte in kind.bytes() {
            rng = SeededRng::new(rng.next_u64() ^ u64::from(byte));
        }
        rng
    }
}

fn tracked(rng: &mut SeededRng) -> Tracked {
    Tracked {
        prompts: *rng.choose(&[1, 1, 2, 2, 3, 3, 4, 5, 8, 12, 26, 60]),
        models: 1 + rng.below(3) as usize,
        claims_at_once: rng.chance(50),
    }
}

fn action(rng: &mut SeededRng, prompts: u32) -> Action {
    let prompt = 1 + rng.below(prompts);
    match rng.below(15) {
        0..=2 => Action::RunCheck,
        3 => Action::RequestCheck,
        4 => Action::PausePrompt(prompt),
        5 => Action::DeletePrompt(prompt),
        6 | 7 => Action::DeleteEntity,
        8 => Action::Deactivate,
        9 => Action::Activate,
        10..=12 => Action::SetAlias(rng.chance(60)),
        _ => Action::SelectModels {
            count: 1 + rng.below(3) as usize,
            from_last: rng.chance(50),
        },
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap()
}

/// Chooses a clock jump, back by moments or forward by up to three days.
fn jump(rng: &mut SeededRng) -> i64 {
    let (min, max) = *rng.choose(&[
        (-millis(5 * SECOND), 0),
        (millis(SECOND), millis(5 * MINUTE)),
        (millis(MINUTE), millis(3 * HOUR)),
        (millis(HOUR), millis(3 * DAY)),
    ]);
    let span = u32::try_from(max - min).unwrap();
    min + i64::from(rng.below(span))
}
