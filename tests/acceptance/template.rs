//! The template matches the code.

mod alarms;
mod checks;
mod environment;
mod functions;
mod limits;
mod permissions;
mod references;
mod routes;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ::events::CheckQueue;
use serde_yaml_ng::Value;

/// The names of the functions, which are the names of their folders and packages.
const FUNCTIONS: [&str; 11] = [
    "actions",
    "analytics",
    "checker",
    "console",
    "domain-groups",
    "entities",
    "mcp",
    "notifier",
    "prompts",
    "webhooks",
    "workspace",
];

/// The function that neither reads nor writes the table.
const WITHOUT_TABLE: &str = "console";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Reads the template with CloudFormation's short forms as YAML tags.
fn tagged() -> Value {
    let text = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    serde_yaml_ng::from_str(&text).unwrap()
}

/// Reads the template as it is deployed with the default of every parameter. `!Ref X` becomes `X`, `!GetAtt
/// X.Arn` becomes `X.Arn`, and `!If` becomes the branch that its condition selects.
fn template() -> Value {
    template_with(&[])
}

/// Reads the template as [`template`] does, with other values for some parameters.
fn template_with(values: &[(&str, &str)]) -> Value {
    let tagged = tagged();
    let deployed = Deployed {
        template: &tagged,
        values,
    };
    deployed.plain(&tagged)
}

struct Deployed<'a> {
    template: &'a Value,
    values: &'a [(&'a str, &'a str)],
}

impl Deployed<'_> {
    fn plain(&self, value: &Value) -> Value {
        match value {
            Value::Tagged(tagged) if tagged.tag == "!If" => {
                let holds = self.holds(&self.template["Conditions"][text(&tagged.value[0]).as_str()]);
                self.plain(&tagged.value[if holds { 1 } else { 2 }])
            }
            Value::Tagged(tagged) => self.plain(&tagged.value),
            Value::Sequence(items) => Value::Sequence(items.iter().map(|item| self.plain(item)).collect()),
            Value::Mapping(map) => {
                Value::Mapping(map.iter().map(|(k, v)| (k.clone(), self.plain(v))).collect())
            }
            other => other.clone(),
        }
    }

    fn holds(&self, condition: &Value) -> bool {
        let Value::Tagged(tagged) = condition else {
            panic!("{condition:?}")
        };
        match tagged.tag.to_string().as_str() {
            "!Not" => !self.holds(&tagged.value[0]),
            "!Equals" => self.value(&tagged.value[0]) == text(&tagged.value[1]),
            tag => panic!("{tag} is not understood"),
        }
    }

    /// Returns the value of a parameter.
    fn value(&self, reference: &Value) -> String {
        let Value::Tagged(tagged) = reference else {
            panic!("{reference:?}")
        };
        let name = text(&tagged.value);
        let given = self.values.iter().find(|(given, _)| *given == name);
        match (given, &self.template["Parameters"][name.as_str()]["Default"]) {
            (Some((_, value)), _) => (*value).to_owned(),
            (None, Value::Number(default)) => default.to_string(),
            (None, default) => text(default),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value:?}")).to_owned()
}

/// Returns the strings of a list, or a single string as a list.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Sequence(items) => items.iter().map(text).collect(),
        one => vec![text(one)],
    }
}

/// Returns the keys of a mapping. An absent mapping has none.
fn names(value: &Value) -> BTreeSet<String> {
    let map = value.as_mapping();
    map.map(|m| m.keys().map(text).collect()).unwrap_or_default()
}

/// Returns the resources of a type by name.
fn resources(template: &Value, kind: &str) -> BTreeMap<String, Value> {
    let all = template["Resources"].as_mapping().unwrap();
    all.iter()
        .filter(|(_, r)| r["Type"] == kind)
        .map(|(name, r)| (text(name), r["Properties"].clone()))
        .collect()
}

/// Returns the properties of each function by the name of its folder.
fn functions(template: &Value) -> BTreeMap<String, Value> {
    let functions = resources(template, "AWS::Serverless::Function").into_values();
    let folder = |f: &Value| text(&f["CodeUri"]).strip_prefix("functions/").unwrap().to_owned();
    functions.map(|f| (folder(&f), f)).collect()
}

fn events(function: &Value, kind: &str) -> Vec<Value> {
    let events = function["Events"].as_mapping().cloned().unwrap_or_default();
    let of_kind = events.into_values().filter(|e| e["Type"] == kind);
    of_kind.map(|e| e["Properties"].clone()).collect()
}

/// Returns the word with which the names of a queue's resources begin.
fn queue_name(queue: CheckQueue) -> &'static str {
    match queue {
        CheckQueue::Shards => "Shard",
        CheckQueue::Steps => "Step",
        CheckQueue::Rereadings => "Rereading",
    }
}

/// Returns the actions and resources that a function's role allows. Asserts that none appears twice.
fn allowed(template: &Value, function: &Value) -> BTreeSet<(String, String)> {
    let role = text(&function["Role"]);
    let role = &template["Resources"][role.strip_suffix(".Arn").unwrap()]["Properties"];
    let mut allowed = BTreeSet::new();
    for policy in role["Policies"].as_sequence().unwrap() {
        for statement in policy["PolicyDocument"]["Statement"].as_sequence().unwrap() {
            assert_eq!(statement["Effect"], "Allow");
            for action in texts(&statement["Action"]) {
                for resource in texts(&statement["Resource"]) {
                    let pair = (action.clone(), resource);
                    assert!(allowed.insert(pair.clone()), "{pair:?} is allowed twice");
                }
            }
        }
    }
    allowed
}

/// Returns the paths of each function's route table.
fn tables() -> BTreeMap<&'static str, BTreeSet<String>> {
    let functions = openapi::endpoints::functions().into_iter();
    functions
        .map(|function| (function.name, function.paths()))
        .chain([("checker", BTreeSet::new()), ("notifier", BTreeSet::new())])
        .collect()
}
