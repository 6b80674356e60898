//! A workspace with one brand: nothing is known to compare it with, and no face claims a share of voice or a
//! rank.

use acceptance::{Account, World};
use serde_json::{Value, json};

use super::{TrackedEntity, provider};
use crate::tables::table;

/// Eight prompts whose answers name Acme alone, of the brands that can be tracked.
const PROMPTS: [&str; 8] = [
    "1 yes?", "2 yes?", "3 yes?", "4 yes?", "5 yes?", "6 yes?", "7 yes?", "8 yes?",
];

/// Three days of checks in each of two windows, in a new workspace.
async fn one_brand() -> (TrackedEntity, String) {
    let world = World::asking(&provider().await).await;
    let tracked = TrackedEntity::in_world(world, 1, &PROMPTS).await;
    for _ in 0..6 {
        tracked.advance_days(1);
        tracked.run_check().await;
    }
    let end = tracked.today();
    let days = format!("startDate={}&endDate={end}", end.plus_days(-2));
    (tracked, days)
}

/// What the faces of the service say of an entity: the rows of JSON, of CSV, and of the tools for assistants.
struct Faces {
    competitors: Value,
    overview: Value,
    voice: Value,
    /// The rows of the tables, by the name of the tool that gives the same ones.
    tables: Vec<(&'static str, Vec<Value>)>,
}

async fn faces(world: &World, account: &Account, entity: &str, days: &str) -> Faces {
    let of_entity = format!("entityId={entity}&{days}");
    let paths = [
        ("rivals", "/entities/competitors", of_entity.as_str()),
        ("overview", "/entities/overview", days),
        ("compare", "/trends/compare", &of_entity),
    ];
    let (mut bodies, mut tables) = (Vec::new(), Vec::new());
    let (start, end) = days.split_once('&').unwrap();
    let value = |pair: &str| pair.split_once('=').unwrap().1.to_owned();
    for (tool, path, query) in paths {
        let path = format!("{path}?{query}");
        bodies.push(world.get(account, &path).await.ok());
        let csv = table(world, account, &path).await;
        let csv = csv.iter().map(|row| json!(row)).collect();
        tables.push((tool, csv));
        let mut arguments = json!({"startDate": value(start), "endDate": value(end)});
        if tool != "overview" {
            arguments["entityId"] = entity.into();
        }
        let result = world.call_tool(account, tool, &arguments).await;
        assert!(!result.is_error, "{tool}: {}", result.text);
        let columns = result.content["columns"].as_array().unwrap();
        let row = |row: &Value| {
            let cells = columns.iter().zip(row.as_array().unwrap());
            cells
                .map(|(column, cell)| (column.as_str().unwrap().to_owned(), cell.clone()))
                .collect::<serde_json::Map<_, _>>()
                .into()
        };
        let rows = result.content["rows"].as_array().unwrap();
        tables.push((tool, rows.iter().map(row).collect()));
    }
    let [competitors, overview, compared] = bodies.try_into().unwrap();
    let overview = overview["data"].as_array().unwrap();
    let overview = overview.iter().find(|row| row["entityId"] == entity).unwrap();
    Faces {
        competitors,
        overview: overview.clone(),
        voice: compared["data"]["shareOfVoice"].clone(),
        tables,
    }
}

/// The columns that claim a share of voice or a rank, by tool.
fn claims(tool: &str) -> &'static [&'static str] {
    match tool {
        "rivals" => &["rank", "shareOfVoice", "intervalLow", "intervalHigh"],
        "overview" => &[
            "shareOfVoice.score",
            "shareOfVoice.intervalLow",
            "shareOfVoice.intervalHigh",
        ],
        _ => &[
            "windowRate",
            "baseRate",
            "change",
            "changeIntervalLow",
            "changeIntervalHigh",
            "pValue",
        ],
    }
}

/// Returns the cell of a table, of which an empty text is none.
fn cell(row: &Value, column: &str) -> Option<Value> {
    let cell = row.get(column).unwrap_or_else(|| panic!("{column} of {row}"));
    Some(cell.clone()).filter(|cell| !cell.is_null() && cell != "")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_brand_alone_has_no_share_of_voice_and_no_rank_in_any_face() {
    let (tracked, days) = one_brand().await;
    let (world, account) = (&tracked.world, &tracked.account);
    let found = faces(world, account, &tracked.entity, &days).await;

    // Every answer names the brand.
    let rows = found.competitors["data"].as_array().unwrap();
    let [own] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    let counts = json!([
        own["mentions"],
        own["mentionsOfAllBrands"],
        own["isCurrentEntity"]
    ]);
    assert_eq!(counts, json!([24, 24, true]));
    for claim in ["rank", "shareOfVoice", "interval"] {
        assert_eq!(own[claim], Value::Null, "{claim}");
    }
    assert_eq!(own["shareOfVoiceReason"], "no_rivals");

    let expected = json!({"score": null, "mentions": 24, "mentionsOfAllBrands": 24, "interval": null});
    assert_eq!(found.overview["shareOfVoice"], expected);
    assert_eq!(found.overview["shareOfVoiceReason"], "no_rivals");
    // The visibility is a share of something.
    assert_eq!(found.overview["visibility"]["score"], 100.0);

    let slices = ["byModel", "byPrompt"].map(|by| found.voice[by].as_array().unwrap().clone());
    assert_eq!(slices.each_ref().map(Vec::len), [1, 8]);
    assert_eq!(found.voice["byRival"], json!([]));
    let slices = slices.into_iter().flatten();
    for compared in slices.chain([found.voice["comparison"].clone()]) {
        for side in ["window", "base"] {
            assert!(compared[side]["mentions"].as_u64().unwrap() >= 3, "{compared}");
            assert_eq!(compared[side]["shareOfVoice"], Value::Null, "{compared}");
        }
        for claim in ["change", "changeInterval", "pValue"] {
            assert_eq!(compared[claim], Value::Null, "{compared}");
        }
        let verdict = json!([compared["verdict"], compared["reason"]]);
        assert_eq!(verdict, json!(["not_comparable", "no_rivals"]));
    }

    let mut seen = 0;
    for (tool, rows) in &found.tables {
        assert!(!rows.is_empty(), "{tool}");
        for row in rows {
            if *tool == "compare" && row["metric"] != "shareOfVoice" {
                continue;
            }
            for claim in claims(tool) {
                assert_eq!(cell(row, claim), None, "{tool} {claim} {row}");
            }
            let reason = if *tool == "compare" {
                "reason"
            } else {
                "shareOfVoiceReason"
            };
            assert_eq!(cell(row, reason), Some(json!("no_rivals")), "{tool} {row}");
            seen += 1;
        }
    }
    // As CSV and as a tool's result: a row of rivals, one of the overview, and ten of the comparison.
    assert_eq!(seen, 2 * (1 + 1 + 10));

    // Nothing is recommended because of somebody who leads.
    let board = tracked.ask("/entities/actions", "").await;
    assert!(!board.to_string().contains("shareOfVoice"), "{board}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tracked_rival_that_no_answer_names_makes_the_share_one_of_something() {
    let (tracked, days) = one_brand().await;
    let (world, account) = (&tracked.world, &tracked.account);
    let stopped = json!({"startTracking": false});
    world
        .entity(account, "Rival", "rival.example", &[], stopped)
        .await;
    let found = faces(world, account, &tracked.entity, &days).await;
    let row = &found.competitors["data"][0];
    assert_eq!(
        json!([row["rank"], row["shareOfVoice"], row["shareOfVoiceReason"]]),
        json!([1, 100.0, null])
    );
    assert_eq!(found.overview["shareOfVoice"]["score"], 100.0);
    assert_eq!(found.overview["shareOfVoiceReason"], Value::Null);
    let compared = &found.voice["comparison"];
    assert_eq!(
        json!([
            compared["window"]["shareOfVoice"],
            compared["change"],
            compared["verdict"],
            compared["reason"]
        ]),
        json!([100.0, 0.0, "no_clear_change", null])
    );
    // The rival itself has no answers and, beside Acme, somebody to be compared with.
    let path = format!("/entities/overview?{days}");
    let overview = world.get(account, &path).await.ok();
    let rival = &overview["data"][1];
    assert_eq!(
        json!([
            rival["name"],
            rival["shareOfVoice"]["score"],
            rival["shareOfVoiceReason"]
        ]),
        json!(["Rival", null, null])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_members_of_the_own_group_and_other_sites_of_the_own_brand_are_no_rivals() {
    let (tracked, days) = one_brand().await;
    let (world, account) = (&tracked.world, &tracked.account);
    let stopped = || json!({"startTracking": false});
    world
        .entity(account, "Acme Blog", "blog.acme.com", &[], stopped())
        .await;
    let reason = async || {
        let path = format!("/entities/competitors?entityId={}&{days}", tracked.entity);
        let listed = world.get(account, &path).await.ok();
        listed["data"][0]["shareOfVoiceReason"].clone()
    };
    assert_eq!(reason().await, "no_rivals");
    let sister = world
        .entity(account, "Sister", "sister.example", &[], stopped())
        .await;
    assert_eq!(reason().await, Value::Null);
    let body = json!({"primaryEntity": tracked.entity, "entities": [tracked.entity, sister]});
    world.post(account, "/domain-groups", &body).await.ok();
    assert_eq!(reason().await, "no_rivals");
    let found = faces(world, account, &tracked.entity, &days).await;
    assert_eq!(found.overview["shareOfVoiceReason"], "no_rivals");
    assert_eq!(found.voice["comparison"]["reason"], "no_rivals");
}
