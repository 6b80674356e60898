//! A prompt whose answers have stopped to name the brand, or never did.

use std::collections::{BTreeMap, BTreeSet};

use super::rule_input::{counted, question};
use super::{Cause, Observed};
use crate::answer::State;
use crate::board::{Evidence, Finding, Window};
use crate::metrics::Share;
use crate::period::Range;
use crate::time::Day;

/// Complete checks in a row from which on an absence is persistent.
const CHECKS: usize = 3;

/// One cause per prompt that is asked and whose answers in the last 3 or more complete checks do not name the brand. A
/// check is complete for a prompt if it was asked, no model failed, and one answered at least. The absence begins on a
/// day, so that the figures of days show it: one that follows a mention on the same day begins with the next day. Its
/// impact is the number of answers since then.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let window = observed.window();
    let checks = checks(observed, &window);
    let (name, answers) = (&observed.entity.name, observed.answers(&window));
    let found = observed.asked().filter_map(|prompt| {
        let absence = absence(checks.get(&prompt.ordinal)?)?;
        let range = Range::between(absence.since, window.last)?;
        let (ids, question) = ([observed.prompt_id(prompt.ordinal)], question(prompt));
        let title = format!("Get {name} into answers to “{question}”: it is in none");
        let description = format!(
            "{} to “{question}” since {} do not mention {name}: {} complete checks in a row. Next step: publish a page \
             that answers exactly this question and says for whom {name} is the right choice, then get that page and \
             {name} into the sites that the answers cite.",
            counted(absence.share.responses, "answer"),
            absence.since,
            absence.checks,
        );
        let evidence = Evidence {
            finding: Finding::PersistentAbsence {
                checks: absence.checks,
                since: absence.since.to_string(),
                figures: absence.share.into(),
            },
            window: Window::from(&range),
            model_ids: observed.model_ids(absence.models),
            query: observed.query("/trends/visibility", &range).with_prompts(&ids),
            prompt_ids: ids.into(),
        };
        let impact = absence.share.responses;
        let subject = format_args!("p{}", prompt.ordinal);
        Some(Cause::new(
            subject,
            (impact, answers),
            (title, description),
            evidence,
        ))
    });
    found.collect()
}

/// What one check's responses to a prompt come to.
#[derive(Debug)]
struct OfCheck {
    day: Day,
    share: Share,
    failed: bool,
    models: Vec<u32>,
}

impl OfCheck {
    fn new(day: Day) -> Self {
        Self {
            day,
            share: Share::default(),
            failed: false,
            models: Vec::new(),
        }
    }

    fn is_complete(&self) -> bool {
        !self.failed && self.share.responses > 0
    }
}

/// By prompt ordinal, in the order of the checks.
fn checks(observed: &Observed<'_>, window: &Range) -> BTreeMap<u32, Vec<OfCheck>> {
    let mut checks: BTreeMap<u32, Vec<OfCheck>> = BTreeMap::new();
    for (day, check) in observed.facts.visibility(window) {
        let mut of_check: BTreeMap<u32, OfCheck> = BTreeMap::new();
        for cell in check.cells() {
            let of_prompt = of_check.entry(cell.prompt).or_insert_with(|| OfCheck::new(day));
            of_prompt.models.push(cell.model);
            match cell.state {
                State::Failed => of_prompt.failed = true,
                State::Refused => {}
                State::Answered => {
                    let mut brands = cell.brands.iter();
                    let is_own = brands.any(|brand| observed.brands.own.contains(*brand));
                    of_prompt.share.add(Share {
                        mentions: u64::from(is_own),
                        responses: 1,
                    });
                }
            }
        }
        for (prompt, of_prompt) in of_check {
            checks.entry(prompt).or_default().push(of_prompt);
        }
    }
    checks
}

struct Absence {
    checks: usize,
    since: Day,
    /// Of all answers since then.
    share: Share,
    models: BTreeSet<u32>,
}

fn absence(checks: &[OfCheck]) -> Option<Absence> {
    let named = checks.iter().filter(|check| check.share.mentions > 0);
    let named = named.map(|check| check.day).max();
    let complete: Vec<&OfCheck> = checks
        .iter()
        .filter(|check| named.is_none_or(|named| check.day > named) && check.is_complete())
        .collect();
    let since = complete.first().filter(|_| complete.len() >= CHECKS)?.day;
    let counted = || checks.iter().filter(|check| check.day >= since);
    Some(Absence {
        checks: complete.len(),
        since,
        share: counted().map(|check| check.share).sum(),
        models: counted().flat_map(|check| check.models.iter().copied()).collect(),
    })
}
