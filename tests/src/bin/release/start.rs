//! Measures how fast a function's process starts and responds, from its exec to what it sends.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use acceptance::release::{Release, command};
use domain::api_key::ApiKey;
use domain::clock::Clock;
use local::Host;
use serde_json::Value;
use store::{KeyRates, Rate};
use tokio::process::Child;

use crate::relay::{Relay, Tls};
use crate::runtime_api::RuntimeApi;

/// Processes started for each figure.
const RUNS: usize = 11;
/// Events that each of them gets.
const CALLS: usize = 30;
const LIMIT: Duration = Duration::from_secs(30);

/// The environment in which functions are started.
pub(crate) struct FunctionEnvironment {
    /// The functions' environment.
    pub(crate) variables: Vec<(String, String)>,
    /// A key of the demo's workspace.
    pub(crate) key: String,
    base_url: String,
    table: SocketAddr,
    tls: Tls,
}

/// Times since a process's exec, but for `warm`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// The first bytes for the table arrive: over TLS the ClientHello.
    pub(crate) bytes: Duration,
    /// The first request to the table arrives.
    pub(crate) request: Duration,
    /// The function asks for its first event: its initialisation is over.
    pub(crate) ready: Duration,
    /// The first event is answered.
    pub(crate) answer: Duration,
    /// From handing out a later event to its answer, the median.
    pub(crate) warm: Duration,
    /// The process's memory at most, in KiB.
    pub(crate) memory: u64,
}

/// The results of several starts. The fastest one is the least disturbed by other load on the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartTimes {
    pub(crate) fastest: Start,
    /// The median of `request`.
    pub(crate) median_request: Duration,
}

impl FunctionEnvironment {
    pub(crate) async fn new(host: &Host, tls: Tls) -> Self {
        let ready = &host.ready;
        let endpoint = ready
            .dynamodb_endpoint
            .strip_prefix("http://")
            .expect("an address");
        let variables = [
            ("TABLE_NAME", ready.table.as_str()),
            ("EVENT_BUS_NAME", "visibility"),
            ("AWS_ENDPOINT_URL_DYNAMODB", &ready.dynamodb_endpoint),
            ("AWS_ENDPOINT_URL_EVENTBRIDGE", &ready.events_endpoint),
            // Nothing is asked here.
            ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
            ("PROVIDERS", "openai"),
        ];
        Self {
            variables: variables
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            key: key(host).await,
            base_url: ready.base_url.clone(),
            table: endpoint.parse().expect("an address"),
            tls,
        }
    }

    pub(crate) async fn first_entity(&self) -> String {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let request = client
            .get(format!("{}/entities", self.base_url))
            .bearer_auth(&self.key);
        let answer = request
            .send()
            .await
            .expect("an answer")
            .text()
            .await
            .expect("a body");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        answer["data"][0]["id"].as_str().expect("an entity").to_owned()
    }
}

/// A key with rates that are in no measurement's way.
async fn key(host: &Host) -> String {
    let (store, now) = (&host.store, host.clock.now());
    let demo = host
        .ready
        .api_key
        .as_deref()
        .and_then(ApiKey::parse)
        .expect("the demo's key");
    let access = store
        .authenticate(&demo, Rate::Read, now)
        .await
        .expect("a good key");
    let rates = KeyRates {
        reads_per_minute: Some(1_000_000),
        writes_per_minute: Some(1_000_000),
    };
    let made = store.create_key(&access.tenant, "measure", rates, now).await;
    let (_, key) = made.expect("the table answers").expect("a workspace");
    key.reveal().to_owned()
}

/// Starts the function several times. An event that is a request has to be answered with 200.
pub(crate) async fn measure(
    release: &Release,
    function: &str,
    environment: &FunctionEnvironment,
    over_tls: bool,
    event: &Value,
) -> Result<StartTimes, String> {
    let mut starts = Vec::new();
    for _ in 0..RUNS {
        starts.push(start(release, function, environment, over_tls, event).await?);
    }
    let median_request = median(starts.iter().map(|start| start.request));
    let fastest = starts
        .into_iter()
        .min_by_key(|start| start.request)
        .ok_or("nothing was started")?;
    Ok(StartTimes {
        fastest,
        median_request,
    })
}

async fn start(
    release: &Release,
    function: &str,
    environment: &FunctionEnvironment,
    over_tls: bool,
    event: &Value,
) -> Result<Start, String> {
    let api = RuntimeApi::start(event, CALLS).await;
    let tls = over_tls.then_some(&environment.tls);
    let relay = Relay::start(environment.table, tls).await;
    let mut command = command(&release.bootstrap(function), function, &environment.variables);
    command
        .env("AWS_LAMBDA_RUNTIME_API", &api.address)
        .env("AWS_ENDPOINT_URL_DYNAMODB", &relay.url)
        // One file, as in Lambda: other systems have a folder of single certificates, which takes longer.
        .env("SSL_CERT_FILE", &environment.tls.roots);
    let exec = Instant::now();
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = {
        let invocations = api.done(LIMIT).await?;
        let arrivals = relay.arrivals();
        let (first, answer) = invocations.answered.first().ok_or("nothing was answered")?;
        if answer.get("statusCode").is_some_and(|code| code != 200) {
            return Err(format!("the first answer is {answer}"));
        }
        let calls = invocations.asked.iter().zip(&invocations.answered).skip(1);
        Start {
            bytes: arrivals.bytes.ok_or("the table was not reached")? - exec,
            request: arrivals.request.ok_or("the table was not asked")? - exec,
            ready: *invocations.asked.first().ok_or("no event was asked for")? - exec,
            answer: *first - exec,
            warm: median(calls.map(|(asked, (answered, _))| *answered - *asked)),
            memory: peak_memory(&child).ok_or("/proc does not tell the memory")?,
        }
    };
    child.kill().await.map_err(|error| error.to_string())?;
    Ok(start)
}

/// The memory that a process held at most so far, in KiB.
fn peak_memory(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()?)).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

fn median<T: Ord + Copy + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
