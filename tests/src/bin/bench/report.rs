//! Prints the measurements as Markdown tables.

use std::time::Duration;

use super::endpoint_meter::Cost;
use super::request::BenchRequest;
use super::workload::Workload;

/// One more request may take a fifth of the first one's CPU time.
const WARM: f64 = 0.2;
/// Other items' read units, and serial round trips, at workload M.
const OTHERS: f64 = 6.0;
const DEPTH: usize = 3;

/// A question with what its answer took the first time and once more.
pub(crate) struct Row {
    pub(crate) question: BenchRequest,
    pub(crate) filtered: bool,
    pub(crate) costs: [Cost; 2],
}

/// Figures beside their budgets, as far as there is one.
pub(crate) fn budgets(workload: Workload, rows: &[Row]) -> usize {
    let size = workload.size();
    let is_m = workload.name == 'M';
    let mut missed = 0;
    let mut cell = |figure: String, budget: Option<(String, bool)>| match budget {
        Some((budget, kept)) => {
            missed += usize::from(!kept);
            format!("{figure} ≤ {budget} {}", if kept { "✓" } else { "✗" })
        }
        None => figure,
    };
    println!(
        "| {} · 30 days | facts, read units | prompts, read units | others, read units | calls | serial calls | CPU cold, ms | CPU warm, ms | SDK and HTTP cold, ms | SDK and HTTP warm, ms | wall, ms |",
        workload.name
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let [cold, warm] = &row.costs;
        let units = row
            .question
            .units
            .filter(|_| is_m)
            .map(|b| (b.to_string(), cold.facts <= b));
        let others = is_m.then(|| (OTHERS.to_string(), cold.others <= OTHERS));
        let serial = is_m.then(|| (DEPTH.to_string(), cold.depth <= DEPTH));
        let cpu = row.question.cpu.map(|b| b[size]);
        let first = cpu.map(|b| (b.to_string(), ms(cold.own) <= b));
        let again = cpu
            .map(|b| b * WARM)
            .map(|b| (format!("{b:.2}"), ms(warm.own) <= b));
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.1} |",
            name(row),
            cell(format!("{:.1}", cold.facts), units),
            cold.prompts,
            cell(cold.others.to_string(), others),
            cold.calls,
            cell(cold.depth.to_string(), serial),
            cell(format!("{:.3}", ms(cold.own)), first),
            cell(format!("{:.3}", ms(warm.own)), again),
            ms(cold.sdk),
            ms(warm.sdk),
            ms(cold.wall),
        );
    }
    println!();
    missed
}

/// How figures grow from the first workload to the last.
pub(crate) fn growth(measured: &[(Workload, Vec<Row>)]) {
    let (Some((first, from)), Some((last, to))) = (measured.first(), measured.last()) else {
        return;
    };
    if first == last {
        return;
    }
    let answers = |w: &Workload| f64::from(w.prompts * w.models);
    println!(
        "| {} → {}, ×{:.0} responses | facts, units | CPU | CPU again |",
        first.name,
        last.name,
        answers(last) / answers(first)
    );
    println!("|---|---|---|---|");
    for (a, b) in from.iter().zip(to) {
        let times = |of: fn(&Cost) -> f64, place: usize| of(&b.costs[place]) / of(&a.costs[place]).max(1e-6);
        println!(
            "| {} | ×{:.1} | ×{:.1} | ×{:.1} |",
            name(a),
            times(|c| c.facts, 0),
            times(|c| ms(c.own), 0),
            times(|c| ms(c.own), 1),
        );
    }
    println!();
}

/// Figures of one question over ranges.
pub(crate) fn ranges(workload: Workload, rows: &[(Row, i32)]) {
    println!(
        "| {} | days | facts, units | calls | serial | CPU, ms | CPU again, ms | SDK and HTTP, ms | wall, ms |",
        workload.name
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (row, days) in rows {
        let [cold, warm] = &row.costs;
        println!(
            "| {} | {days} | {:.1} | {} | {} | {:.3} | {:.3} | {:.2} | {:.1} |",
            name(row),
            cold.facts,
            cold.calls,
            cold.depth,
            ms(cold.own),
            ms(warm.own),
            ms(cold.sdk),
            ms(cold.wall),
        );
    }
    println!();
}

/// CPU times of a whole check, shown per answer, beside their budgets in milliseconds. How many are missed.
pub(crate) fn per_answer(workload: Workload, rows: &[(&str, Duration, Option<f64>)]) -> usize {
    let answers = workload.prompts * workload.models;
    println!(
        "| checker · {} prompts × {} models | CPU per answer, ms |",
        workload.prompts, workload.models
    );
    println!("|---|---|");
    let mut missed = 0;
    for (name, time, budget) in rows {
        let each = ms(*time) / f64::from(answers);
        let beside = budget.map_or_else(String::new, |budget| {
            missed += usize::from(each > budget);
            format!(" ≤ {budget} {}", if each > budget { "✗" } else { "✓" })
        });
        println!("| {name} | {each:.3}{beside} |");
    }
    println!();
    missed
}

fn name(row: &Row) -> String {
    let filtered = if row.filtered { ", filtered" } else { "" };
    format!("{}{filtered}", row.question.name)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
