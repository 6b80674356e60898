//! Rule `lost_visibility`: the answers mention the brand clearly less often than before.
//!
//! The last 7 days are compared with the 23 days before, as [`comparison`](crate::comparison) compares two
//! windows. There is one candidate for the entity as a whole, and one per prompt that is still asked, if the
//! verdict is that the visibility is down. A change that a new version of a model explains is none. The
//! impact is the number of further answers of the last 7 days that would mention the brand at the earlier
//! share.

use domain::board::{ApiQuery, Candidate, Evidence, Finding, Measurement, Window};
use domain::group::counted_as;
use domain::metrics::Share;
use domain::period::DateRange;
use domain::prompt::Prompt;
use facts::Selection;
use facts::figures::CountedBrands;
use statistics::Side;

use super::rule_input::{RuleInput, prompt_excerpt};
use crate::comparison::{
    ComparedAnswers, ComparedRanges, Judgement, PromptKey, Verdict, WindowSegment, compare_visibility,
};

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let window = DateRange::recent(input.day);
    let base = DateRange::between(input.window().first, window.first.plus_days(-1));
    let Some(base) = base else {
        return Vec::new();
    };
    let compared = ComparedDays {
        ranges: ComparedRanges { base, window },
    };
    let all = Selection::default();
    let segments: Vec<WindowSegment<'_, _>> = Side::BOTH
        .into_iter()
        .flat_map(|side| {
            let of_side = input.facts.visibility(compared.ranges.of(side));
            of_side.map(move |(day, segment)| (side, day, segment))
        })
        .map(|(side, day, segment)| WindowSegment {
            side,
            day,
            entity_index: 0,
            segment,
            selection: &all,
        })
        .collect();
    let counted_as = counted_as(&input.brands.groups);
    let brands = CountedBrands {
        own: &input.brands.own,
        counted_as: &counted_as,
    };
    let models: &[&[_]] = &[&input.entity.model_ordinals];
    let answers = ComparedAnswers::new(compared.ranges, models, &segments, brands);
    let slices = compare_visibility(&answers, &[]).slices;
    let of_entity = compared.candidate(input, None, &slices.whole);
    let of_prompts = input.asked().filter_map(|prompt| {
        let key = PromptKey {
            entity_index: 0,
            prompt: prompt.ordinal,
        };
        let index = slices.by_prompt.binary_search_by_key(&key, |(of, _)| *of).ok()?;
        let (_, judged) = slices.by_prompt.get(index)?;
        compared.candidate(input, Some(prompt), judged)
    });
    of_entity.into_iter().chain(of_prompts).collect()
}

/// The days that the rule compares.
struct ComparedDays {
    ranges: ComparedRanges,
}

impl ComparedDays {
    /// Returns the candidate for one prompt, or for the answers to all prompts.
    fn candidate(
        &self,
        input: &RuleInput<'_>,
        prompt: Option<&Prompt>,
        judged: &Judgement,
    ) -> Option<Candidate> {
        let ComparedRanges {
            base: before_days,
            window: after_days,
        } = self.ranges;
        let [before, after] = judged.counts.map(|counts| Share {
            mentions: counts.count,
            responses: counts.total,
        });
        // If prompts and models were asked unequally often, the pooled shares can contradict the comparison.
        let compared = judged.comparison.filter(|_| after.score() < before.score())?;
        let impact = lost_mentions(compared.change, after);
        if judged.verdict != Verdict::Down || impact == 0 {
            return None;
        }
        let window = input.window();
        let name = &input.entity.name;
        let ids: Vec<_> = prompt.map(|p| input.prompt_id(p.ordinal)).into_iter().collect();
        let models = match prompt {
            None => input.models(&window),
            Some(prompt) => {
                let mut asked = input.facts.models(&window);
                input.model_ids(asked.remove(&prompt.ordinal).unwrap_or_default()) // None has answered it.
            }
        };
        let scope = prompt.map_or_else(String::new, |p| format!(" to “{}”", prompt_excerpt(p)));
        let title = format!("Win back the visibility of {name} in answers{scope}");
        let description = format!(
            "{name} was mentioned in {} of {} answers{scope} from {} to {}, and in {} of {} since: more than chance \
             explains. Next step: compare which sites these answers cited before and which they cite now, and get {name} \
             back into those that have dropped it or have come in their place.",
            before.mentions,
            before.responses,
            before_days.first,
            before_days.last,
            after.mentions,
            after.responses,
        );
        let query = self.query(input).with_prompts(&ids);
        let evidence = Evidence {
            finding: Finding::LostVisibility {
                before: Measurement::new(&before_days, before, query.clone()),
                after: Measurement::new(&after_days, after, query.clone()),
            },
            window: Window::from(&window),
            model_ids: models,
            query,
            prompt_ids: ids.clone(),
        };
        let subject = prompt.map_or_else(|| "all".to_owned(), |p| format!("p{}", p.ordinal));
        let answers = input.answers(&window);
        Some(Candidate::new(
            subject,
            impact,
            answers,
            title,
            description,
            evidence,
        ))
    }

    /// Returns the request for the comparison.
    fn query(&self, input: &RuleInput<'_>) -> ApiQuery {
        let query = input.query("/trends/compare", &self.ranges.window);
        query
            .with("baseStartDate", self.ranges.base.first)
            .with("baseEndDate", self.ranges.base.last)
            .with("metrics", "visibility")
    }
}

/// Returns the number of further answers that would mention the brand without the change, a negative share.
fn lost_mentions(change: f64, after: Share) -> u64 {
    let lost = (-change * after.responses as f64).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float that is converted saturates, and a negative one becomes 0"
    )]
    let lost = lost as u64;
    lost
}
