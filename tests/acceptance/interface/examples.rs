//! The examples of the OpenAPI document match their schemas.

use acceptance::ApiContract;
use serde_json::Value;

use super::operations;

#[test]
fn every_example_is_as_it_is_described() {
    let interface = ApiContract::get();
    let mut examples = 0;
    for (method, path, operation) in operations() {
        let body = &operation["requestBody"]["content"]["application/json"]["example"];
        let body = body.is_object().then_some(body);
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let given = parameters
            .map(|parameter| interface.resolved(parameter))
            .filter(|parameter| parameter["required"] == true)
            .map(|parameter| {
                let text = |name: &str| parameter[name].as_str().unwrap().to_owned();
                (text("name"), text("example"))
            });
        let wrong = interface.request_violation(&method, path, &given.collect::<Vec<_>>(), body);
        assert_eq!(wrong, None, "{method} {path}");
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = &interface.resolved(response)["content"]["application/json"];
            let several = content["examples"].as_object().into_iter().flatten();
            let several = several.map(|(_, example)| &example["value"]);
            for example in several.chain(content.get("example")) {
                let status: u16 = status.parse().unwrap();
                let wrong = interface.body_violation(&method, path, status, example);
                assert_eq!(wrong, None, "{method} {path} {status}");
                assert!(
                    status == 200 || is_error_text(example),
                    "{method} {path} {status}"
                );
                examples += 1;
            }
        }
    }
    assert!(examples > 200, "{examples}");
}

#[test]
fn every_example_of_a_message_is_as_it_is_described() {
    let interface = ApiContract::get();
    let messages = interface.document()["webhooks"].as_object().unwrap();
    for (kind, message) in messages {
        let example = &message["post"]["requestBody"]["content"]["application/json"]["example"];
        assert_eq!(example["type"], kind.as_str());
        assert_eq!(interface.message_violation(example), None, "{kind}");
    }
}

/// Returns whether the example is an error text without a full stop.
fn is_error_text(example: &Value) -> bool {
    example["error"].as_str().is_some_and(|text| !text.ends_with('.'))
}
