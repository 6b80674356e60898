//! What models look for on the web, where the brand's own site is never cited.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::rule_input::counted;
use super::{Cause, Observed};
use crate::board::{Evidence, Finding, OwnCitations, Window};
use crate::facts::questions::{QueryRow, prompts_by_query, queries};
use crate::facts::{OrdinalSet, Selection};
use crate::limits::{MAX_EVIDENCE_PROMPTS, MAX_EVIDENCE_QUERY_CHARS};
use crate::page::Page;
use crate::period::Range;
use crate::text::shortened;

/// Responses that ran a search before it is worth a page.
const RESPONSES: u64 = 3;

/// How much of a search a title shows, in characters.
const TITLE_CHARS: usize = 90;

/// One cause per search that models ran in 3 responses or more of the last 7 days, to prompts that are asked and whose
/// answers of these days never cite a domain of the entity's own; none for an entity that has no domain, nor for a search
/// longer than 300 characters. Its impact is the number of these responses.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let own = observed.brands.own_domains();
    let Some(site) = observed.entity.domain.as_deref().or(own.first().copied()) else {
        return Vec::new();
    };
    let range = Range::recent(observed.day);
    let found = searches(observed, &range, observed.asked_ordinals());
    let frequent: BTreeSet<u32> = found
        .iter()
        .filter(|row| row.unique_responses >= RESPONSES && is_shown(row.query))
        .map(|row| row.number)
        .collect();
    let selection = asked(observed.asked_ordinals());
    let days = observed.facts.fanouts(&range, &selection);
    let mut led_to = prompts_by_query(&days, |query| frequent.contains(&query));
    let (cited, answers) = (observed.own_citations(&range), observed.answers(&range));

    let mut causes = Vec::new();
    for row in found {
        let Some(prompts) = led_to.remove(&row.number) else {
            continue;
        };
        if prompts.keys().any(|prompt| cited.contains_key(prompt)) {
            continue;
        }
        let shown = most(&prompts);
        let row = if shown.len() < prompts.len() {
            let mut of_shown = searches(observed, &range, shown.clone()).into_iter();
            of_shown.find(|other| other.number == row.number).unwrap_or(row)
        } else {
            row
        };
        causes.push(cause(observed, site, &range, &row, &shown, answers));
    }
    causes
}

fn is_shown(query: &str) -> bool {
    !query.is_empty() && query.chars().count() <= MAX_EVIDENCE_QUERY_CHARS
}

fn asked(prompts: OrdinalSet) -> Selection {
    Selection {
        models: None,
        prompts: Some(prompts),
    }
}

/// The searches run for these prompts, as `/query-fanouts` lists them.
fn searches<'a>(observed: &Observed<'a>, range: &Range, prompts: OrdinalSet) -> Vec<QueryRow<'a>> {
    let selection = asked(prompts);
    let days = observed.facts.fanouts(range, &selection);
    queries(&days, observed.facts.searches(), None, &Page::WHOLE).rows
}

/// The prompts that ran a search most, at most 100.
fn most(prompts: &BTreeMap<u32, u64>) -> OrdinalSet {
    let mut prompts: Vec<(u32, u64)> = prompts.iter().map(|(prompt, times)| (*prompt, *times)).collect();
    prompts.sort_by_key(|(prompt, times)| (Reverse(*times), *prompt));
    prompts
        .into_iter()
        .take(MAX_EVIDENCE_PROMPTS)
        .map(|(prompt, _)| prompt)
        .collect()
}

fn cause(
    observed: &Observed<'_>,
    site: &str,
    range: &Range,
    row: &QueryRow<'_>,
    prompts: &OrdinalSet,
    answers: u64,
) -> Cause {
    let (name, text) = (&observed.entity.name, row.query);
    let ids: Vec<_> = prompts
        .as_slice()
        .iter()
        .map(|prompt| observed.prompt_id(*prompt))
        .collect();
    let shown = shortened(text, TITLE_CHARS);
    let title = format!("Publish a page that answers the search “{shown}”");
    let description = format!(
        "Models searched the web for “{text}” in {} to {} from {} to {}, and the answers to these prompts never cite \
         {site}. Next step: publish a page on {site} with this search as its title, that answers it in its first lines \
         and names {name} where it fits.",
        counted(row.unique_responses, "answer"),
        counted(u64::try_from(ids.len()).unwrap_or(u64::MAX), "prompt"),
        range.first,
        range.last,
    );
    let prompts = observed.query("/entities/prompts", range).with_prompts(&ids);
    let query = observed.query("/query-fanouts", range).with_prompts(&ids);
    let evidence = Evidence {
        finding: Finding::FanoutGap {
            search_query: text.to_owned(),
            frequency: row.frequency,
            unique_responses: row.unique_responses,
            own_citations: OwnCitations {
                citations: 0,
                query: prompts,
            },
        },
        window: Window::from(range),
        prompt_ids: ids,
        model_ids: observed.model_ids(row.models.as_slice().iter().copied()),
        query: query.with("search", text),
    };
    let subject = observed.facts.searches().get(row.number);
    let impact = (row.unique_responses, answers);
    Cause::new(subject, impact, (title, description), evidence)
}
