//! Starting and stopping the host.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use api::{ApiState, Cors};
use aws_types::SdkConfig;
use domain::catalogue::{BadCatalogue, Catalogue};
use domain::clock::Clock;
use endpoints::Dependencies;
use events::Bus;
use providers::Providers;
use runtime::{BadSetting, Settings, SystemClock};
use serde::Serialize;
use store::{Store, StoreError, Tenant, WriteError, connect};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::bus::{Events, Queue, Rule, Schedule, queue, schedule};
use crate::clock::ServiceClock;
use crate::data::DataDir;
use crate::history::{self, Past};
use crate::provider::{Chosen, choose};
use crate::{Database, ExternalFunctions, FunctionHandlers, demo, docs, functions, gateway};

/// The table's and the bus's name, as in the template.
const TABLE: &str = "visibility";
const BUS: &str = "visibility";
/// How long running work may take to end when the host stops.
const GRACE: Duration = Duration::from_secs(3);

/// How the host is to run.
#[derive(Clone)]
pub struct Options {
    /// 0: any free port. Otherwise the database and the events endpoint take the next two, if they are free.
    pub port: u16,
    /// Where data is kept; `None`: in memory.
    pub data: Option<PathBuf>,
    /// No demo workspace.
    pub empty: bool,
    /// Real time between ticks.
    pub tick: Duration,
    /// Milliseconds of service time per real one.
    pub time_scale: u32,
    /// Functions to use instead of those in this process.
    pub external_functions: Option<ExternalFunctions>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 0,
            data: None,
            empty: true,
            tick: Duration::from_secs(60),
            time_scale: 1,
            external_functions: None,
        }
    }
}

/// The line that is printed when the host is ready.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    pub base_url: String,
    pub dynamodb_endpoint: String,
    pub events_endpoint: String,
    pub table: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
}

#[derive(Debug, Error)]
pub enum HostError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("port {port} cannot be used: {source}")]
    Port { port: u16, source: std::io::Error },
    #[error("the database cannot be opened: {0}")]
    Database(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Catalogue(#[from] BadCatalogue),
    #[error(transparent)]
    Setting(#[from] BadSetting),
    #[error("the demo workspace cannot be made: {0}")]
    Demo(String),
}

impl<R: std::fmt::Display> From<WriteError<R>> for HostError {
    fn from(error: WriteError<R>) -> Self {
        match error {
            WriteError::Store(error) => error.into(),
            error => Self::Demo(error.to_string()),
        }
    }
}

/// Functions that share their way to the table and the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Api,
    Checker,
}

/// The running host.
pub struct Host {
    pub ready: Ready,
    pub store: Store,
    pub bus: Bus,
    pub queue: Queue,
    pub clock: Arc<ServiceClock>,
    pub dependencies: Dependencies,
    schedule: Schedule,
    database: Arc<Database>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Host {
    /// Starts everything. `lookup` reads the environment; `progress` is told what takes long.
    pub async fn start(
        options: Options,
        lookup: impl Fn(&str) -> Option<String>,
        progress: impl FnMut(&str),
    ) -> Result<Self, HostError> {
        Self::start_behind(|_, aws| aws, options, lookup, progress).await
    }

    /// Like [`Host::start`], with functions that reach the table and the bus through what `way` makes of a
    /// configuration.
    pub async fn start_behind(
        way: impl Fn(Side, SdkConfig) -> SdkConfig,
        options: Options,
        lookup: impl Fn(&str) -> Option<String>,
        mut progress: impl FnMut(&str),
    ) -> Result<Self, HostError> {
        let settings = Settings::from_lookup(&lookup)?;
        let data = options.data.as_deref().map(DataDir::open).transpose()?;
        let api_listener = bind(options.port).await?;
        let real = SystemClock.real_now();
        let saved = data.as_ref().and_then(DataDir::saved_time);
        let demo = data.as_ref().and_then(DataDir::demo);
        let has_history = demo.as_ref().is_some_and(|d| d.is_complete);
        let is_demo = Providers::from_lookup(&lookup).names().is_empty();
        let makes_history = !options.empty && is_demo && !has_history;
        let start = history::start_time(saved, demo.as_ref(), makes_history, real);
        // A history is made at real speed: at a higher one slots would pass while their checks run.
        let scale = if makes_history { 1 } else { options.time_scale };
        let clock = Arc::new(ServiceClock::new(start, scale));
        let file = data.as_ref().map(DataDir::database);
        let database =
            Database::start(file.as_deref(), clock.clone(), bind_near(options.port, 1).await?).await?;
        let database = Arc::new(database);
        let aws = connect::to_endpoint(&database.endpoint);
        let store = Store::new(&aws, TABLE, clock.clone()).keeping_responses(settings.response_days);
        store.create_table().await?;

        let events_listener = bind_near(options.port, 2).await?;
        let events_endpoint = format!("http://{}", events_listener.local_addr()?);
        let events_aws = connect::to_endpoint(&events_endpoint);
        let bus = Bus::new(&events_aws, BUS);
        // Functions elsewhere know the models that they were built with.
        let demo_models = match &options.external_functions {
            None => demo::catalogue()?,
            Some(_) => Catalogue::shipped()?,
        };
        let Chosen {
            providers,
            catalogue,
            environment,
        } = choose(lookup, demo_models, clock.clone()).await?;
        let cors = Arc::new(Cors::new(settings.cors_origins.clone()));
        let of_side = |side| Dependencies {
            api: ApiState {
                store: Store::new(&way(side, aws.clone()), TABLE, clock.clone())
                    .keeping_responses(settings.response_days),
                clock: clock.clone(),
                catalogue: catalogue.clone(),
                cors: cors.clone(),
            },
            bus: Bus::new(&way(side, events_aws.clone()), BUS),
            providers: providers.clone(),
            frequency_hours: settings.frequency_hours,
        };
        let dependencies = of_side(Side::Api);
        let FunctionHandlers {
            routes,
            fallback,
            checker,
        } = match options.external_functions {
            None => FunctionHandlers {
                routes: functions::routes(&dependencies),
                fallback: functions::fallback(&dependencies),
                checker: functions::checker(&of_side(Side::Checker)),
            },
            Some(start) => {
                let ours = [
                    (Settings::TABLE, TABLE.to_owned()),
                    (Settings::BUS, BUS.to_owned()),
                    (Settings::RESPONSE_DAYS, settings.response_days.to_string()),
                    (Settings::FREQUENCY_HOURS, settings.frequency_hours.to_string()),
                    (Settings::CORS_ORIGINS, settings.cors_origins.join(",")),
                    ("AWS_ENDPOINT_URL_DYNAMODB", database.endpoint.clone()),
                    ("AWS_ENDPOINT_URL_EVENTBRIDGE", events_endpoint.clone()),
                ];
                let ours = ours.map(|(name, value)| (name.to_owned(), value));
                start(environment.into_iter().chain(ours).collect()).await
            }
        };
        let queue = Queue::start(checker.clone(), clock.clone(), queue::Settings::default());

        let (stop, stopped) = watch::channel(false);
        let mut tasks = Vec::new();
        let rule = Rule::sources(vec![events::SOURCE.to_owned()]);
        let endpoint = Events::new(rule, queue.clone(), clock.clone());
        tasks.push(served(endpoint.serve(events_listener, until(stopped.clone()))));
        let kept = data.as_ref();
        let mut demo = demo;
        if makes_history {
            progress("making the demo workspace");
            let models: Vec<_> = catalogue
                .models()
                .iter()
                .map(domain::catalogue::Model::uuid)
                .collect();
            demo = Some(history::create_workspace(&store, &clock, kept, &models).await?);
        } else if !options.empty && !is_demo {
            progress("a provider is configured: no demo workspace, so that nothing is spent unasked");
        }
        // Not before the demo workspace can be found again: saved time without one is no history's.
        tasks.push(tokio::spawn(keep_house(
            database.clone(),
            clock.clone(),
            data.clone(),
            stopped.clone(),
        )));
        if let Some(demo) = demo.as_mut().filter(|_| makes_history) {
            let past = Past {
                store: &store,
                clock: &clock,
                checker: &checker,
                data: kept,
            };
            let tenant = Tenant::operator(demo.workspace_id.clone());
            past.catch_up(&tenant, |day| progress(&format!("checks of {day}")))
                .await?;
            demo.is_complete = true;
            clock.set_scale(options.time_scale);
            if let Some(data) = kept {
                data.save_demo(demo)?;
            }
        }
        let api_key = demo.map(|d| d.api_key);

        // Checks that ran when the host was last stopped are looked at now.
        if let Err(error) = checker(history::look_at_all(clock.now())).await {
            tracing::error!(error, "the first look at running checks failed");
        }
        let schedule = Schedule::start(
            checker,
            clock.clone(),
            schedule::Settings {
                every: options.tick,
                is_first_at_once: false,
            },
        );
        let at = api_listener.local_addr()?;
        let base_url = format!("http://{at}{}", api::BASE_PATH);
        let api = gateway::router(at, routes, fallback, clock.clone());
        tasks.push(served(gateway::serve_app(
            api_listener,
            docs::pages().merge(api),
            until(stopped),
        )));
        let ready = Ready {
            base_url,
            dynamodb_endpoint: database.endpoint.clone(),
            events_endpoint,
            table: TABLE.to_owned(),
            api_key,
        };
        Ok(Self {
            ready,
            store,
            bus,
            queue,
            clock,
            dependencies,
            schedule,
            database,
            stop,
            tasks,
        })
    }

    /// Stops: no new work, what runs may end, the database last.
    pub async fn stop(self) {
        self.schedule.stop(GRACE).await;
        self.queue.shutdown(GRACE).await;
        let _ = self.stop.send(true);
        for task in self.tasks {
            let _ = tokio::time::timeout(GRACE, task).await;
        }
        if let Ok(database) = Arc::try_unwrap(self.database).map_err(|_| ()) {
            database.stop().await;
        }
    }
}

/// Saves the service's time every second and sweeps expired items every minute.
async fn keep_house(
    database: Arc<Database>,
    clock: Arc<ServiceClock>,
    data: Option<DataDir>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut seconds = 0u64;
    loop {
        if let Some(data) = &data
            && let Err(error) = data.save_time(clock.as_ref())
        {
            tracing::error!(%error, "the service's time was not saved");
        }
        if seconds % 60 == 59 {
            let database = database.clone();
            let _ = tokio::task::spawn_blocking(move || database.sweep()).await;
        }
        seconds += 1;
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            _ = stopped.changed() => return,
        }
    }
}

async fn until(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stop| *stop).await;
}

fn served(server: impl Future<Output = std::io::Result<()>> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(async move {
        if let Err(error) = server.await {
            tracing::error!(%error, "a server ended");
        }
    })
}

async fn bind(port: u16) -> Result<TcpListener, HostError> {
    TcpListener::bind(("127.0.0.1", port))
        .await
        .map_err(|source| HostError::Port { port, source })
}

/// A port close to the API's, or any free one.
async fn bind_near(port: u16, distance: u16) -> Result<TcpListener, HostError> {
    match port.checked_add(distance).filter(|_| port != 0) {
        Some(near) => match bind(near).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(0).await,
        },
        None => bind(0).await,
    }
}
