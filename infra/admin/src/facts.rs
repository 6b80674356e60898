//! Runs the commands `facts show`, `facts rebuild` and `facts reread`.

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use domain::check::Response;
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::period::DateRange;
use domain::time::Day;
use facts::families::{Citations, CitedText, Fanouts, Links, Responses, Visibility, encode_check};
use facts::{SegmentError, Selection, StringInterner};
use serde_json::{Map, Value, json};
use store::{Consistency, FactIndex, FactsKind, IndexEntry, SegmentRef, Store, Tenant};

use crate::AdminError;
use crate::connection::{Connection, find_workspace};

#[derive(Debug, Clone, Subcommand)]
pub enum FactsVerb {
    /// Show the segments of each check of a day
    Show(OfDay),
    /// Rebuild the segments of a day from its responses, if all of them are still stored. A check that still
    /// runs is left out
    Rebuild(OfDay),
    /// Read the recorded answers of a workspace or an entity again, in the background and without asking a
    /// provider
    Reread(OfRereading),
}

/// The entity and the day of the facts.
#[derive(Debug, Clone, Args)]
pub struct OfDay {
    #[arg(long, value_name = "ID")]
    workspace: String,
    #[arg(long, value_name = "ID")]
    entity: String,
    /// YYYY-MM-DD, in UTC
    #[arg(long, value_parser = day)]
    day: Day,
}

/// The answers to read again.
#[derive(Debug, Clone, Args)]
pub struct OfRereading {
    #[arg(long, value_name = "ID")]
    workspace: String,
    /// All entities of the workspace if it is left out
    #[arg(long, value_name = "ID")]
    entity: Option<String>,
    /// The first day, YYYY-MM-DD in UTC; as far back as texts are kept if it is left out
    #[arg(long, value_name = "DAY", value_parser = day)]
    since: Option<Day>,
}

fn day(text: &str) -> Result<Day, &'static str> {
    Day::parse(text).ok_or("it is no day such as 2026-01-31")
}

/// A check whose responses are all still stored.
struct CompleteCheck {
    check: CheckKey,
    before: IndexEntry,
    responses: Vec<Response>,
}

/// The facts of an entity in a range of days.
pub(crate) struct Facts {
    pub(crate) store: Store,
    pub(crate) tenant: Tenant,
    pub(crate) entity: EntityId,
    pub(crate) index: FactIndex,
}

pub(crate) async fn run(verb: FactsVerb, at: &Connection<'_>) -> Result<Value, AdminError> {
    match verb {
        FactsVerb::Show(of) => show(&of, at).await,
        FactsVerb::Rebuild(of) => rebuild(&of, at).await,
        FactsVerb::Reread(of) => reread(&of, at).await,
    }
}

async fn show(of: &OfDay, at: &Connection<'_>) -> Result<Value, AdminError> {
    let facts = Facts::load(of, at).await?;
    let mut checks = Vec::new();
    for (check, entry) in facts.index.checks()? {
        checks.push(facts.check_as_json(check, &entry).await?);
    }
    Ok(json!({ "entityId": of.entity, "day": of.day.to_string(), "checks": checks }))
}

async fn rebuild(of: &OfDay, at: &Connection<'_>) -> Result<Value, AdminError> {
    let facts = Facts::load(of, at).await?;
    let mut complete_checks: Vec<CompleteCheck> = Vec::new();
    let (store, tenant, entity) = (&facts.store, &facts.tenant, &facts.entity);
    let month = store.month_index(tenant, entity, of.day.month()).await?;
    let entries = month.of_day(of.day).into_iter();
    for (check, before) in entries.filter(|(_, entry)| entry.kind() == FactsKind::Final) {
        let responses = facts.responses(check).await?;
        let visibility = facts.encoded_segment(check, Family::Visibility).await?;
        let cell_count = visibility.map_or(Ok(0), |encoded| {
            Visibility::decode(&encoded).map(|visibility| visibility.cells().count())
        });
        if responses.len() < cell_count? {
            return Err(AdminError::Refused("the day's raw responses are not all there"));
        }
        complete_checks.push(CompleteCheck {
            check,
            before,
            responses,
        });
    }
    if complete_checks.is_empty() {
        return Err(AdminError::Refused("the day has no facts"));
    }
    let (mut checks, mut entries) = (Vec::new(), BTreeMap::new());
    for CompleteCheck {
        check,
        before,
        responses,
    } in complete_checks
    {
        let segments = store
            .put_facts(
                tenant,
                entity,
                check,
                encode_check(&responses).buckets(),
                FactsKind::Final,
            )
            .await?;
        checks.push(json!({
            "check": check.check, "responses": responses.len(), "changed": before.segments != segments,
        }));
        entries.insert(check, IndexEntry { segments, ..before });
    }
    if !store
        .index_segments(tenant, entity, of.day, &month, &entries, None)
        .await?
    {
        return Err(AdminError::Refused("the day's facts changed meanwhile"));
    }
    Ok(json!({ "entityId": of.entity, "day": of.day.to_string(), "checks": checks }))
}

async fn reread(of: &OfRereading, at: &Connection<'_>) -> Result<Value, AdminError> {
    let store = at.store().await?;
    let (tenant, _) = find_workspace(&store, &of.workspace).await?;
    let entity = match &of.entity {
        Some(id) => {
            let entity: EntityId = id.parse().map_err(|_| AdminError::unknown_entity())?;
            let found = store.entity(&tenant, &entity).await?;
            found.ok_or_else(AdminError::unknown_entity)?;
            Some(entity)
        }
        None => None,
    };
    store
        .request_rereading(&tenant, entity.as_ref(), of.since, at.clock.now())
        .await?;
    let since = of.since.map(|day| day.to_string());
    Ok(json!({ "workspaceId": of.workspace, "entityId": of.entity, "since": since }))
}

impl Facts {
    async fn load(of: &OfDay, at: &Connection<'_>) -> Result<Self, AdminError> {
        let store = at.store().await?;
        let (tenant, _) = find_workspace(&store, &of.workspace).await?;
        let entity: EntityId = of.entity.parse().map_err(|_| AdminError::unknown_entity())?;
        let found = store.entity(&tenant, &entity).await?;
        found.ok_or_else(AdminError::unknown_entity)?;
        let index = store
            .fact_index(
                &tenant,
                &entity,
                &[DateRange::single_day(of.day)],
                Consistency::Strong,
            )
            .await?;
        Ok(Self {
            store,
            tenant,
            entity,
            index,
        })
    }

    async fn responses(&self, check: CheckKey) -> Result<Vec<Response>, AdminError> {
        Ok(self.store.responses_of(&self.tenant, &self.entity, check).await?)
    }

    async fn encoded_segment(&self, check: CheckKey, family: Family) -> Result<Option<Vec<u8>>, AdminError> {
        let (tenant, entity) = (&self.tenant, &self.entity);
        let mut named = self.index.segments_of(family)?;
        named.retain(|(of, _)| *of == check);
        let mut found = self.store.segments(tenant, entity, family, &named).await?;
        Ok(found.pop().map(|(_, encoded)| encoded))
    }

    /// Returns the facts of a check as JSON, by family.
    pub(crate) async fn check_as_json(
        &self,
        check: CheckKey,
        entry: &IndexEntry,
    ) -> Result<Value, AdminError> {
        let mut families = Map::new();
        let mut texts = StringInterner::default();
        let mut domains: Vec<String> = Vec::new();
        for (family, segment) in entry
            .segments
            .iter()
            .filter(|(family, _)| **family != Family::Links)
        {
            let Some(encoded) = self.encoded_segment(check, *family).await? else {
                continue;
            };
            let facts = facts_as_json(*family, &encoded, &mut texts)?;
            if let (Family::Citations, Some(cited)) = (family, facts.as_object()) {
                domains = cited.keys().cloned().collect();
            }
            let shown = json!({ "rev": segment.rev.to_string(), "buckets": segment.buckets, "kb": segment.kb, "facts": facts });
            families.insert(family.name().to_owned(), shown);
        }
        if let Some(segment) = entry.segments.get(&Family::Links) {
            let domains: Vec<&str> = domains.iter().map(String::as_str).collect();
            let facts = self.links(check, *segment, &domains).await?;
            let shown = json!({ "rev": segment.rev.to_string(), "buckets": segment.buckets, "kb": segment.kb, "facts": facts });
            families.insert(Family::Links.name().to_owned(), shown);
        }
        let reading = entry.reading.map(|reading| reading.to_string());
        Ok(json!({
            "check": check.check, "interim": entry.is_interim, "reading": reading, "families": families,
        }))
    }

    async fn links(&self, check: CheckKey, links: SegmentRef, domains: &[&str]) -> Result<Value, AdminError> {
        let all = links.all_buckets(check).collect();
        let found = self
            .store
            .buckets(&self.tenant, &self.entity, Family::Links, all)
            .await?;
        let mut texts = StringInterner::default();
        let mut shown = Map::new();
        for (_, encoded) in found {
            let links = Links::decode(&encoded, domains, &mut texts)?;
            for url in links.counts(&Selection::default()) {
                shown.insert(texts.get(url.text_id).to_owned(), url.count.into());
            }
        }
        Ok(Value::Object(shown))
    }
}

/// Converts a segment to JSON: a row per response or a count per cited domain. Prompts, models and brands are
/// ordinals, and instants are Unix milliseconds.
fn facts_as_json(family: Family, encoded: &[u8], texts: &mut StringInterner) -> Result<Value, SegmentError> {
    Ok(match family {
        Family::Visibility => {
            let segment = Visibility::decode(encoded)?;
            let row = |cell: facts::families::VisibilityCellRef<'_>| json!({ "prompt": cell.prompt, "model": cell.model, "state": cell.state, "brands": cell.brands });
            segment.cells().map(row).collect()
        }
        Family::Citations => {
            let segment = Citations::decode(encoded, texts)?;
            let counts = segment.counts(&Selection::default());
            let domain =
                |domain: CitedText| (texts.get(domain.text_id).to_owned(), Value::from(domain.count));
            Value::Object(counts.map(domain).collect())
        }
        Family::Fanouts => {
            let segment = Fanouts::decode(encoded, texts)?;
            let row = |row: facts::families::FanoutRowRef<'_>| {
                let queries: Vec<&str> = row.spelled.iter().map(|number| texts.get(*number)).collect();
                json!({
                    "prompt": row.prompt, "model": row.model, "answeredAt": row.answered_at.as_millis(), "queries": queries,
                })
            };
            segment.rows().map(row).collect()
        }
        Family::Responses => {
            let segment = Responses::decode(encoded)?;
            let row = |row: facts::families::ResponseRow| {
                json!({
                    "prompt": row.prompt, "model": row.model, "answeredAt": row.answered_at.as_millis(),
                    "searched": row.searched, "truncated": row.truncated, "citations": row.citations,
                    "fanouts": row.fanouts,
                })
            };
            segment.rows().map(row).collect()
        }
        // `Facts::links` reads them by bucket.
        Family::Links => Value::Null,
    })
}
