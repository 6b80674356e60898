//! Every name in the template resolves, and every definition is used.

use std::collections::BTreeSet;

use serde_yaml_ng::Value;

use super::{names, tagged};

/// The parameters and resources, and the conditions, that a part of the template refers to.
#[derive(Default)]
struct References {
    values: BTreeSet<String>,
    conditions: BTreeSet<String>,
}

impl References {
    fn read(&mut self, value: &Value) {
        match value {
            Value::Tagged(tagged) => {
                let inner = &tagged.value;
                match (tagged.tag.to_string().as_str(), inner) {
                    // SAM gives the stage of an API as `Api.Stage`.
                    ("!Ref" | "!GetAtt", Value::String(path)) => self.value(path.split('.').next().unwrap()),
                    ("!Sub", Value::String(text)) => self.substituted(text, &BTreeSet::new()),
                    ("!Sub", Value::Sequence(parts)) => {
                        self.substituted(parts[0].as_str().unwrap(), &names(&parts[1]));
                        self.read(&parts[1]);
                    }
                    ("!Condition", Value::String(name)) => {
                        self.conditions.insert(name.clone());
                    }
                    ("!If", Value::Sequence(parts)) => {
                        self.conditions.insert(parts[0].as_str().unwrap().to_owned());
                        parts[1..].iter().for_each(|part| self.read(part));
                    }
                    ("!Not" | "!Equals" | "!And", inner) => self.read(inner),
                    (tag, inner) => panic!("{tag} {inner:?} is not understood"),
                }
            }
            Value::Sequence(items) => items.iter().for_each(|item| self.read(item)),
            Value::Mapping(map) => map.values().for_each(|item| self.read(item)),
            _ => {}
        }
    }

    /// Collects the names in `${X}` and `${X.Attribute}`, except the variables of the substitution itself.
    fn substituted(&mut self, text: &str, variables: &BTreeSet<String>) {
        for part in text.split("${").skip(1) {
            let (name, _) = part.split_once('}').unwrap();
            if !variables.contains(name) {
                self.value(name.split('.').next().unwrap());
            }
        }
    }

    fn value(&mut self, name: &str) {
        if !name.starts_with("AWS::") {
            self.values.insert(name.to_owned());
        }
    }
}

#[test]
fn every_reference_resolves_and_every_parameter_and_condition_is_used() {
    let template = tagged();
    let mut references = References::default();
    for section in ["Globals", "Resources", "Outputs", "Conditions"] {
        references.read(&template[section]);
    }
    let resources = template["Resources"].as_mapping().unwrap().values();
    let outputs = template["Outputs"].as_mapping().unwrap().values();
    for resource in resources.chain(outputs) {
        let condition = resource.get("Condition").and_then(Value::as_str);
        references.conditions.extend(condition.map(str::to_owned));
    }
    let parameters = names(&template["Parameters"]);
    let mut known = names(&template["Resources"]);
    known.extend(parameters.iter().cloned());
    let unknown: Vec<_> = references.values.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let unused: Vec<_> = parameters.difference(&references.values).collect();
    assert!(unused.is_empty(), "{unused:?}");
    assert_eq!(references.conditions, names(&template["Conditions"]));
}

#[test]
fn every_parameter_is_in_one_group_of_the_console() {
    let template = tagged();
    let groups = &template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"];
    let mut shown: Vec<String> = Vec::new();
    for group in groups.as_sequence().unwrap() {
        shown.extend(super::texts(&group["Parameters"]));
    }
    let distinct: BTreeSet<String> = shown.iter().cloned().collect();
    assert_eq!(distinct.len(), shown.len());
    assert_eq!(distinct, names(&template["Parameters"]));
}

#[test]
fn both_stages_set_parameters_that_exist() {
    let text = std::fs::read_to_string(super::root().join("samconfig.toml")).unwrap();
    let parameters = names(&tagged()["Parameters"]);
    let overrides: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("parameter_overrides = "))
        .collect();
    assert_eq!(overrides.len(), 2);
    for pair in overrides
        .iter()
        .flat_map(|list| list.trim_matches('"').split(' '))
    {
        let (name, value) = pair.split_once('=').unwrap();
        assert!(parameters.contains(name) && !value.is_empty(), "{pair}");
    }
}
