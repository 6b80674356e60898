//! Damaged response bodies for the tests of all decoders.

use std::collections::HashSet;

use domain::answer::{Answer, FinishReason};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::AskError;

/// Generates variants of a JSON body that are truncated, have a changed byte, or have nodes that are missing,
/// of another type or copied.
pub(crate) fn damaged(body: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let body = body.trim_end();
    let cut = any::<Index>().prop_map(move |at| body.as_bytes()[..at.index(body.len())].to_vec());
    let byte = (any::<Index>(), any::<u8>()).prop_map(move |(at, byte)| {
        let mut bytes = body.as_bytes().to_vec();
        bytes[at.index(body.len())] = byte;
        bytes
    });
    let nodes = proptest::collection::vec((any::<Index>(), damage()), 1..6).prop_map(move |damages| {
        let mut body = serde_json::from_str(body).unwrap();
        for (at, damage) in &damages {
            apply(&mut body, *at, damage);
        }
        body.to_string().into_bytes()
    });
    prop_oneof![1 => cut, 1 => byte, 4 => nodes]
}

#[derive(Debug, Clone)]
enum Damage {
    Drop,
    Retype(Value),
    /// Replaces the node with a copy of this one.
    Copy(Index),
    /// Repeats the node if its parent is an array.
    Repeat,
}

fn damage() -> impl Strategy<Value = Damage> {
    let other = [
        json!(null),
        json!([]),
        json!({}),
        json!(-1),
        json!(1e300),
        json!("x [1]"),
        json!(true),
    ];
    prop_oneof![
        Just(Damage::Drop),
        proptest::sample::select(other.to_vec()).prop_map(Damage::Retype),
        any::<Index>().prop_map(Damage::Copy),
        Just(Damage::Repeat),
    ]
}

fn apply(body: &mut Value, at: Index, damage: &Damage) {
    let nodes = pointers(body);
    let node = &nodes[at.index(nodes.len())];
    let copy = |nth: &Index| body.pointer(&nodes[nth.index(nodes.len())]).unwrap().clone();
    match damage {
        Damage::Retype(value) => *body.pointer_mut(node).unwrap() = value.clone(),
        Damage::Copy(of) => {
            let of = copy(of);
            *body.pointer_mut(node).unwrap() = of;
        }
        Damage::Drop | Damage::Repeat => {
            let Some((parent, name)) = node.rsplit_once('/') else {
                return;
            };
            match (body.pointer_mut(parent).unwrap(), damage) {
                (Value::Object(members), Damage::Drop) => drop(members.remove(name)),
                (Value::Array(items), Damage::Drop) => drop(items.remove(name.parse().unwrap())),
                (Value::Array(items), _) => {
                    let item = items[name.parse::<usize>().unwrap()].clone();
                    items.push(item);
                }
                _ => {}
            }
        }
    }
}

/// Returns the JSON pointers of all nodes. The names must contain neither `/` nor `~`.
fn pointers(root: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut at = 0;
    while let Some(node) = found.get(at).cloned() {
        match root.pointer(&node).unwrap() {
            Value::Array(items) => found.extend((0..items.len()).map(|n| format!("{node}/{n}"))),
            Value::Object(members) => found.extend(members.keys().map(|name| format!("{node}/{name}"))),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Asserts the invariants of every decoded answer or error.
pub(crate) fn assert_valid(decoded: Result<Answer, AskError>) {
    match decoded {
        Ok(answer) => {
            let urls: HashSet<_> = answer.citations.iter().map(|cited| &cited.url).collect();
            assert_eq!(urls.len(), answer.citations.len());
            assert!(urls.iter().all(|url| !url.trim().is_empty()));
            assert!(answer.narration.iter().all(|passage| !passage.trim().is_empty()));
            assert!(answer.queries.iter().all(|query| !query.trim().is_empty()));
            assert!(answer.queries.is_empty() || answer.searched == Some(true));
            assert!(answer.finish_reason == FinishReason::Refused || !answer.text.trim().is_empty());
        }
        Err(error) => assert!(!error.reason().is_empty()),
    }
}
