//! Whether a done task helped.

use super::{Judged, Observed};
use crate::board::{Actionable, Counts, Measure, Outcome, OutcomeResult, Recommendation, SourceType};
use crate::facts::{OrdinalSet, Selection};
use crate::limits::{MAX_OUTCOMES_PER_CHECK, MIN_COMPARED_ANSWERS, RECOMMENDATION_DAYS};
use crate::period::Range;
use crate::time::Day;

/// The days that the outcome of a task done on `done` compares on `today`: the 30 before that day, and those after it.
/// `None`: there is none after it yet.
fn sides(done: Day, today: Day) -> Option<(Range, Range)> {
    let before = Range::between(done.plus_days(-RECOMMENDATION_DAYS), done.plus_days(-1))?;
    Some((before, Range::between(done.plus_days(1), today)?))
}

/// The days of the facts that the outcomes of these actionables need, and the rules: up to `day`.
pub fn days(actionables: &[Actionable], day: Day) -> Range {
    let usual = Range::recommendations(day);
    let done = actionables.iter().filter_map(Actionable::awaits_outcome);
    let sides = done.filter_map(|done| sides(done.day(), day));
    let first = sides.map(|(before, _)| before.first).min();
    let first = first.map_or(usual.first, |first| first.min(usual.first));
    Range::between(first, day).unwrap_or(usual)
}

/// The outcomes that can be told now: as many as one check records.
pub fn outcomes(observed: &Observed<'_>, actionables: &[Actionable]) -> Vec<Judged> {
    let judged = |actionable: &Actionable| {
        let done = actionable.awaits_outcome()?;
        Some(Judged {
            ordinal: actionable.ordinal,
            done,
            outcome: outcome(observed, &actionable.recommendation, done.day())?,
        })
    };
    actionables
        .iter()
        .filter_map(judged)
        .take(MAX_OUTCOMES_PER_CHECK)
        .collect()
}

/// What became of a recommendation whose task was done on that day, as soon as there are 20 answers on both sides. It is
/// measured by the visibility in the answers of its prompts and models; where it is about the own site's
/// citations, by their share of all citations in these answers.
pub(super) fn outcome(
    observed: &Observed<'_>,
    recommendation: &Recommendation,
    done: Day,
) -> Option<Outcome> {
    let (before, after) = sides(done, observed.day)?;
    let selection = selection(observed, recommendation);
    let [answers_before, answers_after] = [before, after].map(|range| observed.share(&range, &selection));
    if answers_before.responses.min(answers_after.responses) < MIN_COMPARED_ANSWERS {
        return None;
    }
    let (path, counts) = match recommendation.rule() {
        SourceType::UncitedMention | SourceType::FanoutGap => (
            "/entities/citations",
            [before, after].map(|range| citations(observed, &range, &selection)),
        ),
        SourceType::LowVisibility
        | SourceType::PersistentAbsence
        | SourceType::ModelGap
        | SourceType::CitationGap
        | SourceType::CompetitorLead
        | SourceType::LostVisibility => (
            "/trends/visibility",
            [answers_before, answers_after].map(Counts::Answers),
        ),
    };
    let [was, is] = counts.map(Counts::share);
    let result = if is.is_above(was) {
        OutcomeResult::Improved
    } else if was.is_above(is) {
        OutcomeResult::Worse
    } else {
        OutcomeResult::NoChange
    };
    let evidence = &recommendation.evidence;
    let measure = |range: Range, counts: Counts| {
        let query = observed
            .query(path, &range)
            .with_prompts(&evidence.prompt_ids)
            .with_models(&evidence.model_ids);
        Measure::new(&range, counts, query)
    };
    let [was, is] = counts;
    Some(Outcome {
        result,
        before: measure(before, was),
        after: measure(after, is),
    })
}

/// The responses that a recommendation is about: as its query says.
fn selection(observed: &Observed<'_>, recommendation: &Recommendation) -> Selection {
    let evidence = &recommendation.evidence;
    let prompts: OrdinalSet = evidence.prompt_ids.iter().map(|id| id.ordinal).collect();
    let place = |uuid| {
        observed
            .entity
            .model_ordinals
            .iter()
            .position(|known| known == uuid)
    };
    let models: OrdinalSet = evidence
        .model_ids
        .iter()
        .filter_map(place)
        .filter_map(|place| u32::try_from(place).ok())
        .collect();
    Selection {
        models: (!evidence.model_ids.is_empty()).then_some(models),
        prompts: (!evidence.prompt_ids.is_empty()).then_some(prompts),
    }
}

/// Citations of the own domains among all.
fn citations(observed: &Observed<'_>, range: &Range, selection: &Selection) -> Counts {
    let own = observed.brands.own_domains();
    let texts = observed.facts.domains();
    let (mut own_citations, mut citations) = (0, 0);
    for part in observed.facts.citations(range, selection) {
        for (domain, count) in part.segment.counts(selection) {
            citations += count;
            if own.contains(&texts.get(domain)) {
                own_citations += count;
            }
        }
    }
    Counts::Citations {
        own_citations,
        citations,
    }
}
