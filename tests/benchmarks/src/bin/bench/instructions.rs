//! Counts instructions with Valgrind's callgrind, which counts equally on every machine and in every run but
//! for what depends on hashes and threads.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

static CALLGRIND: OnceLock<Callgrind> = OnceLock::new();

/// The callgrind that runs this process.
struct Callgrind {
    /// The path of the file to which each number of a dump is appended.
    out: PathBuf,
    dumps: AtomicUsize,
}

/// Makes [`count`] count, for the process runs under callgrind. Each count is dumped to a file beside `out`.
pub(crate) fn use_callgrind(out: &Path) {
    let callgrind = Callgrind {
        out: out.to_owned(),
        dumps: AtomicUsize::new(0),
    };
    assert!(CALLGRIND.set(callgrind).is_ok(), "it is set once");
}

/// Runs `work`, and returns its result with the number of instructions that this thread executed for it. The
/// number is 0 without callgrind.
pub(crate) fn count<T>(work: impl FnOnce() -> T) -> (T, u64) {
    match CALLGRIND.get() {
        Some(callgrind) => callgrind.count(work),
        None => (work(), 0),
    }
}

/// Runs `work` without counting its instructions.
pub(crate) fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    toggle_count(work)
}

impl Callgrind {
    fn count<T>(&self, work: impl FnOnce() -> T) -> (T, u64) {
        // callgrind stays switched on, because each switch makes it translate the whole program again.
        control(&["--instr=on"]);
        let result = toggle_count(work);
        control(&["--dump"]);
        let dump = self.dumps.fetch_add(1, Ordering::Relaxed) + 1;
        let path = format!("{}.{dump}", self.out.display());
        let dump = std::fs::read_to_string(path).expect("the dump");
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
        (
            result,
            total.and_then(|total| total.parse().ok()).expect("a total"),
        )
    }
}

/// Runs `work`. callgrind starts to count when this function is entered and stops when it returns, or the
/// other way round if it counts already: `tests/benchmarks/run` gives it this function's name.
#[inline(never)]
fn toggle_count<T>(work: impl FnOnce() -> T) -> T {
    std::hint::black_box(work())
}

/// Sends a command to the callgrind of this process.
fn control(command: &[&str]) {
    let process = std::process::id().to_string();
    let done = Command::new("callgrind_control")
        .args(command)
        .arg(process)
        .output();
    assert!(
        done.is_ok_and(|done| done.status.success()),
        "callgrind takes {command:?}"
    );
}

/// Returns the median, or zero if there are no values.
pub(crate) fn median(mut all: Vec<u64>) -> u64 {
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or_default()
}
