//! Workspaces whose questions a provider refuses for themselves, beside others, with and without a key that
//! is really bad.
//!
//! Each run follows from one seed. `SIMULATION_RUNS` and `SIMULATION_SEED` set them, as in the simulations of
//! checks:
//!
//! ```sh
//! SIMULATION_RUNS=300 cargo test -p acceptance --test acceptance refuses_for_themselves
//! ```

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acceptance::SeededRng;
use domain::answer::{Answer, ResponseState};
use domain::limits::{PAUSE_JITTER, PROBE_INTERVAL, PROVIDER_PAUSE};
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::time::MINUTE;
use providers::{AskError, HttpResponse, decode_answer};

use super::SHARD_TIME;
use super::entities::Tracked;
use super::provider::usual_answer;
use super::run::FleetRun;

/// The number of runs if `SIMULATION_RUNS` is not set.
const RUNS: u64 = 6;

/// Replies that refuse one question for itself: the status, the body, and what the recorded reason contains.
const REFUSALS: [(u16, &str, &str); 11] = [
    (403, "<title>Attention Required! | Cloudflare</title>", "blocked"),
    (
        403,
        "<html>The request was rejected by an application firewall: insufficient_quota</html>",
        "blocked",
    ),
    (
        401,
        "<html><title>401 Authorization Required</title></html>",
        "blocked",
    ),
    (403, r#"{"message": "Forbidden"}"#, "blocked"),
    (
        403,
        r#"{"error": {"message": "Your question about an invalid api key is not allowed", "type": "permission_error"}}"#,
        "blocked",
    ),
    (402, "<html>blocked</html>", "blocked"),
    (
        400,
        r#"{"error": {"message": "m", "type": "invalid_request_error", "code": "invalid_prompt"}}"#,
        "prompt was refused",
    ),
    (
        403,
        r#"{"code": "permission-denied", "error": "Content violates usage guidelines. Your credit balance"}"#,
        "prompt was refused",
    ),
    (
        413,
        r#"{"error": {"message": "m", "type": "request_too_large"}}"#,
        "too large",
    ),
    (
        429,
        r#"{"error": {"message": "Request too large for m on tokens per min (TPM): Limit 30000, Requested 36278.",
            "type": "tokens", "code": "rate_limit_exceeded"}}"#,
        "too large",
    ),
    (
        429,
        r#"{"error": {"message": "Rate limit reached for m: Limit 30000, Used 0, Requested 36278.", "type": "tokens",
            "code": "rate_limit_exceeded"}}"#,
        "too large",
    ),
];
/// Replies of a provider that rejects the key: in its own words, and by a gateway in front of it.
const BAD_KEYS: [(u16, &str); 2] = [
    (
        401,
        r#"{"error": {"message": "Incorrect API key provided: sk-x.", "type": "invalid_request_error", "code": "invalid_api_key"}}"#,
    ),
    (401, "<html><title>401 Authorization Required</title></html>"),
];

/// A time in which the provider rejects the key.
#[derive(Clone, Copy, Debug)]
struct BadKey {
    from: Duration,
    to: Duration,
    /// Whether a gateway says so, and not the provider.
    is_gateway: bool,
}

/// What follows from a seed.
struct World {
    entities: Vec<Tracked>,
    bad_key: Option<BadKey>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut rng = SeededRng::new(seed);
        let workspaces = 2 + rng.below(3) as usize;
        let mut entities = Vec::new();
        for number in 0..workspaces + rng.below(4) as usize {
            let is_troublesome = rng.chance(70);
            let texts: Vec<String> = (1..=2 + rng.below(11))
                .map(|n| match is_troublesome && rng.chance(40) {
                    true => format!("Question {n} is refused as {}", rng.below(REFUSALS.len() as u32)),
                    false => format!("Question {n}?"),
                })
                .collect();
            entities.push(Tracked {
                workspace: number % workspaces,
                prompts: texts.len(),
                models: 1 + rng.below(2) as usize,
                created_after: MINUTE * rng.below(70),
                texts,
            });
        }
        entities.sort_by_key(|entity| entity.created_after);
        let bad_key = rng.chance(50).then(|| {
            let from = MINUTE * rng.below(60) + Duration::from_secs(rng.below(60).into());
            let to = from + MINUTE * (1 + rng.below(45));
            let is_gateway = rng.chance(50);
            BadKey { from, to, is_gateway }
        });
        Self { entities, bad_key }
    }
}

/// Decodes a reply as the provider's own code does.
fn reply(provider: &str, status: u16, body: &str) -> AskError {
    let response = HttpResponse {
        status: status.try_into().unwrap(),
        headers: Default::default(),
        body: body.as_bytes().to_vec(),
    };
    decode_answer(provider, response).unwrap().unwrap_err()
}

/// The times of the service's own questions since the start of the fleet.
type Probes = Arc<Mutex<Vec<Duration>>>;

/// Runs the checks of some entities of a world.
fn execute(entities: &[Tracked], bad_key: Option<BadKey>) -> (FleetRun, Vec<Duration>) {
    let probes = Probes::default();
    let log = probes.clone();
    let script = move |provider: &str, text: &str, passed: Duration| -> Result<Answer, AskError> {
        if !text.starts_with("Question ") {
            log.lock().unwrap().push(passed);
        }
        if let Some(bad) = bad_key.filter(|bad| (bad.from..bad.to).contains(&passed)) {
            let (status, body) = BAD_KEYS[usize::from(bad.is_gateway)];
            return Err(reply(provider, status, body));
        }
        match text.split_once(" is refused as ") {
            Some((_, kind)) => {
                let (status, body, _) = REFUSALS[kind.parse::<usize>().unwrap()];
                Err(reply(provider, status, body))
            }
            None => Ok(usual_answer()),
        }
    };
    let run = FleetRun::execute_with_script(entities, Arc::new(script));
    let probes = probes.lock().unwrap().clone();
    (run, probes)
}

/// When each question of a check ended since the start of the fleet, and how.
type Ends = BTreeMap<(PromptOrdinal, ModelOrdinal), (Duration, ResponseState)>;

fn ends(run: &FleetRun, entity: usize) -> Ends {
    let responses = run.checks[entity].responses.iter();
    responses
        .map(|response| {
            let at = response.answered_at.duration_since(run.start);
            ((response.prompt, response.model), (at, response.state))
        })
        .collect()
}

/// Returns the latest time at which a probe finds that the key is mended. None is sent while no check runs, so
/// that after the pause the check that begins next sends it.
fn found_mended(entities: &[Tracked], bad: BadKey, probes: &[Duration]) -> Duration {
    let end_of_pause = bad.to + PROVIDER_PAUSE + PAUSE_JITTER;
    let probe = probes.iter().copied().find(|probe| *probe >= bad.to);
    let Some(probe) = probe.filter(|probe| *probe > end_of_pause + MINUTE) else {
        return end_of_pause;
    };
    let begins = |entity: &Tracked| (entity.created_after..=entity.created_after + MINUTE).contains(&probe);
    assert!(
        entities.iter().any(begins),
        "a probe at {probe:?} without a check that begins"
    );
    probe
}

/// Asserts of a run what holds whatever else runs: which questions fail, and why, and how often the provider
/// is probed.
fn audit(world: &World, run: &FleetRun, probes: &[Duration]) {
    for (check, entity) in run.checks.iter().zip(&world.entities) {
        assert_eq!(check.responses.len(), entity.texts.len() * entity.models);
        for response in &check.responses {
            let text = &entity.texts[response.prompt.get() as usize - 1];
            let kind = text
                .split_once(" is refused as ")
                .map(|(_, kind)| kind.parse::<usize>().unwrap());
            let reason = response.reason.clone().unwrap_or_default();
            let is_expected = match (kind, response.state) {
                (Some(kind), ResponseState::Failed) => {
                    reason.contains(REFUSALS[kind].2) || reason.contains("blocked")
                }
                (None, ResponseState::Answered) => true,
                // Behind a gateway, a bad key looks like a refusal of the question until the provider is
                // probed.
                (None, ResponseState::Failed) => {
                    world.bad_key.is_some_and(|bad| bad.is_gateway) && reason.contains("blocked")
                }
                _ => false,
            };
            assert!(is_expected, "{text}: {:?} {reason}", response.state);
        }
    }
    let Some(bad) = world.bad_key else {
        assert!(run.paused.is_empty(), "paused at {:?}", run.paused);
        let near = probes.windows(2).find(|pair| pair[1] - pair[0] < PROBE_INTERVAL);
        assert_eq!(near, None, "one probe in a quarter of an hour");
        return;
    };
    let last = found_mended(&world.entities, bad, probes) + MINUTE;
    assert!(
        run.paused.iter().all(|at| *at > bad.from && *at <= last),
        "{:?} {probes:?}",
        run.paused
    );
    // A check that begins while the key is bad and its probe is not barred by an earlier one pauses the
    // provider. The next tick sees that. There is none while no check runs.
    let barred = |at: Duration| {
        bad.is_gateway
            && probes
                .iter()
                .any(|probe| *probe < bad.from && *probe + PROBE_INTERVAL > at)
    };
    for entity in &world.entities {
        let at = entity.created_after;
        let is_seen = run.listed.iter().any(|(tick, _)| *tick == at + MINUTE);
        if at > bad.from && at + MINUTE < bad.to && !barred(at) && is_seen {
            assert!(
                run.paused.contains(&(at + MINUTE)),
                "{at:?} {:?} {probes:?}",
                run.paused
            );
        }
    }
}

#[test]
fn questions_that_a_provider_refuses_for_themselves_hold_up_nobody_elses() {
    let seed = super::super::setting("SIMULATION_SEED");
    let runs = super::super::setting("SIMULATION_RUNS").unwrap_or(if seed.is_some() { 1 } else { RUNS });
    let first = seed.unwrap_or_else(|| uuid::Uuid::new_v4().as_u64_pair().0);
    for seed in (0..runs).map(|n| first.wrapping_add(n)) {
        eprintln!("SIMULATION_SEED={seed}");
        let world = World::new(seed);
        let (together, probes) = execute(&world.entities, world.bad_key);
        audit(&world, &together, &probes);
        let workspaces = 1 + world
            .entities
            .iter()
            .map(|entity| entity.workspace)
            .max()
            .unwrap();
        for workspace in 0..workspaces {
            let is_own = |entity: &&Tracked| entity.workspace == workspace;
            let own: Vec<Tracked> = world.entities.iter().filter(is_own).cloned().collect();
            let (alone, _) = execute(&own, world.bad_key);
            let places = (0..world.entities.len()).filter(|at| world.entities[*at].workspace == workspace);
            for (place, at) in places.enumerate() {
                let (alone, together) = (ends(&alone, place), ends(&together, at));
                for (question, (end, state)) in together {
                    let (end_alone, state_alone) = alone[&question];
                    // With a bad key, all wait until a probe finds it mended.
                    let mended = world
                        .bad_key
                        .map(|bad| found_mended(&world.entities, bad, &probes) + MINUTE + SHARD_TIME);
                    let bound = end_alone.max(mended.unwrap_or_default());
                    assert!(
                        end <= bound,
                        "{question:?} of entity {at} ends after {end:?} instead of {end_alone:?}"
                    );
                    if world.bad_key.is_none() {
                        assert_eq!(state, state_alone);
                    }
                }
            }
        }
    }
}
