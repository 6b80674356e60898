//! Resources of another workspace do not exist for a client.

mod brands;
mod foreign_ids;
mod requests;

pub(crate) use foreign_ids::table_snapshot;

use acceptance::World;
use serde_json::{Value, json};

use super::{Fixture, endpoints};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_workspaces_subject_is_like_an_unknown_one() {
    let world = World::start().await;
    let (mine, theirs) = (Fixture::new(&world).await, Fixture::new(&world).await);
    let before = (mine.state(&world).await, theirs.state(&world).await);
    for endpoint in endpoints() {
        let Some(subject) = endpoint.subject() else {
            continue;
        };
        let good = (endpoint.request)(&mine);
        let other = (endpoint.request)(&theirs);
        let named = |sent: &super::RequestInput| -> Value {
            let parameter = sent.query.iter().find(|(name, _)| name == subject);
            let field = sent.body.as_ref().map(|body| body[subject].clone());
            field.or_else(|| parameter.map(|(_, id)| json!(id))).unwrap()
        };
        assert_ne!(named(&good), named(&other), "{}", endpoint.route);
        // A well-formed id: an own id with one character changed.
        let known = named(&good).as_str().unwrap().to_owned();
        let unknown = format!(
            "{}{}",
            if known.starts_with('0') { '1' } else { '0' },
            &known[1..]
        );

        let mut answers = Vec::new();
        for id in [named(&other), json!(unknown)] {
            let answer = endpoint
                .send(&world, Some(&mine.account.key), &good.with(subject, &id))
                .await;
            answers.push((answer.status, answer.body.to_string()));
        }
        for impossible in [
            "x",
            "é",
            "\u{0}",
            "../entities",
            "W#1",
            &"0".repeat(5_000),
            "%",
            " ",
        ] {
            let request = good.with(subject, &json!(impossible));
            let answer = endpoint.send(&world, Some(&mine.account.key), &request).await;
            // White space alone counts as a missing id.
            let blank = impossible.trim().is_empty() && answer.status == 400;
            if !blank {
                answers.push((answer.status, answer.body.to_string()));
            }
        }
        assert_eq!(answers[0].0, 404, "{}: {}", endpoint.route, answers[0].1);
        assert!(
            answers.iter().all(|a| *a == answers[0]),
            "{}: {answers:?}",
            endpoint.route
        );
    }
    assert_eq!((mine.state(&world).await, theirs.state(&world).await), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_another_workspace_shows() {
    let world = World::start().await;
    let theirs = Fixture::new(&world).await;
    for endpoint in endpoints().filter(|e| e.subject().is_none()) {
        let mine = Fixture::new(&world).await;
        let answer = endpoint
            .send(&world, Some(&mine.account.key), &(endpoint.request)(&mine))
            .await;
        let shown = answer.ok().to_string();
        for foreign in [
            theirs.account.tenant.workspace().as_str(),
            &theirs.entity,
            &theirs.prompt,
            &theirs.actionable,
            &theirs.task,
        ] {
            assert!(!shown.contains(foreign), "{}: {shown}", endpoint.route);
        }
    }
}
