//! Panics, as lines of the log. What a panic says is left out: it can hold whatever was at hand.

use std::panic::{self, Location, PanicHookInfo};

/// Logs where each panic happens, with the ids of the spans it happens in. The process then does what it was built for:
/// a release build ends.
pub(super) fn log() {
    panic::set_hook(Box::new(hook));
}

fn hook(info: &PanicHookInfo<'_>) {
    let at = info.location();
    tracing::error!(
        panic.file = at.map(Location::file),
        panic.line = at.map(Location::line),
        "the code panicked"
    );
}
