//! Runs every target with arbitrary bytes and with its seeds, unchanged, damaged and spliced.
#![expect(clippy::panic, clippy::unwrap_used, reason = "only tests are here")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use fuzz_targets::{TARGETS, Target};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::{Value, json};

/// The maximum time and number of cases per target. An unoptimized build is not the place for a long search.
const TIME: Duration = Duration::from_millis(1_500);
const CASES: u32 = 1_000;

/// A change to a seed.
#[derive(Debug, Clone)]
enum Damage {
    Flip(Index, u8),
    Set(Index, u8),
    Cut(Index),
    Drop(Index, u8),
    Repeat(Index, u8, u8),
    Insert(Index, Vec<u8>),
    /// Replaces the bytes after the first position with those of another seed after the second position.
    Splice(Index, Index, Index),
    /// Replaces a node of a JSON seed with another node or with this value.
    Node(Index, Option<Index>, Value),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    let token = [
        "\"",
        "\\u0000",
        "\\",
        "{",
        "[",
        "null",
        "-1",
        "1e400",
        "18446744073709551616",
        "\u{feff}",
        "😀",
        "\n\n",
        "%",
        ",",
        "A-Secret-Of-More-Than-24-Characters",
        "\u{0}",
        "é\u{301}",
        "://",
    ];
    let node = [
        json!(null),
        json!([]),
        json!({}),
        json!(-1),
        json!(1e300),
        json!("x"),
        json!(true),
        json!(""),
    ];
    let bytes = prop_oneof![
        (at(), 0u8..8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        at().prop_map(Damage::Cut),
        (at(), 1u8..20).prop_map(|(at, count)| Damage::Drop(at, count)),
        (at(), 1u8..40, 1u8..20).prop_map(|(at, length, times)| Damage::Repeat(at, length, times)),
        (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at(), prop::sample::select(token.to_vec()))
            .prop_map(|(at, token)| Damage::Insert(at, token.as_bytes().to_vec())),
        (at(), at(), at()).prop_map(|(at, seed, from)| Damage::Splice(at, seed, from)),
    ];
    let nodes = (at(), prop::option::of(at()), prop::sample::select(node.to_vec()));
    let nodes = nodes.prop_map(|(at, from, value)| Damage::Node(at, from, value));
    prop_oneof![3 => bytes, 1 => nodes]
}

fn harmed(mut data: Vec<u8>, damage: &Damage, seeds: &[Vec<u8>]) -> Vec<u8> {
    let len = data.len();
    let place = |at: &Index| at.index(len + 1);
    match damage {
        Damage::Flip(at, bit) if len > 0 => data[at.index(len)] ^= 1 << bit,
        Damage::Set(at, byte) if len > 0 => data[at.index(len)] = *byte,
        Damage::Flip(..) | Damage::Set(..) => {}
        Damage::Cut(at) => data.truncate(place(at)),
        Damage::Drop(at, count) => {
            let at = place(at);
            data.drain(at..len.min(at + usize::from(*count)));
        }
        Damage::Repeat(at, length, times) => {
            let at = place(at);
            let piece = data[at..len.min(at + usize::from(*length))].repeat(usize::from(*times));
            data.splice(at..at, piece);
        }
        Damage::Insert(at, bytes) => {
            let at = place(at);
            data.splice(at..at, bytes.iter().copied());
        }
        Damage::Splice(at, seed, from) => {
            let other = &seeds[seed.index(seeds.len())];
            data.truncate(place(at));
            data.extend_from_slice(&other[from.index(other.len() + 1)..]);
        }
        Damage::Node(at, from, value) => {
            let Some(start) = data.iter().position(|byte| *byte == b'{') else {
                return data;
            };
            let Ok(mut json) = serde_json::from_slice::<Value>(&data[start..]) else {
                return data;
            };
            let nodes = pointers(&json);
            let new = match from {
                Some(from) => json.pointer(&nodes[from.index(nodes.len())]).unwrap().clone(),
                None => value.clone(),
            };
            *json.pointer_mut(&nodes[at.index(nodes.len())]).unwrap() = new;
            data.truncate(start);
            data.extend(json.to_string().bytes());
        }
    }
    data
}

/// Returns the JSON pointers of the nodes of a tree.
fn pointers(root: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut at = 0;
    while let Some(node) = found.get(at).cloned() {
        match root.pointer(&node).unwrap() {
            Value::Array(items) => found.extend((0..items.len()).map(|n| format!("{node}/{n}"))),
            Value::Object(members) => found.extend(
                members
                    .keys()
                    .map(|name| format!("{node}/{}", name.replace('~', "~0").replace('/', "~1"))),
            ),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Runs a target until its time is up. A failure shows the smallest failing input.
fn drive(target: &Target) {
    let seeds = (target.seeds)();
    for seed in &seeds {
        (target.run)(seed);
    }
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    let damaged = (any::<Index>(), prop::collection::vec(damage(), 1..5));
    let input = prop_oneof![1 => bytes.prop_map(Err), 4 => damaged.prop_map(Ok)];
    let start = Instant::now();
    let failed = TestRunner::new(config).run(&input, |input| {
        if start.elapsed() > TIME {
            return Ok(());
        }
        let data = match input {
            Err(bytes) => bytes,
            Ok((seed, damages)) => {
                let seed = seeds[seed.index(seeds.len())].clone();
                damages
                    .iter()
                    .fold(seed, |data, damage| harmed(data, damage, &seeds))
            }
        };
        catch_unwind(AssertUnwindSafe(|| (target.run)(&data)))
            .map_err(|_| TestCaseError::fail(data.escape_ascii().to_string()))
    });
    if let Err(TestError::Fail(reason, _)) = failed {
        panic!("{}: {reason}", target.name);
    }
}

macro_rules! driven {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            drive(TARGETS.iter().find(|target| target.name == stringify!($name)).unwrap());
        })*

        #[test]
        fn every_target_is_driven_here_and_by_libfuzzer() {
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), [$(stringify!($name)),*]);
            let fuzzers = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz_targets");
            let files = std::fs::read_dir(fuzzers).unwrap().map(|file| file.unwrap().file_name());
            let mut files: Vec<String> = files.map(|file| file.into_string().unwrap()).collect();
            files.sort();
            assert_eq!(files, [$(concat!(stringify!($name), ".rs")),*]);
        }
    };
}

driven! {
    api_event api_key body check_event citation_url id index locale mention provider query segment target
}
