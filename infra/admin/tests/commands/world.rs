//! The running host, and what is in it.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "what fails here fails the test that called it"
)]

use admin::{AdminError, Arguments};
use domain::api_key::ApiKey;
use domain::clock::Clock;
use domain::entity::{Entity, TrackingType};
use domain::limits::DEFAULT_FREQUENCY_HOURS;
use domain::locale::{Geolocation, Language};
use domain::prompt::{NewPrompt, PromptText};
use domain::target::Target;
use local::{Host, HostBuilder, Options};
use runtime::{Settings, SystemClock};
use serde_json::Value;
use std::sync::Arc;
use store::{AuthError, NewEntity, Rate, ReplyRecorder, Tenant};

pub(crate) const UNKNOWN: &str = "AAAAAAAAAAAAAAAA";

pub(crate) async fn host() -> Host {
    HostBuilder::new(Options::default()).start().await.unwrap()
}

pub(crate) async fn run(host: &Host, line: &str) -> Result<Value, AdminError> {
    let at = [
        "--endpoint-url",
        &host.ready.dynamodb_endpoint,
        "--events-endpoint",
        &host.ready.events_endpoint,
        "--table",
        &host.ready.table,
    ];
    let words = at.into_iter().chain(line.split(' '));
    let settings = Settings::from_lookup(|_| None).unwrap();
    admin::run(
        Arguments::from_words(words).unwrap(),
        &settings,
        Arc::new(SystemClock),
    )
    .await
}

pub(crate) async fn answer(host: &Host, line: &str) -> Value {
    run(host, line)
        .await
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

pub(crate) async fn error(host: &Host, line: &str) -> String {
    match run(host, line).await {
        Ok(answer) => panic!("{line}: {answer}"),
        Err(error) => error.to_string(),
    }
}

pub(crate) fn text<'a>(answer: &'a Value, field: &str) -> &'a str {
    answer[field].as_str().unwrap()
}

pub(crate) async fn workspace(host: &Host) -> String {
    let made = answer(host, "workspace create --name Acme").await;
    text(&made, "workspaceId").to_owned()
}

/// Returns the id of the workspace that a key belongs to.
pub(crate) async fn workspace_of_key(host: &Host, key: &str) -> Result<String, AuthError> {
    let key = ApiKey::parse(key).unwrap();
    let access = host
        .store
        .authenticate(&key, Rate::Read, SystemClock.real_now())
        .await;
    access.map(|a| a.tenant.workspace().to_string())
}

pub(crate) async fn entity(host: &Host, workspace: &str, prompts: &[&str]) -> Entity {
    let target = Target::parse_domain("domain", "example.com").unwrap();
    create(host, workspace, "Example", target, prompts).await
}

/// Returns an individual without a domain.
pub(crate) async fn person(host: &Host, workspace: &str, name: &str) -> Entity {
    let target = Target::individual("name", name).unwrap();
    create(host, workspace, name, target, &[]).await
}

async fn create(host: &Host, workspace: &str, name: &str, target: Target, prompts: &[&str]) -> Entity {
    let tenant = Tenant::operator(workspace.parse().unwrap());
    let prompt = |text: &&str| NewPrompt {
        text: PromptText::parse("prompt", text).unwrap(),
        language: None,
        geolocation: None,
        tags: Vec::new(),
    };
    let catalogue = local::demo::catalogue().unwrap();
    let new = NewEntity {
        name: name.to_owned(),
        brand: target.brand_uuid(tenant.workspace(), name),
        description: String::new(),
        language: Language::default(),
        geolocation: Geolocation::default(),
        tracking_type: match target.registrable() {
            Some(_) => TrackingType::Website,
            None => TrackingType::Individual,
        },
        target,
        models: catalogue
            .models()
            .iter()
            .map(domain::catalogue::Model::uuid)
            .collect(),
        prompts: prompts.iter().map(prompt).collect(),
        start_tracking: false,
        frequency_hours: DEFAULT_FREQUENCY_HOURS,
    };
    let created = host
        .store
        .create_entity(&tenant, &new, None, &ReplyRecorder::disabled())
        .await;
    created.unwrap().entity
}

pub(crate) async fn reread(host: &Host, workspace: &str, entity: &Entity) -> Entity {
    let tenant = Tenant::operator(workspace.parse().unwrap());
    host.store.entity(&tenant, &entity.id).await.unwrap().unwrap()
}
