//! Tests of the rules with fixed and random answers, encoded as facts as a check encodes them.

mod gaps;
mod naive;
mod outcomes;
mod rendering;
mod rules;

use std::collections::{BTreeMap, BTreeSet};

use domain::answer::{Citation, ResponseState};
use domain::board::Candidate;
use domain::brand::{Brand, uuid_of_domain};
use domain::catalogue::Catalogue;
use domain::check::Response;
use domain::entity::Entity;
use domain::group::{BrandLabels, Group, ResolvedGroup, TrackedBrands, group_effect};
use domain::key_scope::KeyScope;
use domain::ordinal::BrandOrdinal;
use domain::prompt::{Prompt, PromptText};
use domain::time::{Day, HOUR, Timestamp};
use facts::StringInterner;
use facts::families::{Links, bucket_of, encode_check};
use serde_json::{Value, json};

use super::*;

/// 2026-03-10.
const TODAY: Day = Day(20_522);
/// The ordinals of the brands: the entity, a member of its group, a tracked rival, two rivals in a group, and
/// a brand that was tracked once.
const ACME: u32 = 4;
const SISTER: u32 = 5;
const RIVAL: u32 = 9;
const BIG: u32 = 10;
const BIGGER: u32 = 11;
const FORMER: u32 = 12;
const DOMAINS: [(u32, &str); 6] = [
    (ACME, "acme.com"),
    (SISTER, "acme.de"),
    (RIVAL, "rival.com"),
    (BIG, "big.com"),
    (BIGGER, "bigger.com"),
    (FORMER, "former.com"),
];
/// The models by ordinal. The last one is no longer asked.
const MODELS: [&str; 4] = ["atlas", "birch", "cedar", "dune"];

/// The response of one model to one prompt in one check.
#[derive(Debug, Clone)]
struct TestAnswer {
    prompt: u32,
    model: u32,
    state: ResponseState,
    brands: Vec<u32>,
    urls: Vec<&'static str>,
    queries: Vec<&'static str>,
}

fn answer(prompt: u32, model: u32, brands: &[u32]) -> TestAnswer {
    TestAnswer {
        prompt,
        model,
        state: ResponseState::Answered,
        brands: brands.to_vec(),
        urls: Vec::new(),
        queries: Vec::new(),
    }
}

impl TestAnswer {
    fn citing(self, urls: &[&'static str]) -> Self {
        let urls = urls.to_vec();
        Self { urls, ..self }
    }

    fn searching(self, queries: &[&'static str]) -> Self {
        let queries = queries.to_vec();
        Self { queries, ..self }
    }

    fn ending(self, state: ResponseState) -> Self {
        Self { state, ..self }
    }

    fn response(&self, day: Day) -> Response {
        let cited = |url: &&str| Citation {
            url: (*url).to_owned(),
            title: None,
            ..Default::default()
        };
        Response {
            state: self.state,
            brands: self.brands.iter().copied().map(BrandOrdinal::new).collect(),
            citations: self.urls.iter().map(cited).collect(),
            queries: self.queries.iter().map(|query| (*query).to_owned()).collect(),
            ..Response::failed(self.prompt.into(), self.model.into(), "", day.start() + HOUR)
        }
    }
}

/// A check with its responses.
#[derive(Debug, Clone)]
struct Check {
    days_ago: i32,
    answers: Vec<TestAnswer>,
}

fn check(days_ago: i32, answers: Vec<TestAnswer>) -> Check {
    Check { days_ago, answers }
}

/// An entity with its prompts, its checks and the brands of its workspace.
struct Fixture {
    entity: Entity,
    prompts: Vec<Prompt>,
    catalogue: Catalogue,
    brands: BrandContext,
    facts: EntityFacts,
    checks: Vec<Check>,
}

fn model_uuid(ordinal: u32) -> uuid::Uuid {
    let models = catalogue();
    models.models()[ordinal as usize].uuid()
}

fn catalogue() -> Catalogue {
    let model = |id: &str| json!({"id": id, "provider": "openai", "model": id, "name": id.to_uppercase(), "description": "", "credits": 1});
    Catalogue::from_json(&Value::from(MODELS.map(model).to_vec()).to_string()).unwrap()
}

fn prompt(ordinal: u32) -> Prompt {
    Prompt {
        ordinal: ordinal.into(),
        text: PromptText::parse("prompt", &format!("Which {ordinal}?")).unwrap(),
        language: None,
        geolocation: None,
        created_at: Timestamp::from_millis(0),
        is_active: true,
        is_deleted: false,
        tags: Vec::new(),
    }
}

impl Fixture {
    /// Creates an entity with the prompts 1 to 6, of which 5 is paused and 6 is deleted. The checks can be in
    /// any order.
    fn new(mut checks: Vec<Check>) -> Self {
        checks.sort_by_key(|check| -check.days_ago);
        let uuids: Vec<uuid::Uuid> = (0..4).map(model_uuid).collect();
        let entity: Entity = serde_json::from_value(json!({
            "id": "acme000000000000", "brand": uuid_of_domain("acme.com"), "brandOrdinal": ACME, "name": "Acme",
            "target": "acme.com", "targetType": "domain", "domain": "acme.com", "description": "", "language": "en",
            "geolocation": "global", "trackingType": "website", "models": uuids[..3], "modelOrdinals": uuids,
            "isActive": true, "frequencyHours": 24, "createdAt": 0, "promptSeq": 6, "checkSeq": 7, "prompts": 5,
            "aliases": [], "activeActionables": 0, "revision": 0,
        }))
        .unwrap();
        let mut prompts: Vec<Prompt> = (1..=6).map(prompt).collect();
        (prompts[4].is_active, prompts[5].is_deleted) = (false, true);

        let group = |n: &str, members: [&str; 2]| -> Group {
            let members = members.map(uuid_of_domain);
            let group = json!({"id": n.repeat(16), "primary": members[0], "members": members, "createdAt": 0, "updatedAt": 0, "revision": 1});
            serde_json::from_value(group).unwrap()
        };
        let groups = [
            group("a", ["acme.com", "acme.de"]),
            group("b", ["bigger.com", "big.com"]),
        ];
        let known: BTreeMap<_, _> = DOMAINS
            .map(|(ordinal, domain)| {
                let mut brand = Brand::new(uuid_of_domain(domain), ordinal.into(), Some(domain.to_owned()));
                let in_group = groups.iter().find(|group| group.members.contains(&brand.uuid));
                brand.group = in_group.map(|group| group.id);
                if ordinal == ACME || ordinal == RIVAL {
                    brand.trackings = vec!["acme000000000000".parse().unwrap()];
                }
                (brand.uuid, brand)
            })
            .into();
        let applying = ResolvedGroup::applying_to(&entity.id, &groups, &known);
        let rival = Entity {
            brand: uuid_of_domain("rival.com"),
            name: "Rival".to_owned(),
            ..entity.clone()
        };
        let names = BrandLabels::new(
            TrackedBrands::new(vec![entity.clone(), rival], &KeyScope::default()),
            &applying,
        );
        let mut facts = EntityFacts::new(&applying);
        for check in &checks {
            let day = TODAY.plus_days(-check.days_ago);
            let responses: Vec<Response> = check.answers.iter().map(|answer| answer.response(day)).collect();
            let folded = encode_check(&responses);
            facts.add_visibility(day, &folded.visibility).unwrap();
            facts.add_citations(day, &folded.citations).unwrap();
            facts.add_fanouts(day, &folded.fanouts).unwrap();
        }
        Self {
            brands: BrandContext {
                own: group_effect(&entity, &groups, &known).brands,
                groups: applying,
                known,
                names,
            },
            catalogue: catalogue(),
            entity,
            prompts,
            facts,
            checks,
        }
    }

    fn rule_input(&self) -> RuleInput<'_> {
        RuleInput {
            entity: &self.entity,
            prompts: &self.prompts,
            catalogue: &self.catalogue,
            brands: &self.brands,
            facts: &self.facts,
            day: TODAY,
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        candidates(&self.rule_input())
    }

    /// Returns the only candidate of a rule.
    fn only_candidate(&self, rule: &str) -> Candidate {
        let mut candidates = self.candidates();
        candidates.retain(|candidate| candidate.recommendation.rule().into_str() == rule);
        assert_eq!(candidates.len(), 1, "{rule}: {candidates:#?}");
        candidates.remove(0)
    }

    fn rules(&self) -> BTreeSet<&'static str> {
        let candidates = self.candidates();
        candidates
            .iter()
            .map(|candidate| candidate.recommendation.rule().into_str())
            .collect()
    }

    /// Returns the links of one domain, as the checker reads them.
    fn links(&self, domain: &str) -> (Vec<(Day, Links)>, StringInterner) {
        let (mut texts, mut links) = (StringInterner::default(), Vec::new());
        for check in self.checks.iter().filter(|check| check.days_ago < 30) {
            let day = TODAY.plus_days(-check.days_ago);
            let responses: Vec<Response> = check.answers.iter().map(|answer| answer.response(day)).collect();
            let buckets = encode_check(&responses).links;
            let bucket = &buckets[bucket_of(domain, buckets.len())];
            links.push((day, Links::decode(bucket, &[domain], &mut texts).unwrap()));
        }
        (links, texts)
    }
}
