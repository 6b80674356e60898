//! The CPU time that the AWS SDK takes, which is not the functions' own.

use std::cell::Cell;
use std::time::Duration;

use tracing::span::Id;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::cpu;

thread_local! {
    static USED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static ENTERED_AT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static ENTERED: Cell<u32> = const { Cell::new(0) };
}

/// Adds up the CPU time of each thread within the spans that the SDK opens for its calls. Within them it
/// encodes and signs a request, sends it, and decodes its response.
struct SdkTime;

impl<S: Subscriber> Layer<S> for SdkTime {
    fn on_enter(&self, _: &Id, _: Context<'_, S>) {
        if ENTERED.replace(ENTERED.get() + 1) == 0 {
            ENTERED_AT.set(cpu::now());
        }
    }

    fn on_exit(&self, _: &Id, _: Context<'_, S>) {
        if ENTERED.replace(ENTERED.get().saturating_sub(1)) == 1 {
            USED.set(USED.get() + (cpu::now() - ENTERED_AT.get()));
        }
    }
}

/// Starts the measurement, for all threads.
pub(crate) fn start_measuring() {
    let is_of_call = |span: &Metadata<'_>| span.is_span() && span.target().starts_with("aws_sdk_dynamodb");
    tracing_subscriber::registry()
        .with(SdkTime.with_filter(filter_fn(is_of_call)))
        .init();
}

/// Returns the CPU time of the SDK on this thread since the last call.
pub(crate) fn take_measured() -> Duration {
    USED.take()
}
