//! What a recommendation rests on: `metadata` of an actionable.

use domain::board::OutcomeResult;
use domain::limits::{MAX_EVIDENCE_PROMPTS, MAX_EVIDENCE_URLS, RECOMMENDATION_DAYS};
use serde_json::{Value, json};

use crate::examples::{ENTITY, MODEL, PROMPT_1};
use crate::schema::{
    Field, PROMPT, at_times, count, day, field, id, interval, list, millis, nullable, object, percent,
    reference, text, uuid, variant, whole, with,
};

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Evidence", evidence()),
        ("EvidenceQuery", query()),
        ("Measure", measure()),
        ("Counts", counts()),
        ("Voice", voice()),
        ("Outcome", outcome()),
    ]
}

/// One form for each rule, told apart by `rule`.
fn evidence() -> Value {
    let forms = [
        ("low_visibility", figures()),
        ("persistent_absence", {
            let own = [
                field(
                    "checks",
                    count("Complete checks in a row whose answers do not name the brand"),
                ),
                field("since", day("The day of the first of them")),
            ];
            own.into_iter().chain(figures()).collect()
        }),
        ("model_gap", {
            let own = [
                field("model", text("The model's name")),
                field("others", reference("Measure")),
            ];
            own.into_iter().chain(figures()).collect()
        }),
        (
            "competitor_lead",
            vec![
                field("rival", reference("Voice")),
                field("own", reference("Voice")),
                field("visibility", reference("Measure")),
            ],
        ),
        (
            "citation_gap",
            vec![
                field("domain", text("The cited domain")),
                field("citedEntityUuid", uuid("Its uuid")),
                field("citations", count("Its citations where the brand is not named")),
                field(
                    "urls",
                    with(
                        list(cited_url(), "The most cited pages"),
                        json!({"maxItems": MAX_EVIDENCE_URLS}),
                    ),
                ),
            ],
        ),
        ("uncited_mention", {
            let own = field("citations", count("Citations of the entity's own domains"));
            figures().into_iter().chain([own]).collect()
        }),
        (
            "fanout_gap",
            vec![
                field("searchQuery", text("The web search")),
                field("frequency", count("How often it was run")),
                field("uniqueResponses", count("In how many responses")),
                field("ownCitations", own_citations()),
            ],
        ),
        (
            "lost_visibility",
            vec![
                field("before", reference("Measure")),
                field("after", reference("Measure")),
            ],
        ),
    ];
    let form = |(rule, own): (&str, Vec<Field>)| {
        let tag = field("rule", json!({"const": rule, "description": "The rule"}));
        let mut form = object(std::iter::once(tag).chain(own).chain(common()));
        form["title"] = rule.into();
        form
    };
    json!({
        "description": "The numbers behind a recommendation, and the calls that give them again",
        "oneOf": forms.map(form),
    })
}

/// What every rule's evidence has.
fn common() -> Vec<Field> {
    let window = object([
        field("startDate", day("The first UTC day looked at")),
        field("endDate", day("The last one")),
        field(
            "days",
            whole(1, RECOMMENDATION_DAYS.unsigned_abs().into(), "How many they are"),
        ),
    ]);
    let prompts = list(
        id(PROMPT, "A prompt's id"),
        "The prompts that it is about; none: the answers to all of them",
    );
    let retired = object([field("reason", text("Why")), field("at", millis("When"))]);
    vec![
        field("window", window),
        field(
            "promptIds",
            with(prompts, json!({"maxItems": MAX_EVIDENCE_PROMPTS})),
        ),
        field(
            "modelIds",
            list(uuid("A model's uuid"), "The models that were asked"),
        ),
        field("query", reference("EvidenceQuery")),
        at_times(
            "retired",
            with(
                retired,
                json!({"description": "It was dismissed by itself: its cause is gone"}),
            ),
        ),
        at_times("outcome", reference("Outcome")),
    ]
}

/// Counts, and what they come to.
fn figures() -> Vec<Field> {
    vec![
        field("counts", reference("Counts")),
        field(
            "score",
            nullable(percent(
                "100 × the one count / the other, two decimals; null of nothing",
            )),
        ),
        field("interval", nullable(interval())),
    ]
}

fn counts() -> Value {
    let answers = object([
        field("mentions", count("Of those, responses that mention the brand")),
        field("responses", count("Answered responses")),
    ]);
    let citations = object([
        field(
            "ownCitations",
            count("Of those, citations of the entity's own domains"),
        ),
        field("citations", count("Citations")),
    ]);
    json!({"description": "What was counted", "oneOf": [answers, citations]})
}

fn query() -> Value {
    let parameters = json!({
        "type": "object", "additionalProperties": {"type": "string"},
        "description": "Its query parameters; lists are separated by commas",
    });
    let path = with(
        text("Its path, without the version prefix"),
        json!({"pattern": "^/[a-z/-]+$"}),
    );
    let mut query = object([field("path", path), field("parameters", parameters)]);
    query["description"] = "A GET of this API whose answer adds up to the numbers beside it".into();
    query
}

fn measure() -> Value {
    let days = [
        field("startDate", day("The first UTC day")),
        field("endDate", day("The last one")),
    ];
    let call = field("query", reference("EvidenceQuery"));
    let mut measure = object(days.into_iter().chain(figures()).chain([call]));
    measure["description"] = "Figures of some days, with the call that gives them".into();
    measure
}

fn voice() -> Value {
    object([
        field("entityUuid", uuid("The brand's uuid")),
        field("name", text("Its name")),
        field(
            "domain",
            nullable(text("Its domain; null for an individual without one")),
        ),
        field("mentions", count("Responses that mention it")),
        field(
            "shareOfVoice",
            nullable(percent("100 × its mentions / those of all brands, two decimals")),
        ),
    ])
}

fn cited_url() -> Value {
    object([
        field("url", text("The page")),
        field("citationCount", count("Responses that cite it")),
    ])
}

fn own_citations() -> Value {
    object([
        field("citations", count("Citations of the entity's own domains")),
        field("query", reference("EvidenceQuery")),
    ])
}

fn outcome() -> Value {
    let mut outcome = object([
        field(
            "result",
            variant::<OutcomeResult>("Better or worse is only what lies beyond chance"),
        ),
        field("before", reference("Measure")),
        field("after", reference("Measure")),
    ]);
    outcome["description"] = "Whether the done task helped: recorded once".into();
    outcome
}

pub(crate) fn example() -> Value {
    json!({
        "rule": "low_visibility", "counts": {"mentions": 1, "responses": 7}, "score": 14.29,
        "interval": [2.57, 51.31],
        "window": {"startDate": "2026-10-23", "endDate": "2026-11-21", "days": 30},
        "promptIds": [PROMPT_1], "modelIds": [MODEL],
        "query": {"path": "/trends/visibility", "parameters": {
            "endDate": "2026-11-21", "entityId": ENTITY, "promptIds": PROMPT_1, "startDate": "2026-10-23",
            "union": "false",
        }},
    })
}
