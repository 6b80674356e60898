//! How often the event `visibility.changed` is false, and how soon it comes, if somebody looks every day.

use std::collections::VecDeque;

use domain::limits::MIN_COMPARED_ANSWERS;
use domain::time::Day;
use insights::alert::{BASE_DAYS, WINDOW_DAYS, is_told, ranges_to_compare};
use rand::SeedableRng;
use rand::rngs::StdRng;
use statistics::{Counts, Observations, Side};

use crate::world::{Dependence, World};

/// The days of a year.
const YEAR: u32 = 365;
/// The days that are compared at most, and those before a drop.
const COMPARED_DAYS: u32 = (WINDOW_DAYS + BASE_DAYS).unsigned_abs();
/// The days within which a drop is to be told.
const TOLD_WITHIN: u32 = 14;
/// The points by which the share drops, and the share after that.
const DROP: f64 = 0.2;
const AFTER_DROP: f64 = 0.3;
/// How answers depend on each other: prompts differ as much as real ones do, and days have good and bad luck.
const DEPENDENCE: Dependence = Dependence {
    prompts: 0.2,
    is_steady: true,
    days: 0.05,
};

/// An entity whose prompts are asked every day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    prompts: u32,
    models: u32,
    /// The share of answers that mention the brand, 0 to 1, where nothing changes.
    rate: f64,
}

/// What was told in a case.
#[derive(Debug, Clone, Default)]
pub(crate) struct AlertFigures {
    years: u32,
    /// Changes that were told although nothing changed.
    false_alarms: u32,
    /// For each drop, the days until it was told, or `None` if it was not told in time.
    told_after: Vec<Option<u32>>,
}

/// Returns all cases.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for prompts in [5, 10, 25, 100] {
        for models in [1, 3, 5] {
            for rate in [0.05, 0.3] {
                cases.push(Case {
                    prompts,
                    models,
                    rate,
                });
            }
        }
    }
    cases
}

/// The answers of one day by prompt, then model: whether each mentions the brand.
type DayAnswers = Vec<u64>;

/// The answers of the latest days, as the checker finds them when a check has ended.
struct Entity {
    world: World,
    rates: Vec<f64>,
    days: VecDeque<DayAnswers>,
    today: Day,
    last_alert: Option<Day>,
}

impl Entity {
    fn new(world: World, rng: &mut StdRng) -> Self {
        Self {
            rates: world.rates_of_prompts(rng),
            world,
            days: VecDeque::new(),
            today: Day(20_000),
            last_alert: None,
        }
    }

    /// Draws the answers of the next day, and returns the change of the share if it is told.
    fn check(&mut self, side: Side, rng: &mut StdRng) -> Option<f64> {
        let mut answers = DayAnswers::new();
        self.world
            .draw_day(&self.rates, side, rng, |_, _, counts| answers.push(counts.count));
        self.today = self.today.plus_days(1);
        self.days.push_back(answers);
        if self.days.len() > COMPARED_DAYS as usize {
            self.days.pop_front();
        }
        let change = self.look()?;
        self.last_alert = Some(self.today);
        Some(change)
    }

    fn look(&self) -> Option<f64> {
        let ranges = ranges_to_compare(self.today, self.last_alert)?;
        let mut observations = Observations::new(self.world.prompts, self.world.models);
        for (age, answers) in (0..).zip(self.days.iter().rev()) {
            let day = self.today.plus_days(-age);
            // Days that were told are in neither window.
            let Some(side) = ranges.side_of(day) else {
                break;
            };
            let number = (day.0 - ranges.of(side).first.0).unsigned_abs();
            let mut of_day = observations.day(side, number);
            let mut answers = answers.iter();
            for prompt in 0..self.world.prompts {
                for (model, count) in (0..self.world.models).zip(&mut answers) {
                    of_day.add(
                        prompt,
                        model,
                        Counts {
                            count: *count,
                            total: 1,
                        },
                    );
                }
            }
        }
        let totals = observations.compared_counts(observations.prompts(), |_| true);
        if totals.iter().any(|counts| counts.total < MIN_COMPARED_ANSWERS) {
            return None;
        }
        let compared = observations.compare(observations.prompts(), |_| true)?;
        is_told(compared.p_value).then_some(compared.change)
    }
}

impl Case {
    /// Simulates years in which nothing changes, and as many drops.
    pub(crate) fn simulate(&self, years: u32, seed: u64) -> AlertFigures {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut figures = AlertFigures {
            years,
            ..AlertFigures::default()
        };
        for _ in 0..years {
            let mut entity = Entity::new(self.world(self.rate, 0.0), &mut rng);
            // The first days of an entity count as well, in which the base is short.
            for _ in 0..YEAR {
                figures.false_alarms += u32::from(entity.check(Side::Base, &mut rng).is_some());
            }
            figures.told_after.push(self.drop(&mut rng));
        }
        figures
    }

    /// Simulates a drop after quiet days. Returns after how many days it was told, if it was within two
    /// weeks.
    fn drop(&self, rng: &mut StdRng) -> Option<u32> {
        // The window of the world has the higher share.
        let mut entity = Entity::new(self.world(AFTER_DROP, DROP), rng);
        for _ in 0..COMPARED_DAYS {
            entity.check(Side::Window, rng);
        }
        (1..=TOLD_WITHIN).find(|_| entity.check(Side::Base, rng).is_some_and(|change| change < 0.0))
    }

    fn world(&self, rate: f64, change: f64) -> World {
        World {
            prompts: self.prompts,
            models: self.models,
            days: 0,
            rate,
            change,
            dependence: DEPENDENCE,
        }
    }
}

/// Returns the head of the table.
pub(crate) fn header() -> String {
    "| prompts | models | score | false alarms a year | drop from 50 to 30 % told within 14 days | median days |\n\
     |---|---|---|---|---|---|"
        .to_owned()
}

/// Returns the row of a case.
pub(crate) fn row(case: &Case, figures: &AlertFigures) -> String {
    let mut told: Vec<u32> = figures.told_after.iter().flatten().copied().collect();
    told.sort_unstable();
    let median = told
        .get(told.len() / 2)
        .map_or("–".to_owned(), ToString::to_string);
    format!(
        "| {} | {} | {:.0} % | {:.3} | {:.1} % | {median} |",
        case.prompts,
        case.models,
        100.0 * case.rate,
        f64::from(figures.false_alarms) / f64::from(figures.years),
        100.0 * told.len() as f64 / figures.told_after.len() as f64,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_rarely_told_without_one_and_soon_with_one() {
        let case = Case {
            prompts: 25,
            models: 3,
            rate: 0.3,
        };
        let figures = case.simulate(20, 1);
        // The goals are one false alarm a year, and four drops of five.
        assert!(figures.false_alarms <= 20, "{}", figures.false_alarms);
        let told = figures.told_after.iter().flatten().count();
        assert!(told >= 16, "{told}");
    }
}
