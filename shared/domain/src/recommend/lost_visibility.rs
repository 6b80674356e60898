//! The brand is named clearly less often than before.

use super::rule_input::question;
use super::{Cause, Observed};
use crate::board::{Evidence, Finding, Measure, Window};
use crate::facts::Selection;
use crate::limits::MIN_COMPARED_ANSWERS;
use crate::metrics::Share;
use crate::period::Range;
use crate::prompt::Prompt;

/// One cause for the entity as a whole and one per prompt that is asked, where the share of answers that name the brand is
/// lower in the last 7 days than in the 23 before, beyond chance and with 20 answers or more on each side. Its impact
/// is how many more of the last 7 days' answers would name the brand at the share of before.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let window = observed.window();
    let after = Range::recent(observed.day);
    let Some(before) = Range::between(window.first, after.first.plus_days(-1)) else {
        return Vec::new();
    };
    let spans = Spans {
        window,
        before,
        after,
    };
    let all = [before, after].map(|range| observed.share(&range, &Selection::default()));
    let whole = spans.cause(observed, None, all);
    let shares = [before, after].map(|range| observed.shares(&range));
    let of_prompts = observed.asked().filter_map(|prompt| {
        let [before, after] = shares.each_ref().map(|shares| shares.get(&prompt.ordinal));
        spans.cause(observed, Some(prompt), [*before?, *after?])
    });
    whole.into_iter().chain(of_prompts).collect()
}

struct Spans {
    window: Range,
    before: Range,
    after: Range,
}

impl Spans {
    /// Of one prompt, or of all.
    fn cause(
        &self,
        observed: &Observed<'_>,
        prompt: Option<&Prompt>,
        [before, after]: [Share; 2],
    ) -> Option<Cause> {
        let enough = before.responses.min(after.responses) >= MIN_COMPARED_ANSWERS;
        if !enough || !before.is_above(after) {
            return None;
        }
        let name = &observed.entity.name;
        let ids: Vec<_> = prompt
            .map(|p| observed.prompt_id(p.ordinal))
            .into_iter()
            .collect();
        let models = match prompt {
            None => observed.models(&self.window),
            Some(prompt) => {
                let mut asked = observed.facts.models(&self.window);
                observed.model_ids(asked.remove(&prompt.ordinal).unwrap_or_default())
            }
        };
        let place = prompt.map_or_else(String::new, |p| format!(" to “{}”", question(p)));
        let title = format!("Win back the visibility of {name} in answers{place}");
        let description = format!(
            "{name} was mentioned in {} of {} answers{place} from {} to {}, and in {} of {} since {}: more than chance \
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
        let query = |range| observed.query("/trends/visibility", range).with_prompts(&ids);
        let measure = |range, share: Share| Measure::new(range, share, query(range));
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
        let impact = (lost(before, after), observed.answers(&self.window));
        Some(Cause::new(subject, impact, (title, description), evidence))
    }
}

/// How many of `after`'s answers would have to name the brand besides, to have the share of `before`.
fn lost(before: Share, after: Share) -> u64 {
    let expected = u128::from(before.mentions) * u128::from(after.responses);
    let expected = expected
        .checked_div(u128::from(before.responses))
        .unwrap_or_default();
    u64::try_from(expected)
        .unwrap_or(u64::MAX)
        .saturating_sub(after.mentions)
}
