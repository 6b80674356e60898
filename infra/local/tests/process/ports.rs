//! The ports of the database and the events, as programs and web pages reach them.

use reqwest::header::{HOST, ORIGIN};
use reqwest::{Client, Method, Response};

use crate::host_process::Process;

async fn send(address: &str, method: Method, target: &str, headers: &[(&str, &str)]) -> Response {
    let client = Client::builder().no_proxy().build().unwrap();
    let mut request = client
        .request(method, address)
        .header("x-amz-target", target)
        .header("content-type", "application/x-amz-json-1.0");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body("{}").send().await.unwrap()
}

#[tokio::test]
async fn web_pages_do_not_reach_the_database_and_the_events() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path(), &["--empty"], None).await;
    for (address, target, status) in [
        ("dynamodbEndpoint", "DynamoDB_20120810.ListTables", 200),
        // The events endpoint wants entries, which an empty request has not.
        ("eventsEndpoint", "AWSEvents.PutEvents", 400),
    ] {
        let address = process.ready[address].as_str().unwrap();
        let port = address.rsplit(':').next().unwrap();
        let hosts = [
            "localhost",
            "LOCALHOST",
            "127.0.0.1",
            "[::1]",
            "host.docker.internal",
        ];
        for host in hosts.map(|host| [host.to_owned(), format!("{host}:{port}"), format!("{host}:1")]) {
            for host in host {
                let reply = send(address, Method::POST, target, &[(HOST.as_str(), &host)]).await;
                assert_eq!(reply.status(), status, "{address} {host}");
                let cors = |name: &str| name.starts_with("access-control");
                assert!(!reply.headers().keys().any(|name| cors(name.as_str())));
            }
        }

        let origins = ["https://evil.example", "http://localhost:9400", "null", ""];
        let origins = origins.map(|origin| [(ORIGIN.as_str(), origin)]);
        let foreign_hosts = [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:9401",
            "192.168.0.7:9401",
            "localhost@evil.example",
            "evil.example@localhost",
            "::1",
            "",
        ];
        let foreign_hosts = foreign_hosts.map(|host| [(HOST.as_str(), host)]);
        for headers in origins.iter().chain(&foreign_hosts) {
            for method in [Method::POST, Method::GET, Method::OPTIONS] {
                let reply = send(address, method.clone(), target, headers).await;
                assert_eq!(reply.status(), 403, "{address} {method} {headers:?}");
                assert!(!reply.headers().contains_key("access-control-allow-origin"));
                let text = reply.text().await.unwrap();
                assert!(
                    text.starts_with("This is for programs on this machine."),
                    "{text}"
                );
            }
        }
    }
}
