//! Prints the start times beside their budget.

use std::time::Duration;

use acceptance::release::Release;

use crate::start::StartTimes;

/// The budget of the time from a process's exec to its first request to the table, without TLS.
const BUDGET: Duration = Duration::from_millis(10);

/// Prints the heading of the table.
pub(crate) fn print_heading() {
    println!(
        "milliseconds since exec in the fastest start; tls: to a server on loopback, with the system's root certificates"
    );
    println!(
        "{:14} {:>5} | {:>7} {:>6} {:>6} {:>8} | {:>9} {:>7} {:>5} {:>8} | {:>5} {:>4}",
        "function",
        "MB",
        "request",
        "median",
        "ready",
        "response",
        "tls hello",
        "request",
        "ready",
        "response",
        "warm",
        "MiB"
    );
}

/// Prints a function's row. Returns the number of failures: 1 if a start failed or missed the budget.
pub(crate) fn print_row(
    release: &Release,
    function: &str,
    plain: &Result<StartTimes, String>,
    tls: &Result<StartTimes, String>,
) -> usize {
    let (plain, tls) = match (plain, tls) {
        (Ok(plain), Ok(tls)) => (plain, tls.fastest),
        (Err(error), _) | (_, Err(error)) => {
            println!("{function:14} FAILED: {error}");
            return 1;
        }
    };
    let (median_request, plain) = (plain.median_request, plain.fastest);
    let size = std::fs::metadata(release.bootstrap(function)).map_or(0, |file| file.len());
    #[expect(clippy::cast_precision_loss, reason = "for show")]
    let (megabytes, memory) = (size as f64 / 1e6, plain.peak_memory as f64 / 1_024.0);
    let is_over_budget = plain.request.is_some_and(|request| request > BUDGET);
    println!(
        "{function:14} {megabytes:5.2} | {:>7} {:>6} {:>6} {:>8} | {:>9} {:>7} {:>5} {:>8} | {:5.2} {memory:4.0}{}",
        ms(plain.request),
        ms(median_request),
        ms(plain.ready),
        ms(plain.response),
        ms(tls.bytes),
        ms(tls.request),
        ms(tls.ready),
        ms(tls.response),
        plain.warm.as_secs_f64() * 1e3,
        if is_over_budget { " OVER BUDGET" } else { "" },
    );
    usize::from(is_over_budget)
}

/// Shows a time in milliseconds, and a time that the function does not have as a dash.
fn ms(time: impl Into<Option<Duration>>) -> String {
    time.into().map_or_else(
        || "–".to_owned(),
        |time| format!("{:.1}", time.as_secs_f64() * 1e3),
    )
}
