//! Prints the measurements as Markdown tables.

use std::time::Duration;

use super::endpoint_meter::Costs;
use super::goals::{Goal, WARM_GOAL};
use super::request::BenchRequest;
use super::workload::Workload;

/// The CPU budget of a warm request, as a share of the budget of a cold one.
const WARM_SHARE: f64 = 0.2;
/// The budget of read units for other items, at workload M.
const OTHER_UNITS_BUDGET: f64 = 6.0;
/// The budget of serial calls, at workload M.
const SERIAL_CALLS_BUDGET: usize = 3;

/// The budgets of the overview: read units, and CPU time in milliseconds.
const OVERVIEW_UNITS_BUDGET: f64 = 80.0;
const OVERVIEW_CPU_BUDGET: f64 = 8.0;

/// A request and its costs.
pub(crate) struct Row {
    pub(crate) request: BenchRequest,
    pub(crate) is_filtered: bool,
    pub(crate) costs: Costs,
}

/// A row about a range of days.
pub(crate) struct RangeRow {
    pub(crate) days: i32,
    pub(crate) row: Row,
}

/// The rows of a workload.
pub(crate) struct WorkloadRows {
    pub(crate) workload: Workload,
    pub(crate) rows: Vec<Row>,
}

/// A page of entities with this number of days with checks.
pub(crate) struct OverviewRow {
    pub(crate) days: i32,
    pub(crate) costs: Costs,
}

/// The CPU time of a part of a check.
pub(crate) struct CheckPart {
    pub(crate) name: &'static str,
    /// The time for all answers.
    pub(crate) cpu: Duration,
    /// The budget per answer, in milliseconds.
    pub(crate) budget: Option<f64>,
}

/// A budget as it is printed.
struct Budget {
    text: String,
    is_kept: bool,
}

impl Budget {
    fn new(text: String, is_kept: bool) -> Self {
        Self { text, is_kept }
    }
}

/// Prints the figures with their budgets. Returns the number of missed budgets.
pub(crate) fn budgets(workload: Workload, rows: &[Row]) -> usize {
    let is_m = workload.name == 'M';
    let mut missed = 0;
    let mut cell = |figure: String, budget: Option<Budget>| match budget {
        Some(Budget { text, is_kept }) => {
            missed += usize::from(!is_kept);
            format!("{figure} ≤ {text} {}", if is_kept { "✓" } else { "✗" })
        }
        None => figure,
    };
    println!(
        "| {} · 30 days | facts, read units | prompts, read units | others, read units | calls | serial calls | CPU cold, ms | CPU warm, ms | SDK and HTTP cold, ms | SDK and HTTP warm, ms | wall, ms |",
        workload.name
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let Costs { cold, warm } = &row.costs;
        let units = row
            .request
            .units_budget
            .filter(|_| is_m)
            .map(|budget| Budget::new(budget.to_string(), cold.fact_units <= budget));
        let others = is_m.then(|| {
            Budget::new(
                OTHER_UNITS_BUDGET.to_string(),
                cold.other_units <= OTHER_UNITS_BUDGET,
            )
        });
        let serial = is_m.then(|| {
            Budget::new(
                SERIAL_CALLS_BUDGET.to_string(),
                cold.serial_calls <= SERIAL_CALLS_BUDGET,
            )
        });
        let cpu_budget = row.request.cpu_budgets.map(|budgets| budgets[workload.index()]);
        let cold_cpu = cpu_budget.map(|budget| Budget::new(budget.to_string(), ms(cold.own_cpu) <= budget));
        let warm_cpu = cpu_budget
            .map(|budget| budget * WARM_SHARE)
            .map(|budget| Budget::new(format!("{budget:.2}"), ms(warm.own_cpu) <= budget));
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.1} |",
            name(row),
            cell(format!("{:.1}", cold.fact_units), units),
            cold.prompt_units,
            cell(cold.other_units.to_string(), others),
            cold.calls,
            cell(cold.serial_calls.to_string(), serial),
            cell(format!("{:.3}", ms(cold.own_cpu)), cold_cpu),
            cell(format!("{:.3}", ms(warm.own_cpu)), warm_cpu),
            ms(cold.sdk_cpu),
            ms(warm.sdk_cpu),
            ms(cold.wall),
        );
    }
    println!();
    missed
}

/// Prints how the figures grow from the first workload to the last.
pub(crate) fn growth(measured: &[WorkloadRows]) {
    let (Some(from), Some(to)) = (measured.first(), measured.last()) else {
        return;
    };
    let (first, last) = (&from.workload, &to.workload);
    if first == last {
        return;
    }
    let answers = |w: &Workload| f64::from(w.prompts * w.models);
    println!(
        "| {} → {}, ×{:.0} responses | facts, units | CPU cold | CPU warm |",
        first.name,
        last.name,
        answers(last) / answers(first)
    );
    println!("|---|---|---|---|");
    for (small, large) in from.rows.iter().zip(&to.rows) {
        let factor = |figure: fn(&Costs) -> f64| figure(&large.costs) / figure(&small.costs).max(1e-6);
        println!(
            "| {} | ×{:.1} | ×{:.1} | ×{:.1} |",
            name(small),
            factor(|costs| costs.cold.fact_units),
            factor(|costs| ms(costs.cold.own_cpu)),
            factor(|costs| ms(costs.warm.own_cpu)),
        );
    }
    println!();
}

/// Prints the figures of requests about different ranges, with their goals. Returns the number of missed
/// goals.
pub(crate) fn ranges(workload: Workload, rows: &[RangeRow]) -> usize {
    println!(
        "| {} | days | facts, units | calls | serial | CPU cold, ms | CPU warm, ms | SDK and HTTP, ms | wall, ms |",
        workload.name
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut missed = 0;
    for RangeRow { days, row } in rows {
        let Costs { cold, warm } = &row.costs;
        let (cold_ms, warm_ms) = (ms(cold.own_cpu), ms(warm.own_cpu));
        let goal = Goal::of(&row.request, workload, *days);
        let mut mark = |is_reached: bool| {
            missed += usize::from(!is_reached);
            if is_reached { "✓" } else { "✗" }
        };
        let mut marked = |figure: f64, goal: Option<f64>| {
            goal.map_or_else(String::new, |goal| format!(" ≤ {goal} {}", mark(figure <= goal)))
        };
        let units = marked(cold.fact_units, goal.and_then(|goal| goal.units));
        let cold_goal = marked(cold_ms, goal.and_then(|goal| goal.cold_ms));
        let warm_goal = mark(warm_ms <= WARM_GOAL * cold_ms);
        println!(
            "| {} | {days} | {:.1}{units} | {} | {} | {cold_ms:.3}{cold_goal} | {warm_ms:.3} {warm_goal} | {:.2} | {:.1} |",
            name(row),
            cold.fact_units,
            cold.calls,
            cold.serial_calls,
            ms(cold.sdk_cpu),
            ms(cold.wall),
        );
    }
    println!();
    missed
}

/// Prints the figures of the overview, with their budgets. Returns the number of missed budgets.
pub(crate) fn overview(entities: usize, rows: &[OverviewRow]) -> usize {
    println!(
        "| overview of {entities} entities of S, days with checks | read units | calls | serial calls | CPU cold, ms | CPU warm, ms | SDK and HTTP cold, ms | wall, ms |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut missed = 0;
    for OverviewRow { days, costs } in rows {
        let Costs { cold, warm } = costs;
        let units = cold.fact_units + cold.prompt_units + cold.other_units;
        let mut mark = |is_kept: bool| {
            missed += usize::from(!is_kept);
            if is_kept { "✓" } else { "✗" }
        };
        println!(
            "| {days} | {units:.1} ≤ {OVERVIEW_UNITS_BUDGET} {} | {} | {} | {:.2} ≤ {OVERVIEW_CPU_BUDGET} {} | {:.2} | {:.2} | {:.1} |",
            mark(units <= OVERVIEW_UNITS_BUDGET),
            cold.calls,
            cold.serial_calls,
            ms(cold.own_cpu),
            mark(ms(cold.own_cpu) <= OVERVIEW_CPU_BUDGET),
            ms(warm.own_cpu),
            ms(cold.sdk_cpu),
            ms(cold.wall),
        );
    }
    println!();
    missed
}

/// Prints the CPU times of a check per answer, with their budgets. Returns the number of missed budgets.
pub(crate) fn per_answer(workload: Workload, parts: &[CheckPart]) -> usize {
    let answers = workload.prompts * workload.models;
    println!(
        "| checker · {} prompts × {} models | CPU per answer, ms |",
        workload.prompts, workload.models
    );
    println!("|---|---|");
    let mut missed = 0;
    for CheckPart { name, cpu, budget } in parts {
        let each = ms(*cpu) / f64::from(answers);
        let budget = budget.map_or_else(String::new, |budget| {
            missed += usize::from(each > budget);
            format!(" ≤ {budget} {}", if each > budget { "✗" } else { "✓" })
        });
        println!("| {name} | {each:.3}{budget} |");
    }
    println!();
    missed
}

fn name(row: &Row) -> String {
    let filtered = if row.is_filtered { ", filtered" } else { "" };
    format!("{}{filtered}", row.request.name)
}

pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
