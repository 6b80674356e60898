//! What is deployed, what it links, and where it logs.

use std::collections::BTreeSet;
use std::process::Command;

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
fn every_function_logs_to_a_group_of_its_own_that_forgets() {
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
            "openapi",
            "swagger-ui-dist",
            "jsonschema",
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
