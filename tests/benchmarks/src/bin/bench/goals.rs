//! What requests about a range of days are meant to cost at most. In the tables, `✗` marks those that cost
//! more.

use super::request::BenchRequest;
use super::workload::Workload;

/// The goal of a request, at a workload and over a range.
pub(crate) struct Goal {
    request: &'static str,
    workload: char,
    days: i32,
    /// The read units of segments and index.
    pub(crate) units: f64,
}

const fn goal(request: &'static str, workload: char, days: i32, units: f64) -> Goal {
    Goal {
        request,
        workload,
        days,
        units,
    }
}

const GOALS: [Goal; 6] = [
    goal("visibility", 'M', 90, 20.0),
    goal("visibility", 'M', 366, 68.0),
    goal("cited domains", 'M', 90, 206.0),
    goal("cited domains", 'M', 366, 709.0),
    goal("query fanouts", 'M', 90, 559.0),
    goal("query fanouts", 'M', 366, 1_922.0),
];

impl Goal {
    /// Returns the goals of a request, filtered or not.
    pub(crate) fn of(request: &BenchRequest, workload: Workload, days: i32) -> Option<&'static Self> {
        GOALS
            .iter()
            .find(|goal| (goal.request, goal.workload, goal.days) == (request.name, workload.name, days))
    }
}
