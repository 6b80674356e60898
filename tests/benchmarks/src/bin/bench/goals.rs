//! What requests about a range of days are meant to cost at most. In the tables, `✗` marks those that cost
//! more.

use super::request::BenchRequest;
use super::workload::Workload;

/// The largest share of its first request that a repeated request is meant to take of the CPU.
pub(crate) const WARM_GOAL: f64 = 0.1;

/// The goals of a request, at a workload and over a range.
pub(crate) struct Goal {
    request: &'static str,
    workload: char,
    days: i32,
    /// The read units of segments and index.
    pub(crate) units: Option<f64>,
    /// The CPU time of a first request, in milliseconds.
    pub(crate) cold_ms: Option<f64>,
}

const fn goal(
    request: &'static str,
    workload: char,
    days: i32,
    units: Option<f64>,
    cold_ms: Option<f64>,
) -> Goal {
    Goal {
        request,
        workload,
        days,
        units,
        cold_ms,
    }
}

const GOALS: [Goal; 10] = [
    goal("visibility", 'M', 30, None, Some(0.25)),
    goal("visibility", 'M', 90, Some(6.0), None),
    goal("visibility", 'M', 366, Some(15.0), Some(1.2)),
    goal("cited domains", 'M', 90, Some(100.0), None),
    goal("cited domains", 'M', 366, Some(250.0), Some(20.0)),
    goal("prompts with stats, page of 20", 'M', 30, None, Some(1.5)),
    goal("query fanouts", 'M', 90, Some(350.0), None),
    goal("query fanouts", 'M', 366, Some(800.0), Some(60.0)),
    goal("query fanouts", 'L', 30, None, Some(60.0)),
    goal("query fanouts, searched", 'L', 30, None, Some(60.0)),
];

impl Goal {
    /// Returns the goals of a request, filtered or not.
    pub(crate) fn of(request: &BenchRequest, workload: Workload, days: i32) -> Option<&'static Self> {
        GOALS
            .iter()
            .find(|goal| (goal.request, goal.workload, goal.days) == (request.name, workload.name, days))
    }
}
