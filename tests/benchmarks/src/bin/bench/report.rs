//! Prints the measurements as Markdown tables.

use super::endpoint_meter::Costs;
use super::goals::Goal;
use super::request::BenchRequest;
use super::workload::Workload;

/// The budget of read units for other items, at workload M.
const OTHER_UNITS_BUDGET: f64 = 6.0;
/// The budget of serial calls, at workload M.
const SERIAL_CALLS_BUDGET: usize = 3;

/// The budget of read units of the overview.
const OVERVIEW_UNITS_BUDGET: f64 = 80.0;

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

/// The instructions of a part of a check.
pub(crate) struct CheckPart {
    pub(crate) name: &'static str,
    /// The instructions for all answers.
    pub(crate) instructions: u64,
    /// The budget per answer, in millions.
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
        "| {} · 30 days | facts, read units | prompts, read units | others, read units | calls | serial calls | M instructions cold | M instructions warm |",
        workload.name
    );
    println!("|---|---|---|---|---|---|---|---|");
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
        let of_budget = |instructions: u64, budget: f64| {
            let is_kept = in_millions(instructions) <= budget;
            (is_m && instructions > 0).then(|| Budget::new(budget.to_string(), is_kept))
        };
        let budget = row.request.instructions_budget;
        let cold_budget = of_budget(cold.instructions, budget.cold);
        let warm_budget = of_budget(warm.instructions, budget.warm);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            name(row),
            cell(format!("{:.1}", cold.fact_units), units),
            cold.prompt_units,
            cell(cold.other_units.to_string(), others),
            cold.calls,
            cell(cold.serial_calls.to_string(), serial),
            cell(millions(cold.instructions, 1.0), cold_budget),
            cell(millions(warm.instructions, 1.0), warm_budget),
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
        "| {} → {}, ×{:.0} responses | facts, units | instructions cold | instructions warm |",
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
            factor(|costs| in_millions(costs.cold.instructions)),
            factor(|costs| in_millions(costs.warm.instructions)),
        );
    }
    println!();
}

/// Prints the figures of requests about different ranges, with their goals. Returns the number of missed
/// goals.
pub(crate) fn ranges(workload: Workload, rows: &[RangeRow]) -> usize {
    println!(
        "| {} | days | facts, units | calls | serial | M instructions cold | M instructions warm |",
        workload.name
    );
    println!("|---|---|---|---|---|---|---|");
    let mut missed = 0;
    for RangeRow { days, row } in rows {
        let Costs { cold, warm } = &row.costs;
        let goal = Goal::of(&row.request, workload, *days);
        let mut mark = |is_reached: bool| {
            missed += usize::from(!is_reached);
            if is_reached { "✓" } else { "✗" }
        };
        let mut marked = |figure: f64, goal: Option<f64>| {
            goal.map_or_else(String::new, |goal| format!(" ≤ {goal} {}", mark(figure <= goal)))
        };
        let units = marked(cold.fact_units, goal.map(|goal| goal.units));
        println!(
            "| {} | {days} | {:.1}{units} | {} | {} | {} | {} |",
            name(row),
            cold.fact_units,
            cold.calls,
            cold.serial_calls,
            millions(cold.instructions, 1.0),
            millions(warm.instructions, 1.0),
        );
    }
    println!();
    missed
}

/// Prints the figures of the overview, with their budgets. Returns the number of missed budgets.
pub(crate) fn overview(entities: usize, rows: &[OverviewRow]) -> usize {
    println!(
        "| overview of {entities} entities of S, days with checks | read units | calls | serial calls | M instructions cold | M instructions warm |"
    );
    println!("|---|---|---|---|---|---|");
    let mut missed = 0;
    for OverviewRow { days, costs } in rows {
        let Costs { cold, warm } = costs;
        let units = cold.fact_units + cold.prompt_units + cold.other_units;
        let mut mark = |is_kept: bool| {
            missed += usize::from(!is_kept);
            if is_kept { "✓" } else { "✗" }
        };
        println!(
            "| {days} | {units:.1} ≤ {OVERVIEW_UNITS_BUDGET} {} | {} | {} | {} | {} |",
            mark(units <= OVERVIEW_UNITS_BUDGET),
            cold.calls,
            cold.serial_calls,
            millions(cold.instructions, 1.0),
            millions(warm.instructions, 1.0),
        );
    }
    println!();
    missed
}

/// Prints the instructions of a check per answer, with their budgets. Returns the number of missed budgets.
pub(crate) fn per_answer(workload: Workload, parts: &[CheckPart]) -> usize {
    let answers = workload.prompts * workload.models;
    println!(
        "| checker · {} prompts × {} models | M instructions per answer |",
        workload.prompts, workload.models
    );
    println!("|---|---|");
    let mut missed = 0;
    for CheckPart {
        name,
        instructions,
        budget,
    } in parts
    {
        let each = in_millions(*instructions) / f64::from(answers);
        let budget = budget.filter(|_| *instructions > 0);
        let budget = budget.map_or_else(String::new, |budget| {
            missed += usize::from(each > budget);
            format!(" ≤ {budget} {}", if each > budget { "✗" } else { "✓" })
        });
        println!("| {name} | {}{budget} |", millions(*instructions, answers.into()));
    }
    println!();
    missed
}

fn name(row: &Row) -> String {
    let filtered = if row.is_filtered { ", filtered" } else { "" };
    format!("{}{filtered}", row.request.name)
}

/// Returns millions of instructions for each of a number of parts, or a dash if none were counted.
pub(crate) fn millions(instructions: u64, parts: f64) -> String {
    match instructions {
        0 => "–".to_owned(),
        counted => format!("{:.2}", in_millions(counted) / parts),
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures have a few digits")]
fn in_millions(instructions: u64) -> f64 {
    instructions as f64 / 1e6
}
