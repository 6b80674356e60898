//! Rule `persistent_absence`: the answers to a prompt have stopped mentioning the brand, or never mentioned
//! it.
//!
//! There is one candidate per prompt that is still asked and whose answers in the last [`MIN_CHECKS`] or more
//! complete checks do not mention the brand. A check is complete for a prompt if the prompt was asked, no
//! model failed, and at least one model answered. An absence begins on the day after the last mention at the
//! earliest, because figures cover whole days. The impact is the number of answers since then.

use std::collections::{BTreeMap, BTreeSet};

use domain::answer::ResponseState;
use domain::board::{Candidate, Evidence, Finding, Window};
use domain::metrics::Share;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::period::DateRange;
use domain::time::Day;

use super::rule_input::{RuleInput, pluralize, prompt_excerpt};

/// The minimum number of consecutive complete checks of a persistent absence.
const MIN_CHECKS: usize = 3;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let window = input.window();
    let checks = checks(input, &window);
    let (name, answers) = (&input.entity.name, input.answers(&window));
    let candidates = input.asked().filter_map(|prompt| {
        let absence = absence(checks.get(&prompt.ordinal)?)?;
        let range = DateRange::between(absence.since, window.last)?;
        let (ids, question) = ([input.prompt_id(prompt.ordinal)], prompt_excerpt(prompt));
        let title = format!("Get {name} into answers to “{question}”: it is in none");
        let description = format!(
            "{} to “{question}” since {} do not mention {name}: {} complete checks in a row. Next step: publish a page \
             that answers exactly this question and says for whom {name} is the right choice, then get that page and \
             {name} into the sites that the answers cite.",
            pluralize(absence.share.responses, "answer"),
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
            model_ids: input.model_ids(absence.models),
            query: input.query("/trends/visibility", &range).with_prompts(&ids),
            prompt_ids: ids.into(),
        };
        let impact = absence.share.responses;
        let subject = format_args!("p{}", prompt.ordinal);
        Some(Candidate::new(
            subject,
            impact,
            answers,
            title,
            description,
            evidence,
        ))
    });
    candidates.collect()
}

/// The summary of a check's responses to one prompt.
#[derive(Debug)]
struct PromptCheck {
    day: Day,
    share: Share,
    failed: bool,
    models: Vec<ModelOrdinal>,
}

impl PromptCheck {
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

/// Returns the checks of each prompt, in the order of the checks.
fn checks(input: &RuleInput<'_>, window: &DateRange) -> BTreeMap<PromptOrdinal, Vec<PromptCheck>> {
    let mut checks: BTreeMap<PromptOrdinal, Vec<PromptCheck>> = BTreeMap::new();
    for (day, check) in input.facts.visibility(window) {
        let mut of_check: BTreeMap<PromptOrdinal, PromptCheck> = BTreeMap::new();
        for cell in check.cells() {
            let of_prompt = of_check
                .entry(cell.prompt)
                .or_insert_with(|| PromptCheck::new(day));
            of_prompt.models.push(cell.model);
            match cell.state {
                ResponseState::Failed => of_prompt.failed = true,
                ResponseState::Refused => {}
                ResponseState::Answered => {
                    let mut brands = cell.brands.iter();
                    let is_own = brands.any(|brand| input.brands.own.contains(*brand));
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

/// A persistent absence of the brand from the answers to one prompt.
struct Absence {
    /// The number of complete checks.
    checks: usize,
    /// The first day of the absence.
    since: Day,
    /// The share of all answers since then.
    share: Share,
    models: BTreeSet<ModelOrdinal>,
}

/// Returns the absence after the last mention, or `None` if it has fewer than [`MIN_CHECKS`] complete checks.
fn absence(checks: &[PromptCheck]) -> Option<Absence> {
    let named = checks.iter().filter(|check| check.share.mentions > 0);
    let named = named.map(|check| check.day).max();
    let complete: Vec<&PromptCheck> = checks
        .iter()
        .filter(|check| named.is_none_or(|named| check.day > named) && check.is_complete())
        .collect();
    let since = complete.first().filter(|_| complete.len() >= MIN_CHECKS)?.day;
    let counted = || checks.iter().filter(|check| check.day >= since);
    Some(Absence {
        checks: complete.len(),
        since,
        share: counted().map(|check| check.share).sum(),
        models: counted().flat_map(|check| check.models.iter().copied()).collect(),
    })
}
