//! A panic in a process that logs.

use std::panic::catch_unwind;
use std::sync::Mutex;

use serde_json::Value;

static LINES: Mutex<String> = Mutex::new(String::new());

#[test]
fn a_panic_is_one_line_with_its_place_and_its_ids_and_without_what_it_says() {
    runtime::start_logging(Some("warn"), None, |line| LINES.lock().unwrap().push_str(line));
    let panicked = catch_unwind(|| {
        let _span = tracing::error_span!("request", request.id = "r").entered();
        panic!("of a secret");
    });
    assert!(panicked.is_err());
    let lines = std::mem::take(&mut *LINES.lock().unwrap());
    assert_eq!(lines.lines().count(), 1, "{lines}");
    let line: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(
        (&line["level"], &line["request.id"]),
        (&"ERROR".into(), &"r".into())
    );
    assert!(
        line["panic.file"]
            .as_str()
            .is_some_and(|file| file.ends_with("panics.rs")),
        "{line}"
    );
    assert!(line["panic.line"].is_number());
    assert!(!lines.contains("secret"), "{lines}");
}
