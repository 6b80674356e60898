//! Rule `citation_gap`: models cite a third party's site in answers that do not mention the brand.
//!
//! There is one candidate per domain that has at least [`MIN_CITATIONS`] citations in the window's answers to
//! silent prompts. A prompt is silent if it is still asked, was answered in the window, and no answer
//! mentions the brand. Domains of the entity itself and of brands that the workspace tracks or groups are
//! left out. The impact is the number of answers that cite the domain.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::board::{Candidate, CitedUrl, Evidence, Finding, Window};
use domain::group::BrandLabel;
use domain::limits::{MAX_EVIDENCE_PROMPTS, MAX_EVIDENCE_URL_CHARS, MAX_EVIDENCE_URLS};
use domain::number::to_u64;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use domain::time::Day;
use facts::families::Links;
use facts::figures::{cited_urls, row_of_domains, top_domains};
use facts::{Selection, StringId, StringInterner};

use super::rule_input::{RuleInput, pluralize};

/// The minimum number of citations of a recommended site.
const MIN_CITATIONS: u64 = 5;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let (window, texts) = (input.window(), input.facts.domains());
    let shares = input.shares(&window);
    let is_silent = |ordinal| {
        shares
            .get(&ordinal)
            .is_some_and(|s| s.responses > 0 && s.mentions == 0)
    };
    let silent = input.asked().map(|prompt| prompt.ordinal);
    let selection = Selection {
        models: None,
        prompts: Some(silent.filter(|ordinal| is_silent(*ordinal)).collect()),
    };
    let segments = input
        .facts
        .citations(&window)
        .map(|segment| (segment, &selection));
    let grouped = row_of_domains(&input.brands.groups, texts);
    let rows = top_domains(segments, &grouped, texts, 0, usize::MAX).rows;
    let gaps: BTreeMap<StringId, BrandLabel> = rows
        .iter()
        .filter(|row| row.count >= MIN_CITATIONS)
        .map(|row| (row.text_id, input.brands.names.of_domain(texts.get(row.text_id))))
        .filter(|(_, named)| is_third_party(input, named))
        .collect();

    let mut by_prompt: BTreeMap<StringId, BTreeMap<PromptOrdinal, Cited>> = BTreeMap::new();
    for segment in input.facts.citations(&window) {
        for citing in segment.citing(&selection, |domain| gaps.contains_key(&domain)) {
            let of_domain = by_prompt.entry(citing.text_id).or_default();
            let cited = of_domain.entry(citing.prompt).or_default();
            cited.citations += citing.count;
            cited.answers += 1;
        }
    }
    let (models, answers) = (input.facts.models(&window), input.answers(&window));
    let gap = |(domain, prompts): (StringId, BTreeMap<PromptOrdinal, Cited>)| {
        let named = gaps.get(&domain)?;
        Some(candidate(input, named, prompts, &models, answers))
    };
    by_prompt.into_iter().filter_map(gap).collect()
}

/// The citations of a domain in the answers to one prompt.
#[derive(Debug, Clone, Copy, Default)]
struct Cited {
    citations: u64,
    answers: u64,
}

/// Returns whether a brand is neither the entity nor one of its rivals.
fn is_third_party(input: &RuleInput<'_>, named: &BrandLabel) -> bool {
    let brands = input.brands;
    let known = brands.known.get(&named.uuid);
    let is_rival = known.is_some_and(|brand| brand.is_tracked() || brand.group.is_some());
    !is_rival && !brands.own_domains().contains(&named.domain.as_str())
}

fn candidate(
    input: &RuleInput<'_>,
    named: &BrandLabel,
    prompts: BTreeMap<PromptOrdinal, Cited>,
    models: &BTreeMap<PromptOrdinal, BTreeSet<ModelOrdinal>>,
    answers: u64,
) -> Candidate {
    let mut prompts: Vec<(PromptOrdinal, Cited)> = prompts.into_iter().collect();
    prompts.sort_by_key(|(prompt, cited)| (Reverse(cited.citations), *prompt));
    prompts.truncate(MAX_EVIDENCE_PROMPTS);
    let citations = prompts.iter().map(|(_, cited)| cited.citations).sum();
    let citing: u64 = prompts.iter().map(|(_, cited)| cited.answers).sum();
    let ids: Vec<_> = prompts
        .iter()
        .map(|(prompt, _)| input.prompt_id(*prompt))
        .collect();
    let asked: BTreeSet<ModelOrdinal> = prompts
        .iter()
        .flat_map(|(prompt, _)| models.get(prompt).into_iter().flatten())
        .copied()
        .collect();

    let (window, name, site) = (input.window(), &input.entity.name, &named.name);
    let title = format!("Get {name} onto {site}");
    let description = format!(
        "{site} is cited {} in the answers to {} from {} to {}, and none of these prompts' answers mentions {name}. \
         Next step: open the pages of {site} that are cited most, and get {name} into each: offer what they lack, such \
         as a test account, figures or a quote.",
        if citations == 1 {
            "once".to_owned()
        } else {
            format!("{citations} times")
        },
        pluralize(to_u64(ids.len()), "prompt"),
        window.first,
        window.last,
    );
    let query = input.query("/entities/citations/details", &window);
    let evidence = Evidence {
        finding: Finding::CitationGap {
            domain: named.domain.clone(),
            cited_entity_uuid: named.uuid,
            citations,
            urls: Vec::new(),
        },
        window: Window::from(&window),
        model_ids: input.model_ids(asked),
        query: query.with("citedEntityUuid", named.uuid).with_prompts(&ids),
        prompt_ids: ids,
    };
    Candidate::new(&named.domain, citing, answers, title, description, evidence)
}

/// Adds the most cited URLs of the cited domain to the evidence of a candidate.
///
/// `links` contains only the links of that domain on the days of the window. Their URLs must be interned
/// in `texts`.
pub fn add_urls(candidate: &mut Candidate, links: &[(Day, Links)], texts: &StringInterner) {
    let evidence = &mut candidate.recommendation.evidence;
    let Finding::CitationGap { urls, .. } = &mut evidence.finding else {
        return;
    };
    let prompts: OrdinalSet<PromptOrdinal> = evidence.prompt_ids.iter().map(|id| id.ordinal).collect();
    let selection = Selection {
        models: None,
        prompts: Some(prompts),
    };
    let segments = links.iter().map(|(_, links)| (links, &selection));
    let top = cited_urls(segments, texts, 0, MAX_EVIDENCE_URLS)
        .rows
        .into_iter()
        .map(|row| CitedUrl {
            url: texts.get(row.text_id).to_owned(),
            citation_count: row.count,
        });
    *urls = top
        .filter(|cited| cited.url.len() <= MAX_EVIDENCE_URL_CHARS)
        .collect();
}
