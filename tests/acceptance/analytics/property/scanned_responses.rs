//! Computes mention figures and response rows from the scanned responses.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::answer::{Citation, CitationKind, ResponseState};
use domain::brand::{Brand, uuid_of_domain};
use domain::check::NotMentioned;
use domain::citation::CanonicalUrl;
use domain::metrics::Share;
use domain::ordinal::BrandOrdinal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::random_workspace::RecordedResponse;
use super::scan::{DisplayedBrand, ResponseScan, entity, own, shown, urls};

impl ResponseScan<'_> {
    pub(super) fn visibility(&self) -> Vec<Value> {
        let mut days: BTreeMap<_, (u64, u64)> = BTreeMap::new();
        for recorded in self.answered() {
            let day = days.entry(recorded.check.day).or_default();
            day.0 += u64::from(self.position(recorded).is_some());
            day.1 += 1;
        }
        let point = |(day, (mentions, responses)): (domain::time::Day, (u64, u64))| {
            json!({"date": day.to_string(), "score": percent(mentions, responses), "mentions": mentions,
                "responses": responses, "interval": interval(mentions, responses)})
        };
        days.into_iter().map(point).collect()
    }

    /// Returns each listed prompt with the figures of its own entity.
    pub(super) fn prompts(&self) -> Vec<Value> {
        let prompts = self.data.prompts[&self.entity.id].iter();
        let rows = prompts.filter(|prompt| !prompt.is_deleted).filter_map(|prompt| {
            let id = format!("{}-p{}", self.entity.id, prompt.ordinal);
            let (ids, tags) = (&self.question.prompts, &self.question.tags);
            let is_listed = ids.as_ref().is_none_or(|ids| ids.contains(&id))
                && tags.as_ref().is_none_or(|tags| {
                    prompt
                        .tags
                        .iter()
                        .any(|tag| tags.iter().any(|wanted| wanted == tag.as_str()))
                });
            is_listed.then(|| json!({"id": id, "stats": self.stats(&id)}))
        });
        rows.collect()
    }

    fn stats(&self, prompt: &str) -> Value {
        let of_prompt: Vec<&RecordedResponse> =
            self.alone().filter(|r| self.prompt_id(r) == prompt).collect();
        let positions: Vec<usize> = of_prompt.iter().filter_map(|r| self.position(r)).collect();
        let (mentions, responses) = (positions.len() as u64, of_prompt.len() as u64);
        let all = positions.iter().sum::<usize>() as u64;
        let cited = of_prompt.iter().flat_map(|recorded| urls(recorded));
        let own = cited.filter(|url| self.stands_for(self.entity.brand, url.registrable()));
        json!({"responses": responses, "mentions": mentions, "visibilityScore": percent(mentions, responses),
            "interval": interval(mentions, responses), "averagePosition": ratio(all, mentions),
            "citations": own.count()})
    }

    pub(super) fn competitors(&self) -> Vec<Value> {
        let own_row = self.shown(self.entity.brand, self.domain(self.entity.brand));
        // The own row is there in any case.
        let mut rows: BTreeMap<DisplayedBrand, (u64, u64)> = BTreeMap::from([(own_row.clone(), (0, 0))]);
        for recorded in self.answered() {
            if self.position(recorded).is_some() {
                rows.entry(own_row.clone()).or_default().0 += 1;
            }
            let own = self.own();
            let others = recorded
                .response
                .brands
                .iter()
                .filter(|brand| !own.contains(brand));
            // A group's row counts a response once, whichever members it mentions.
            let others: BTreeSet<DisplayedBrand> = others
                .map(|number| self.numbered(*number))
                .map(|brand| self.shown(brand.uuid, brand.domain.as_deref()))
                .collect();
            for shown in others {
                rows.entry(shown).or_default().0 += 1;
            }
        }
        let voices = rows.values().map(|row| row.0).sum();
        let has_share = rows.len() > 1 || self.has_other_trackings();
        // A site that is cited only is no brand of the answers.
        for (cited, count) in self.cited() {
            if let Some(row) = rows.get_mut(&cited) {
                row.1 += count;
            }
        }
        let mut rows: Vec<(DisplayedBrand, (u64, u64))> = rows.into_iter().collect();
        rows.sort_by_key(|(shown, (mentions, citations))| {
            (
                Reverse(*mentions),
                Reverse(*citations),
                shown.domain.clone(),
                shown.name.clone(),
            )
        });
        let row = |(rank, (shown, (mentions, citations))): (u64, (DisplayedBrand, (u64, u64)))| {
            let share = percent(mentions, voices).filter(|_| has_share);
            json!({"rank": share.map(|_| rank), "entityUuid": shown.uuid, "entityId": shown.entity, "name": shown.name,
                "domain": Some(&shown.domain).filter(|domain| !domain.is_empty()), "mentions": mentions,
                "totalCitations": citations, "shareOfVoice": share,
                "mentionsOfAllBrands": voices, "interval": share.and_then(|_| Share { mentions, responses: voices }.interval()),
                "shareOfVoiceReason": (!has_share).then_some("no_rivals"),
                "isCurrentEntity": shown.uuid == own_row.uuid})
        };
        (1..).zip(rows).map(row).collect()
    }

    /// Returns whether the workspace tracks anybody who does not count as the entity.
    pub(super) fn has_other_trackings(&self) -> bool {
        let own = self.own();
        self.data
            .entities
            .iter()
            .any(|entity| !own.contains(&entity.brand_ordinal))
    }

    fn numbered(&self, number: BrandOrdinal) -> &Brand {
        let mut brands = self.data.brands.values();
        brands.find(|brand| brand.ordinal == number).unwrap()
    }

    pub(super) fn responses(&self) -> Vec<Value> {
        let row = |recorded: &&RecordedResponse| {
            let response = &recorded.response;
            let queries = match response.state {
                ResponseState::Answered => response.queries.len(),
                ResponseState::Refused | ResponseState::Failed => 0,
            };
            let position = self.position(recorded);
            json!({"responseId": Self::response_id(recorded), "promptId": self.prompt_id(recorded),
                "prompt": self.prompt(recorded).text.as_str(), "modelId": self.model(recorded),
                "modelVersion": recorded.response.usage.model_version,
                "state": state(response.state), "searched": response.searched,
                "truncated": response.truncated, "createdAt": response.answered_at.as_millis(),
                "isMentioned": position.is_some(), "mentionPosition": position,
                "citationsCount": urls(recorded).len(), "queryFanoutsCount": queries})
        };
        self.responses.iter().map(row).collect()
    }

    /// `/responses/details` of one of the responses.
    pub(super) fn response(&self, id: &str) -> Value {
        let is_it = |recorded: &&&RecordedResponse| Self::response_id(recorded) == id;
        let recorded = self.responses.iter().find(is_it).unwrap();
        let response = &recorded.response;
        let own = own(self.data, entity(self.data, recorded.entity.as_str()));
        let place = response.brands.iter().position(|brand| own.contains(brand));
        let mention = |(place, number): (usize, &BrandOrdinal)| {
            let brand = self.numbered(*number);
            let shown = shown(self.data, brand.uuid, brand.domain.as_deref());
            json!({"entityUuid": shown.uuid, "entityId": shown.entity, "entityName": shown.name,
                "entityDomain": brand.domain, "position": place + 1, "isCurrentEntity": own.contains(number)})
        };
        let mentions: Vec<Value> = response.brands.iter().enumerate().map(mention).collect();
        let not_mention = |rejected: &NotMentioned| {
            let brand = self.numbered(rejected.brand);
            let shown = shown(self.data, brand.uuid, brand.domain.as_deref());
            json!({"entityUuid": shown.uuid, "entityId": shown.entity, "entityName": shown.name,
                "reason": rejected.reason})
        };
        let not_mentioned: Vec<Value> = response.not_mentioned.iter().map(not_mention).collect();
        let citations: Vec<Value> = urls(recorded)
            .iter()
            .map(|url| self.citation(recorded, url))
            .collect();
        let queries: Vec<Value> = match response.state {
            ResponseState::Answered => response
                .queries
                .iter()
                .map(|query| json!({"query": query, "createdAt": response.answered_at.as_millis()}))
                .collect(),
            ResponseState::Refused | ResponseState::Failed => Vec::new(),
        };
        let is_answered = response.state == ResponseState::Answered;
        let prompt = self.prompt(recorded);
        let asked = entity(self.data, recorded.entity.as_str());
        json!({
            "prompt": {"id": self.prompt_id(recorded), "text": prompt.text.as_str(),
                "language": prompt.language.unwrap_or(asked.language),
                "geolocation": prompt.geolocation.unwrap_or(asked.geolocation)},
            "response": {"responseId": id, "responseText": response.text,
                "responseLength": response.text.chars().count(), "createdAt": response.answered_at.as_millis(),
                "modelId": self.model(recorded), "modelVersion": response.usage.model_version, "state": state(response.state),
                "narration": response.narration, "reason": response.reason, "truncated": response.truncated, "isMentioned": place.is_some(),
                "mentionPosition": place.map(|place| place + 1), "totalOptionsInList": mentions.len()},
            "summary": {"mentionsCount": mentions.len(), "citationsCount": citations.len(),
                "queryFanoutsCount": queries.len(),
                "unresolvedCitations": if is_answered { response.unresolved_citations } else { 0 },
                "citationsTruncated": is_answered && response.citations_truncated},
            "mentions": mentions, "notMentioned": not_mentioned, "citations": citations, "queryFanouts": queries,
        })
    }

    /// A cited URL with the first title that it has.
    fn citation(&self, recorded: &RecordedResponse, url: &CanonicalUrl) -> Value {
        let cited = recorded.response.citations.iter();
        let same: Vec<&Citation> = cited
            .filter(|cited| CanonicalUrl::parse(&cited.url).as_ref() == Some(url))
            .collect();
        let title = same.iter().find_map(|cited| cited.title.clone());
        let is_reported = same.iter().any(|cited| cited.kind == CitationKind::Reported);
        let kind = if is_reported { "reported" } else { "in_text" };
        let uuid: Uuid = uuid_of_domain(url.registrable());
        json!({"url": url.as_str(), "title": title, "entityUuid": uuid, "kind": kind})
    }
}

fn state(state: ResponseState) -> &'static str {
    match state {
        ResponseState::Answered => "answered",
        ResponseState::Refused => "refused",
        ResponseState::Failed => "failed",
    }
}

/// A hundred times their ratio.
pub(super) fn percent(part: u64, whole: u64) -> Option<f64> {
    ratio(100 * part, whole)
}

/// With two decimals, halves up.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    let halves = (whole > 0).then(|| (200 * part).div_euclid(whole))?;
    Some(halves.div_ceil(2) as f64 / 100.0)
}

/// Wilson's, at 95 %: both roots of (p − x)² = z² x (1 − x) / n.
fn interval(mentions: u64, responses: u64) -> Option<[f64; 2]> {
    let (n, z) = (responses as f64, 1.959_964_f64);
    let p = (responses > 0).then(|| mentions as f64 / n)?;
    let (a, b, c) = (1.0 + z * z / n, -(2.0 * p + z * z / n), p * p);
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let decimals = |share: f64| (share * 10_000.0).round() / 100.0;
    Some([
        decimals((-b - root) / (2.0 * a)),
        decimals((-b + root) / (2.0 * a)),
    ])
}
