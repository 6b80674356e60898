//! The deployed functions, their dependencies, and their log groups.

use std::collections::BTreeSet;

use super::{FUNCTIONS, functions, root, template, text};

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
fn every_function_logs_to_a_group_of_its_own_with_limited_retention() {
    let template = template();
    let mut groups = BTreeSet::new();
    for (name, function) in functions(&template) {
        let group = text(&function["LoggingConfig"]["LogGroup"]);
        let resource = &template["Resources"][group.as_str()];
        assert_eq!(resource["Type"], "AWS::Logs::LogGroup", "{name}");
        assert_eq!(resource["Properties"]["RetentionInDays"], "LogRetentionDays");
        assert!(groups.insert(group), "{name}");
    }
}

#[test]
fn cargo_lambda_deploys_with_the_memory_and_the_timeout_of_the_template() {
    let template = template();
    let defaults = &template["Globals"]["Function"];
    for (name, function) in functions(&template) {
        let manifest =
            std::fs::read_to_string(root().join("functions").join(&name).join("Cargo.toml")).unwrap();
        let (_, deployment) = manifest.split_once("[package.metadata.lambda.deploy]\n").unwrap();
        let setting = |property: &str| {
            let own = function.get(property).unwrap_or(&defaults[property]);
            own.as_u64().unwrap()
        };
        let expected = format!(
            "memory = {}\ntimeout = {}\n",
            setting("MemorySize"),
            setting("Timeout")
        );
        assert_eq!(deployment, expected, "{name}");
    }
}

#[test]
fn only_the_checker_whose_rereadings_call_it_again_and_again_may_call_itself_without_end() {
    for (name, function) in functions(&template()) {
        let allowed = function.get("RecursiveLoop").map(text);
        let expected = (name == "checker").then(|| "Allow".to_owned());
        assert_eq!(allowed, expected, "{name}");
    }
}
