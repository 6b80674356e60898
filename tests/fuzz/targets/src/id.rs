//! Ids of every kind. Each id has exactly one text form.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use domain::group::BrandReference;
use domain::id::{
    ActionableId, EntityId, GroupId, KeyId, MemberId, NameRequestId, PromptId, ResponseId, TagId, TaskId,
    WorkspaceId,
};
use domain::revision::Revision;
use domain::time::{Day, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let text = &*text;
    let random = [
        one::<WorkspaceId>(text),
        one::<EntityId>(text),
        one::<MemberId>(text),
        one::<KeyId>(text),
        one::<NameRequestId>(text),
        one::<GroupId>(text),
        one::<TagId>(text),
    ];
    let children = [
        one::<PromptId>(text),
        one::<ActionableId>(text),
        one::<TaskId>(text),
        one::<ResponseId>(text),
    ];
    // A child's id has one kind, and is not a valid random id.
    let kinds = children.iter().filter(|is| **is).count() + usize::from(random.contains(&true));
    assert!(kinds <= 1, "{kinds} kinds of id");
    if let Ok(id) = text.parse::<ResponseId>() {
        assert!(id.day >= Day(0), "a day before 1970");
    }
    if let Ok(revision) = text.parse::<Revision>() {
        assert_eq!(revision.to_string(), text);
    }
    if let Some(day) = Day::parse(text) {
        assert_eq!(day.to_string(), text);
        assert_eq!(day.start().day(), day);
    }
    if let Some(instant) = Timestamp::from_iso(text) {
        let shown = instant.iso();
        assert_eq!(Timestamp::from_iso(&shown).map(Timestamp::iso), Some(shown));
    }
    if let BrandReference::Tracking(id) = BrandReference::parse(text) {
        assert_eq!(id.as_str(), text.trim());
    }
}

/// Returns whether the text is an id of this type. Asserts that it is written as it was read, also in JSON.
fn one<T>(text: &str) -> bool
where
    T: FromStr + Display + Debug + PartialEq + Serialize + DeserializeOwned,
{
    let json = Value::from(text);
    let Ok(id) = text.parse::<T>() else {
        assert!(serde_json::from_value::<T>(json).is_err(), "JSON reads more");
        return false;
    };
    assert_eq!(id.to_string(), text);
    assert!(text.len() <= 50 && text.is_ascii());
    assert_eq!(serde_json::to_value(&id).unwrap(), json);
    assert_eq!(serde_json::from_value::<T>(json).unwrap(), id);
    true
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let entity = "7Hq2bT9xKc4LmZ0p";
    let mut seeds: Vec<String> = [
        "-p0",
        "-p007",
        "-P7",
        "-p1z141z3",
        "-a5",
        "-tzz",
        "-re7a-2g-1-0",
        "-r0-0-0-0",
        "",
    ]
    .iter()
    .map(|end| format!("{entity}{end}"))
    .collect();
    seeds.extend(
        [
            "0123456789ab",
            "2026-06-16",
            "2026-06-16T09:13:02.044Z",
            "2026-06-16T23:59:59+02:00",
            "b45d1dea-2ffa-5a6d-824d-7b744e4660af",
        ]
        .map(str::to_owned),
    );
    seeds.into_iter().map(String::into_bytes).collect()
}
