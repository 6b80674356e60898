//! Measures how fast a function's process starts and responds.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use acceptance::release::{Release, command};
use domain::api_key::ApiKey;
use domain::clock::Clock;
use local::Host;
use serde_json::Value;
use store::{KeySettings, Rate};
use tokio::process::Child;

use crate::relay::{Relay, Tls};
use crate::runtime_api::RuntimeApi;

/// The number of processes that are started for each figure.
const RUNS: usize = 11;
/// The number of events that each process receives.
const CALLS: usize = 30;
/// The maximum time for all responses of a process.
const LIMIT: Duration = Duration::from_secs(30);

/// The name of the function without a table.
pub(crate) const CONSOLE: &str = "console";

/// The environment of the measured functions.
pub(crate) struct FunctionEnvironment {
    /// The functions' environment variables.
    pub(crate) variables: Vec<(String, String)>,
    /// A key of the demo's workspace.
    pub(crate) key: String,
    base_url: String,
    table: SocketAddr,
    tls: Tls,
}

/// The measurements of one start. All times except `warm` are since the process's exec.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// When the first bytes for the table arrive, which are the ClientHello over TLS. `None` for the console,
    /// which has no table.
    pub(crate) bytes: Option<Duration>,
    /// When the first request to the table arrives.
    pub(crate) request: Option<Duration>,
    /// When the function requests its first event, after its initialization.
    pub(crate) ready: Duration,
    /// When the response to the first event arrives.
    pub(crate) response: Duration,
    /// The median time from the delivery of a later event to the response.
    pub(crate) warm: Duration,
    /// The process's peak memory, in KiB.
    pub(crate) peak_memory: u64,
}

/// The results of several starts. The fastest one is the least disturbed by other load on the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartTimes {
    pub(crate) fastest: Start,
    /// The median of `request`.
    pub(crate) median_request: Option<Duration>,
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
            // No question is asked.
            ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
            ("PROVIDERS", "openai"),
        ];
        Self {
            variables: variables
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            key: create_key(host).await,
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
        let response = request
            .send()
            .await
            .expect("a response")
            .text()
            .await
            .expect("a body");
        let response: Value = serde_json::from_str(&response).expect("JSON");
        response["data"][0]["id"].as_str().expect("an entity").to_owned()
    }
}

/// Creates a key whose rate limits no measurement reaches.
async fn create_key(host: &Host) -> String {
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
    let rates = KeySettings {
        reads_per_minute: Some(1_000_000),
        writes_per_minute: Some(1_000_000),
        ..KeySettings::default()
    };
    let created = store.create_key(&access.tenant, "measure", rates, now).await;
    let (_, key) = created.expect("the table answers").expect("a workspace");
    key.reveal().to_owned()
}

/// Starts the function several times. Returns an error unless the response to an event that is a request is
/// 200.
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
    let requests: Option<Vec<Duration>> = starts.iter().map(|start| start.request).collect();
    let fastest = starts
        .into_iter()
        .min_by_key(|start| start.request.unwrap_or(start.response))
        .ok_or("nothing was started")?;
    Ok(StartTimes {
        fastest,
        median_request: requests.map(|requests| median(requests.into_iter())),
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
        // In Lambda, the root certificates are one file too. A directory of certificates takes longer to
        // load.
        .env("SSL_CERT_FILE", &environment.tls.roots);
    let exec = Instant::now();
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = {
        let invocations = api.wait_for_responses(LIMIT).await?;
        let arrivals = relay.arrivals();
        let first = invocations.responses.first().ok_or("there is no response")?;
        if first.body.get("statusCode").is_some_and(|code| code != 200) {
            return Err(format!("the first response is {}", first.body));
        }
        let later_calls = invocations.requested.iter().zip(&invocations.responses).skip(1);
        if (function == CONSOLE) != arrivals.request.is_none() {
            return Err(format!("requests to the table: {:?}", arrivals.request));
        }
        Start {
            bytes: arrivals.bytes.map(|bytes| bytes - exec),
            request: arrivals.request.map(|request| request - exec),
            ready: *invocations.requested.first().ok_or("no event was requested")? - exec,
            response: first.at - exec,
            warm: median(later_calls.map(|(requested, response)| response.at - *requested)),
            peak_memory: peak_memory(&child).ok_or("/proc does not contain the memory")?,
        }
    };
    child.kill().await.map_err(|error| error.to_string())?;
    Ok(start)
}

/// Returns the peak memory of a process so far, in KiB.
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
