//! No target that is not public gets a connection, however it is written.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::time::Timestamp;
use domain::webhook::{Targets, WebhookSecret, WebhookUrl};
use futures::future::BoxFuture;
use notifier::sender::{Failure, Message, Resolve, Sender, SystemResolver};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Addresses that are not public.
const ADDRESSES: [&str; 46] = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.254",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.0.0.2",
    "127.255.255.254",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.254",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.254",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.1.2.3",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
];

/// Hosts of URLs that stand for addresses that are not public, in other forms than the usual one.
const FORMS: [&str; 40] = [
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7F.1",
    "0177.0.0.1",
    "0177.1",
    "017700000001",
    "127.0.0.1.",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "127%2e0%2e0%2e1",
    "0",
    "0x0",
    "00",
    "0.0",
    "10.1",
    "167772161",
    "0xa000001",
    "012.1",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "0xa9.254.169.254",
    "172.1048577",
    "0xc0a80001",
    "3232235521",
    "192.168.1",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:a9fe:a9fe]",
    "[2002:7f00:0001::]",
    "[64:ff9b::127.0.0.1]",
    "[fe80::1]",
    "[::ffff:0a00:0001]",
    "[::ffff:c0a8:1]",
];

/// Names that are private by convention.
const NAMES: [&str; 14] = [
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "printer",
    "router.lan",
    "nas.local",
    "db.internal",
    "metadata.google.internal",
    "instance-data.ec2.internal",
    "wiki.intranet",
    "x.home.arpa",
    "kubernetes.default.svc.cluster.local",
    "abc.onion",
];

/// A resolver that gives the next of its answers at each call, and then the last one again.
struct Scripted(Mutex<VecDeque<Vec<IpAddr>>>);

impl Scripted {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |answer: &&[&str]| answer.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self(Mutex::new(answers.iter().map(parse).collect())))
    }
}

impl Resolve for Scripted {
    fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 {
            answers.pop_front().unwrap()
        } else {
            answers.front().cloned().unwrap_or_default()
        };
        Box::pin(std::future::ready(Ok(answer)))
    }
}

/// A server on all loopback addresses that counts its connections, and redirects to itself if it is asked.
struct Trap {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Trap {
    async fn start() -> Self {
        let listener = TcpListener::bind(("::", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move {
                    let mut request = [0; 4096];
                    let _ = stream.read(&mut request).await;
                    let redirect = format!(
                        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:{port}/again\r\ncontent-length: 0\r\n\r\n"
                    );
                    let _ = stream.write_all(redirect.as_bytes()).await;
                });
            }
        });
        Self { port, connections }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Sends to a URL that was stored, whatever the rules say of it today.
async fn send(sender: &Sender, url: &str) -> Result<u16, Failure> {
    let url: WebhookUrl = serde_json::from_value(url.into()).unwrap();
    let secret = WebhookSecret::from_random([7; 32]);
    let message = Message {
        url: &url,
        id: "test_1",
        sent_at: Timestamp::from_millis(1_780_000_000_000),
        body: "{}",
        secrets: &[&secret],
    };
    sender.send(&message).await
}

fn sender(resolver: Arc<dyn Resolve>) -> Sender {
    Sender::new(Targets::Public, resolver).with_timeout(Duration::from_secs(2))
}

#[tokio::test]
async fn no_target_that_is_not_public_gets_a_connection() {
    let trap = Trap::start().await;
    let port = trap.port;
    let mut refused = 0;
    let system = sender(Arc::new(SystemResolver));
    let literal = |address: &&str| match address.parse() {
        Ok(IpAddr::V6(_)) => format!("[{address}]"),
        _ => (*address).to_owned(),
    };
    let literals = ADDRESSES.iter().map(literal);
    let hosts = FORMS.iter().chain(&NAMES).map(|host| (*host).to_owned());
    for host in literals.chain(hosts) {
        for scheme in ["https", "http"] {
            let url = format!("{scheme}://{host}:{port}/");
            assert_eq!(send(&system, &url).await, Err(Failure::NotPermitted), "{url}");
            assert!(WebhookUrl::parse(&url, Targets::Public).is_err(), "{url}");
        }
        refused += 1;
    }
    let url = format!("https://hooks.example.com:{port}/");
    for address in ADDRESSES {
        // A name that has this address, alone or beside a public one in either order.
        for answer in [vec![address], vec!["8.8.8.8", address], vec![address, "8.8.8.8"]] {
            let named = sender(Scripted::new(&[&answer]));
            assert_eq!(send(&named, &url).await, Err(Failure::NotPermitted), "{answer:?}");
            refused += 1;
        }
    }
    // A name without an address.
    assert_eq!(
        send(&sender(Scripted::new(&[&[]])), &url).await,
        Err(Failure::NotPermitted)
    );
    assert_eq!(trap.connections(), 0);
    assert!(refused >= 230, "{refused}");
}

#[tokio::test]
async fn a_name_that_changes_after_it_was_checked_changes_no_connection() {
    let trap = Trap::start().await;
    // A name server that answers with what is permitted first, and with what is not from then on.
    for private in ["10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "fd00:ec2::254"] {
        let before = trap.connections();
        let resolver = Scripted::new(&[&["127.0.0.1"], &[private]]);
        let sender = Sender::new(Targets::PublicAndLoopback, resolver.clone());
        let url = format!("http://localhost:{}/", trap.port);
        // The connection goes to the address that was checked: the name is resolved once for a message.
        assert_eq!(send(&sender, &url).await, Err(Failure::Redirect(307)));
        assert_eq!(resolver.0.lock().unwrap().len(), 1, "one answer is used up");
        assert_eq!(trap.connections(), before + 1);
        // The next message is checked again.
        assert_eq!(send(&sender, &url).await, Err(Failure::NotPermitted), "{private}");
        assert_eq!(trap.connections(), before + 1);
    }
}

#[tokio::test]
async fn a_redirect_to_a_private_target_is_not_followed() {
    let trap = Trap::start().await;
    let local = Sender::new(Targets::PublicAndLoopback, Arc::new(SystemResolver));
    let url = format!("http://127.0.0.1:{}/", trap.port);
    assert_eq!(send(&local, &url).await, Err(Failure::Redirect(307)));
    assert_eq!(trap.connections(), 1);
}

#[tokio::test]
async fn a_receiver_without_tls_gets_no_message() {
    let trap = Trap::start().await;
    let local = Sender::new(Targets::PublicAndLoopback, Arc::new(SystemResolver));
    let url = format!("https://127.0.0.1:{}/", trap.port);
    assert_eq!(send(&local, &url).await, Err(Failure::Connection));
}
