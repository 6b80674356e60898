//! Misleading domains and URLs.

use serde_json::json;

use super::CanceledWorkspace;
use crate::contract::{RequestInput, endpoints};

/// Each input with its canonical target, or `None` if it is invalid.
const HOSTS: &[(&str, Option<&str>)] = &[
    ("EXAMPLE.com", Some("example.com")),
    (" example.com ", Some("example.com")),
    ("//example.com", Some("example.com")),
    ("http://example.com:80/", Some("example.com")),
    ("https://example.com:443?x=1#y", Some("example.com")),
    ("example.com.", Some("example.com")),
    ("www.www.example.com", Some("example.com")),
    // Other spellings of one host.
    ("example。com", Some("example.com")),
    ("ｅｘａｍｐｌｅ.com", Some("example.com")),
    ("ex\u{ad}ample.com", Some("example.com")),
    ("ﬀ.com", Some("ff.com")),
    ("exam%70le.com", Some("example.com")),
    // Different hosts that look alike.
    ("аpple.com", Some("xn--pple-43d.com")),
    ("faß.de", Some("xn--fa-hia.de")),
    ("☃.com", Some("xn--n3h.com")),
    ("مثال.إختبار", Some("xn--mgbh0fb.xn--kgbechtv")),
    ("xn--n3h.com", Some("xn--n3h.com")),
    ("xn--zzzzzzzzzzzz.com", None),
    ("xn--.com", None),
    ("xn--a-.com", None),
    ("a\u{200d}b.com", None),
    // Repeated prefixes.
    ("http://http://example.com", None),
    ("https://https://https://example.com", None),
    ("http:example.com", None),
    ("https:/example.com", None),
    ("javascript:alert(1)", None),
    ("javascript://example.com/%0aalert(1)", None),
    ("data:text/html,x", None),
    ("file:///etc/passwd", None),
    ("blob:https://example.com", None),
    // User information and ports.
    ("https://example.com@evil.com", None),
    ("https://:@evil.com", Some("evil.com")),
    ("https://a:b@evil.com", None),
    ("example.com:0", None),
    ("example.com:8080", None),
    ("example.com:99999", None),
    ("example.com:-1", None),
    // IP addresses in any notation.
    ("127.0.0.1", None),
    ("127.1", None),
    ("0x7f.1", None),
    ("2130706433", None),
    ("１２７.0.0.1", None),
    ("0177.0.0.01", None),
    ("http://[::1]/", None),
    ("[::ffff:169.254.169.254]", None),
    ("169.254.169.254", None),
    ("1.2.3", None),
    // Incomplete domains.
    ("localhost", None),
    ("a.localhost", None),
    ("com", None),
    ("co.uk", None),
    ("github.io", None),
    ("example", None),
    ("a..com", None),
    (".com", None),
    ("example.com..", None),
    ("-a.com", None),
    ("a-.com", None),
    ("a_b.com", None),
    ("*.example.com", None),
    ("exa mple.com", None),
    ("exa\tmple.com", None),
    ("example.com\0", None),
    ("example.com%00", None),
    ("<script>.com", None),
    // Paths.
    ("example.com/a b", Some("example.com/a%20b")),
    ("example.com/<script>", Some("example.com/%3Cscript%3E")),
    ("example.com/a/%2e%2e/b/./c", Some("example.com/b/c")),
    ("example.com/../../etc/passwd", Some("example.com/etc/passwd")),
    ("example.com\\@evil.com", Some("example.com/@evil.com")),
    ("example.com/W#1", Some("example.com/W")),
    ("example.com/é", Some("example.com/%C3%A9")),
    ("example.com///", Some("example.com")),
    ("example.com//a", Some("example.com//a")),
];

/// Returns hosts, labels and URLs at their maximum length, and longer ones.
fn long() -> Vec<(String, Option<String>)> {
    let host = |length: usize| {
        let labels = format!("{}.", "a".repeat(59)).repeat(4);
        format!("{}{}.com", &labels[..240], "b".repeat(length - 244))
    };
    let label = |length: usize| format!("{}.com", "c".repeat(length));
    let path = |length: usize| format!("example.com/{}", "p".repeat(length - 12));
    // Each letter is nine bytes of a target.
    let wide = |letters: usize| format!("example.com/{}", "字".repeat(letters));
    let known = |text: String| (text.clone(), Some(text));
    vec![
        known(host(253)),
        (host(254), None),
        known(label(63)),
        (label(64), None),
        known(path(2_048)),
        (path(2_049), None),
        (
            wide(226),
            Some(format!("example.com/{}", "%E5%AD%97".repeat(226))),
        ),
        (wide(227), None),
        (format!("{}.com", "ü".repeat(60)), None),
        ("x".repeat(1_000_000), None),
        (
            format!("{}com", "a.".repeat(120)),
            Some(format!("{}com", "a.".repeat(120))),
        ),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_is_what_it_is_in_every_place_that_takes_one() {
    let canceled = CanceledWorkspace::new().await;
    let (world, account) = (&canceled.world, &canceled.fixture.account);
    let short = HOSTS
        .iter()
        .map(|(given, target)| ((*given).to_owned(), target.map(str::to_owned)));
    let all: Vec<(String, Option<String>)> = short.chain(long()).collect();
    let good = json!({"name": "A", "models": [canceled.fixture.model], "prompts": []});
    let check = endpoints()
        .find(|endpoint| endpoint.route == "GET /entities/check-domain")
        .unwrap();
    let mut wrong = Vec::new();
    for (given, target) in &all {
        let shown: String = given.escape_debug().take(60).collect();
        if given.len() < 10_000 {
            let checked = check
                .send(
                    world,
                    Some(&account.key),
                    &RequestInput::query(&[("domain", given)]),
                )
                .await;
            let found = checked.body["data"]["domain"].as_str().map(str::to_owned);
            if found != *target
                || (target.is_none() && !checked.body["error"].as_str().unwrap().starts_with("domain "))
            {
                wrong.push(format!("{shown}: {}", checked.text));
            }
        }
        let mut body = good.clone();
        body["domain"] = json!(given);
        let created = world.post(account, "/entities", &body).await;
        let changed = json!({"entityId": canceled.fixture.entity, "target": given});
        let changed = world.patch(account, "/entities", &changed).await;
        let (creates, changes) = if target.is_some() {
            (403, [403, 400])
        } else {
            (400, [400, 400])
        };
        if created.status != creates || !changes.contains(&changed.status) {
            wrong.push(format!("{shown}: {} {}", created.text, changed.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("hosts: {} attacks", 3 * all.len());
    assert!(all.len() >= 85);
}
