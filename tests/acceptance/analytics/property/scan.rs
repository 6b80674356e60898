//! Selects the responses and brands of a question, directly by the rules of the API contract.

use std::collections::BTreeSet;

use domain::answer::ResponseState;
use domain::brand::uuid_of_domain;
use domain::citation::CanonicalUrl;
use domain::entity::Entity;
use domain::id::PromptId;
use domain::ordinal::BrandOrdinal;
use domain::prompt::Prompt;
use serde_json::Value;
use uuid::Uuid;

use super::Question;
use super::random_workspace::{RecordedData, RecordedResponse};

/// A brand as rows display it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DisplayedBrand {
    pub(super) uuid: String,
    pub(super) entity: Option<String>,
    pub(super) name: String,
    /// Empty for a person without a domain.
    pub(super) domain: String,
}

pub(super) struct ResponseScan<'a> {
    pub(super) data: &'a RecordedData,
    pub(super) question: &'a Question,
    pub(super) entity: &'a Entity,
    /// The members of the group that changes what is counted, the primary first.
    members: Vec<Uuid>,
    /// The responses that count, whatever their state.
    pub(super) responses: Vec<&'a RecordedResponse>,
}

impl<'a> ResponseScan<'a> {
    pub(super) fn new(data: &'a RecordedData, question: &'a Question) -> Self {
        let entity = entity(data, &question.entity);
        let (members, unites) = group(data, entity);
        let mut scan = Self {
            data,
            question,
            entity,
            members,
            responses: Vec::new(),
        };
        let unites = unites && question.union;
        let counts = |recorded: &&RecordedResponse| {
            let whose = scan.owner(recorded);
            let is_own = whose.id == entity.id || unites && scan.members.contains(&whose.brand);
            is_own
                && (question.first..=question.last).contains(&recorded.check.day)
                && scan.is_wanted(recorded)
        };
        scan.responses = data.responses.iter().filter(counts).collect();
        scan
    }

    /// Returns whether a response passes all filters.
    fn is_wanted(&self, recorded: &RecordedResponse) -> bool {
        let passes = |filter: &Option<Vec<String>>, is_one: &dyn Fn(&String) -> bool| {
            filter.as_ref().is_none_or(|values| values.iter().any(is_one))
        };
        let (model, prompt) = (self.model(recorded), self.prompt_id(recorded));
        let tags = &self.prompt(recorded).tags;
        passes(&self.question.models, &|wanted| *wanted == model)
            && passes(&self.question.prompts, &|wanted| *wanted == prompt)
            && passes(&self.question.tags, &|wanted| {
                tags.iter().any(|tag| tag.as_str() == wanted)
            })
    }

    /// Returns the answered responses of the entity itself, without those of its group.
    pub(super) fn alone(&self) -> impl Iterator<Item = &'a RecordedResponse> {
        let own = self.entity.id;
        self.answered().filter(move |recorded| recorded.entity == own)
    }

    pub(super) fn answered(&self) -> impl Iterator<Item = &'a RecordedResponse> {
        let all = self.responses.clone().into_iter();
        all.filter(|recorded| recorded.response.state == ResponseState::Answered)
    }

    pub(super) fn owner(&self, recorded: &RecordedResponse) -> &'a Entity {
        entity(self.data, recorded.entity.as_str())
    }

    pub(super) fn model(&self, recorded: &RecordedResponse) -> String {
        self.owner(recorded).model_ordinals[recorded.response.model.index()].to_string()
    }

    pub(super) fn prompt(&self, recorded: &RecordedResponse) -> &'a Prompt {
        let prompts = &self.data.prompts[&recorded.entity];
        let is_it = |prompt: &&Prompt| prompt.ordinal == recorded.response.prompt;
        prompts.iter().find(is_it).unwrap()
    }

    pub(super) fn prompt_id(&self, recorded: &RecordedResponse) -> String {
        PromptId {
            entity: recorded.entity,
            ordinal: recorded.response.prompt,
        }
        .to_string()
    }

    /// Returns the ordinals of the brands that count as the entity.
    pub(super) fn own(&self) -> BTreeSet<BrandOrdinal> {
        own(self.data, self.entity)
    }

    /// Returns the 1-based position of the first own brand among the mentioned brands.
    pub(super) fn position(&self, recorded: &RecordedResponse) -> Option<usize> {
        let own = self.own();
        let place = recorded
            .response
            .brands
            .iter()
            .position(|brand| own.contains(brand));
        place.map(|place| place + 1)
    }

    /// How a brand is shown: as its oldest tracking, else as its domain; a member of any group that concerns
    /// the entity's analytics as its primary.
    pub(super) fn shown(&self, uuid: Uuid, domain: Option<&str>) -> DisplayedBrand {
        let Some(members) = self.merged_with(uuid) else {
            return shown(self.data, uuid, domain);
        };
        // The primary's domain, or that of the first member that has one.
        let mut domains = members.iter().filter_map(|member| self.domain(*member));
        shown(self.data, members[0], domains.next())
    }

    /// Returns the members of the group that merges the brand into one row.
    fn merged_with(&self, uuid: Uuid) -> Option<Vec<Uuid>> {
        let mut groups = groups(self.data, self.entity).map(|(members, _)| members);
        groups.find(|members| members.contains(&uuid))
    }

    pub(super) fn display_domain(&self, domain: &str) -> DisplayedBrand {
        self.shown(uuid_of_domain(domain), Some(domain))
    }

    pub(super) fn domain(&self, brand: Uuid) -> Option<&'a str> {
        self.data.brands.get(&brand)?.domain.as_deref()
    }

    /// Returns whether the row with this uuid includes `domain`.
    pub(super) fn stands_for(&self, uuid: Uuid, domain: &str) -> bool {
        let cited = uuid_of_domain(domain);
        match self.merged_with(uuid) {
            Some(members) => members.contains(&cited),
            None => cited == uuid,
        }
    }

    /// Returns every cited, tracked or grouped brand, and one unknown brand.
    pub(super) fn brands(&self) -> BTreeSet<Uuid> {
        let cited = self.answered().flat_map(urls);
        let cited = cited.map(|url| uuid_of_domain(url.registrable()));
        let known = self.data.brands.keys().copied();
        cited.chain(known).chain([Uuid::from_u128(7)]).collect()
    }

    pub(super) fn response_id(recorded: &RecordedResponse) -> String {
        recorded.id().to_string()
    }
}

/// Returns the distinct canonical URLs that an answer cites, in order.
pub(super) fn urls(recorded: &RecordedResponse) -> Vec<CanonicalUrl> {
    let mut urls = Vec::new();
    let cited = recorded.response.citations.iter();
    for url in cited.filter_map(|cited| CanonicalUrl::parse(&cited.url)) {
        if recorded.response.state == ResponseState::Answered && !urls.contains(&url) {
            urls.push(url);
        }
    }
    urls
}

pub(super) fn entity<'a>(data: &'a RecordedData, id: &str) -> &'a Entity {
    let mut entities = data.entities.iter();
    entities.find(|entity| entity.id.as_str() == id).unwrap()
}

pub(super) fn shown(data: &RecordedData, uuid: Uuid, domain: Option<&str>) -> DisplayedBrand {
    let domain = domain.unwrap_or_default();
    let oldest = data.entities.iter().find(|entity| entity.brand == uuid);
    let unicode = domain.replace("xn--mller-kva.de", "müller.de");
    DisplayedBrand {
        uuid: uuid.to_string(),
        entity: oldest.map(|entity| entity.id.to_string()),
        name: oldest.map_or(unicode, |entity| entity.name.clone()),
        domain: domain.to_owned(),
    }
}

pub(super) fn own(data: &RecordedData, entity: &Entity) -> BTreeSet<BrandOrdinal> {
    let members = group(data, entity).0;
    let members = members.iter().map(|uuid| data.brands[uuid].ordinal);
    members.chain([entity.brand_ordinal]).collect()
}

/// The members of the entity's group, the primary first, and whether it unites the responses of their
/// trackings.
fn group(data: &RecordedData, entity: &Entity) -> (Vec<Uuid>, bool) {
    let mut own = groups(data, entity).filter(|(members, _)| members.contains(&entity.brand));
    own.next().unwrap_or_default()
}

/// The groups that concern the entity's analytics: their members, the primary first, and whether they unite.
fn groups<'a>(data: &'a RecordedData, entity: &'a Entity) -> impl Iterator<Item = (Vec<Uuid>, bool)> + 'a {
    let uuid = |value: &Value| -> Uuid { value.as_str().unwrap().parse().unwrap() };
    let concerning = data.groups.iter().filter(|group| {
        let scope = group["entityTrackingId"].as_str();
        scope.is_none_or(|scope| scope == entity.id.as_str())
    });
    concerning.map(move |group| {
        let members = group["entities"].as_array().unwrap();
        let mut members: Vec<Uuid> = members.iter().map(|m| uuid(&m["entityUuid"])).collect();
        // The sort is stable, so the other members keep their order.
        members.sort_by_key(|member| *member != uuid(&group["primaryEntityUuid"]));
        (members, group["entityTrackingId"].is_null())
    })
}
