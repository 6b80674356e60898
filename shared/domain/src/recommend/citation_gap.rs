//! A third party's site that models cite where they do not name the brand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::rule_input::counted;
use super::{Cause, Observed};
use crate::board::{CitedUrl, Evidence, Finding, Window};
use crate::facts::families::Links;
use crate::facts::questions::{SelectedSegment, cited_urls, top_domains};
use crate::facts::{OrdinalSet, Selection, StringInterner};
use crate::group::{Named, merged_domains};
use crate::limits::{MAX_EVIDENCE_PROMPTS, MAX_EVIDENCE_URL_CHARS, MAX_EVIDENCE_URLS};
use crate::time::Day;

/// Citations of a site before it is worth a visit.
const CITATIONS: u64 = 5;

/// One cause per domain that is cited 5 times or more in answers to prompts that are asked and whose answers never name
/// the brand in the window; none for the entity's own domains and those of brands that the workspace tracks or groups.
/// Its impact is the number of those answers that cite it.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let (window, texts) = (observed.window(), observed.facts.domains());
    let shares = observed.shares(&window);
    let is_silent = |ordinal| {
        shares
            .get(&ordinal)
            .is_some_and(|s| s.responses > 0 && s.mentions == 0)
    };
    let silent = observed.asked().map(|prompt| prompt.ordinal);
    let selection = Selection {
        models: None,
        prompts: Some(silent.filter(|ordinal| is_silent(*ordinal)).collect()),
    };
    let parts = observed.facts.citations(&window, &selection);
    let merged = merged_domains(&observed.brands.merged, texts);
    let rows = top_domains(&parts, &merged, texts, 0, u64::MAX).rows;
    let gaps: BTreeMap<u32, Named> = rows
        .iter()
        .filter(|row| row.count >= CITATIONS)
        .map(|row| (row.number, observed.brands.names.of_domain(texts.get(row.number))))
        .filter(|(_, named)| is_third_party(observed, named))
        .collect();

    let mut by_prompt: BTreeMap<u32, BTreeMap<u32, Cited>> = BTreeMap::new();
    for part in &parts {
        for (domain, prompt, times) in part.segment.citing(&selection, |d| gaps.contains_key(&d)) {
            let cited = by_prompt.entry(domain).or_default().entry(prompt).or_default();
            cited.citations += times;
            cited.answers += 1;
        }
    }
    let (models, answers) = (observed.facts.models(&window), observed.answers(&window));
    let gap = |(domain, prompts): (u32, BTreeMap<u32, Cited>)| {
        let named = gaps.get(&domain)?;
        Some(cause(observed, named, prompts, &models, answers))
    };
    by_prompt.into_iter().filter_map(gap).collect()
}

/// What cites a domain in the answers to one prompt.
#[derive(Debug, Clone, Copy, Default)]
struct Cited {
    citations: u64,
    answers: u64,
}

/// Neither the entity nor one of its rivals.
fn is_third_party(observed: &Observed<'_>, named: &Named) -> bool {
    let brands = observed.brands;
    let known = brands.known.get(&named.uuid);
    let is_rival = known.is_some_and(|brand| brand.is_tracked() || brand.group.is_some());
    !is_rival && !brands.own_domains().contains(&named.domain.as_str())
}

fn cause(
    observed: &Observed<'_>,
    named: &Named,
    prompts: BTreeMap<u32, Cited>,
    models: &BTreeMap<u32, BTreeSet<u32>>,
    answers: u64,
) -> Cause {
    let mut prompts: Vec<(u32, Cited)> = prompts.into_iter().collect();
    prompts.sort_by_key(|(prompt, cited)| (Reverse(cited.citations), *prompt));
    prompts.truncate(MAX_EVIDENCE_PROMPTS);
    let citations = prompts.iter().map(|(_, cited)| cited.citations).sum();
    let citing: u64 = prompts.iter().map(|(_, cited)| cited.answers).sum();
    let ids: Vec<_> = prompts
        .iter()
        .map(|(prompt, _)| observed.prompt_id(*prompt))
        .collect();
    let asked: BTreeSet<u32> = prompts
        .iter()
        .flat_map(|(prompt, _)| models.get(prompt).into_iter().flatten())
        .copied()
        .collect();

    let (window, name, site) = (observed.window(), &observed.entity.name, &named.name);
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
        counted(u64::try_from(ids.len()).unwrap_or(u64::MAX), "prompt"),
        window.first,
        window.last,
    );
    let query = observed.query("/entities/citations/details", &window);
    let evidence = Evidence {
        finding: Finding::CitationGap {
            domain: named.domain.clone(),
            cited_entity_uuid: named.uuid,
            citations,
            urls: Vec::new(),
        },
        window: Window::from(&window),
        model_ids: observed.model_ids(asked),
        query: query.with("citedEntityUuid", named.uuid).with_prompts(&ids),
        prompt_ids: ids,
    };
    Cause::new(&named.domain, (citing, answers), (title, description), evidence)
}

impl Cause {
    /// The domain whose URLs it shows.
    pub fn cited_domain(&self) -> Option<&str> {
        match &self.recommendation.evidence.finding {
            Finding::CitationGap { domain, .. } => Some(domain),
            _ => None,
        }
    }

    /// Adds the most cited URLs of the cited domain. `links` are the window's, of that domain alone, numbered in `texts`.
    pub fn add_urls(&mut self, links: &[(Day, Links)], texts: &StringInterner) {
        let evidence = &mut self.recommendation.evidence;
        let Finding::CitationGap { urls, .. } = &mut evidence.finding else {
            return;
        };
        let prompts: OrdinalSet = evidence.prompt_ids.iter().map(|id| id.ordinal).collect();
        let selection = Selection {
            models: None,
            prompts: Some(prompts),
        };
        let part = |(day, segment)| SelectedSegment {
            day,
            segment,
            selection: &selection,
        };
        let parts: Vec<_> = links.iter().map(|(day, links)| part((*day, links))).collect();
        let most = u64::try_from(MAX_EVIDENCE_URLS).unwrap_or(u64::MAX);
        let shown = cited_urls(&parts, texts, 0, most)
            .rows
            .into_iter()
            .map(|row| CitedUrl {
                url: texts.get(row.number).to_owned(),
                citation_count: row.count,
            });
        *urls = shown
            .filter(|cited| cited.url.len() <= MAX_EVIDENCE_URL_CHARS)
            .collect();
    }
}
