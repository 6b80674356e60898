//! The ports of the database and the events, as programs and web pages reach them.

use reqwest::header::{HOST, ORIGIN};
use reqwest::{Client, Method, Response};

use crate::host_process::{Process, command};

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
    for (endpoint, path, target, status) in [
        ("dynamodbEndpoint", "", "DynamoDB_20120810.ListTables", 200),
        // The events endpoint wants entries, and its clock the length of a jump, which an empty request has
        // not.
        ("eventsEndpoint", "", "AWSEvents.PutEvents", 400),
        ("eventsEndpoint", "/clock", "", 400),
    ] {
        let endpoint = process.ready[endpoint].as_str().unwrap();
        let port = endpoint.rsplit(':').next().unwrap();
        let address = &format!("{endpoint}{path}");
        let hosts = [
            "localhost",
            "LOCALHOST",
            "127.0.0.1",
            "[::1]",
            "host.docker.internal",
            "host.containers.internal",
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

/// Returns whether something listens on a port of an address.
#[cfg(target_os = "linux")]
async fn listens(address: &str, port: &str) -> bool {
    tokio::net::TcpStream::connect(format!("{address}:{port}"))
        .await
        .is_ok()
}

/// Returns the ports of the database, the events and the API.
#[cfg(target_os = "linux")]
fn ports(process: &Process) -> [String; 3] {
    ["dynamodbEndpoint", "eventsEndpoint", "baseUrl"].map(|name| {
        let url = process.ready[name].as_str().unwrap().trim_end_matches("/v1");
        url.rsplit(':').next().unwrap().to_owned()
    })
}

/// On Linux, every address that begins with 127 is this machine's.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_database_and_the_events_listen_on_the_address_of_listen_and_the_api_on_loopback() {
    for (listen, on_loopback, on_another, host) in [
        (None, true, false, "127.0.0.1"),
        (Some("127.0.0.2"), false, true, "127.0.0.2"),
        (Some("0.0.0.0"), true, true, "127.0.0.1"),
    ] {
        let data = tempfile::tempdir().unwrap();
        let listen: Vec<&str> = listen.iter().flat_map(|listen| ["--listen", listen]).collect();
        let arguments = [&["--empty"], listen.as_slice()].concat();
        let process = Process::start(data.path(), &arguments, None).await;
        let [database, events, api] = ports(&process);
        for port in [&database, &events] {
            assert_eq!(listens("127.0.0.1", port).await, on_loopback, "{listen:?}");
            assert_eq!(listens("127.0.0.2", port).await, on_another, "{listen:?}");
        }
        assert!(listens("127.0.0.1", &api).await, "{listen:?}");
        assert!(!listens("127.0.0.2", &api).await, "{listen:?}");
        // The address that the host names is one that it takes.
        for (name, target, status) in [
            ("dynamodbEndpoint", "DynamoDB_20120810.ListTables", 200),
            ("eventsEndpoint", "AWSEvents.PutEvents", 400),
        ] {
            let endpoint = process.ready[name].as_str().unwrap();
            assert!(endpoint.starts_with(&format!("http://{host}:")), "{endpoint}");
            let reply = send(endpoint, Method::POST, target, &[]).await;
            assert_eq!(reply.status(), status, "{endpoint}");
        }
        let log = process.interrupt().await.log;
        let warning = "other machines may reach the database and the events (--listen)";
        assert_eq!(log.contains(warning), listen == ["--listen", "0.0.0.0"], "{log}");
    }
}

#[tokio::test]
async fn listen_is_an_address_of_this_machine() {
    // 192.0.2.1 is for documents and belongs to no machine.
    for (address, code, expected) in [
        (
            "host.docker.internal",
            2,
            "error: invalid value 'host.docker.internal' for '--listen <ADDRESS>': invalid IP address syntax",
        ),
        (
            "172.17.0.1:9401",
            2,
            "error: invalid value '172.17.0.1:9401' for '--listen <ADDRESS>': invalid IP address syntax",
        ),
        ("192.0.2.1", 1, "error: port 0 of 192.0.2.1 cannot be used: "),
    ] {
        let arguments = ["--empty", "--port", "0", "--listen", address];
        let output = command(&arguments, None).output().await.unwrap();
        assert_eq!(output.status.code(), Some(code), "{address}");
        assert!(output.stdout.is_empty());
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(log.contains(expected), "{log}");
    }
}
