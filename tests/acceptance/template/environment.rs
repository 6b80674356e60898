//! Each function gets the variables that its `main` reads, and the bounds of the settings match the code.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use domain::limits::{
    DEFAULT_FREQUENCY_HOURS, DEFAULT_RESPONSE_RETENTION_DAYS, DEFAULT_SHARD_CONCURRENCY, MAX_FREQUENCY_HOURS,
    MAX_RESPONSE_RETENTION_DAYS, MAX_SHARD_CONCURRENCY, MIN_RESPONSE_RETENTION_DAYS, MIN_SHARD_CONCURRENCY,
};
use runtime::{Settings, SystemClock};
use serde_yaml_ng::Value;
use store::connect;

use super::{functions, names, root, template, text};

/// The functions that ask providers and so need their keys.
const ASKING: [&str; 2] = ["checker", "entities"];
/// The endpoints of the table and the bus for `sam local`.
const ENDPOINTS: [&str; 2] = ["AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_EVENTBRIDGE"];
/// The endpoint of the secret for `sam local`.
const SECRET_ENDPOINT: &str = "AWS_ENDPOINT_URL_SECRETS_MANAGER";

/// Returns the variables that a reader of the environment requests.
fn asked(read: impl FnOnce(&dyn Fn(&str) -> Option<String>)) -> BTreeSet<String> {
    let asked = RefCell::new(BTreeSet::new());
    read(&|name| {
        asked.borrow_mut().insert(name.to_owned());
        (name == providers::SECRET_ID).then(|| "a secret".to_owned())
    });
    asked.into_inner()
}

#[test]
fn functions_get_the_variables_that_their_mains_read_and_the_secret_only_where_they_ask() {
    let template = template();
    let global = &template["Globals"]["Function"]["Environment"]["Variables"];
    let mut wanted = asked(|lookup| drop(Settings::from_lookup(lookup).unwrap()));
    assert!(wanted.remove(Settings::SHARD_CONCURRENCY), "the checker's own");
    wanted.extend(ENDPOINTS.map(str::to_owned));
    assert_eq!(names(global), wanted);
    for endpoint in ENDPOINTS {
        assert_eq!(global[endpoint], "", "{endpoint}: AWS itself");
    }
    assert_eq!(global[Settings::TABLE], "Table");
    assert_eq!(global[Settings::BUS], "Bus");
    let namespace = "VisibilityTracking/${AWS::StackName}";
    assert_eq!(global[Settings::METRICS_NAMESPACE], namespace);

    let in_the_secret = |name: &String| name.ends_with("_API_KEY") || name.ends_with("_BASE_URL");
    let aws = connect::to_endpoint("http://127.0.0.1:1");
    let read = |lookup: &dyn Fn(&str) -> Option<String>| {
        drop(providers::from_environment(&aws, Arc::new(SystemClock), lookup));
    };
    let for_providers: BTreeSet<String> = asked(read)
        .into_iter()
        .filter(|name| !in_the_secret(name))
        .collect();
    assert_eq!(for_providers, BTreeSet::from([providers::SECRET_ID.to_owned()]));
    for (name, function) in functions(&template) {
        let variables = &function["Environment"]["Variables"];
        let asks = ASKING.contains(&name.as_str());
        let mut wanted = BTreeSet::new();
        if asks {
            wanted.extend(for_providers.clone());
            wanted.insert(SECRET_ENDPOINT.to_owned());
        }
        if name == "checker" {
            wanted.insert(Settings::SHARD_CONCURRENCY.to_owned());
            assert_eq!(variables[Settings::SHARD_CONCURRENCY], "ShardConcurrency");
        }
        assert_eq!(names(variables), wanted, "{name}");
        if asks {
            assert_eq!(variables[providers::SECRET_ID], "ProviderSecretArn");
            assert_eq!(variables[SECRET_ENDPOINT], "", "{name}: AWS itself");
        }
        assert!(
            function.get("Layers").is_none(),
            "{name}: a zip has all that it needs"
        );
    }
}

#[test]
fn sam_local_changes_variables_that_the_functions_have() {
    let text = std::fs::read_to_string(root().join("infra/sam-local.env.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let template = template();
    let mut declared = names(&template["Globals"]["Function"]["Environment"]["Variables"]);
    for function in functions(&template).values() {
        declared.extend(names(&function["Environment"]["Variables"]));
    }
    for name in file["Parameters"].as_object().unwrap().keys() {
        assert!(
            declared.contains(name),
            "{name}: what is not declared is not passed"
        );
    }
}

/// Every container engine gives this machine that name, and 127.0.0.1 is the container itself.
#[test]
fn sam_local_reaches_the_database_and_the_events_from_a_container() {
    let text = std::fs::read_to_string(root().join("infra/sam-local.env.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (endpoint, port) in ENDPOINTS.into_iter().zip([9401, 9402]) {
        let expected = format!("http://host.docker.internal:{port}");
        assert_eq!(file["Parameters"][endpoint], expected);
    }
    let configuration = std::fs::read_to_string(root().join("samconfig.toml")).unwrap();
    for command in ["invoke", "start_api"] {
        let header = format!("[default.local_{command}.parameters]\n");
        let (_, options) = configuration.split_once(&header).unwrap();
        let options = options.split("\n[").next().unwrap();
        for option in [
            "env_vars = \"infra/sam-local.env.json\"",
            "add_host = \"host.docker.internal:host-gateway\"",
        ] {
            assert!(options.contains(option), "{command}: {option}");
        }
    }
}

#[test]
fn no_key_is_a_parameter_or_can_be_read_from_the_stack() {
    let template = template();
    for (name, parameter) in template["Parameters"].as_mapping().unwrap() {
        let name = text(name);
        assert!(!name.ends_with("Key") && !name.ends_with("Token"), "{name}");
        assert!(
            parameter.get("NoEcho").is_none(),
            "{name}: nothing here is secret"
        );
        assert!(parameter.get("Description").is_some(), "{name}");
    }
}

#[test]
fn the_parameters_of_settings_have_their_defaults_and_bounds() {
    let template = template();
    for (name, default, least, most) in [
        (
            "ResponseRetentionDays",
            DEFAULT_RESPONSE_RETENTION_DAYS,
            MIN_RESPONSE_RETENTION_DAYS,
            MAX_RESPONSE_RETENTION_DAYS,
        ),
        (
            "DefaultFrequencyHours",
            DEFAULT_FREQUENCY_HOURS,
            1,
            MAX_FREQUENCY_HOURS,
        ),
        (
            "ShardConcurrency",
            DEFAULT_SHARD_CONCURRENCY,
            MIN_SHARD_CONCURRENCY,
            MAX_SHARD_CONCURRENCY,
        ),
    ] {
        let parameter = &template["Parameters"][name];
        assert_eq!(
            [
                &parameter["Default"],
                &parameter["MinValue"],
                &parameter["MaxValue"]
            ],
            [default, least, most].map(Value::from).each_ref(),
            "{name}"
        );
    }
    // The checker, which has all settings, starts with the default of every parameter.
    let global = &template["Globals"]["Function"]["Environment"]["Variables"];
    let own = &functions(&template)["checker"]["Environment"]["Variables"];
    let reference = |variable: &str| text(global.get(variable).unwrap_or(&own[variable]));
    let default = |variable: &str| match &template["Parameters"][reference(variable).as_str()]["Default"] {
        Value::String(value) => Some(value.clone()).filter(|value| !value.is_empty()),
        Value::Number(value) => Some(value.to_string()),
        _ => None,
    };
    let settings = Settings::from_lookup(default).unwrap();
    assert_eq!(settings.providers, ["openai"]);
    assert_eq!(settings.response_retention_days, DEFAULT_RESPONSE_RETENTION_DAYS);
    assert_eq!(settings.shard_concurrency, DEFAULT_SHARD_CONCURRENCY);
}

#[test]
fn the_providers_that_can_be_named_are_those_of_the_catalogue() {
    let catalogue = domain::catalogue::Catalogue::shipped().unwrap();
    let mut names: Vec<&str> = catalogue
        .models()
        .iter()
        .map(|model| model.provider.as_str())
        .collect();
    names.dedup();
    let names = names.join("|");
    let pattern = format!("({names})(,({names}))*");
    assert_eq!(template()["Parameters"]["Providers"]["AllowedPattern"], pattern);
}

#[test]
fn the_checker_has_the_timeout_of_the_local_host() {
    let template = template();
    let timeout = functions(&template)["checker"]["Timeout"].as_u64().unwrap();
    assert_eq!(timeout, local::CHECKER_TIMEOUT.as_secs());
}
