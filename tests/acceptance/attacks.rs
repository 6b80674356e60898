//! Hostile input that no client sends by mistake. Each attack is data and runs on every input that can hold
//! it.
//!
//! Most attacks run on a workspace with a canceled subscription: a valid write is 403, an invalid one is 400,
//! and neither changes anything.
#![expect(clippy::print_stdout, reason = "a test says how much it tried")]

mod events;
mod headers;
mod hosts;
mod paths;
mod queries;
mod requests;
mod round_trip;
mod sizes;
mod values;

use std::time::{Duration, Instant};

use acceptance::{ApiResponse, World};
use futures::StreamExt;

use crate::contract::inputs::{InputKind, RequestVariant, shown};
use crate::contract::tenants::table_snapshot;
use crate::contract::{Fixture, RequestInput};

/// A request that takes longer than this counts as hanging.
const MAX_RESPONSE_TIME: Duration = Duration::from_secs(20);

/// The expected response to an attack.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Expected {
    /// The input is valid.
    Accepted,
    /// 400, with an error that begins with this name.
    Rejected(String),
    /// 400, with an error that begins with this name or, for an invalid range, with `startDate`.
    InvalidOrRange(String),
    /// 404.
    Unknown,
    /// 413.
    TooLarge,
    /// Either accepted, or 400 with an error that begins with this name.
    AcceptedOrRejected(String),
}

/// A workspace with a canceled subscription.
struct CanceledWorkspace {
    world: World,
    fixture: Fixture,
}

/// A request with its description for failure messages.
struct Attack {
    variant: &'static RequestVariant,
    sent: Payload,
    expected: Expected,
    shown: String,
}

enum Payload {
    Input(RequestInput),
    /// A raw body.
    Bytes(Vec<u8>),
}

impl CanceledWorkspace {
    async fn new() -> Self {
        Self::prepared(async |_, _| ()).await
    }

    /// Runs `prepare` before it cancels the subscription.
    async fn prepared(prepare: impl AsyncFn(&World, &Fixture)) -> Self {
        let world = World::start().await;
        let fixture = Fixture::new(&world).await;
        prepare(&world, &fixture).await;
        fixture.cancel(&world).await;
        Self { world, fixture }
    }

    async fn send(&self, variant: &RequestVariant, payload: &Payload) -> ApiResponse {
        let (endpoint, key) = (variant.endpoint(), &self.fixture.account.key);
        match payload {
            Payload::Input(sent) => endpoint.send(&self.world, Some(key), sent).await,
            Payload::Bytes(bytes) => {
                let request = self.world.request(endpoint.method(), endpoint.path());
                World::execute(request.bearer_auth(key).body(bytes.clone())).await
            }
        }
    }

    /// Runs the attack, checks the response, and returns its duration and name.
    async fn run(&self, attack: &Attack) -> (Duration, String) {
        let start = Instant::now();
        let answer = self.send(attack.variant, &attack.sent).await;
        let took = start.elapsed();
        let short: String = attack.shown.escape_debug().take(120).collect();
        let name = format!("{} {short}", attack.variant.route);
        let shown = format!(
            "{} {short} {:?}: {} {}",
            attack.variant.route, attack.expected, answer.status, answer.text
        );
        let taken = if attack.variant.endpoint().is_read() {
            200
        } else {
            403
        };
        let refused =
            |name: &str| answer.status == 400 && answer.body["error"].as_str().unwrap().starts_with(name);
        let is_expected = match &attack.expected {
            Expected::Accepted => answer.status == taken,
            Expected::Rejected(name) => refused(name),
            Expected::InvalidOrRange(name) => refused(name) || refused("startDate"),
            Expected::Unknown => answer.status == 404,
            Expected::TooLarge => answer.status == 413,
            Expected::AcceptedOrRejected(name) => answer.status == taken || refused(name),
        };
        assert!(is_expected, "{shown}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{shown}");
        assert!(took < MAX_RESPONSE_TIME, "{shown}: {took:?}");
        (took, name)
    }

    /// Runs all attacks, `at_once` at a time, and asserts that none changes anything.
    async fn run_all(&self, attacks: Vec<Attack>, at_once: usize) -> usize {
        let before = table_snapshot(&self.world).await;
        let all = futures::stream::iter(&attacks).map(|attack| self.run(attack));
        let times: Vec<(Duration, String)> = all.buffer_unordered(at_once).collect().await;
        assert_eq!(table_snapshot(&self.world).await, before);
        let slowest = times.iter().max_by_key(|(took, _)| *took).unwrap();
        println!(
            "{} attacks, the slowest took {} ms: {}",
            times.len(),
            slowest.0.as_millis(),
            slowest.1
        );
        attacks.len()
    }
}

/// What a text is answered with where `kind` is taken.
fn expected(variant: &RequestVariant, location: &str, kind: InputKind, text: &str) -> Expected {
    let is_parameter = !variant.endpoint().takes_body();
    let is_blank = text.trim().is_empty();
    let is = |taken: bool| {
        if taken {
            Expected::Accepted
        } else {
            Expected::Rejected(shown(location))
        }
    };
    match kind {
        InputKind::Subject(_) if is_blank && !is_parameter => is(false),
        InputKind::Subject(_) => Expected::Unknown,
        InputKind::Filter(_) | InputKind::Search => Expected::Accepted,
        InputKind::Models => is(text.split(',').all(|text| text.trim().is_empty())),
        InputKind::Cited => is(uuid::Uuid::try_parse(text.trim()).is_ok()),
        InputKind::Name(most) => {
            is(values::is_text(text, 1..=most, false) && !values::INVISIBLE.contains(&text))
        }
        InputKind::Text(most) => is(values::is_text(text, 1..=most, true)),
        InputKind::Note(most) => is(is_blank || values::is_text(text, 1..=most, true)),
        InputKind::Metrics(words) => {
            let mut names = text.split(',').map(str::trim);
            is(names.all(|name| name.is_empty() || words.contains(&name)))
        }
        InputKind::Word(_, words) | InputKind::OwnWord(_, words, _) => is(words.contains(&text)),
        InputKind::Flag if is_parameter => is(["true", "false"].contains(&text)),
        InputKind::Whole(least, most, _) if is_parameter => {
            let digits = text.bytes().all(|b| b.is_ascii_digit());
            is(digits && text.parse().is_ok_and(|n: u64| (least..=most).contains(&n)))
        }
        InputKind::Domain | InputKind::DomainOrEmpty | InputKind::Webhook => {
            Expected::AcceptedOrRejected(shown(location))
        }
        InputKind::Choice(_)
        | InputKind::Whole(..)
        | InputKind::Flag
        | InputKind::Day
        | InputKind::BaseDay
        | InputKind::Language
        | InputKind::Geolocation => is(false),
        InputKind::List(_) | InputKind::Object(..) | InputKind::TextOrObject(..) | InputKind::Never => {
            is(false)
        }
    }
}
