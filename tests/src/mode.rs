//! Running the suite under faults: `FAULTS` is how many calls of a thousand to the table and the bus go wrong,
//! `FAULTS_SEED` which. The totals by kind are written to the file `FAULTS_REPORT`. Without `FAULTS` nothing goes
//! wrong.

use std::cell::Cell;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use runtime::variable;

use crate::{Fault, Faults};

/// Tests that no random fault hits, with the reason: modules or single tests.
const CALM: [(&str, &str); 5] = [
    (
        "access::rates::",
        "counts requests; one whose answer is lost may count twice",
    ),
    ("contract::outages::", "makes its own faults"),
    ("interface::statuses::", "makes its own faults"),
    ("log::requests::", "makes its own faults"),
    ("usage::", "makes its own faults"),
];

struct Mode {
    per_mille: u32,
    seed: u64,
    report: Option<PathBuf>,
}

static MODE: LazyLock<Option<Mode>> = LazyLock::new(|| {
    let number = |name| variable(name).map(|n| n.parse().unwrap_or_else(|_| panic!("{name} is no number")));
    Some(Mode {
        per_mille: u32::try_from(number("FAULTS")?).expect("at most a thousand"),
        seed: number("FAULTS_SEED").unwrap_or(1),
        report: variable("FAULTS_REPORT").map(PathBuf::from),
    })
});
/// Requests that were sent again.
static REPEATED: AtomicUsize = AtomicUsize::new(0);

/// The name of the test that runs on this thread.
fn test() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

fn mode() -> Option<&'static Mode> {
    let test = test();
    MODE.as_ref()
        .filter(|_| !CALM.iter().any(|(calm, _)| test.starts_with(calm)))
}

/// Whether random faults hit this test, so that its client has to be a patient one.
pub(crate) fn is_on() -> bool {
    mode().is_some()
}

/// A layer whose faults depend on the seed and on which layer of its test it is, not on other tests.
pub(crate) fn faults() -> Option<Faults> {
    thread_local! {
        static LAYERS: Cell<u64> = const { Cell::new(0) };
    }
    let mode = mode()?;
    let nth = LAYERS.get();
    LAYERS.set(nth + 1);
    // FNV-1a.
    let name = test().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let faults = Faults::default();
    faults.random(
        mode.seed ^ name.wrapping_add(nth),
        mode.per_mille,
        &Fault::PASSING,
    );
    Some(faults)
}

pub(crate) fn count_repeated() {
    REPEATED.fetch_add(1, Ordering::Relaxed);
}

/// Writes the totals so far. The last one who writes knows of all.
pub(crate) fn report() {
    static WRITING: Mutex<()> = Mutex::new(());
    let Some(path) = MODE.as_ref().and_then(|mode| mode.report.as_ref()) else {
        return;
    };
    let _writing = WRITING.lock();
    let mut lines = String::new();
    for (fault, count) in Fault::counts() {
        let _ = writeln!(lines, "{fault:?} {count}");
    }
    let _ = writeln!(lines, "requests-sent-again {}", REPEATED.load(Ordering::Relaxed));
    for (calm, reason) in CALM {
        let _ = writeln!(lines, "calm {calm} {reason}");
    }
    let _ = std::fs::write(path, lines);
}
