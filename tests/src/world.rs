//! The service, an account in it, and a client.

use std::sync::{Arc, Once};
use std::time::Duration;

use domain::clock::Clock;
use domain::id::EntityId;
use domain::key_scope::KeyScope;
use domain::workspace::Limits;
use events::{CheckEvent, CheckRef};
use local::gateway::{self, ApiHandler};
use local::{Host, HostBuilder, Options};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use store::{KeySettings, NewWorkspace, Tenant};
use tokio::net::TcpListener;

use crate::release::Release;
use crate::{ApiResponse, FakeOpenAi, FaultInjector, fault_mode};

static CRYPTO: Once = Once::new();

/// A running service that belongs to one test. Its functions run in this process, or as built binaries if the
/// environment names them (see [`Release`]).
pub struct World {
    pub host: Arc<Host>,
    /// The URL that requests are sent to.
    base_url: String,
    client: Client,
}

/// A workspace with a key.
#[derive(Debug, Clone)]
pub struct Account {
    pub tenant: Tenant,
    pub key: String,
}

impl World {
    /// Starts an empty service with the demo provider.
    pub async fn start() -> Self {
        Self::with(without_ticks(), |_| None).await
    }

    /// Starts an empty service that asks the given provider.
    pub async fn asking(provider: &FakeOpenAi) -> Self {
        Self::with(without_ticks(), provider.lookup()).await
    }

    /// Starts a service with these options and environment variables.
    pub async fn with(options: Options, lookup: impl Fn(&str) -> Option<String>) -> Self {
        let (api, checker) = (fault_mode::faults(), fault_mode::faults());
        Self::start_with_faults(options, lookup, api, checker).await
    }

    /// Starts a service whose calls to the table and the bus pass these fault injectors.
    async fn start_with_faults(
        options: Options,
        lookup: impl Fn(&str) -> Option<String>,
        api: Option<FaultInjector>,
        checker: Option<FaultInjector>,
    ) -> Self {
        CRYPTO.call_once(|| {
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let release = Release::from_lookup(runtime::environment_variable);
        let mut builder = HostBuilder::new(options).environment(lookup);
        if let Some(faults) = api {
            builder = builder.api_interceptor(move |config| faults.inject_into(&config));
        }
        if let Some(faults) = checker {
            builder = builder.checker_interceptor(move |config| faults.inject_into(&config));
        }
        if let Some(release) = release {
            builder = builder.external_functions(release.external_functions());
        }
        let host = builder.start().await.expect("the host starts");
        let client = Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(60))
            .build()
            .expect("a client");
        let base_url = host.ready.base_url.clone();
        Self {
            host: Arc::new(host),
            base_url,
            client,
        }
    }

    /// Starts an empty service whose API functions reach the table and the bus through `faults`. The checker
    /// reaches them directly.
    pub async fn start_with_api_faults(faults: &FaultInjector) -> Self {
        Self::start_with_faults(without_ticks(), |_| None, Some(faults.clone()), None).await
    }

    /// Starts a gateway with these routes, to which later requests are sent.
    pub async fn serve(&mut self, routes: Vec<(String, ApiHandler)>, fallback: ApiHandler) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let clock = self.host.clock.clone();
        tokio::spawn(gateway::serve(
            listener,
            routes,
            fallback,
            clock,
            std::future::pending(),
        ));
        self.base_url = format!("http://{address}{}", api::BASE_PATH);
    }

    /// Creates a workspace with the plan's default limits and with rate limits that no test reaches.
    pub async fn account(&self) -> Account {
        let limits = Limits {
            reads_per_minute: 100_000,
            writes_per_minute: 100_000,
            creates_per_hour: 100_000,
            ..Limits::default()
        };
        self.account_with(limits, 10_000).await
    }

    pub async fn account_with(&self, limits: Limits, credits: i64) -> Account {
        let new = NewWorkspace {
            name: "Test".to_owned(),
            plan_name: "test".to_owned(),
            limits,
            credits,
        };
        let now = self.host.clock.now();
        let (tenant, _, key) = self
            .host
            .store
            .create_workspace(new, now)
            .await
            .expect("a workspace");
        Account {
            tenant,
            key: key.reveal().to_owned(),
        }
    }

    /// Creates another key of the account's workspace, which may only do this.
    pub async fn account_with_scope(&self, account: &Account, scope: KeyScope) -> Account {
        let settings = KeySettings {
            scope,
            ..KeySettings::default()
        };
        let store = &self.host.store;
        let created = store.create_key(&account.tenant, "scoped", settings, self.host.clock.now());
        let (_, key) = created.await.expect("the table answers").expect("a workspace");
        Account {
            key: key.reveal().to_owned(),
            ..account.clone()
        }
    }

    /// Sends a request with the account's key, or without a key. `path` has its query but not `/v1`.
    pub async fn send(
        &self,
        account: Option<&Account>,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> ApiResponse {
        let mut request = self.client.request(method, format!("{}{path}", self.base_url));
        if let Some(account) = account {
            request = request.bearer_auth(&account.key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        Self::execute(request).await
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base_url))
    }

    pub async fn get(&self, account: &Account, path: &str) -> ApiResponse {
        self.send(Some(account), Method::GET, path, None).await
    }

    pub async fn post(&self, account: &Account, path: &str, body: &Value) -> ApiResponse {
        self.send(Some(account), Method::POST, path, Some(body)).await
    }

    pub async fn patch(&self, account: &Account, path: &str, body: &Value) -> ApiResponse {
        self.send(Some(account), Method::PATCH, path, Some(body)).await
    }

    /// Returns the UUID of the first model.
    pub async fn model(&self, account: &Account) -> String {
        self.models(account).await.remove(0)
    }

    /// Returns the UUIDs of all models.
    pub async fn models(&self, account: &Account) -> Vec<String> {
        let models = self.get(account, "/models").await.ok();
        let models = models["data"].as_array().expect("a list of models");
        models
            .iter()
            .filter_map(|m| m["uuid"].as_str().map(str::to_owned))
            .collect()
    }

    /// Creates an entity with these prompts and the first model, and returns its id. `more` overrides fields.
    pub async fn entity(
        &self,
        account: &Account,
        name: &str,
        domain: &str,
        prompts: &[&str],
        more: Value,
    ) -> String {
        let model = self.model(account).await;
        let mut body = json!({"name": name, "domain": domain, "models": [model], "prompts": prompts});
        for (field, value) in more.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        let created = self.post(account, "/entities", &body).await.ok();
        created["data"]["id"].as_str().expect("an id").to_owned()
    }

    /// Waits until the entity's check is complete, for at most 20 seconds, and returns its tracking status.
    pub async fn checked(&self, account: &Account, entity: &str) -> Value {
        for poll in 1..=400 {
            let status = self
                .get(account, &format!("/entities/tracking-status?entityId={entity}"))
                .await
                .ok();
            let status = status["data"].clone();
            if status["isProcessing"] == false && !status["lastCheckCompletedAt"].is_null() {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            if poll % 40 == 0 {
                self.retry_failed_steps(account, entity).await;
            }
        }
        panic!("the check of {entity} is not completed");
    }

    /// Publishes the steps of the entity's running check again, which a tick would do after one of them has
    /// failed.
    pub async fn retry_failed_steps(&self, account: &Account, entity: &str) {
        let id: EntityId = entity.parse().expect("an id");
        let stored = self.host.store.entity(&account.tenant, &id).await;
        let Some(running) = stored.expect("the table").and_then(|entity| entity.running) else {
            return;
        };
        let check = CheckRef {
            workspace_id: *account.tenant.workspace(),
            entity_id: id,
            check: running.check,
        };
        let steps = [
            CheckEvent::CheckClaimed(check.clone()),
            CheckEvent::CheckAnswered(check),
        ];
        self.host.bus.publish(&steps).await.expect("the bus");
    }
}

/// Returns options with which no tick comes while a test runs, because a tick changes the table.
fn without_ticks() -> Options {
    Options {
        tick: Duration::from_secs(24 * 3_600),
        ..Options::default()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        fault_mode::report();
    }
}
