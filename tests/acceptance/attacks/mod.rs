//! Hostile input: what no client sends by mistake. An attack is data; it is made on every place that can hold it.
//!
//! A workspace whose subscription has ended takes the bulk of it: a valid write is 403 there, an invalid one 400,
//! and none changes anything.
#![expect(clippy::print_stdout, reason = "a test says how much it tried")]

mod dates;
mod duplicates;
mod events;
mod headers;
mod hosts;
mod kept;
mod paths;
mod queries;
mod requests;
mod sizes;
mod texts;
mod values;

use std::time::{Duration, Instant};

use acceptance::{ApiResponse, World};
use futures::StreamExt;

use crate::contract::inputs::{Mode, Takes, shown};
use crate::contract::tenants::everything;
use crate::contract::{Fixture, Sent};

/// Longer than this hangs, whatever else the machine does.
const HANGS: Duration = Duration::from_secs(20);

/// What an attack must be answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Expected {
    /// The input is valid.
    Taken,
    /// 400 with an error that begins with this name.
    Refused(String),
    /// The same, or that of the range that it makes, which begins with `startDate`.
    NoRange(String),
    /// 404.
    Unknown,
    /// 413.
    TooLarge,
    /// One of the first two.
    Either(String),
}

/// A workspace whose subscription has ended.
struct Ended {
    world: World,
    fixture: Fixture,
}

/// A request with its name in a failure.
struct Attack {
    mode: &'static Mode,
    sent: Payload,
    expected: Expected,
    shown: String,
}

enum Payload {
    Sent(Sent),
    /// A body as it is.
    Bytes(Vec<u8>),
}

impl Ended {
    async fn new() -> Self {
        Self::of(async |_, _| ()).await
    }

    /// With what `prepare` adds before the subscription ends.
    async fn of(prepare: impl AsyncFn(&World, &Fixture)) -> Self {
        let world = World::start().await;
        let fixture = Fixture::new(&world).await;
        prepare(&world, &fixture).await;
        fixture.cancel(&world).await;
        Self { world, fixture }
    }

    async fn send(&self, mode: &Mode, payload: &Payload) -> ApiResponse {
        let (endpoint, key) = (mode.endpoint(), &self.fixture.account.key);
        match payload {
            Payload::Sent(sent) => endpoint.send(&self.world, Some(key), sent).await,
            Payload::Bytes(bytes) => {
                let request = self.world.request(endpoint.method(), endpoint.path());
                World::execute(request.bearer_auth(key).body(bytes.clone())).await
            }
        }
    }

    /// Makes the attack and checks its answer; how long it took, and what it was.
    async fn make(&self, attack: &Attack) -> (Duration, String) {
        let start = Instant::now();
        let answer = self.send(attack.mode, &attack.sent).await;
        let took = start.elapsed();
        let short: String = attack.shown.escape_debug().take(120).collect();
        let name = format!("{} {short}", attack.mode.route);
        let shown = format!(
            "{} {short} {:?}: {} {}",
            attack.mode.route, attack.expected, answer.status, answer.text
        );
        let taken = if attack.mode.endpoint().is_read() {
            200
        } else {
            403
        };
        let refused =
            |name: &str| answer.status == 400 && answer.body["error"].as_str().unwrap().starts_with(name);
        let is_expected = match &attack.expected {
            Expected::Taken => answer.status == taken,
            Expected::Refused(name) => refused(name),
            Expected::NoRange(name) => refused(name) || refused("startDate"),
            Expected::Unknown => answer.status == 404,
            Expected::TooLarge => answer.status == 413,
            Expected::Either(name) => answer.status == taken || refused(name),
        };
        assert!(is_expected, "{shown}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{shown}");
        assert!(took < HANGS, "{shown}: {took:?}");
        (took, name)
    }

    /// Makes all attacks, so many at once. None changes anything.
    async fn make_all(&self, attacks: Vec<Attack>, at_once: usize) -> usize {
        let before = everything(&self.world).await;
        let all = futures::stream::iter(&attacks).map(|attack| self.make(attack));
        let times: Vec<(Duration, String)> = all.buffer_unordered(at_once).collect().await;
        assert_eq!(everything(&self.world).await, before);
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

/// What a text is answered with where `takes` is taken.
fn expected(mode: &Mode, place: &str, takes: Takes, text: &str) -> Expected {
    let is_parameter = !mode.endpoint().takes_body();
    let is_blank = text.trim().is_empty();
    let is = |taken: bool| {
        if taken {
            Expected::Taken
        } else {
            Expected::Refused(shown(place))
        }
    };
    match takes {
        Takes::Subject(_) if is_blank && !is_parameter => is(false),
        Takes::Subject(_) => Expected::Unknown,
        Takes::Filter(_) | Takes::Search => Expected::Taken,
        Takes::Cited => is(uuid::Uuid::try_parse(text.trim()).is_ok()),
        Takes::Name(most) => is(texts::is_text(text, 1..=most, false) && !texts::INVISIBLE.contains(&text)),
        Takes::Text(most) => is(texts::is_text(text, 1..=most, true)),
        Takes::Note(most) => is(is_blank || texts::is_text(text, 1..=most, true)),
        Takes::Word(words) => is(words.contains(&text)),
        Takes::Whole(least, most) if is_parameter => {
            let digits = text.bytes().all(|b| b.is_ascii_digit());
            is(digits && text.parse().is_ok_and(|n: u64| (least..=most).contains(&n)))
        }
        Takes::Domain => Expected::Either(shown(place)),
        Takes::Choice(_)
        | Takes::Whole(..)
        | Takes::Flag
        | Takes::Day
        | Takes::Language
        | Takes::Geolocation => is(false),
        Takes::List(..) | Takes::Never => is(false),
    }
}
