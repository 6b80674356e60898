//! Describes the operation of `/trends/compare`.

use ::analytics::comparison::ComparisonResponse;
use serde_json::{Value, json};

use crate::examples::{MODEL, PROMPT_1, PROMPT_2, RIVAL, TAG};
use crate::operation::Operation;

pub(super) fn operation() -> Operation {
    Operation::new("compareTrends", "Whether the figures have changed between two windows of days")
    .description(
        "Compares the answers of the prompts and models that were asked in both windows. `up` and `down` are changes that chance \
         explains in at most 5 % of the cases; answers to one prompt and answers of one day are not taken for independent. The base is \
         the window of the same length right before, unless it is given. While there is no share of voice, because the workspace tracks no \
         other brand and the answers name none that it knows, its verdict is `not_comparable` for the reason `no_rivals`.",
    )
    .extension()
    .response::<ComparisonResponse>(example())
    .error(400, "baseEndDate must be before the window")
    .link("getVisibilityTrend", "entityId", "$request.query.entityId")
    .with("startDate", "$response.body#/data/window/startDate")
}

fn example() -> Value {
    let whole = compared(
        [
            json!({"mentions": 412, "responses": 1_400, "score": 29.43, "interval": [27.1, 31.87]}),
            json!({"mentions": 583, "responses": 1_400, "score": 41.64, "interval": [39.09, 44.25]}),
        ],
        (-12.21, [-17.3, -7.13], 0.0001, "down"),
    );
    let prompt = compared(
        [
            json!({"mentions": 4, "responses": 56, "score": 7.14, "interval": [2.82, 16.97]}),
            json!({"mentions": 31, "responses": 56, "score": 55.36, "interval": [42.41, 67.61]}),
        ],
        (-48.21, [-66.2, -30.23], 0.0, "down"),
    );
    let voice = compared(
        [
            json!({"mentions": 412, "totalMentions": 2_210, "shareOfVoice": 18.64}),
            json!({"mentions": 583, "totalMentions": 2_275, "shareOfVoice": 25.63}),
        ],
        (-6.9, [-10.4, -3.4], 0.0003, "down"),
    );
    let rival = compared(
        [
            json!({"mentions": 412, "totalMentions": 1_012, "shareOfVoice": 40.71}),
            json!({"mentions": 583, "totalMentions": 1_101, "shareOfVoice": 52.95}),
        ],
        (-12.0, [-18.1, -5.9], 0.0004, "down"),
    );
    let citations = compared(
        [
            json!({"ownCitations": 98, "totalCitations": 4_105, "share": 2.39}),
            json!({"ownCitations": 110, "totalCitations": 4_090, "share": 2.69}),
        ],
        (-0.3, [-0.9, 0.31], 0.3312, "no_clear_change"),
    );
    json!({"data": {
        "window": {"startDate": "2026-11-08", "endDate": "2026-11-21"},
        "base": {"startDate": "2026-10-25", "endDate": "2026-11-07"},
        "comparison": whole,
        "allAnswers": {"window": whole["window"], "base": whole["base"]},
        "byModel": [with(json!({"modelId": MODEL}), &whole)],
        "byPrompt": [with(json!({"promptId": PROMPT_1, "prompt": "What is the best trail running shoe?"}), &prompt)],
        "byTag": [with(json!({"tagId": TAG}), &prompt)],
        "modelChanges": [{
            "modelId": MODEL, "baseVersions": ["gpt-5.2-2026-06-01"], "windowVersions": ["gpt-5.2-2026-11-12"],
            "versions": [
                {"version": "gpt-5.2-2026-06-01", "firstDate": "2026-10-25", "lastDate": "2026-11-07"},
                {"version": "gpt-5.2-2026-11-12", "firstDate": "2026-11-08", "lastDate": "2026-11-21"},
            ],
        }],
        "withoutChangedModels": null,
        "shareOfVoice": {
            "comparison": voice, "byModel": [], "byPrompt": [], "byTag": [],
            "byRival": [with(json!({
                "entityUuid": RIVAL, "entityId": null, "name": "example.com", "domain": "example.com",
            }), &rival)],
        },
        "citations": {"comparison": citations, "byModel": [], "byPrompt": [], "byTag": []},
        "leftOut": {
            "prompts": [{"promptId": PROMPT_2, "reason": "no_answers_in_base"}], "models": [], "pairs": [],
        },
        "countedSince": "2026-10-25",
    }})
}

fn compared(
    [window, base]: [Value; 2],
    (change, interval, p_value, verdict): (f64, [f64; 2], f64, &str),
) -> Value {
    json!({
        "window": window, "base": base, "change": change, "changeInterval": interval, "pValue": p_value,
        "verdict": verdict, "reason": null,
    })
}

fn with(mut subject: Value, compared: &Value) -> Value {
    if let (Some(subject), Some(compared)) = (subject.as_object_mut(), compared.as_object()) {
        subject.extend(compared.clone());
    }
    subject
}
