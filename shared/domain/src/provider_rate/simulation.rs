//! Simulates workers that share the learnt rate of a provider, in virtual time.

mod provider;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use provider::{HINTS, Hints, LIMITERS, Limiter, Provider};

use super::*;
use crate::limits::{MAX_PROMPTS_PER_SHARD, MAX_SLEEP, RATE_JITTER};
use crate::time::{MILLISECOND, SECOND};

/// The constants of a worker, as in the checker.
const CONCURRENT_QUESTIONS: usize = 8;
const MAX_RETRIES: u32 = 3;
const START: Timestamp = Timestamp::from_millis(1_773_144_000_000);
/// The time in which the limit is learnt, before the figures of the steady state.
const LEARNING: Duration = Duration::from_mins(3);
const STEADY: Duration = Duration::from_mins(30);

/// A generator of deterministic pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn up_to(&mut self, max: Duration) -> Duration {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        Duration::from_millis(z % (u64::try_from(max.as_millis()).unwrap() + 1))
    }
}

/// A question that a worker wants to ask or has asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Question {
    worker: usize,
    retries: u32,
    /// The latest start that the worker waits for.
    latest: Timestamp,
    /// When a start was reserved.
    reserved_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A worker gets a shard.
    Take(usize),
    /// A question needs a start.
    Reserve(Question),
    Send(Question),
    Answered(usize),
}

#[derive(Default)]
struct Worker {
    /// The questions of the shard that have not begun.
    open: usize,
    /// The questions that have begun and have no answer.
    begun: usize,
    /// Those of them that have a start or were sent.
    in_flight: usize,
    /// Whether the worker knows that there is a record.
    knows_rate: bool,
    /// The instant until which the shard is deferred.
    deferred: Option<Timestamp>,
}

struct Simulation {
    now: Timestamp,
    random: Random,
    provider: Provider,
    /// The records of the models, between which the workers are divided.
    rates: Vec<Option<ProviderRate>>,
    workers: Vec<Worker>,
    events: BinaryHeap<Reverse<(Timestamp, usize, Event)>>,
    scheduled: usize,
    /// The instants of requests, and whether they were accepted.
    requests: Vec<(Timestamp, bool)>,
}

impl Simulation {
    fn new(workers: usize, models: usize, provider: Provider, seed: u64) -> Self {
        let mut simulation = Self {
            now: START,
            random: Random(seed),
            provider,
            rates: vec![None; models],
            workers: (0..workers).map(|_| Worker::default()).collect(),
            events: BinaryHeap::new(),
            scheduled: 0,
            requests: Vec::new(),
        };
        for worker in 0..workers {
            let after = simulation.random.up_to(5 * SECOND);
            simulation.schedule(after, Event::Take(worker));
        }
        simulation
    }

    fn schedule(&mut self, after: Duration, event: Event) {
        self.scheduled += 1;
        let event = (self.now + after, self.scheduled, event);
        self.events.push(Reverse(event));
    }

    fn run_until(&mut self, end: Timestamp) {
        while let Some(Reverse(next)) = self.events.pop() {
            let (at, _, event) = next;
            if at >= end {
                self.events.push(Reverse(next));
                return;
            }
            self.now = at;
            match event {
                Event::Take(worker) => self.take_shard(worker),
                Event::Reserve(question) => self.reserve(question),
                Event::Send(question) => self.send(question),
                Event::Answered(worker) => {
                    self.workers[worker].in_flight -= 1;
                    self.end_question(worker);
                    self.begin_question(worker);
                    // Another question may have found no start before.
                    self.begin_question(worker);
                }
            }
        }
    }

    fn take_shard(&mut self, number: usize) {
        let now = self.now;
        let worker = &mut self.workers[number];
        worker.knows_rate = self.rates[number % self.rates.len()]
            .as_ref()
            .is_some_and(|rate| rate.per_minute(now).is_some());
        worker.deferred = None;
        if worker.open == 0 {
            worker.open = MAX_PROMPTS_PER_SHARD;
        }
        for _ in 0..CONCURRENT_QUESTIONS {
            self.begin_question(number);
        }
    }

    fn begin_question(&mut self, number: usize) {
        let worker = &mut self.workers[number];
        if worker.deferred.is_none() && worker.open > 0 && worker.begun < CONCURRENT_QUESTIONS {
            worker.open -= 1;
            worker.begun += 1;
            self.reserve_soon(Duration::ZERO, number, 0);
        }
    }

    fn reserve_soon(&mut self, after: Duration, worker: usize, retries: u32) {
        let question = Question {
            worker,
            retries,
            latest: self.now + after + MAX_SLEEP,
            reserved_at: None,
        };
        self.schedule(after, Event::Reserve(question));
    }

    /// Ends a question. After the last one, the worker's turn ends and it gets another shard or, later, the
    /// same.
    fn end_question(&mut self, number: usize) {
        let worker = &mut self.workers[number];
        worker.begun -= 1;
        if worker.begun > 0 || worker.open > 0 && worker.deferred.is_none() {
            return;
        }
        let after = match worker.deferred {
            None => SECOND,
            // A tick publishes the shard.
            Some(until) => {
                let at = until.max(self.now);
                Timestamp::window_start(at.window(MINUTE) + 1, MINUTE).duration_since(self.now)
            }
        };
        let after = after + self.random.up_to(2 * SECOND);
        self.schedule(after, Event::Take(number));
    }

    fn defer(&mut self, number: usize, until: Timestamp) {
        let worker = &mut self.workers[number];
        worker.open += 1;
        worker.deferred = worker.deferred.max(Some(until));
        self.end_question(number);
    }

    fn reserve(&mut self, question: Question) {
        let (now, number) = (self.now, question.worker);
        let worker = &mut self.workers[number];
        if worker.deferred.is_some() {
            return self.defer(number, now);
        }
        let model = number % self.rates.len();
        let rate = self.rates[model].as_ref().filter(|_| worker.knows_rate);
        match rate.map_or(Reservation::Unlimited, |rate| rate.reserve(question.latest, now)) {
            Reservation::Unlimited => {
                worker.in_flight += 1;
                self.schedule(Duration::ZERO, Event::Send(question));
            }
            Reservation::Reserved(start, rate) => {
                worker.in_flight += 1;
                self.rates[model] = Some(rate);
                let wait = start.duration_since(now);
                let reserved_at = Some(now);
                self.schedule(
                    wait,
                    Event::Send(Question {
                        reserved_at,
                        ..question
                    }),
                );
            }
            Reservation::Full(_) if worker.in_flight > 0 => {
                worker.open += 1;
                worker.begun -= 1;
            }
            Reservation::Full(until) => {
                let until = until + self.random.up_to(RATE_JITTER);
                self.defer(number, until);
            }
        }
    }

    fn send(&mut self, question: Question) {
        let (now, number) = (self.now, question.worker);
        let model = number % self.rates.len();
        if question.reserved_at.is_some()
            && self.rates[model]
                .as_ref()
                .is_some_and(|rate| now < rate.held_until)
        {
            self.workers[number].in_flight -= 1;
            return self.reserve(question);
        }
        let accepted = self.provider.ask(now);
        self.requests.push((now, accepted.is_ok()));
        let Err(throttle) = accepted else {
            let answer = 18 * SECOND + self.random.up_to(4 * SECOND);
            return self.schedule(answer, Event::Answered(number));
        };
        let was_reserved = question.reserved_at.is_some();
        self.rates[model] = Some(match &self.rates[model] {
            Some(rate) => rate.throttled(throttle, was_reserved, now),
            None => ProviderRate::first(throttle, now),
        });
        let worker = &mut self.workers[number];
        worker.in_flight -= 1;
        worker.knows_rate = true;
        if question.retries == MAX_RETRIES {
            self.defer(number, now + MINUTE);
        } else {
            self.reserve_soon(200 * MILLISECOND, number, question.retries + 1);
        }
    }

    /// Returns the accepted requests per minute and the part of the requests that were throttled.
    fn figures(&self, from: Timestamp, to: Timestamp) -> (f64, f64) {
        let requests = self.requests.iter().filter(|(at, _)| (from..to).contains(at));
        let accepted: Vec<bool> = requests.map(|(_, accepted)| *accepted).collect();
        let part = |of: bool| accepted.iter().filter(|one| **one == of).count() as f64;
        let minutes = to.duration_since(from).as_secs_f64() / 60.0;
        (
            part(true) / minutes,
            part(false) / (accepted.len() as f64).max(1.0),
        )
    }
}

/// The figures of a run.
struct Figures {
    /// The requests that the provider would get per minute if it had no limit.
    demand: f64,
    /// The part of the provider's limit or, if it is lower, of the demand that was used in the steady state.
    used: f64,
    /// The part of the requests that were throttled while the limit was learnt, and in the steady state.
    throttled_first: f64,
    throttled: f64,
    /// The time from the end of the limit until the workers ask as if there was none.
    recovery: Duration,
}

fn run(workers: usize, models: usize, limiter: Limiter, per_minute: u32, hints: Hints, seed: u64) -> Figures {
    let lifted = START + LEARNING + STEADY;
    let mut unlimited = Simulation::new(workers, models, Provider::new(limiter, u32::MAX, hints), seed);
    unlimited.provider.lifted_at = START;
    unlimited.run_until(lifted);
    let (demand, _) = unlimited.figures(START + LEARNING, lifted);

    let mut simulation = Simulation::new(workers, models, Provider::new(limiter, per_minute, hints), seed);
    simulation.provider.lifted_at = lifted;
    simulation.run_until(lifted + 10 * MINUTE);
    let (_, throttled_first) = simulation.figures(START, START + LEARNING);
    let (rate, throttled) = simulation.figures(START + LEARNING, lifted);
    // A shard takes more than a minute, and a worker starts fewer questions at its end.
    let is_recovered = |after: &Duration| {
        let from = lifted + *after;
        simulation.figures(from, from + 80 * SECOND).0 >= 0.9 * demand
    };
    let recovery = (0..50).map(|n| n * 10 * SECOND).find(is_recovered);
    Figures {
        demand,
        used: rate / demand.min(per_minute.into()),
        throttled_first,
        throttled,
        recovery: recovery.unwrap_or(Duration::MAX),
    }
}

/// Runs every way of counting with every hint for a provider that takes 60 requests per minute, and prints
/// the figures.
#[expect(clippy::print_stderr, reason = "a simulation prints its figures")]
fn assert_limit_of_60_is_learnt(workers: usize, models: usize, min_used: f64, max_throttled: f64) {
    for (limiter, hints) in LIMITERS.into_iter().flat_map(|l| HINTS.map(|hints| (l, hints))) {
        for seed in 0..3 {
            let figures = run(workers, models, limiter, 60, hints, seed);
            let case = format!(
                "{workers} workers, {models} models, {limiter:?}, {hints:?}, seed {seed}: {:.0} % of {:.0} per minute used, {:.0} % \
                 throttled at first, then {:.1} %, at full rate {:?} after the limit",
                figures.used * 100.0,
                figures.demand.min(60.0),
                figures.throttled_first * 100.0,
                figures.throttled * 100.0,
                figures.recovery,
            );
            eprintln!("{case}");
            assert!(figures.used >= min_used, "{case}");
            assert!(figures.throttled <= max_throttled, "{case}");
            assert!(figures.recovery <= 3 * MINUTE, "{case}");
        }
    }
}

#[test]
fn one_worker_learns_the_limit_of_a_provider_and_that_it_was_lifted() {
    assert_limit_of_60_is_learnt(1, 1, 0.8, 0.05);
}

#[test]
fn eight_workers_learn_the_limit_of_a_provider_and_that_it_was_lifted() {
    assert_limit_of_60_is_learnt(8, 1, 0.8, 0.05);
}

#[test]
fn sixty_four_workers_learn_the_limit_of_a_provider_and_that_it_was_lifted() {
    assert_limit_of_60_is_learnt(64, 1, 0.8, 0.05);
}

#[test]
fn models_that_share_a_limit_learn_a_share_each() {
    assert_limit_of_60_is_learnt(64, 2, 0.75, 0.1);
}
