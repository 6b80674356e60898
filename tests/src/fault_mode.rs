//! Runs the test suite under random faults.
//!
//! The environment variable `FAULTS` sets how many of 1,000 calls to the table and the bus fail, and
//! `FAULTS_SEED` decides which ones. The totals by kind are written to the file `FAULTS_REPORT`. Without
//! `FAULTS`, no call fails.

use std::cell::Cell;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use runtime::environment_variable;

use crate::{Fault, FaultInjector};

/// Modules and tests that run without random faults, with the reason.
const EXEMPT: [(&str, &str); 5] = [
    (
        "access::rates::",
        "counts requests: a retry after a lost response can count twice",
    ),
    ("contract::outages::", "injects its own faults"),
    ("interface::statuses::", "injects its own faults"),
    ("log::requests::", "injects its own faults"),
    ("usage::", "injects its own faults"),
];

struct FaultMode {
    per_mille: u32,
    seed: u64,
    report: Option<PathBuf>,
}

static MODE: LazyLock<Option<FaultMode>> = LazyLock::new(|| {
    let number = |name| {
        environment_variable(name).map(|n| n.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
    };
    Some(FaultMode {
        per_mille: u32::try_from(number("FAULTS")?).expect("at most a thousand"),
        seed: number("FAULTS_SEED").unwrap_or(1),
        report: environment_variable("FAULTS_REPORT").map(PathBuf::from),
    })
});
/// Requests that were retried.
static RETRIES: AtomicUsize = AtomicUsize::new(0);

/// Returns the name of the test that runs on this thread.
fn test_name() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

fn mode() -> Option<&'static FaultMode> {
    let test = test_name();
    MODE.as_ref()
        .filter(|_| !EXEMPT.iter().any(|(exempt, _)| test.starts_with(exempt)))
}

/// Returns whether random faults are on for this test, so that its client must retry.
pub(crate) fn is_on() -> bool {
    mode().is_some()
}

/// Returns an injector of random faults, or `None` if random faults are off for this test. The faults depend
/// on the seed, the test's name and the number of injectors that the test has created before, but not on
/// other tests.
pub(crate) fn faults() -> Option<FaultInjector> {
    thread_local! {
        static INJECTORS: Cell<u64> = const { Cell::new(0) };
    }
    let mode = mode()?;
    let nth = INJECTORS.get();
    INJECTORS.set(nth + 1);
    // FNV-1a.
    let name = test_name().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let faults = FaultInjector::default();
    faults.random(
        mode.seed ^ name.wrapping_add(nth),
        mode.per_mille,
        &Fault::TRANSIENT,
    );
    Some(faults)
}

pub(crate) fn count_retry() {
    RETRIES.fetch_add(1, Ordering::Relaxed);
}

/// Writes the totals so far to the report. The last test to end writes the final totals.
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
    let _ = writeln!(lines, "requests-retried {}", RETRIES.load(Ordering::Relaxed));
    for (exempt, reason) in EXEMPT {
        let _ = writeln!(lines, "exempt {exempt} {reason}");
    }
    let _ = std::fs::write(path, lines);
}
