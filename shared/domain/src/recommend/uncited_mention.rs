//! A prompt whose answers name the brand, but never cite its site.

use super::rule_input::{counted, question};
use super::{Cause, Observed};
use crate::board::{Evidence, Finding, Window};

/// Mentions before the missing citation says something.
const MENTIONS: u64 = 5;

/// One cause per prompt that is asked and whose answers in the window name the brand 5 times or more and never cite a
/// domain of its own; none for an entity that has no domain. Its impact is the number of these mentions.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let own = observed.brands.own_domains();
    let Some(site) = observed.entity.domain.as_deref().or(own.first().copied()) else {
        return Vec::new();
    };
    let window = observed.window();
    let (shares, models) = (observed.shares(&window), observed.facts.models(&window));
    let (answers, cited) = (observed.answers(&window), observed.own_citations(&window));
    let (first, last, name) = (window.first, window.last, &observed.entity.name);
    let found = observed.asked().filter_map(|prompt| {
        let share = *shares.get(&prompt.ordinal)?;
        let citations = cited.get(&prompt.ordinal).copied().unwrap_or_default();
        if share.mentions < MENTIONS || citations > 0 {
            return None;
        }
        let (ids, question) = ([observed.prompt_id(prompt.ordinal)], question(prompt));
        let title = format!("Get {site} cited in answers to “{question}”");
        let description = format!(
            "{} of {} to “{question}” from {first} to {last} mention {name}, and none of them cites {site}: what is \
             said about {name} comes from others. Next step: put a page on {site} that answers this question in its \
             first lines, with facts that others can quote, and link to it from the start page.",
            share.mentions,
            counted(share.responses, "answer"),
        );
        let asked = models.get(&prompt.ordinal).into_iter().flatten().copied();
        let evidence = Evidence {
            finding: Finding::UncitedMention {
                figures: share.into(),
                citations,
            },
            window: Window::from(&window),
            model_ids: observed.model_ids(asked),
            query: observed.query("/entities/prompts", &window).with_prompts(&ids),
            prompt_ids: ids.into(),
        };
        let subject = format_args!("p{}", prompt.ordinal);
        let impact = share.mentions;
        Some(Cause::new(
            subject,
            (impact, answers),
            (title, description),
            evidence,
        ))
    });
    found.collect()
}
