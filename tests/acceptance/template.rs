//! The template and the code say the same.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use runtime::Settings;
use serde_yaml_ng::Value;

const FUNCTIONS: [&str; 7] = [
    "actions",
    "analytics",
    "checker",
    "domain-groups",
    "entities",
    "prompts",
    "workspace",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The template with CloudFormation's short forms as plain values: `!Ref X` is `X`, `!GetAtt X.Arn` is `X.Arn`.
fn template() -> Value {
    let text = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    plain(serde_yaml_ng::from_str(&text).unwrap())
}

fn plain(value: Value) -> Value {
    match value {
        Value::Tagged(tagged) => plain(tagged.value),
        Value::Sequence(items) => Value::Sequence(items.into_iter().map(plain).collect()),
        Value::Mapping(map) => Value::Mapping(map.into_iter().map(|(k, v)| (k, plain(v))).collect()),
        other => other,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value:?}")).to_owned()
}

/// Resources of a type, by name.
fn resources(template: &Value, kind: &str) -> BTreeMap<String, Value> {
    let all = template["Resources"].as_mapping().unwrap();
    all.iter()
        .filter(|(_, r)| r["Type"] == kind)
        .map(|(name, r)| (text(name), r["Properties"].clone()))
        .collect()
}

/// A function's folder and its properties.
fn functions(template: &Value) -> BTreeMap<String, Value> {
    let functions = resources(template, "AWS::Serverless::Function").into_values();
    functions
        .map(|f| {
            (
                text(&f["CodeUri"]).strip_prefix("functions/").unwrap().to_owned(),
                f,
            )
        })
        .collect()
}

fn events(function: &Value, kind: &str) -> Vec<Value> {
    let events = function["Events"].as_mapping().cloned().unwrap_or_default();
    events
        .into_values()
        .filter(|e| e["Type"] == kind)
        .map(|e| e["Properties"].clone())
        .collect()
}

/// What a function's role allows: action and resource.
fn allowed(template: &Value, function: &Value) -> Vec<(String, String)> {
    let role = text(&function["Role"]);
    let role = &template["Resources"][role.strip_suffix(".Arn").unwrap()]["Properties"];
    let list = |value: &Value| match value {
        Value::Sequence(items) => items.iter().map(text).collect(),
        one => vec![text(one)],
    };
    let mut allowed = Vec::new();
    for policy in role["Policies"].as_sequence().unwrap() {
        for statement in policy["PolicyDocument"]["Statement"].as_sequence().unwrap() {
            assert_eq!(statement["Effect"], "Allow");
            for action in list(&statement["Action"]) {
                allowed.extend(
                    list(&statement["Resource"])
                        .into_iter()
                        .map(|r| (action.clone(), r)),
                );
            }
        }
    }
    allowed
}

#[test]
fn every_function_is_in_the_template_and_no_other() {
    let folders = std::fs::read_dir(root().join("functions")).unwrap();
    let folders: BTreeSet<String> = folders
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    let template = template();
    let deployed: BTreeSet<String> = functions(&template).into_keys().collect();
    assert_eq!(deployed, folders);
    assert_eq!(deployed, FUNCTIONS.map(str::to_owned).into());
}

#[test]
fn the_templates_routes_are_the_route_tables() {
    let tables: BTreeMap<&str, BTreeSet<String>> = BTreeMap::from([
        ("actions", local::paths(actions::ROUTES)),
        ("analytics", local::paths(analytics::ROUTES)),
        ("checker", BTreeSet::new()),
        ("domain-groups", local::paths(domain_groups::ROUTES)),
        ("entities", local::paths(entities::ROUTES)),
        ("prompts", local::paths(prompts::ROUTES)),
        ("workspace", local::paths(workspace::ROUTES)),
    ]);
    let template = template();
    for (name, function) in functions(&template) {
        let mut paths = BTreeSet::new();
        for event in events(&function, "HttpApi") {
            assert_eq!(event["ApiId"], "Api");
            match event.get("Path") {
                Some(path) => {
                    assert_eq!(event["Method"], "ANY", "404 and 405 are the service's own");
                    paths.insert(text(path));
                }
                // Without path and method it is API Gateway's $default.
                None => assert_eq!(name, "workspace", "one function answers unknown paths"),
            }
        }
        assert_eq!(paths, tables[name.as_str()], "{name}");
    }
    let workspace = &functions(&template)["workspace"];
    assert_eq!(
        events(workspace, "HttpApi")
            .iter()
            .filter(|e| e.get("Path").is_none())
            .count(),
        1
    );
}

#[test]
fn no_path_has_two_functions() {
    let mut seen = BTreeSet::new();
    for path in [
        local::paths(actions::ROUTES),
        local::paths(analytics::ROUTES),
        local::paths(domain_groups::ROUTES),
        local::paths(entities::ROUTES),
        local::paths(prompts::ROUTES),
        local::paths(workspace::ROUTES),
    ]
    .into_iter()
    .flatten()
    {
        assert!(path.starts_with(api::BASE_PATH));
        assert!(seen.insert(path.clone()), "{path}");
    }
}

#[test]
fn the_templates_table_is_the_stores() {
    use store::table::{DUE_INDEX, DUE_PARTITION_KEY, DUE_SORT_KEY, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE};
    let template = template();
    let table = &template["Resources"]["Table"];
    assert_eq!(table["DeletionPolicy"], "Retain");
    let table = &table["Properties"];
    let schema = |keys: &Value| -> Vec<(String, String)> {
        let keys = keys.as_sequence().unwrap();
        keys.iter()
            .map(|k| (text(&k["AttributeName"]), text(&k["KeyType"])))
            .collect()
    };
    let pair = |hash: &str, range: &str| {
        vec![
            (hash.to_owned(), "HASH".to_owned()),
            (range.to_owned(), "RANGE".to_owned()),
        ]
    };
    assert_eq!(schema(&table["KeySchema"]), pair(PARTITION_KEY, SORT_KEY));
    let indexes = table["GlobalSecondaryIndexes"].as_sequence().unwrap();
    assert_eq!(indexes.len(), 1);
    assert_eq!(indexes[0]["IndexName"], DUE_INDEX);
    assert_eq!(
        schema(&indexes[0]["KeySchema"]),
        pair(DUE_PARTITION_KEY, DUE_SORT_KEY)
    );
    assert_eq!(indexes[0]["Projection"]["ProjectionType"], "KEYS_ONLY");
    let attributes = table["AttributeDefinitions"].as_sequence().unwrap().iter();
    let attributes: Vec<_> = attributes
        .map(|a| (text(&a["AttributeName"]), text(&a["AttributeType"])))
        .collect();
    let strings = [PARTITION_KEY, SORT_KEY, DUE_PARTITION_KEY, DUE_SORT_KEY];
    assert_eq!(attributes, strings.map(|name| (name.to_owned(), "S".to_owned())));
    assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(table["TimeToLiveSpecification"]["AttributeName"], TTL_ATTRIBUTE);
    assert_eq!(table["TimeToLiveSpecification"]["Enabled"], true);
    assert_eq!(
        table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"],
        true
    );
    assert_eq!(table["DeletionProtectionEnabled"], true);
}

#[test]
fn functions_get_the_variables_that_their_mains_read_and_keys_only_where_they_ask() {
    let template = template();
    let names = |value: &Value| -> BTreeSet<String> {
        value
            .as_mapping()
            .map(|m| m.keys().map(text).collect())
            .unwrap_or_default()
    };
    let global = &template["Globals"]["Function"]["Environment"]["Variables"];
    assert_eq!(names(global), asked(|lookup| drop(Settings::from_lookup(lookup))));
    assert_eq!(global[Settings::TABLE], "Table");
    assert_eq!(global[Settings::BUS], "Bus");
    let namespace = "VisibilityTracking/${AWS::StackName}";
    assert_eq!(global[Settings::METRICS_NAMESPACE], namespace);
    let of_providers = asked(|lookup| drop(providers::Providers::from_lookup(lookup)));
    assert!(of_providers.contains("OPENAI_API_KEY"));
    for (name, function) in functions(&template) {
        let own = names(&function["Environment"]["Variables"]);
        let asks = ["entities", "checker"].contains(&name.as_str());
        let wanted = if asks {
            of_providers.clone()
        } else {
            BTreeSet::new()
        };
        assert_eq!(own, wanted, "{name}");
    }
    for (name, parameter) in template["Parameters"].as_mapping().unwrap() {
        let is_secret = text(name).ends_with("Key");
        assert_eq!(
            parameter["NoEcho"].as_bool().unwrap_or(false),
            is_secret,
            "{name:?}"
        );
    }
}

/// The variables that a reader of the environment asks for.
fn asked(read: impl FnOnce(&dyn Fn(&str) -> Option<String>)) -> BTreeSet<String> {
    let asked = RefCell::new(BTreeSet::new());
    read(&|name| {
        asked.borrow_mut().insert(name.to_owned());
        None
    });
    asked.into_inner()
}

#[test]
fn every_function_logs_to_a_group_of_its_own_that_forgets() {
    let template = template();
    let mut groups = BTreeSet::new();
    for (name, function) in functions(&template) {
        let group = text(&function["LoggingConfig"]["LogGroup"]);
        let resource = &template["Resources"][group.as_str()];
        assert_eq!(resource["Type"], "AWS::Logs::LogGroup", "{name}");
        assert_eq!(resource["Properties"]["RetentionInDays"], "LogRetentionDays");
        let writes = ("logs:PutLogEvents".to_owned(), format!("{group}.Arn"));
        assert!(
            allowed(&template, &function).contains(&writes),
            "{name} may write its log"
        );
        assert!(groups.insert(group), "{name}");
    }
}

#[test]
fn every_role_is_narrow() {
    let template = template();
    let mut roles = BTreeSet::new();
    for (name, function) in functions(&template) {
        assert!(
            roles.insert(text(&function["Role"])),
            "{name} has a role of its own"
        );
        let allowed = allowed(&template, &function);
        for (action, resource) in &allowed {
            assert!(
                !action.contains('*') && action != "dynamodb:Scan",
                "{name}: {action}"
            );
            assert!(resource != "*", "{name}: {action} on everything");
        }
        let may = |wanted: &str| allowed.iter().any(|(action, _)| action == wanted);
        assert!(may("dynamodb:UpdateItem"), "{name} authenticates or takes leases");
        assert_eq!(
            may("events:PutEvents"),
            ["entities", "checker"].contains(&name.as_str()),
            "{name}"
        );
        assert_eq!(may("sqs:ReceiveMessage"), name == "checker");
        let index = allowed.iter().any(|(_, resource)| resource.contains("index/due"));
        assert_eq!(index, name == "checker", "only the tick reads the due index");
    }
}

#[test]
fn the_queue_feeds_the_checker_and_never_starves_the_tick() {
    let template = template();
    let checker = &functions(&template)["checker"];
    let schedule = events(checker, "Schedule");
    assert_eq!(schedule.len(), 1);
    assert!(is_rate(&text(&schedule[0]["Schedule"])));
    let queue = events(checker, "SQS");
    assert_eq!(queue.len(), 1);
    assert_eq!(queue[0]["FunctionResponseTypes"][0], "ReportBatchItemFailures");
    let default = |name: &str| template["Parameters"][name]["Default"].as_u64().unwrap();
    assert_eq!(
        queue[0]["ScalingConfig"]["MaximumConcurrency"],
        "ShardConcurrency"
    );
    // 0 reserves nothing: then the account's limit counts.
    let reserved = default("CheckerConcurrency");
    assert!(reserved == 0 || default("ShardConcurrency") < reserved);
    let timeout = checker["Timeout"].as_u64().unwrap();
    let visible = template["Resources"]["Queue"]["Properties"]["VisibilityTimeout"]
        .as_u64()
        .unwrap();
    assert!(visible >= 6 * timeout);
    let pattern = &template["Resources"]["ChecksRule"]["Properties"]["EventPattern"];
    assert_eq!(pattern["source"][0], events::SOURCE);
    let rule = &template["Resources"]["ChecksRule"]["Properties"];
    assert_eq!(rule["EventBusName"], "Bus");
    assert_eq!(rule["Targets"][0]["Arn"], "Queue.Arn");
    assert_eq!(queue[0]["Queue"], "Queue.Arn");
    assert_eq!(queue[0]["BatchSize"], 1, "a failed step takes no other with it");
    let redrive = &template["Resources"]["Queue"]["Properties"]["RedrivePolicy"];
    assert_eq!(redrive["deadLetterTargetArn"], "DeadLetters.Arn");
    let local = local::bus::queue::Settings::default();
    assert_eq!(redrive["maxReceiveCount"], local.max_receives);
}

/// EventBridge wants the singular for 1 and the plural for more; the linters do not look.
fn is_rate(expression: &str) -> bool {
    let inner = expression.strip_prefix("rate(").and_then(|e| e.strip_suffix(')'));
    let Some((number, unit)) = inner.and_then(|i| i.split_once(' ')) else {
        return false;
    };
    match number.parse::<u32>() {
        Ok(1) => ["minute", "hour", "day"].contains(&unit),
        Ok(n) if n > 1 => ["minutes", "hours", "days"].contains(&unit),
        _ => false,
    }
}

#[test]
fn a_rate_is_singular_for_one_and_plural_for_more() {
    assert!(is_rate("rate(1 minute)") && is_rate("rate(5 minutes)"));
    assert!(!is_rate("rate(1 minutes)") && !is_rate("rate(5 minute)") && !is_rate("cron(* * * * ? *)"));
}

#[test]
fn no_function_links_a_development_tool_or_a_second_tls_stack() {
    for function in FUNCTIONS {
        let args = [
            "tree",
            "--locked",
            "--offline",
            "-e",
            "normal,build",
            "--prefix",
            "none",
            "-p",
            function,
        ];
        let output = Command::new(env!("CARGO"))
            .args(args)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let tree = String::from_utf8(output.stdout).unwrap();
        let packages: BTreeSet<(&str, &str)> = tree
            .lines()
            .filter_map(|line| line.trim_end_matches(" (*)").split_once(' '))
            .collect();
        let versions = |name: &str| packages.iter().filter(|(n, _)| *n == name).count();
        assert_eq!(versions("rustls"), 1, "{function}");
        assert_eq!(versions("hyper"), 1, "{function}");
        assert!(versions("aws-sdk-dynamodb") == 1, "{function}");
        for banned in [
            "dynoxide-rs",
            "rusqlite",
            "libsqlite3-sys",
            "axum",
            "aws-lc-rs",
            "aws-lc-sys",
            "openssl",
            "native-tls",
            "local",
            "clap",
        ] {
            assert_eq!(versions(banned), 0, "{function} links {banned}");
        }
    }
}

#[test]
fn the_sample_requests_are_what_the_functions_read() {
    let sample = |name: &str| {
        let path = root().join("infra/events").join(name);
        serde_json::from_str::<serde_json::Value>(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    for (name, method, path) in [
        ("api-get.json", "GET", "/v1/trends/visibility"),
        ("api-post.json", "POST", "/v1/entities"),
    ] {
        let request = lambda_http::request::from_str(&sample(name).to_string()).unwrap();
        assert_eq!(
            (request.method().as_str(), request.uri().path()),
            (method, path),
            "{name}"
        );
    }
}
