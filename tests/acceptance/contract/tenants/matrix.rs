//! Two workspaces × every endpoint × every id that it takes.

use std::collections::{BTreeMap, HashMap};

use acceptance::{Answer, Item, World, items};
use domain::brand::of_domain;
use serde_json::{Value, json};

use super::super::inputs::{Mode, Takes, Thing};
use super::super::reads::MODES;
use super::super::{Endpoint, Fixture, Sent};

/// All that a client can tell two answers by: status, headers, body. What every answer has of its own is left out.
type Told = (u16, BTreeMap<String, String>, String);

fn told(answer: &Answer) -> Told {
    let own = ["date", "x-request-id", "apigw-requestid"];
    let headers = answer.headers.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    let text = |value: &reqwest::header::HeaderValue| value.to_str().unwrap().to_owned();
    let headers = headers.map(|(name, value)| (name.to_string(), text(value)));
    (answer.status, headers.collect(), answer.text.clone())
}

/// Everything in the table but the keys, which count their requests.
pub(crate) async fn everything(world: &World) -> BTreeMap<(String, String), Item> {
    let mut items = items(&world.host.ready.dynamodb_endpoint).await;
    items.retain(|(pk, _), _| !pk.starts_with("KEY#"));
    items
}

/// One input of one mode, asked for by one workspace.
struct Row<'a> {
    world: &'a World,
    mine: &'a Fixture,
    endpoint: &'static Endpoint,
    good: Sent,
    place: &'static str,
    takes: Takes,
    /// What unknown ids were answered with.
    unknown: HashMap<String, Told>,
}

impl Row<'_> {
    async fn ask(&self, value: &str) -> Told {
        let sent = self.good.at(self.place, &json!(value));
        let sent = self.endpoint.send(self.world, Some(&self.mine.account.key), &sent);
        told(&sent.await)
    }

    /// Asks with an id that must be nothing here, and with one of its form that is nothing anywhere, in a form that
    /// both are written in.
    async fn cell(&mut self, id: &str, unknown: &str, form: impl Fn(&str) -> String) {
        let unknown = form(unknown);
        let expected = match self.unknown.get(&unknown) {
            Some(told) => told.clone(),
            None => {
                let told = self.ask(&unknown).await;
                self.unknown.insert(unknown, told.clone());
                told
            }
        };
        let got = self.ask(&form(id)).await;
        let shown = format!("{} {} {}", self.endpoint.route, self.place, form(id));
        assert_eq!(got, expected, "{shown}");
        let status = match self.takes {
            Takes::Subject(_) => 404,
            Takes::Choice(_) => 400,
            _ => 200,
        };
        assert_eq!(got.0, status, "{shown}: {}", got.2);
    }
}

/// An id of the same form that names nothing.
fn like(id: &str) -> String {
    if id.len() == 36 && id.split('-').count() == 5 && !id.contains("-r") {
        return of_domain("seen-by-nobody.example").to_string();
    }
    format!("{}{}", if id.starts_with('0') { '1' } else { '0' }, &id[1..])
}

/// Whether a place that takes one thing takes this thing of the own workspace too.
fn is_taken(takes: Takes, thing: Thing) -> bool {
    let wanted = takes.thing().unwrap();
    wanted == thing || wanted == Thing::Brand && thing == Thing::Entity || matches!(takes, Takes::Cited)
}

async fn row(row: &mut Row<'_>, theirs: &Fixture) -> usize {
    let mut cells = 0;
    let (mine, wanted) = (row.mine, row.takes.thing().unwrap());
    for thing in Thing::ALL {
        for (fixture, foreign) in [(theirs, true), (mine, false)] {
            let id = thing.of(fixture);
            // The models are everybody's.
            let is_known = (!foreign || thing == Thing::Model) && is_taken(row.takes, thing);
            if is_known {
                continue;
            }
            // A name for ids that may stand in the answer: there is none.
            row.cell(id, &like(id), str::to_owned).await;
            cells += 1;
            if thing == wanted {
                row.cell(id, &like(id), |id| format!(" {id}\t")).await;
                row.cell(id, &like(id), str::to_uppercase).await;
                cells += 2;
            }
            if matches!(row.takes, Takes::Filter(_)) {
                let own = wanted.of(mine);
                row.cell(id, &like(id), |id| format!("{own},{id}")).await;
                row.cell(id, &like(id), |id| format!("{id} ,, {own}")).await;
                cells += 2;
            }
        }
    }
    // Numbers of others under an entity of one's own.
    if let Some((_, number)) = wanted.of(theirs).split_once('-').filter(|(entity, _)| entity.len() == 16) {
        let unknown = format!("{}-{number}", like(&mine.entity));
        let (mark, _) = number.split_at(1);
        for id in [format!("{}-{mark}zzzz", mine.entity), format!("{}-{number}0", mine.entity)] {
            row.cell(&id, &unknown, str::to_owned).await;
            cells += 1;
        }
    }
    cells
}

async fn mode(world: &World, mode: &'static Mode, mine: &Fixture, theirs: &Fixture) -> usize {
    let mut cells = 0;
    for (place, takes) in mode.inputs.iter().filter(|(_, takes)| takes.thing().is_some()) {
        let mut asked = Row {
            world,
            mine,
            endpoint: mode.endpoint(),
            good: mode.good(mine),
            place,
            takes: *takes,
            unknown: HashMap::new(),
        };
        cells += row(&mut asked, theirs).await;
    }
    cells
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_of_another_workspace_or_kind_is_answered_as_an_unknown_one_is_and_changes_nothing() {
    let world = World::start().await;
    let (first, second) = (Fixture::new(&world).await, Fixture::new(&world).await);
    let before = everything(&world).await;
    let (mut cells, mut ids) = (0, 0);
    for (mine, theirs) in [(&first, &second), (&second, &first)] {
        for asked in MODES {
            let (count, after) = (mode(&world, asked, mine, theirs).await, everything(&world).await);
            assert_eq!(after, before, "{}", asked.route);
            cells += count;
            ids += asked.inputs.iter().filter(|(_, takes)| takes.thing().is_some()).count();
        }
    }
    println!("tenant isolation: {} ids of {} requests, {cells} cells", ids / 2, MODES.len());
    assert!(ids / 2 >= 70 && cells >= 3_000, "{ids} ids, {cells} cells");
}

/// Every text of a reply.
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
    let foreign = Thing::ALL.map(|thing| thing.of(&theirs).to_owned());
    for mode in MODES {
        let mine = Fixture::new(&world).await;
        let sent = mode.good(&mine);
        let answer = mode.endpoint().send(&world, Some(&mine.account.key), &sent).await.ok();
        let mut shown = Vec::new();
        texts(&answer, &mut shown);
        for id in foreign.iter().filter(|id| **id != mine.model) {
            let told = shown.iter().any(|text| text.contains(id.as_str()));
            assert!(!told, "{} {id}: {answer}", mode.route);
        }
    }
}
