//! `GET /trends/compare`: what is compared, and the verdicts on two weeks of real checks.

use acceptance::World;
use domain::answer::ResponseState;
use domain::cell::Cell;
use domain::check::{Plan, Response, Usage};
use domain::time::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use super::recorded_checks::record_check;
use super::{TrackedEntity, provider};
use crate::domain_groups::cited;
use crate::tags;

const PROMPTS: [&str; 8] = ["1?", "2?", "3?", "4?", "5?", "6?", "7?", "8?"];

/// What a model answers: its version, and in how many of ten answers it mentions the entity and each rival.
#[derive(Clone, Copy)]
struct Habit {
    version: &'static str,
    own: u64,
    rivals: u64,
}

/// Two weeks of an entity with rivals, of which four days each have a check.
struct TwoWeeks {
    tracked: TrackedEntity,
    days: u64,
    checks_per_day: usize,
}

impl TwoWeeks {
    async fn new(models: usize) -> Self {
        let world = World::asking(&provider().await).await;
        let tracked = TrackedEntity::in_world(world, models, &PROMPTS).await;
        let (world, account) = (&tracked.world, &tracked.account);
        for rival in ["Rival", "Other"] {
            let domain = format!("{}.example", rival.to_lowercase());
            let stopped = json!({"startTracking": false});
            world.entity(account, rival, &domain, &[], stopped).await;
        }
        Self {
            tracked,
            days: 0,
            checks_per_day: 1,
        }
    }

    /// Records a check on each of four days, and goes to the next week. `habit` tells what each model answers
    /// to the prompt with a number, or `None` if it fails.
    async fn record_week(&mut self, habit: impl Fn(u32, u32) -> Option<Habit>) {
        for _ in 0..4 {
            let day = self.days;
            let answer = |plan: &Plan, cell: Cell, at| {
                let habit = habit(cell.prompt.get(), cell.model.get());
                habit.map_or_else(
                    || Response::failed(cell.prompt, cell.model, "no answer", at),
                    |habit| response(habit, plan, cell, day, at),
                )
            };
            for _ in 0..self.checks_per_day {
                let (world, account) = (&self.tracked.world, &self.tracked.account);
                record_check(world, account, &self.tracked.entity, answer).await;
            }
            self.days += 1;
            self.tracked.advance_days(1);
        }
        self.tracked.advance_days(3);
    }

    /// Returns the query for the week that has ended.
    fn query(&self) -> String {
        let end = self.tracked.today().plus_days(-1);
        let (entity, start) = (&self.tracked.entity, end.plus_days(-6));
        format!("entityId={entity}&startDate={start}&endDate={end}")
    }

    /// Returns the comparison of the week that has ended with the week before.
    async fn compare(&self, more: &str) -> Value {
        let path = format!("/trends/compare?{}{more}", self.query());
        let found = self.tracked.world.get(&self.tracked.account, &path).await.ok();
        found["data"].clone()
    }

    async fn figure(&self, path: &str, more: &str) -> Value {
        let path = format!("{path}?entityId={}{more}", self.tracked.entity);
        self.tracked.world.get(&self.tracked.account, &path).await.ok()
    }
}

fn response(habit: Habit, plan: &Plan, cell: Cell, day: u64, at: Timestamp) -> Response {
    let mut brands = Vec::new();
    for (number, brand) in (0u64..).zip(&plan.brands) {
        let of_ten = if brand.name == "Acme" {
            habit.own
        } else {
            habit.rivals
        };
        let (prompt, model) = (u64::from(cell.prompt.get()), u64::from(cell.model.get()));
        if (7 * day + 3 * prompt + 5 * model + 4 * number) % 10 < of_ten {
            brands.push(brand.ordinal);
        }
    }
    Response {
        state: ResponseState::Answered,
        text: "An answer.".to_owned(),
        citations: vec![domain::answer::Citation {
            url: "https://example.com/a".to_owned(),
            title: None,
            ..Default::default()
        }],
        brands,
        reason: None,
        usage: Usage {
            model_version: Some(habit.version.to_owned()),
            ..Usage::default()
        },
        ..Response::failed(cell.prompt, cell.model, "", at)
    }
}

fn habit(version: &'static str, own: u64, rivals: u64) -> Habit {
    Habit { version, own, rivals }
}

/// Records a week with a stable model and another one, whose version is `versions`, and a week in which the
/// other model names few brands.
async fn weeks_with_versions([before, after]: [&'static str; 2]) -> TwoWeeks {
    let mut weeks = TwoWeeks::new(2).await;
    let stable = habit("stable-1", 5, 5);
    weeks
        .record_week(|_, model| Some(if model == 0 { stable } else { habit(before, 8, 7) }))
        .await;
    weeks
        .record_week(|_, model| Some(if model == 0 { stable } else { habit(after, 1, 1) }))
        .await;
    weeks
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_version_of_a_model_that_names_all_brands_less_often_is_not_comparable() {
    let weeks = weeks_with_versions(["large-1", "large-2"]).await;
    let found = weeks.compare("").await;
    let models = weeks.tracked.world.models(&weeks.tracked.account).await;
    assert_eq!(
        (&found["comparison"]["verdict"], &found["comparison"]["reason"]),
        (&json!("not_comparable"), &json!("model_changed"))
    );
    let end = weeks.tracked.today().plus_days(-1);
    let day = |before: i32| end.plus_days(-before).to_string();
    let versions = json!([
        {"version": "large-1", "firstDate": day(13), "lastDate": day(10)},
        {"version": "large-2", "firstDate": day(6), "lastDate": day(3)},
    ]);
    let changed = json!([{
        "modelId": models[1], "baseVersions": ["large-1"], "windowVersions": ["large-2"], "versions": versions,
    }]);
    assert_eq!(found["modelChanges"], changed);
    assert_eq!(found["withoutChangedModels"]["verdict"], "no_clear_change");
    assert_eq!(found["withoutChangedModels"]["window"]["responses"], 32);
    let by_model = found["byModel"].as_array().unwrap();
    let of = |model: &str| by_model.iter().find(|row| row["modelId"] == model).unwrap();
    assert_eq!(of(&models[0])["verdict"], "no_clear_change");
    assert_eq!(of(&models[1])["verdict"], "not_comparable");

    // Each answer keeps its version.
    let today = weeks.tracked.today();
    let days = format!(
        "&startDate={}&endDate={today}&limit=1&models={}",
        today.plus_days(-20),
        models[1]
    );
    let listed = weeks.figure("/responses", &days).await;
    assert_eq!(listed["data"][0]["modelVersion"], "large-2");
    let id = listed["data"][0]["responseId"].as_str().unwrap();
    let path = format!("/responses/details?responseId={id}");
    let details = weeks.tracked.world.get(&weeks.tracked.account, &path).await.ok();
    assert_eq!(details["data"]["response"]["modelVersion"], "large-2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_answers_of_one_version_are_down() {
    let weeks = weeks_with_versions(["large-1", "large-1"]).await;
    let found = weeks.compare("").await;
    assert_eq!(
        (&found["comparison"]["verdict"], &found["comparison"]["reason"]),
        (&json!("down"), &Value::Null)
    );
    assert_eq!(found["modelChanges"], json!([]));
    assert_eq!(found["withoutChangedModels"], Value::Null);
    assert_eq!(found["citations"]["comparison"]["verdict"], "no_clear_change");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_asked_in_one_week_only_is_named_and_in_no_figure() {
    let mut weeks = TwoWeeks::new(2).await;
    let (tracked, usual) = (&weeks.tracked, habit("v1", 5, 5));
    let models = tracked.world.models(&tracked.account).await;
    let id = |ordinal: u32| format!("{}-p{ordinal}", tracked.entity);
    let [deleted, paused, added] = [1, 2, 9].map(id);
    // The second model does not answer the third prompt in the first week.
    weeks
        .record_week(|prompt, model| Some(usual).filter(|_| (prompt, model) != (3, 1)))
        .await;
    let (world, account, entity) = (
        &weeks.tracked.world,
        &weeks.tracked.account,
        &weeks.tracked.entity.clone(),
    );
    let path = format!("/entities/prompts?promptId={deleted}");
    world.send(Some(account), Method::DELETE, &path, None).await.ok();
    let pause = json!({"promptId": paused, "isActive": false});
    let pausing = world.send(
        Some(account),
        Method::PATCH,
        "/entities/updateprompt",
        Some(&pause),
    );
    pausing.await.ok();
    assert_eq!(weeks.tracked.add_prompt("9?").await, added);
    let three = json!({"entityId": entity, "models": models[..3]});
    world
        .send(Some(account), Method::PATCH, "/entities", Some(&three))
        .await
        .ok();
    weeks.record_week(|_, _| Some(usual)).await;

    let found = weeks.compare("").await;
    let left_out = json!({
        "prompts": [
            {"promptId": deleted, "reason": "no_answers_in_window"},
            {"promptId": paused, "reason": "no_answers_in_window"},
            {"promptId": added, "reason": "no_answers_in_base"},
        ],
        "models": [{"modelId": models[2], "reason": "no_answers_in_base"}],
        "pairs": [{"promptId": id_of(entity, 3), "modelId": models[1], "reason": "no_answers_in_base"}],
    });
    assert_eq!(found["leftOut"], left_out);
    // 6 prompts and 2 models on 4 days, except one pair.
    for side in ["base", "window"] {
        assert_eq!(found["comparison"][side]["responses"], (6 * 2 - 1) * 4);
        // All answers are those of the trend, compared or not.
        let days = format!(
            "&startDate={}&endDate={}",
            found[side]["startDate"].as_str().unwrap(),
            found[side]["endDate"].as_str().unwrap()
        );
        let trend = weeks.figure("/trends/visibility", &days).await;
        for field in ["mentions", "responses"] {
            let days = trend["data"].as_array().unwrap().iter();
            let sum: u64 = days.map(|day| day[field].as_u64().unwrap()).sum();
            assert_eq!(found["allAnswers"][side][field], sum, "{side} {field}");
        }
        assert!(found["allAnswers"][side]["interval"][0].is_number());
    }
    let compared: Vec<&str> = found["byPrompt"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["promptId"].as_str().unwrap())
        .collect();
    assert_eq!(
        compared,
        (3..=8).map(|ordinal| id_of(entity, ordinal)).collect::<Vec<_>>()
    );

    // Each prompt's counts are those of the other endpoints for the same models.
    let window = &found["window"];
    for row in found["byPrompt"].as_array().unwrap() {
        let prompt = row["promptId"].as_str().unwrap();
        let asked = if prompt.ends_with("p3") {
            &models[..1]
        } else {
            &models[..2]
        };
        let filter = format!(
            "&startDate={}&endDate={}&promptIds={prompt}&models={}",
            window["startDate"].as_str().unwrap(),
            window["endDate"].as_str().unwrap(),
            asked.join(",")
        );
        let sum = |rows: &Value, field: &str| -> u64 {
            rows["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row[field].as_u64().unwrap())
                .sum()
        };
        let visibility = weeks.figure("/trends/visibility", &filter).await;
        for field in ["mentions", "responses"] {
            assert_eq!(row["window"][field], sum(&visibility, field), "{prompt} {field}");
        }
        let of_prompt = |figure: &str| {
            let rows = found[figure]["byPrompt"].as_array().unwrap();
            rows.iter().find(|row| row["promptId"] == prompt).unwrap()["window"].clone()
        };
        let competitors = weeks.figure("/entities/competitors", &filter).await;
        assert_eq!(
            of_prompt("shareOfVoice")["totalMentions"],
            sum(&competitors, "mentions")
        );
        let citations = weeks.figure("/entities/citations", &filter).await;
        assert_eq!(
            of_prompt("citations")["totalCitations"],
            sum(&citations, "totalCitations")
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_base_far_before_the_window_and_fewer_metrics_can_be_requested() {
    let mut weeks = TwoWeeks::new(1).await;
    weeks.record_week(|_, _| Some(habit("v1", 8, 3))).await;
    let first = weeks.tracked.today();
    weeks.record_week(|_, _| Some(habit("v1", 5, 5))).await;
    weeks.tracked.advance_days(60);
    weeks.record_week(|_, _| Some(habit("v1", 2, 5))).await;
    let base = format!(
        "&baseStartDate={}&baseEndDate={}",
        first.plus_days(-7),
        first.plus_days(-1)
    );
    let found = weeks.compare(&format!("{base}&metrics=visibility")).await;
    assert_eq!(found["comparison"]["base"]["responses"], 32);
    assert_eq!(found["comparison"]["window"]["responses"], 32);
    assert_eq!(found["comparison"]["verdict"], "down");
    assert_eq!(
        (&found["shareOfVoice"], &found["citations"]),
        (&Value::Null, &Value::Null)
    );
    let found = weeks.compare(&format!("{base}&metrics=citations")).await;
    assert!(found["citations"].is_object() && found["shareOfVoice"].is_null());
    // Without a base, the week before has no answers.
    let found = weeks.compare("").await;
    assert_eq!(found["comparison"]["verdict"], "too_few_answers");
    assert_eq!(found["leftOut"]["prompts"].as_array().unwrap().len(), 8);
}

/// Records a week in which sites are named that the workspace knows as a group, and a week in which Acme is
/// named alone. No other brand is tracked. Returns the entity and the query of the comparison.
pub(crate) async fn rivals_that_are_gone() -> (TrackedEntity, String) {
    let world = World::asking(&provider().await).await;
    let tracked = TrackedEntity::in_world(world, 1, &PROMPTS).await;
    let (world, account) = (&tracked.world, &tracked.account);
    let sites = cited(world, account, &["one.example", "two.example"]).await;
    let group = json!({"primaryEntity": sites[0], "entities": sites});
    world.post(account, "/domain-groups", &group).await.ok();
    let tag = tags::create(world, account, "A").await;
    let tagged = json!({"promptId": id_of(&tracked.entity, 4), "tags": [tag]});
    let sent = world.send(
        Some(account),
        Method::PATCH,
        "/entities/updateprompt",
        Some(&tagged),
    );
    sent.await.ok();
    let mut weeks = TwoWeeks {
        tracked,
        days: 0,
        checks_per_day: 1,
    };
    weeks.record_week(|_, _| Some(habit("v1", 8, 5))).await;
    weeks.record_week(|_, _| Some(habit("v1", 8, 0))).await;
    let query = weeks.query();
    (weeks.tracked, query)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_share_of_something_is_not_compared_with_a_share_of_nothing() {
    let (tracked, query) = rivals_that_are_gone().await;
    let (world, account) = (&tracked.world, &tracked.account);
    let found = world.get(account, &format!("/trends/compare?{query}")).await.ok();
    let voice = &found["data"]["shareOfVoice"];
    let named = voice["byRival"].as_array().unwrap();
    assert_eq!(named.len(), 1, "{named:?}");
    let compared = &voice["comparison"];
    for side in ["window", "base"] {
        assert!(compared[side]["mentions"].as_u64().unwrap() >= 20, "{compared}");
    }
    let others = |side: &str| {
        let counts = &compared[side];
        counts["totalMentions"].as_u64().unwrap() - counts["mentions"].as_u64().unwrap()
    };
    assert!(others("base") >= 10 && others("window") == 0, "{compared}");
    for compared in [compared, &named[0], &voice["byTag"][0]] {
        assert_eq!(
            json!([compared["verdict"], compared["reason"], compared["change"]]),
            json!(["not_comparable", "no_rivals", null])
        );
        for side in ["window", "base"] {
            assert_eq!(compared[side]["shareOfVoice"], Value::Null);
        }
    }
    // The visibility is compared, and the days with other brands have a share of voice.
    assert_eq!(found["data"]["comparison"]["verdict"], "no_clear_change");
    let base = &found["data"]["base"];
    let (start, end) = (
        base["startDate"].as_str().unwrap(),
        base["endDate"].as_str().unwrap(),
    );
    let of_base = format!("entityId={}&startDate={start}&endDate={end}", tracked.entity);
    for (days, is_share) in [(of_base, true), (query, false)] {
        let path = format!("/entities/competitors?{days}");
        let row = world.get(account, &path).await.ok()["data"][0].clone();
        assert_eq!(row["shareOfVoice"].is_number(), is_share, "{row}");
        assert_eq!(row["shareOfVoiceReason"].is_null(), is_share, "{row}");
    }
}

fn id_of(entity: &str, ordinal: u32) -> String {
    format!("{entity}-p{ordinal}")
}

/// Records two weeks whose comparison has every property, and returns the entity and the query of the
/// comparison.
pub(crate) async fn complete_comparison() -> (TrackedEntity, String) {
    let mut weeks = TwoWeeks::new(2).await;
    weeks.checks_per_day = 3;
    let stable = habit("v1", 10, 6);
    let models = weeks.tracked.world.models(&weeks.tracked.account).await;
    weeks
        .record_week(|prompt, model| match (prompt, model) {
            (3, 1) => None,
            (_, 0) => Some(stable),
            _ => Some(habit("v1", 10, 9)),
        })
        .await;
    let tracked = &weeks.tracked;
    let (world, account) = (&tracked.world, &tracked.account);
    let tag = tags::create(world, account, "A").await;
    let tagged = json!({"promptId": id_of(&tracked.entity, 4), "tags": [tag]});
    let paused = json!({"promptId": id_of(&tracked.entity, 5), "isActive": false});
    let asked = json!({"entityId": tracked.entity, "models": models[..3]});
    for (path, change) in [
        ("/entities/updateprompt", tagged),
        ("/entities/updateprompt", paused),
        ("/entities", asked),
    ] {
        let sent = world
            .send(Some(account), Method::PATCH, path, Some(&change))
            .await;
        sent.ok();
    }
    let changed = habit("v2", 0, 1);
    weeks
        .record_week(|_, model| Some(if model == 0 { stable } else { changed }))
        .await;
    let query = weeks.query();
    (weeks.tracked, query)
}
