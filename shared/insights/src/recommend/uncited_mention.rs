//! Rule `uncited_mention`: the answers to a prompt mention the brand, but never cite its site.
//!
//! There is one candidate per prompt that is still asked and whose answers in the window mention the brand at
//! least [`MIN_MENTIONS`] times and never cite a domain of the entity. There is none for an entity without a
//! domain. The impact is the number of these mentions.

use domain::board::{Candidate, Evidence, Finding, Window};

use super::rule_input::{RuleInput, pluralize, prompt_excerpt};

/// The minimum number of mentions in the answers to a prompt without a citation.
const MIN_MENTIONS: u64 = 5;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let own = input.brands.own_domains();
    let Some(site) = input.entity.domain.as_deref().or(own.first().copied()) else {
        return Vec::new();
    };
    let window = input.window();
    let (shares, models) = (input.shares(&window), input.facts.models(&window));
    let (answers, cited) = (input.answers(&window), input.own_citations(&window));
    let (first, last, name) = (window.first, window.last, &input.entity.name);
    let candidates = input.asked().filter_map(|prompt| {
        let share = *shares.get(&prompt.ordinal)?;
        let citations = cited.get(&prompt.ordinal).copied().unwrap_or_default(); // Only cited ones are in it.
        if share.mentions < MIN_MENTIONS || citations > 0 {
            return None;
        }
        let (ids, question) = ([input.prompt_id(prompt.ordinal)], prompt_excerpt(prompt));
        let title = format!("Get {site} cited in answers to “{question}”");
        let description = format!(
            "{} of {} to “{question}” from {first} to {last} mention {name}, and none of them cites {site}: what is \
             said about {name} comes from others. Next step: put a page on {site} that answers this question in its \
             first lines, with facts that others can quote, and link to it from the start page.",
            share.mentions,
            pluralize(share.responses, "answer"),
        );
        let asked = models.get(&prompt.ordinal).into_iter().flatten().copied();
        let evidence = Evidence {
            finding: Finding::UncitedMention {
                figures: share.into(),
                citations,
            },
            window: Window::from(&window),
            model_ids: input.model_ids(asked),
            query: input.query("/entities/prompts", &window).with_prompts(&ids),
            prompt_ids: ids.into(),
        };
        let subject = format_args!("p{}", prompt.ordinal);
        let impact = share.mentions;
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
