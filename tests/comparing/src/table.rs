//! The printed table.

use crate::judge::{Figures, LEVEL};
use crate::world::World;

/// Returns the head of the table.
pub(crate) fn header() -> String {
    "| prompts | models | days | score | correlation in prompts | in days | found | interval contains the truth | Wilson intervals apart | two proportions |\n\
     |---|---|---|---|---|---|---|---|---|---|"
        .to_owned()
}

/// Returns the row of a case.
pub(crate) fn row(world: &World, figures: &Figures) -> String {
    let kind = match (world.dependence.prompts > 0.0, world.dependence.is_steady) {
        (false, _) => "",
        (true, true) => ", steady",
        (true, false) => ", drawn anew",
    };
    let percentages = [
        figures.found,
        figures.covered,
        figures.wilson,
        figures.two_proportions,
    ];
    let percentages = percentages.map(|number| format!("{:.1} %", figures.percentage(number)));
    format!(
        "| {} | {} | {} | {:.0} % | {}{kind} | {} | {} |",
        world.prompts,
        world.models,
        world.days,
        100.0 * world.rate,
        world.dependence.prompts,
        world.dependence.days,
        percentages.join(" | "),
    )
}

/// Returns the extremes over all cases, and the error of the simulation.
pub(crate) fn summary(worlds: &[World], figures: &[Figures], tries: u32) -> String {
    let error = 100.0 * (LEVEL * (1.0 - LEVEL) / f64::from(tries)).sqrt();
    let range = |number: fn(&Figures) -> u32| {
        let percentages = figures.iter().map(|figures| figures.percentage(number(figures)));
        let (low, high) = percentages.fold((100.0, 0.0), |(low, high), percentage| {
            (f64::min(low, percentage), f64::max(high, percentage))
        });
        format!("{low:.1} to {high:.1} %")
    };
    let level = 100.0 * LEVEL;
    let above = figures
        .iter()
        .filter(|figures| figures.percentage(figures.found) > level + 3.0 * error);
    format!(
        "{} cases. Found: {}; {} cases more than three standard errors above {level:.0} %. Interval contains the truth: {}. Wilson \
         intervals apart: {}. Two proportions: {}. The standard error of a percentage of {level:.0} is {error:.2} points.",
        worlds.len(),
        range(|figures| figures.found),
        above.count(),
        range(|figures| figures.covered),
        range(|figures| figures.wilson),
        range(|figures| figures.two_proportions),
    )
}
