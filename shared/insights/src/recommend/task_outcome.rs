//! The outcomes of completed tasks.

use domain::board::{
    Actionable, Counts, Measurement, Outcome, OutcomeResult, Recommendation, SourceType, TaskOutcome,
};
use domain::limits::{MAX_OUTCOMES_PER_CHECK, MIN_COMPARED_ANSWERS, RECOMMENDATION_DAYS};
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use domain::period::DateRange;
use domain::time::Day;
use facts::Selection;

use super::rule_input::RuleInput;

/// Returns the two ranges that the outcome of a task compares: the 30 days before the day `done`, and the
/// days after it.
///
/// Returns `None` if there is no day after it yet.
fn days_before_and_after(done: Day, today: Day) -> Option<(DateRange, DateRange)> {
    let before = DateRange::between(done.plus_days(-RECOMMENDATION_DAYS), done.plus_days(-1))?;
    Some((before, DateRange::between(done.plus_days(1), today)?))
}

/// Returns the days, up to `day`, whose facts the rules and the outcomes of these actionables need.
pub fn required_days(actionables: &[Actionable], day: Day) -> DateRange {
    let usual = DateRange::recommendations(day);
    let done = actionables.iter().filter_map(Actionable::awaiting_outcome_since);
    let sides = done.filter_map(|done| days_before_and_after(done.day(), day));
    let first = sides.map(|(before, _)| before.first).min();
    let first = first.map_or(usual.first, |first| first.min(usual.first));
    DateRange::between(first, day).unwrap_or(usual)
}

/// Returns the outcomes that are known now, at most [`MAX_OUTCOMES_PER_CHECK`].
pub fn task_outcomes(input: &RuleInput<'_>, actionables: &[Actionable]) -> Vec<TaskOutcome> {
    let task_outcome = |actionable: &Actionable| {
        let done = actionable.awaiting_outcome_since()?;
        Some(TaskOutcome {
            ordinal: actionable.ordinal,
            done,
            outcome: outcome(input, &actionable.recommendation, done.day())?,
        })
    };
    actionables
        .iter()
        .filter_map(task_outcome)
        .take(MAX_OUTCOMES_PER_CHECK)
        .collect()
}

/// Returns the outcome of a recommendation whose task was done on that day.
///
/// Returns `None` until there are at least [`MIN_COMPARED_ANSWERS`] answers on both sides. The outcome is
/// measured by the visibility in the answers to the recommendation's prompts by its models. For a rule about
/// citations it is measured by the share of the entity's own domains among all citations of these answers.
pub(super) fn outcome(input: &RuleInput<'_>, recommendation: &Recommendation, done: Day) -> Option<Outcome> {
    let (before, after) = days_before_and_after(done, input.day)?;
    let selection = selection(input, recommendation);
    let [answers_before, answers_after] = [before, after].map(|range| input.share(&range, &selection));
    if answers_before.responses.min(answers_after.responses) < MIN_COMPARED_ANSWERS {
        return None;
    }
    let (path, counts) = match recommendation.rule() {
        SourceType::UncitedMention | SourceType::FanoutGap => (
            "/entities/citations",
            [before, after].map(|range| citations(input, &range, &selection)),
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
    let [share_before, share_after] = counts.map(Counts::share);
    let result = if share_after.is_above(share_before) {
        OutcomeResult::Improved
    } else if share_before.is_above(share_after) {
        OutcomeResult::Worse
    } else {
        OutcomeResult::NoChange
    };
    let evidence = &recommendation.evidence;
    let measure = |range: DateRange, counts: Counts| {
        let query = input
            .query(path, &range)
            .with_prompts(&evidence.prompt_ids)
            .with_models(&evidence.model_ids);
        Measurement::new(&range, counts, query)
    };
    let [counts_before, counts_after] = counts;
    Some(Outcome {
        result,
        before: measure(before, counts_before),
        after: measure(after, counts_after),
    })
}

/// Returns the selection of the responses that a recommendation is about.
fn selection(input: &RuleInput<'_>, recommendation: &Recommendation) -> Selection {
    let evidence = &recommendation.evidence;
    let prompts: OrdinalSet<PromptOrdinal> = evidence.prompt_ids.iter().map(|id| id.ordinal).collect();
    let index = |uuid| input.entity.model_ordinals.iter().position(|known| known == uuid);
    let models: OrdinalSet<ModelOrdinal> = evidence
        .model_ids
        .iter()
        .filter_map(index)
        .map(ModelOrdinal::from_index)
        .collect();
    Selection {
        models: (!evidence.model_ids.is_empty()).then_some(models),
        prompts: (!evidence.prompt_ids.is_empty()).then_some(prompts),
    }
}

/// Counts all citations, and those of the entity's own domains.
fn citations(input: &RuleInput<'_>, range: &DateRange, selection: &Selection) -> Counts {
    let own = input.brands.own_domains();
    let texts = input.facts.domains();
    let (mut own_citations, mut citations) = (0, 0);
    for segment in input.facts.citations(range) {
        for domain in segment.counts(selection) {
            citations += domain.count;
            if own.contains(&texts.get(domain.text_id)) {
                own_citations += domain.count;
            }
        }
    }
    Counts::Citations {
        own_citations,
        citations,
    }
}
