//! The recommendations after two weeks of scripted answers.

use serde_json::{Value, json};

use super::scripted_entity::{ScriptedAnswer, ScriptedEntity, names};

/// Scripts two weeks of answers in which each rule finds a cause.
fn two_week_script(day: u32, model: usize, prompt: &str) -> ScriptedAnswer {
    let silent = model == 2;
    match prompt {
        "loved?" => ScriptedAnswer {
            urls: &["https://guide.org/a"],
            ..names(if silent { "Other" } else { "Acme" })
        },
        "silent?" => ScriptedAnswer {
            names: "Rival",
            urls: if model == 0 {
                &["https://list.org/x", "https://list.org/y"]
            } else {
                &["https://list.org/x"]
            },
            queries: if silent { &[] } else { &["Best tool", "best  tool"] },
        },
        "lost?" if day <= 7 => ScriptedAnswer {
            urls: &["https://acme.com/p"],
            ..names(if silent { "Rival" } else { "Acme" })
        },
        "rare?" if model == 0 && day % 2 == 1 => ScriptedAnswer {
            urls: &["https://www.acme.com/r"],
            ..names("Acme")
        },
        _ => names("Rival"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_weeks_of_answers_give_exactly_these_recommendations_and_the_api_gives_every_number() {
    let scripted = ScriptedEntity::new(&["loved?", "silent?", "lost?", "rare?"], two_week_script).await;
    let tracked = &scripted.tracked;
    scripted.run_days(14).await;
    let ids = tracked.prompt_ids().await;
    let (loved, silent, lost, rare) = (&ids[0], &ids[1], &ids[2], &ids[3]);
    let active = tracked.actionables("active").await;
    let day = |ago: i32| tracked.today().plus_days(-ago).to_string();
    let counts = |mentions: u32, responses: u32| json!({"mentions": mentions, "responses": responses});
    // Rule, priority, prompts, and the figures that distinguish the recommendation.
    let expected = [
        (
            "model_gap",
            "high",
            json!([]),
            vec![("/counts", counts(0, 56)), ("/others/counts", counts(49, 112))],
        ),
        (
            "competitor_lead",
            "high",
            json!([]),
            vec![
                ("/rival/mentions", json!(105)),
                ("/rival/shareOfVoice", json!(68.18)),
                ("/own/mentions", json!(49)),
                ("/own/shareOfVoice", json!(31.82)),
                ("/visibility/counts", counts(49, 168)),
            ],
        ),
        (
            "citation_gap",
            "high",
            json!([silent]),
            vec![
                ("/domain", json!("list.org")),
                ("/citations", json!(56)),
                (
                    "/urls/0",
                    json!({"url": "https://list.org/x", "citationCount": 42}),
                ),
                (
                    "/urls/1",
                    json!({"url": "https://list.org/y", "citationCount": 14}),
                ),
            ],
        ),
        (
            "persistent_absence",
            "high",
            json!([silent]),
            vec![
                ("/checks", json!(14)),
                ("/since", json!(day(13))),
                ("/counts", counts(0, 42)),
            ],
        ),
        (
            "persistent_absence",
            "high",
            json!([lost]),
            vec![
                ("/checks", json!(7)),
                ("/since", json!(day(6))),
                ("/counts", counts(0, 21)),
            ],
        ),
        (
            "low_visibility",
            "high",
            json!([rare]),
            vec![("/counts", counts(7, 42))],
        ),
        (
            "uncited_mention",
            "high",
            json!([loved]),
            vec![("/counts", counts(28, 42)), ("/citations", json!(0))],
        ),
        (
            "fanout_gap",
            "high",
            json!([silent]),
            vec![
                ("/searchQuery", json!("Best tool")),
                ("/frequency", json!(28)),
                ("/uniqueResponses", json!(14)),
                ("/ownCitations/citations", json!(0)),
                ("/window/days", json!(7)),
            ],
        ),
        (
            "lost_visibility",
            "medium",
            json!([lost]),
            vec![
                ("/before/counts", counts(14, 21)),
                ("/after/counts", counts(0, 21)),
            ],
        ),
        // No prompt has gained what the lost one has lost.
        (
            "lost_visibility",
            "medium",
            json!([]),
            vec![
                ("/before/counts", counts(32, 84)),
                ("/after/counts", counts(17, 84)),
            ],
        ),
    ];
    assert_eq!(active.len(), expected.len(), "{active:#?}");
    for (rule, priority, prompts, numbers) in expected {
        let mut of = active.iter();
        let found = of.find(|a| a["sourceType"] == rule && a["metadata"]["promptIds"] == prompts);
        let found = found.unwrap_or_else(|| panic!("{rule} {prompts}"));
        assert_eq!(found["priority"], priority, "{rule}");
        for (place, number) in numbers {
            assert_eq!(found["metadata"].pointer(place), Some(&number), "{rule} {place}");
        }
    }
    let mut calls = 0;
    for actionable in &active {
        calls += tracked.reproduce(actionable).await;
    }
    // One call per recommendation, and one per nested query: two in the last, one in three others.
    assert_eq!(calls, 10 + 2 * 2 + 3);

    // Before its third check, the silent prompt had only a low score.
    let dismissed = tracked.actionables("dismissed").await;
    let retired: Vec<&Value> = dismissed.iter().map(|a| &a["sourceType"]).collect();
    assert_eq!(retired, ["low_visibility"]);
}
