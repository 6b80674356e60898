//! Converts an entry of a PutEvents request to an event.

use domain::time::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::time::iso_seconds;
use crate::aws::{ACCOUNT, REGION};

/// The error with which EventBridge rejects an entry.
pub(super) struct EntryError {
    pub(super) code: &'static str,
    pub(super) message: String,
}

/// Wraps a valid entry in the envelope of an event. Its time is the entry's own, in Unix seconds, or `now`.
pub(super) fn envelope(entry: &Value, now: Timestamp) -> Result<Value, EntryError> {
    let source = required(entry, "Source")?;
    let detail_type = required(entry, "DetailType")?;
    let detail = required(entry, "Detail")?;
    if source.starts_with("aws.") {
        return Err(EntryError {
            code: "NotAuthorizedForSourceException",
            message: "Not authorized for the source.".to_owned(),
        });
    }
    let detail: Value = serde_json::from_str(detail)
        .ok()
        .filter(Value::is_object)
        .ok_or_else(|| EntryError {
            code: "MalformedDetail",
            message: "Detail is malformed.".to_owned(),
        })?;
    let resources = entry.get("Resources").filter(|list| list.is_array());
    Ok(json!({
        "version": "0",
        "id": Uuid::new_v4().to_string(),
        "detail-type": detail_type,
        "source": source,
        "account": ACCOUNT,
        "time": iso_seconds(time(entry).unwrap_or(now)),
        "region": REGION,
        "resources": resources.cloned().unwrap_or_else(|| json!([])),
        "detail": detail,
    }))
}

fn required<'a>(entry: &'a Value, name: &str) -> Result<&'a str, EntryError> {
    entry
        .get(name)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
        .ok_or_else(|| EntryError {
            code: "InvalidArgument",
            message: format!("Parameter {name} is not valid. Reason: {name} is a required argument."),
        })
}

/// The time of an entry, in seconds and fractions of a second.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float to an integer saturates"
)]
fn time(entry: &Value) -> Option<Timestamp> {
    let seconds = entry.get("Time")?.as_f64()?;
    Some(Timestamp::from_millis((seconds * 1_000.0) as i64))
}

/// Returns the size of an entry as EventBridge counts it, in bytes.
pub(super) fn size(entry: &Value) -> usize {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).map_or(0, str::len);
    let resources = entry.get("Resources").and_then(Value::as_array);
    let resources = resources.into_iter().flatten().filter_map(Value::as_str);
    let time = if entry.get("Time").is_some_and(|time| !time.is_null()) {
        14
    } else {
        0
    };
    time + text("Source") + text("DetailType") + text("Detail") + resources.map(str::len).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Value {
        json!({"Source": "s", "DetailType": "t", "Detail": "{\"a\":1}"})
    }

    fn code(entry: &Value) -> &'static str {
        envelope(entry, Timestamp::from_millis(0)).err().unwrap().code
    }

    #[test]
    fn an_entry_becomes_the_envelope_a_rule_sees() {
        let mut event = envelope(&entry(), Timestamp::from_millis(1_764_962_401_999))
            .ok()
            .unwrap();
        let id = event["id"].take();
        assert_eq!(id.as_str().unwrap().len(), 36);
        let expected = json!({
            "version": "0", "id": null, "detail-type": "t", "source": "s", "account": "000000000000",
            "time": "2025-12-05T19:20:01Z", "region": "us-east-1", "resources": [], "detail": {"a": 1},
        });
        assert_eq!(event, expected);
    }

    #[test]
    fn an_entry_may_have_its_own_time_and_resources() {
        let mut entry = entry();
        entry["Time"] = json!(1_587_481_701.067);
        entry["Resources"] = json!(["arn:one"]);
        let event = envelope(&entry, Timestamp::from_millis(0)).ok().unwrap();
        assert_eq!(event["time"], "2020-04-21T15:08:21Z");
        assert_eq!(event["resources"], json!(["arn:one"]));
        assert_eq!(size(&entry), 14 + 1 + 1 + 7 + 7);
    }

    #[test]
    fn missing_and_malformed_fields_are_refused() {
        for name in ["Source", "DetailType", "Detail"] {
            for value in [Value::Null, json!(""), json!(1)] {
                let mut entry = entry();
                entry[name] = value;
                assert_eq!(code(&entry), "InvalidArgument", "{name}");
            }
        }
        for detail in ["[]", "1", "{", "null"] {
            let mut entry = entry();
            entry["Detail"] = json!(detail);
            assert_eq!(code(&entry), "MalformedDetail", "{detail}");
        }
        let mut entry = entry();
        entry["Source"] = json!("aws.events");
        assert_eq!(code(&entry), "NotAuthorizedForSourceException");
        assert_eq!(code(&json!("not an entry")), "InvalidArgument");
    }
}
