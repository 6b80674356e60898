//! The table of start-up times, with their budget.

use std::time::Duration;

use acceptance::release::Release;

use crate::start::StartTimes;

/// From a process's exec to its first request to the table, in the clear.
const BUDGET: Duration = Duration::from_millis(10);

pub(crate) fn heading() {
    println!(
        "ms since exec in the fastest start (usual: the median); tls: to a server on loopback, with the system's roots"
    );
    println!(
        "{:14} {:>5} | {:>7} {:>5} {:>6} {:>6} | {:>9} {:>7} {:>5} {:>6} | {:>5} {:>4}",
        "function",
        "MB",
        "request",
        "usual",
        "ready",
        "answer",
        "tls hello",
        "request",
        "ready",
        "answer",
        "warm",
        "MiB"
    );
}

/// Prints a function's row; 1 where something failed or the budget is missed.
pub(crate) fn row(
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
    let (megabytes, memory) = (size as f64 / 1e6, plain.memory as f64 / 1_024.0);
    let is_late = plain.request > BUDGET;
    println!(
        "{function:14} {megabytes:5.2} | {:7.1} {:5.1} {:6.1} {:6.1} | {:9.1} {:7.1} {:5.1} {:6.1} | {:5.2} {memory:4.0}{}",
        ms(plain.request),
        ms(median_request),
        ms(plain.ready),
        ms(plain.answer),
        ms(tls.bytes),
        ms(tls.request),
        ms(tls.ready),
        ms(tls.answer),
        ms(plain.warm),
        if is_late { " OVER BUDGET" } else { "" },
    );
    usize::from(is_late)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
