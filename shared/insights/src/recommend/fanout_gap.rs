//! Rule `fanout_gap`: models search the web for something, and the answers never cite the brand's own site.
//!
//! There is one candidate per search that models ran in at least [`MIN_RESPONSES`] responses of the last 7
//! days to prompts that are still asked, if no answer of these days to one of these prompts cites a domain of
//! the entity. There is none for an entity without a domain, nor for a search that is longer than
//! [`MAX_EVIDENCE_QUERY_CHARS`]. The impact is the number of the responses that ran the search.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::board::{Candidate, Evidence, Finding, OwnCitations, Window};
use domain::limits::{MAX_EVIDENCE_PROMPTS, MAX_EVIDENCE_QUERY_CHARS};
use domain::number::to_u64;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use domain::page::Page;
use domain::period::DateRange;
use domain::text::excerpt;
use facts::figures::{QueryRow, prompts_by_query, queries};
use facts::{Selection, StringId};

use super::rule_input::{RuleInput, pluralize};

/// The minimum number of responses that ran a recommended search.
const MIN_RESPONSES: u64 = 3;

/// The maximum number of characters of a search in a title.
const MAX_TITLE_CHARS: usize = 90;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let own = input.brands.own_domains();
    let Some(site) = input.entity.domain.as_deref().or(own.first().copied()) else {
        return Vec::new();
    };
    let range = DateRange::recent(input.day);
    let rows = searches(input, &range, input.asked_ordinals());
    let frequent: BTreeSet<StringId> = rows
        .iter()
        .filter(|row| row.unique_responses >= MIN_RESPONSES && fits_evidence(row.query))
        .map(|row| row.text_id)
        .collect();
    let selection = selection_of(input.asked_ordinals());
    let segments = input.facts.fanouts(&range, &selection);
    let mut prompts_by_search = prompts_by_query(&segments, |query| frequent.contains(&query));
    let (cited, answers) = (input.own_citations(&range), input.answers(&range));

    let mut candidates = Vec::new();
    for row in rows {
        let Some(prompts) = prompts_by_search.remove(&row.text_id) else {
            continue;
        };
        if prompts.keys().any(|prompt| cited.contains_key(prompt)) {
            continue;
        }
        let top = top_prompts(&prompts);
        let row = if top.len() < prompts.len() {
            // The figures must be those of the prompts in the evidence.
            let mut rows_of_top = searches(input, &range, top.clone()).into_iter();
            rows_of_top
                .find(|other| other.text_id == row.text_id)
                .unwrap_or(row)
        } else {
            row
        };
        candidates.push(candidate(input, site, &range, &row, &top, answers));
    }
    candidates
}

fn fits_evidence(query: &str) -> bool {
    !query.is_empty() && query.chars().count() <= MAX_EVIDENCE_QUERY_CHARS
}

fn selection_of(prompts: OrdinalSet<PromptOrdinal>) -> Selection {
    Selection {
        models: None,
        prompts: Some(prompts),
    }
}

/// Returns the searches for these prompts as `/query-fanouts` lists them.
fn searches<'a>(
    input: &RuleInput<'a>,
    range: &DateRange,
    prompts: OrdinalSet<PromptOrdinal>,
) -> Vec<QueryRow<'a>> {
    let selection = selection_of(prompts);
    let segments = input.facts.fanouts(range, &selection);
    queries(&segments, input.facts.searches(), None, &Page::ALL).rows
}

/// Returns the prompts whose responses ran the search most often, at most [`MAX_EVIDENCE_PROMPTS`].
fn top_prompts(prompts: &BTreeMap<PromptOrdinal, u64>) -> OrdinalSet<PromptOrdinal> {
    let mut prompts: Vec<(PromptOrdinal, u64)> =
        prompts.iter().map(|(prompt, times)| (*prompt, *times)).collect();
    prompts.sort_by_key(|(prompt, times)| (Reverse(*times), *prompt));
    prompts
        .into_iter()
        .take(MAX_EVIDENCE_PROMPTS)
        .map(|(prompt, _)| prompt)
        .collect()
}

fn candidate(
    input: &RuleInput<'_>,
    site: &str,
    range: &DateRange,
    row: &QueryRow<'_>,
    prompts: &OrdinalSet<PromptOrdinal>,
    answers: u64,
) -> Candidate {
    let (name, text) = (&input.entity.name, row.query);
    let ids: Vec<_> = prompts
        .as_slice()
        .iter()
        .map(|prompt| input.prompt_id(*prompt))
        .collect();
    let excerpt = excerpt(text, MAX_TITLE_CHARS);
    let title = format!("Publish a page that answers the search “{excerpt}”");
    let description = format!(
        "Models searched the web for “{text}” in {} to {} from {} to {}, and the answers to these prompts never cite \
         {site}. Next step: publish a page on {site} with this search as its title, that answers it in its first lines \
         and names {name} where it fits.",
        pluralize(row.unique_responses, "answer"),
        pluralize(to_u64(ids.len()), "prompt"),
        range.first,
        range.last,
    );
    let prompts = input.query("/entities/prompts", range).with_prompts(&ids);
    let query = input.query("/query-fanouts", range).with_prompts(&ids);
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
        model_ids: input.model_ids(row.models.as_slice().iter().copied().map(ModelOrdinal::new)),
        query: query.with("search", text),
    };
    let subject = input.facts.searches().get(row.text_id);
    Candidate::new(
        subject,
        row.unique_responses,
        answers,
        title,
        description,
        evidence,
    )
}
