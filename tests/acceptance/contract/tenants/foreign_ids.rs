//! Tries the ids of two workspaces in every id input of every endpoint.
#![expect(clippy::print_stdout, reason = "a test says how much it tried")]

use std::collections::{BTreeMap, HashMap};

use acceptance::{ApiResponse, Item, World, items};
use domain::brand::uuid_of_domain;
use futures::StreamExt;
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::inputs::{InputKind, RESOURCES, RequestVariant, ResourceKind, resource_of};
use super::super::request_variants::REQUEST_VARIANTS;
use super::super::{Endpoint, Fixture, RequestInput};

/// The status, headers and body by which a client can distinguish two responses, without headers that always
/// differ.
type ScriptedAnswer = (u16, BTreeMap<String, String>, String);

fn told(answer: &ApiResponse) -> ScriptedAnswer {
    let own = ["date", "x-request-id", "apigw-requestid", "ratelimit"];
    let headers = answer
        .headers
        .iter()
        .filter(|(name, _)| !own.contains(&name.as_str()));
    let text = |value: &reqwest::header::HeaderValue| value.to_str().unwrap().to_owned();
    let headers = headers.map(|(name, value)| (name.to_string(), text(value)));
    (answer.status, headers.collect(), answer.text.clone())
}

/// Reads every item of the table except the keys, which count their requests.
pub(crate) async fn table_snapshot(world: &World) -> BTreeMap<(String, String), Item> {
    let mut items = items(&world.host.database).await;
    items.retain(|(pk, _), _| !pk.starts_with("KEY#"));
    items
}

/// One input of one request variant, sent by one workspace.
struct Row<'a> {
    world: &'a World,
    mine: &'a Fixture,
    endpoint: &'static Endpoint,
    good: RequestInput,
    location: &'static str,
    kind: InputKind,
}

/// Two values: an id that must not exist here, and a well-formed id that exists nowhere.
type Cell = (String, String);

impl Row<'_> {
    async fn ask(&self, value: &str) -> ScriptedAnswer {
        let sent = self.good.at(self.location, &json!(value));
        let sent = self
            .endpoint
            .send(self.world, Some(&self.mine.account.key), &sent);
        told(&sent.await)
    }

    /// Compares the response to the id with the known response to the unknown id.
    async fn check(&self, (id, unknown): &Cell, known: &HashMap<&str, ScriptedAnswer>) {
        let (mut got, expected) = (self.ask(id).await, &known[unknown.as_str()]);
        if self.kind == InputKind::Models {
            // The error names an unknown model.
            let named = |id: &str| id.trim().to_lowercase();
            got.2 = got.2.replace(&named(id), &named(unknown));
        }
        let shown = format!("{} {} {id}", self.endpoint.route, self.location);
        assert_eq!(got, *expected, "{shown}");
        let status = match self.kind {
            InputKind::Subject(_) => 404,
            InputKind::Choice(_) | InputKind::Models => 400,
            InputKind::Cited if Uuid::try_parse(id.trim()).is_err() => 400,
            _ => 200,
        };
        assert_eq!(got.0, status, "{shown}: {}", got.2);
    }

    fn cells(&self, theirs: &Fixture) -> Vec<Cell> {
        let (mine, wanted) = (self.mine, resource_of(self.kind).unwrap());
        let nothing = like(theirs.id(wanted));
        let mut cells: Vec<Cell> = Vec::new();
        for resource in RESOURCES {
            for (fixture, foreign) in [(theirs, true), (mine, false)] {
                // All workspaces share the models.
                let known = (!foreign || resource == ResourceKind::Model) && accepts(self.kind, resource);
                let id = fixture.id(resource);
                let is_uuid = matches!(self.kind, InputKind::Cited | InputKind::Models);
                let is_malformed = is_uuid && Uuid::try_parse(id).is_err();
                let like = if is_malformed { "x" } else { &nothing };
                if known {
                    continue;
                }
                let mut add = |form: &dyn Fn(&str) -> String| cells.push((form(id), form(like)));
                add(&str::to_owned);
                if resource != wanted {
                    continue;
                }
                add(&|id| format!(" {id}\t"));
                add(&str::to_uppercase);
                if matches!(self.kind, InputKind::Filter(_)) {
                    let own = mine.id(wanted);
                    add(&|id| format!("{own},{id}"));
                    add(&|id| format!("{id} ,, {own}"));
                }
            }
        }
        // Ordinals of the other workspace under an own entity.
        if let Some((_, number)) = theirs
            .id(wanted)
            .split_once('-')
            .filter(|(entity, _)| entity.len() == 16)
        {
            let (mark, _) = number.split_at(1);
            for id in [
                format!("{}-{mark}zzzz", mine.entity),
                format!("{}-{number}0", mine.entity),
            ] {
                cells.push((id, nothing.clone()));
            }
        }
        cells
    }

    async fn run(&self, theirs: &Fixture) -> usize {
        let cells = self.cells(theirs);
        let mut known = HashMap::new();
        for (_, unknown) in &cells {
            if !known.contains_key(unknown.as_str()) {
                known.insert(unknown.as_str(), self.ask(unknown).await);
            }
        }
        let all = futures::stream::iter(&cells).map(|cell| self.check(cell, &known));
        all.buffer_unordered(8).collect::<Vec<()>>().await;
        cells.len()
    }
}

/// Returns an unknown id of the same form.
fn like(id: &str) -> String {
    if Uuid::try_parse(id).is_ok() {
        return uuid_of_domain("seen-by-nobody.example").to_string();
    }
    format!("{}{}", if id.starts_with('0') { '1' } else { '0' }, &id[1..])
}

/// Returns whether an input accepts this resource of its own workspace.
fn accepts(kind: InputKind, resource: ResourceKind) -> bool {
    let wanted = resource_of(kind).unwrap();
    wanted == resource
        || wanted == ResourceKind::Brand && resource == ResourceKind::Entity && kind != InputKind::Cited
}

async fn probe_variant(
    world: &World,
    variant: &'static RequestVariant,
    mine: &Fixture,
    theirs: &Fixture,
) -> usize {
    let mut cells = 0;
    for (location, kind) in variant
        .inputs
        .iter()
        .filter(|(_, kind)| resource_of(*kind).is_some())
    {
        let asked = Row {
            world,
            mine,
            endpoint: variant.endpoint(),
            good: variant.good(mine),
            location,
            kind: *kind,
        };
        cells += asked.run(theirs).await;
    }
    cells
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_of_another_workspace_or_kind_is_answered_as_an_unknown_one_is_and_changes_nothing() {
    let world = World::start().await;
    let (first, second) = (Fixture::new(&world).await, Fixture::new(&world).await);
    let before = table_snapshot(&world).await;
    let (mut cells, mut ids) = (0, 0);
    for (mine, theirs) in [(&first, &second), (&second, &first)] {
        for variant in REQUEST_VARIANTS.iter() {
            let (count, after) = (
                probe_variant(&world, variant, mine, theirs).await,
                table_snapshot(&world).await,
            );
            assert_eq!(after, before, "{}", variant.route);
            cells += count;
            ids += variant
                .inputs
                .iter()
                .filter(|(_, kind)| resource_of(*kind).is_some())
                .count();
        }
    }
    println!(
        "tenant isolation: {} ids of {} requests, {cells} cells",
        ids / 2,
        REQUEST_VARIANTS.len()
    );
    assert!(ids / 2 >= 68 && cells >= 2_900, "{ids} ids, {cells} cells");
}

/// Collects every string in a response.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_holds_an_id_of_another_workspace() {
    let world = World::start().await;
    let theirs = Fixture::new(&world).await;
    let foreign = RESOURCES.map(|resource| theirs.id(resource).to_owned());
    for variant in REQUEST_VARIANTS.iter() {
        let mine = Fixture::new(&world).await;
        let sent = variant.good(&mine);
        let answer = variant
            .endpoint()
            .send(&world, Some(&mine.account.key), &sent)
            .await
            .ok();
        let mut shown = Vec::new();
        texts(&answer, &mut shown);
        for id in foreign.iter().filter(|id| **id != mine.model) {
            let told = shown.iter().any(|text| text.contains(id.as_str()));
            assert!(!told, "{} {id}: {answer}", variant.route);
        }
    }
}
