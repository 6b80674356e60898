//! Rule `lost_visibility`: the answers mention the brand clearly less often than before.
//!
//! There is one candidate for the entity as a whole, and one per prompt that is still asked, if the share of answers that
//! mention the brand is lower in the last 7 days than in the 23 days before. The difference must be significant, with
//! at least [`MIN_COMPARED_ANSWERS`] answers on each side. The impact is the number of further answers of the last 7 days
//! that would mention the brand at the earlier share.

use super::candidate::Candidate;
use super::rule_input::{RuleInput, prompt_excerpt};
use crate::board::{Evidence, Finding, Measurement, Window};
use crate::facts::Selection;
use crate::limits::MIN_COMPARED_ANSWERS;
use crate::metrics::Share;
use crate::period::DateRange;
use crate::prompt::Prompt;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let window = input.window();
    let after = DateRange::recent(input.day);
    let Some(before) = DateRange::between(window.first, after.first.plus_days(-1)) else {
        return Vec::new();
    };
    let days = ComparedDays {
        window,
        before,
        after,
    };
    let all = [before, after].map(|range| input.share(&range, &Selection::default()));
    let of_entity = days.candidate(input, None, all);
    let shares = [before, after].map(|range| input.shares(&range));
    let of_prompts = input.asked().filter_map(|prompt| {
        let [before, after] = shares.each_ref().map(|shares| shares.get(&prompt.ordinal));
        days.candidate(input, Some(prompt), [*before?, *after?])
    });
    of_entity.into_iter().chain(of_prompts).collect()
}

/// The ranges of days that the rule compares.
struct ComparedDays {
    window: DateRange,
    before: DateRange,
    after: DateRange,
}

impl ComparedDays {
    /// Returns the candidate for one prompt, or for the answers to all prompts.
    fn candidate(
        &self,
        input: &RuleInput<'_>,
        prompt: Option<&Prompt>,
        [before, after]: [Share; 2],
    ) -> Option<Candidate> {
        let has_enough_answers = before.responses.min(after.responses) >= MIN_COMPARED_ANSWERS;
        if !has_enough_answers || !before.is_above(after) {
            return None;
        }
        let name = &input.entity.name;
        let ids: Vec<_> = prompt.map(|p| input.prompt_id(p.ordinal)).into_iter().collect();
        let models = match prompt {
            None => input.models(&self.window),
            Some(prompt) => {
                let mut asked = input.facts.models(&self.window);
                input.model_ids(asked.remove(&prompt.ordinal).unwrap_or_default())
            }
        };
        let scope = prompt.map_or_else(String::new, |p| format!(" to “{}”", prompt_excerpt(p)));
        let title = format!("Win back the visibility of {name} in answers{scope}");
        let description = format!(
            "{name} was mentioned in {} of {} answers{scope} from {} to {}, and in {} of {} since {}: more than chance \
             explains. Next step: compare which sites these answers cited before and which they cite now, and get {name} \
             back into those that have dropped it or have come in their place.",
            before.mentions,
            before.responses,
            self.before.first,
            self.before.last,
            after.mentions,
            after.responses,
            self.after.first,
        );
        let query = |range| input.query("/trends/visibility", range).with_prompts(&ids);
        let measure = |range, share: Share| Measurement::new(range, share, query(range));
        let evidence = Evidence {
            finding: Finding::LostVisibility {
                before: measure(&self.before, before),
                after: measure(&self.after, after),
            },
            window: Window::from(&self.window),
            model_ids: models,
            query: query(&self.window),
            prompt_ids: ids.clone(),
        };
        let subject = prompt.map_or_else(|| "all".to_owned(), |p| format!("p{}", p.ordinal));
        let impact = lost_mentions(before, after);
        let answers = input.answers(&self.window);
        Some(Candidate::new(
            subject,
            impact,
            answers,
            title,
            description,
            evidence,
        ))
    }
}

/// Returns the number of further answers of `after` that would mention the brand at the share of `before`.
fn lost_mentions(before: Share, after: Share) -> u64 {
    let expected = u128::from(before.mentions) * u128::from(after.responses);
    let expected = expected
        .checked_div(u128::from(before.responses))
        .unwrap_or_default();
    u64::try_from(expected)
        .unwrap_or(u64::MAX)
        .saturating_sub(after.mentions)
}
