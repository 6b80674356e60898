//! Starting the host, phase by phase.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aws_types::SdkConfig;
use domain::catalogue::{Catalogue, Model};
use domain::clock::Clock;
use domain::time::Timestamp;
use openapi::endpoints::Dependencies;
use providers::Providers;
use runtime::{Settings, SystemClock};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::background::{BackgroundTasks, housekeeping};
use super::queues::Queues;
use super::wiring::{Backends, Interceptor, ProviderChoice, TABLE, Wiring, bind};
use super::{Host, Options, Ready};
use crate::bus::{EventHandler, EventsEndpoint, Schedule, schedule};
use crate::clock::ServiceClock;
use crate::data::{DataDir, DemoState};
use crate::error::HostError;
use crate::functions::{self, ExternalFunctions, FunctionHandlers};
use crate::gateway::Limits;
use crate::history::{self, HistoryGenerator};
use crate::{clock_route, demo, demo_key, gateway, server};

/// Reads a variable of the environment by its name.
type Environment<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;
/// Receives messages about the progress of the start.
type Progress<'a> = Box<dyn FnMut(&str) + 'a>;

/// Starts a host. Without further options, the environment is empty, progress is not reported, and the
/// functions run in this process and reach the table and the bus directly.
#[must_use]
pub struct HostBuilder<'a> {
    options: Options,
    environment: Environment<'a>,
    progress: Progress<'a>,
    api_interceptor: Interceptor<'a>,
    checker_interceptor: Interceptor<'a>,
    external_functions: Option<ExternalFunctions>,
}

impl<'a> HostBuilder<'a> {
    pub fn new(options: Options) -> Self {
        Self {
            options,
            environment: Box::new(|_| None),
            progress: Box::new(|_| ()),
            api_interceptor: Box::new(|config| config),
            checker_interceptor: Box::new(|config| config),
            external_functions: None,
        }
    }

    /// Reads settings and providers from these environment variables.
    pub fn environment(mut self, lookup: impl Fn(&str) -> Option<String> + 'a) -> Self {
        self.environment = Box::new(lookup);
        self
    }

    /// Reports each long-running step of the start.
    pub fn progress(mut self, report: impl FnMut(&str) + 'a) -> Self {
        self.progress = Box::new(report);
        self
    }

    /// Replaces the AWS configuration with which the functions that serve the API reach the table and the
    /// bus.
    pub fn api_interceptor(mut self, intercept: impl Fn(SdkConfig) -> SdkConfig + 'a) -> Self {
        self.api_interceptor = Box::new(intercept);
        self
    }

    /// Replaces the AWS configuration with which the checker and the notifier reach the table and the bus.
    pub fn checker_interceptor(mut self, intercept: impl Fn(SdkConfig) -> SdkConfig + 'a) -> Self {
        self.checker_interceptor = Box::new(intercept);
        self
    }

    /// Uses functions outside of this process. Interceptors do not apply to them.
    pub fn external_functions(mut self, functions: ExternalFunctions) -> Self {
        self.external_functions = Some(functions);
        self
    }

    /// Starts the host. It is ready when this returns.
    pub async fn start(mut self) -> Result<Host, HostError> {
        let settings = Settings {
            shard_concurrency: self.options.shard_concurrency,
            ..Settings::from_lookup(&self.environment)?
        };
        Providers::check_base_urls(&self.environment)?;
        let uses_demo_provider = Providers::from_lookup(&self.environment).names().is_empty();
        let timeline = Timeline::open(&self.options, uses_demo_provider)?;
        let clock = timeline.clock.clone();
        let api_listener = bind(Options::DEFAULT_LISTEN, self.options.port).await?;
        let backends = Backends::start(
            self.options.listen,
            self.options.port,
            timeline.data.as_ref(),
            &clock,
        )
        .await?;
        let providers = self.choose_providers(&clock).await?;
        let wiring = Wiring {
            settings: &settings,
            backends: &backends,
            providers: &providers,
            clock: clock.clone(),
        };
        let (store, bus) = (wiring.store(), wiring.bus());
        store.create_table().await?;
        let dependencies = wiring.dependencies(&self.api_interceptor);
        let handlers = self.function_handlers(&wiring, &dependencies).await;
        let checker = handlers.checker.clone().unwrap_or_else(|| {
            let dependencies = wiring.dependencies(&self.checker_interceptor);
            functions::checker(&dependencies, settings.shard_concurrency)
        });
        let notifier = handlers
            .notifier
            .clone()
            .unwrap_or_else(|| functions::notifier(&wiring.dependencies(&self.checker_interceptor)));
        let queues = Queues::start(&checker, &notifier, &clock, settings.shard_concurrency);

        let mut background = BackgroundTasks::new();
        let tick_request = Arc::new(Notify::new());
        let has_history = Arc::new(AtomicBool::new(!timeline.needs_history));
        let clock_route = clock_route::router(
            clock.clone(),
            timeline.data.clone(),
            tick_request.clone(),
            has_history.clone(),
        );
        let events = EventsEndpoint::new(queues.rules(), clock.clone());
        background.serve(events.serve_beside(clock_route, backends.events_listener, background.stopped()));
        let history = HistoryGenerator {
            store: &store,
            clock: &clock,
            checker: &checker,
            data: timeline.data.as_ref(),
            older_data_ends_at: timeline.older_data_ends_at,
        };
        let mut demo = self.prepare_demo(&timeline, &history, &providers).await?;
        // Housekeeping saves the service time. Without a demo workspace, that would not be the time of a
        // history.
        let (database, data) = (backends.database.clone(), timeline.data.clone());
        background.spawn(housekeeping(database, clock.clone(), data, background.stopped()));
        if let Some(demo) = demo.as_mut().filter(|_| timeline.needs_history) {
            self.generate_history(&history, demo).await?;
        }
        has_history.store(true, Ordering::Relaxed);

        let schedule = start_schedule(&self.options, tick_request, checker, &clock).await;
        let api_key = demo.map(|demo| demo.api_key);
        let address = serve_api(
            &mut background,
            api_listener,
            handlers,
            api_key.as_deref(),
            &clock,
        )?;
        let ready = Ready {
            base_url: format!("http://{address}{}", api::BASE_PATH),
            console_url: format!("http://{address}/"),
            dynamodb_endpoint: backends.database_server.endpoint.clone(),
            events_endpoint: backends.events_endpoint,
            table: TABLE.to_owned(),
            api_key,
        };
        Ok(Host {
            ready,
            store,
            bus,
            queues,
            clock,
            dependencies,
            schedule,
            database: backends.database,
            database_server: backends.database_server,
            background,
        })
    }

    async fn choose_providers(&self, clock: &Arc<ServiceClock>) -> Result<ProviderChoice, HostError> {
        // External functions know only the models that they were built with.
        let demo_models = match &self.external_functions {
            None => demo::catalogue()?,
            Some(_) => Catalogue::shipped()?,
        };
        ProviderChoice::choose(&self.environment, demo_models, clock.clone()).await
    }

    async fn function_handlers(&self, wiring: &Wiring<'_>, api: &Dependencies) -> FunctionHandlers {
        match &self.external_functions {
            Some(start) => start(wiring.environment()).await,
            None => FunctionHandlers {
                routes: functions::routes(api),
                fallback: functions::fallback(api),
                checker: None,
                notifier: None,
            },
        }
    }

    /// Creates the demo workspace if it needs a history. Otherwise returns the demo workspace of an earlier
    /// run, if there is one.
    async fn prepare_demo(
        &mut self,
        timeline: &Timeline,
        history: &HistoryGenerator<'_>,
        providers: &ProviderChoice,
    ) -> Result<Option<DemoState>, HostError> {
        if timeline.needs_history {
            (self.progress)("creating the demo workspace");
            let models: Vec<_> = providers.catalogue.models().iter().map(Model::uuid).collect();
            return Ok(Some(
                history.create_workspace(timeline.demo.clone(), &models).await?,
            ));
        }
        if !self.options.empty && !providers.is_demo {
            (self.progress)(
                "no demo workspace: a provider is configured, and the demo's checks would cost money",
            );
        }
        Ok(timeline.demo.clone())
    }

    /// Runs the checks of the past days and marks the demo workspace as complete.
    async fn generate_history(
        &mut self,
        history: &HistoryGenerator<'_>,
        demo: &mut DemoState,
    ) -> Result<(), HostError> {
        let progress = &mut self.progress;
        history
            .catch_up(&demo.workspace_id, |day| {
                progress(&format!("running the checks of {day}"));
            })
            .await?;
        demo.is_complete = true;
        match history.data {
            Some(data) => Ok(data.save_demo(demo)?),
            None => Ok(()),
        }
    }
}

/// Reconciles the checks that ran when the host was last stopped, and starts the schedule.
async fn start_schedule(
    options: &Options,
    tick_request: Arc<Notify>,
    checker: EventHandler,
    clock: &Arc<ServiceClock>,
) -> Schedule {
    if let Err(error) = checker(history::reconcile_all_event(clock.as_ref())).await {
        tracing::error!(error, "running checks could not be reconciled at the start");
    }
    let settings = schedule::Settings {
        interval: options.tick,
        request: tick_request,
    };
    Schedule::start(checker, clock.clone(), settings)
}

/// Serves the functions and the key of the demo workspace. Returns the address.
fn serve_api(
    background: &mut BackgroundTasks,
    listener: TcpListener,
    handlers: FunctionHandlers,
    demo_key: Option<&str>,
    clock: &Arc<ServiceClock>,
) -> Result<SocketAddr, HostError> {
    let address = listener.local_addr()?;
    let functions = gateway::router(
        Limits::API_GATEWAY,
        address,
        handlers.routes,
        handlers.fallback,
        clock.clone(),
    );
    let router = demo_key::router(demo_key).merge(functions);
    background.serve(server::serve(listener, router, background.stopped()));
    Ok(address)
}

/// The data directory, the clock, and the demo workspace of an earlier run.
struct Timeline {
    data: Option<DataDir>,
    clock: Arc<ServiceClock>,
    demo: Option<DemoState>,
    /// Whether the demo workspace still needs its history, or the rest of it.
    needs_history: bool,
    /// The service time of the data that is older than the demo workspace.
    older_data_ends_at: Option<Timestamp>,
}

impl Timeline {
    fn open(options: &Options, uses_demo_provider: bool) -> Result<Self, HostError> {
        let data = options.data.as_deref().map(DataDir::open).transpose()?;
        let saved = data.as_ref().map_or(Ok(None), DataDir::saved_time)?;
        let demo = data.as_ref().map_or(Ok(None), DataDir::demo)?;
        let has_history = demo.as_ref().is_some_and(|demo| demo.is_complete);
        let needs_history = !options.empty && uses_demo_provider && !has_history;
        let start = history::start_time(saved, demo.is_some(), needs_history, SystemClock.real_now());
        let older_data_ends_at = match &demo {
            Some(demo) => demo.older_data_ends_at,
            None => saved,
        };
        Ok(Self {
            data,
            older_data_ends_at,
            clock: Arc::new(ServiceClock::new(start)),
            demo,
            needs_history,
        })
    }
}
