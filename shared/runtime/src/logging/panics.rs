//! Logs panics, without their messages, which can contain confidential data.

use std::panic::{self, Location, PanicHookInfo};

/// Installs a hook that logs the location of each panic, with the ids of its spans. A release build then
/// aborts.
pub(super) fn install_hook() {
    panic::set_hook(Box::new(hook));
}

fn hook(info: &PanicHookInfo<'_>) {
    let location = info.location();
    tracing::error!(
        panic.file = location.map(Location::file),
        panic.line = location.map(Location::line),
        "the code panicked"
    );
}
