//! The binary without a local host: what it needs to know of AWS.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test that called it")]

use std::process::{Command, Stdio};

use serde_json::Value;

/// Returns the error of a command that runs with these variables alone.
fn error(words: &[&str], variables: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_admin"))
        .args(words)
        .env_clear()
        // The machine of the test may have credentials in files, and may be an instance with a role.
        .envs([("HOME", "/nonexistent"), ("AWS_EC2_METADATA_DISABLED", "true")])
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let answer: Value = serde_json::from_slice(&output.stderr).unwrap();
    answer["error"].as_str().unwrap().to_owned()
}

#[test]
fn a_missing_region_or_missing_credentials_are_named() {
    let region = ("AWS_REGION", "eu-central-1");
    let key = [("AWS_ACCESS_KEY_ID", "AKID"), ("AWS_SECRET_ACCESS_KEY", "secret")];
    let show = ["workspace", "show", "--workspace", "AAAAAAAAAAAAAAAA"];
    let entity = [
        "--workspace",
        "AAAAAAAAAAAAAAAA",
        "--entity",
        "AAAAAAAAAAAAAAAA",
        "--bus",
        "visibility",
    ];
    let check = [&["check", "run"], entity.as_slice()].concat();
    for words in [show.as_slice(), check.as_slice()] {
        let neither = error(words, &[]);
        assert!(
            neither.starts_with("neither an AWS region nor AWS credentials are found"),
            "{neither}"
        );
        let no_credentials = error(words, &[region]);
        assert!(
            no_credentials.starts_with("no AWS credentials are found"),
            "{no_credentials}"
        );
        let no_region = error(words, &key);
        assert!(no_region.starts_with("no AWS region is set"), "{no_region}");
        for error in [neither, no_credentials, no_region] {
            assert!(error.contains("--endpoint-url"), "{error}");
        }
        // With both, the command goes on to the table, which is not there.
        let table = ("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:9");
        let unavailable = error(words, &[key[0], key[1], region, table]);
        assert!(
            unavailable.starts_with("the table is unavailable"),
            "{unavailable}"
        );
    }
}
