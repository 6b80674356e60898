//! What a recommendation says and rests on, rule by rule.

use super::*;
use crate::board::{Category, Priority, TaskType};
use crate::id::EntityId;

const START: &str = "2026-02-09";
const END: &str = "2026-03-10";

/// The evidence as it is shown.
fn metadata(cause: &Cause) -> Value {
    serde_json::to_value(&cause.recommendation.evidence).unwrap()
}

/// The call about these prompts, with further parameters.
fn query(path: &str, prompts: &[u32], more: &Value) -> Value {
    query_of(path, [START, END], prompts, more)
}

fn query_of(path: &str, [start, end]: [&str; 2], prompts: &[u32], more: &Value) -> Value {
    let mut parameters =
        json!({"entityId": "acme000000000000", "startDate": start, "endDate": end, "union": "false"});
    if !prompts.is_empty() {
        parameters["promptIds"] = ids(prompts).join(",").into();
    }
    for (name, value) in more.as_object().unwrap() {
        parameters[name] = value.clone();
    }
    json!({"path": path, "parameters": parameters})
}

fn ids(prompts: &[u32]) -> Vec<String> {
    let entity = "acme000000000000".parse().unwrap();
    let id = |ordinal: &u32| PromptId {
        entity: EntityId::clone(&entity),
        ordinal: *ordinal,
    };
    prompts.iter().map(|prompt| id(prompt).to_string()).collect()
}

fn window() -> Value {
    json!({"startDate": START, "endDate": END, "days": 30})
}

/// So many answers to a prompt by a model, one a check, of which the first ones name these brands; as checks of today.
fn answers(prompt: u32, model: u32, named: usize, of: usize, brands: &[u32]) -> Vec<Check> {
    (0..of)
        .map(|n| {
            let brands = if n < named { brands } else { &[] };
            check(0, vec![said(prompt, model, brands)])
        })
        .collect()
}

#[test]
fn a_prompt_that_rarely_names_the_brand() {
    let cause = Scene::new(answers(1, 0, 1, 7, &[ACME])).only("low_visibility");
    let says = &cause.recommendation;
    assert_eq!(cause.impact, 6);
    assert_eq!(says.title, "Get Acme named in answers to “Which 1?”");
    let numbers = "Acme is mentioned in 1 of 7 answers to “Which 1?” from 2026-02-09 to 2026-03-10: a visibility score \
                   of 14.29. ";
    assert!(says.description.starts_with(numbers), "{}", says.description);
    assert_eq!(
        metadata(&cause),
        json!({
            "rule": "low_visibility", "window": window(), "promptIds": ids(&[1]), "modelIds": [model_uuid(0)],
            "counts": {"mentions": 1, "responses": 7}, "score": 14.29, "interval": [2.57, 51.31],
            "query": query("/trends/visibility", &[1], &json!({})),
        })
    );
}

#[test]
fn every_rule_says_the_next_step_and_fits_its_kind() {
    let kinds = [
        ("low_visibility", Category::Visibility, TaskType::OffPage),
        ("persistent_absence", Category::Visibility, TaskType::OffPage),
        ("model_gap", Category::Visibility, TaskType::Technical),
        ("citation_gap", Category::Citation, TaskType::OffPage),
        ("competitor_lead", Category::Visibility, TaskType::OffPage),
        ("uncited_mention", Category::Citation, TaskType::OnPage),
        ("fanout_gap", Category::Content, TaskType::OnPage),
        ("lost_visibility", Category::Visibility, TaskType::OffPage),
    ];
    let mut checks = answers(1, 0, 25, 25, &[ACME, RIVAL]);
    checks.iter_mut().for_each(|check| check.ago = 10);
    checks.extend((0..25).map(|n| {
        let silent = said(2, 1, &[RIVAL]).citing(&["https://news.org/f"]);
        check(
            n % 3,
            vec![said(1, 0, &[RIVAL]), silent.searching(&["best tool"])],
        )
    }));
    checks.extend(answers(3, 2, 1, 4, &[ACME]));
    checks.extend((0..9).map(|_| check(11, vec![said(4, 2, &[ACME])])));
    let causes = Scene::new(checks).causes();
    for (rule, category, task_type) in kinds {
        let of_rule = causes
            .iter()
            .find(|cause| cause.recommendation.rule().name() == rule);
        let says = &of_rule.unwrap_or_else(|| panic!("{rule}")).recommendation;
        assert_eq!(
            (says.rule().category(), says.rule().task_type()),
            (category, task_type)
        );
        assert!(says.description.contains("Next step: "), "{rule}");
        assert!(
            says.description.contains("Acme") || says.title.contains("Acme"),
            "{rule}"
        );
    }
}

#[test]
fn an_absence_begins_after_the_last_mention_and_is_no_low_score_besides() {
    let day = |ago, brands: &[u32]| check(ago, vec![said(1, 0, brands), said(1, 1, &[])]);
    let mut checks = vec![day(9, &[ACME]), day(6, &[]), day(5, &[]), day(2, &[])];
    // Neither an incomplete check nor one without an answer counts, but the answers do from its beginning on.
    checks.push(check(
        8,
        vec![said(1, 0, &[]), said(1, 1, &[]).ending(State::Failed)],
    ));
    checks.push(check(
        4,
        vec![said(1, 0, &[]), said(1, 1, &[]).ending(State::Failed)],
    ));
    checks.push(check(3, vec![said(1, 0, &[]).ending(State::Refused)]));
    let scene = Scene::new(checks.clone());
    assert!(!scene.rules().contains("low_visibility"));
    let cause = scene.only("persistent_absence");
    assert_eq!(cause.impact, 7);
    let days = ["2026-03-04", END];
    assert_eq!(
        metadata(&cause),
        json!({
            "rule": "persistent_absence", "window": {"startDate": "2026-03-04", "endDate": END, "days": 7},
            "promptIds": ids(&[1]), "modelIds": [model_uuid(0), model_uuid(1)],
            "checks": 3, "since": "2026-03-04",
            "counts": {"mentions": 0, "responses": 7}, "score": 0.0, "interval": [0.0, 35.43],
            "query": query_of("/trends/visibility", days, &[1], &json!({})),
        })
    );

    // A mention on the day on which it would begin leaves two checks.
    checks.push(check(6, vec![said(1, 2, &[SISTER])]));
    assert!(!Scene::new(checks).rules().contains("persistent_absence"));
}

#[test]
fn a_model_that_never_names_what_the_others_name() {
    let mut checks = answers(1, 0, 6, 6, &[ACME]);
    checks.extend(answers(1, 1, 5, 6, &[ACME]));
    checks.extend(answers(1, 2, 0, 9, &[]));
    assert!(!Scene::new(checks.clone()).rules().contains("model_gap"));
    checks.extend(answers(2, 2, 0, 1, &[]));
    let cause = Scene::new(checks.clone()).only("model_gap");
    assert_eq!(cause.impact, 10);
    assert_eq!(cause.recommendation.title, "Get Acme named by CEDAR");
    let models = |models: &[u32]| {
        let uuids: Vec<String> = models.iter().map(|n| model_uuid(*n).to_string()).collect();
        query("/trends/visibility", &[], &json!({"models": uuids.join(",")}))
    };
    assert_eq!(
        metadata(&cause),
        json!({
            "rule": "model_gap", "window": window(), "promptIds": [], "modelIds": [model_uuid(2)], "model": "CEDAR",
            "counts": {"mentions": 0, "responses": 10}, "score": 0.0, "interval": [0.0, 27.75],
            "query": models(&[2]),
            "others": {
                "startDate": START, "endDate": END, "counts": {"mentions": 11, "responses": 12},
                "score": 91.67, "interval": [64.61, 98.51], "query": models(&[0, 1]),
            },
        })
    );
    // One that is no longer asked needs no help.
    checks.extend(answers(1, 3, 0, 10, &[]));
    Scene::new(checks).only("model_gap");
}

#[test]
fn a_site_that_is_cited_where_the_brand_is_not_named() {
    let silent = |ago, prompt, urls: &[&'static str]| check(ago, vec![said(prompt, 0, &[]).citing(urls)]);
    let (f, g) = ("https://news.org/f", "https://news.org/g");
    let mut checks = vec![
        silent(1, 1, &[f, g]),
        silent(2, 1, &[f]),
        silent(3, 2, &[f]),
        // Its own, a rival's and a grouped rival's.
        silent(
            3,
            4,
            &["https://acme.de/x", "https://rival.com/x", "https://big.com/x"],
        ),
        // Where it is named, paused, or too long ago.
        check(3, vec![said(3, 0, &[SISTER]).citing(&[f, g])]),
        silent(3, 5, &[f, g]),
        silent(30, 1, &[f]),
    ];
    assert!(!Scene::new(checks.clone()).rules().contains("citation_gap"));
    checks.push(silent(0, 1, &[g]));
    let scene = Scene::new(checks);
    let mut cause = scene.only("citation_gap");
    assert_eq!((cause.impact, cause.cited_domain()), (4, Some("news.org")));
    assert_eq!(cause.recommendation.title, "Get Acme onto news.org");
    let (links, texts) = scene.links("news.org");
    cause.add_urls(&links, &texts);
    let cited = of_domain("news.org");
    assert_eq!(
        metadata(&cause),
        json!({
            "rule": "citation_gap", "window": window(), "promptIds": ids(&[1, 2]), "modelIds": [model_uuid(0)],
            "domain": "news.org", "citedEntityUuid": cited, "citations": 5,
            "urls": [{"url": f, "citationCount": 3}, {"url": g, "citationCount": 2}],
            "query": query("/entities/citations/details", &[1, 2], &json!({"citedEntityUuid": cited})),
        })
    );
}

#[test]
fn a_rival_that_leads_beyond_chance() {
    let mut checks = answers(1, 0, 12, 19, &[BIG, BIGGER, RIVAL]);
    checks.extend(answers(1, 1, 0, 0, &[]));
    assert!(!Scene::new(checks.clone()).rules().contains("competitor_lead"));
    checks.extend(answers(2, 1, 1, 1, &[SISTER, ACME]));
    let causes = Scene::new(checks).causes();
    let leads: Vec<&Cause> = causes
        .iter()
        .filter(|cause| cause.recommendation.rule().name() == "competitor_lead")
        .collect();
    assert_eq!(leads.len(), 2);
    assert_eq!(leads[0].impact, 11);
    // Two brands of a group are one rival, by the name of its primary.
    let find = |name: &str| {
        leads
            .iter()
            .map(|c| metadata(c))
            .find(|m| m["rival"]["name"] == name)
    };
    let expected = json!({
        "rule": "competitor_lead", "window": window(), "promptIds": [], "modelIds": [model_uuid(0), model_uuid(1)],
        "rival": {
            "entityUuid": of_domain("bigger.com"), "name": "bigger.com", "domain": "bigger.com", "mentions": 12,
            "shareOfVoice": 48.0,
        },
        "own": {
            "entityUuid": of_domain("acme.com"), "name": "Acme", "domain": "acme.com", "mentions": 1,
            "shareOfVoice": 4.0,
        },
        "visibility": {
            "startDate": START, "endDate": END, "counts": {"mentions": 1, "responses": 20}, "score": 5.0,
            "interval": [0.89, 23.61], "query": query("/trends/visibility", &[], &json!({})),
        },
        "query": query("/entities/competitors", &[], &json!({})),
    });
    assert_eq!(find("bigger.com"), Some(expected));
    assert!(find("Rival").is_some());
}

#[test]
fn a_prompt_that_names_the_brand_and_never_cites_its_site() {
    let checks = answers(1, 0, 5, 6, &[ACME]);
    let cause = Scene::new(checks.clone()).only("uncited_mention");
    assert_eq!(cause.impact, 5);
    assert_eq!(
        metadata(&cause),
        json!({
            "rule": "uncited_mention", "window": window(), "promptIds": ids(&[1]), "modelIds": [model_uuid(0)],
            "counts": {"mentions": 5, "responses": 6}, "score": 83.33, "interval": [43.65, 96.99], "citations": 0,
            "query": query("/entities/prompts", &[1], &json!({})),
        })
    );
    // A citation of another member's site will do; of an entity without a site none is expected.
    let mut cited = checks.clone();
    cited.push(check(20, vec![said(1, 2, &[]).citing(&["https://www.acme.de/"])]));
    assert!(!Scene::new(cited).rules().contains("uncited_mention"));
    let mut scene = Scene::new(checks);
    scene.entity.domain = None;
    scene.brands.own = [77].into_iter().collect();
    scene.brands.known.clear();
    assert!(!scene.rules().contains("uncited_mention"));
}

#[test]
fn a_search_whose_answers_never_cite_the_site() {
    let ran = |ago, prompt, model, queries: &[&'static str]| {
        check(ago, vec![said(prompt, model, &[ACME]).searching(queries)])
    };
    let mut checks = vec![
        ran(0, 1, 0, &["Best tool", "best  tool"]),
        ran(6, 2, 1, &["best tool"]),
        ran(7, 2, 1, &["best tool"]),
        ran(1, 5, 1, &["best tool"]),
    ];
    assert!(!Scene::new(checks.clone()).rules().contains("fanout_gap"));
    checks.push(ran(1, 2, 2, &["best tool", "too long ".repeat(40).leak()]));
    let scene = Scene::new(checks.clone());
    let cause = scene.only("fanout_gap");
    assert_eq!(cause.impact, 3);
    assert_eq!(
        cause.recommendation.title,
        "Publish a page that answers the search “best tool”"
    );
    let days = ["2026-03-04", END];
    assert_eq!(
        metadata(&cause),
        json!({
            "rule": "fanout_gap", "window": {"startDate": "2026-03-04", "endDate": END, "days": 7},
            "promptIds": ids(&[1, 2]), "modelIds": [model_uuid(0), model_uuid(1), model_uuid(2)],
            "searchQuery": "best tool", "frequency": 4, "uniqueResponses": 3,
            "ownCitations": {"citations": 0, "query": query_of("/entities/prompts", days, &[1, 2], &json!({}))},
            "query": query_of("/query-fanouts", days, &[1, 2], &json!({"search": "best tool"})),
        })
    );
    // Any answer to one of its prompts counts, whatever it searched for.
    checks.push(check(2, vec![said(2, 0, &[]).citing(&["https://acme.com/"])]));
    assert!(!Scene::new(checks).rules().contains("fanout_gap"));
}

#[test]
fn a_share_that_has_fallen_beyond_chance() {
    let of = |ago, named, of| {
        let mut checks = answers(1, 0, named, of, &[ACME]);
        checks.iter_mut().for_each(|check| check.ago = ago);
        checks
    };
    let with = |after| [of(29, 9, 10), of(7, 9, 10), after].concat();
    assert!(!Scene::new(with(of(6, 3, 19))).rules().contains("lost_visibility"));
    assert!(
        !Scene::new(with(of(6, 15, 20)))
            .rules()
            .contains("lost_visibility")
    );
    let causes = Scene::new(with([of(6, 4, 10), of(0, 4, 10)].concat())).causes();
    let lost: Vec<&Cause> = causes
        .iter()
        .filter(|cause| cause.recommendation.rule().name() == "lost_visibility")
        .collect();
    let titles: Vec<&str> = lost
        .iter()
        .map(|cause| cause.recommendation.title.as_str())
        .collect();
    let of_prompt = "Win back the visibility of Acme in answers to “Which 1?”";
    assert_eq!(titles, ["Win back the visibility of Acme in answers", of_prompt]);
    assert!(lost.iter().all(|cause| cause.impact == 10));
    let (before, after) = ([START, "2026-03-03"], ["2026-03-04", END]);
    let of_days = |days| query_of("/trends/visibility", days, &[1], &json!({}));
    assert_eq!(
        metadata(lost[1]),
        json!({
            "rule": "lost_visibility", "window": window(), "promptIds": ids(&[1]), "modelIds": [model_uuid(0)],
            "before": {
                "startDate": before[0], "endDate": before[1], "counts": {"mentions": 18, "responses": 20},
                "score": 90.0, "interval": [69.9, 97.21], "query": of_days(before),
            },
            "after": {
                "startDate": after[0], "endDate": after[1], "counts": {"mentions": 8, "responses": 20},
                "score": 40.0, "interval": [21.88, 61.34], "query": of_days(after),
            },
            "query": query("/trends/visibility", &[1], &json!({})),
        })
    );
}

#[test]
fn what_affects_a_tenth_of_the_answers_is_urgent() {
    let urgent = [
        (2, 2, Priority::Low),
        (3, 30, Priority::High),
        (3, 31, Priority::Medium),
        (3, 100, Priority::Medium),
    ];
    for (impact, answers, expected) in urgent
        .into_iter()
        .chain([(3, 101, Priority::Low), (u64::MAX, 1, Priority::High)])
    {
        assert_eq!(priority(impact, answers), expected, "{impact} of {answers}");
    }
}

#[test]
fn more_prompts_than_a_url_holds_are_those_that_weigh_most() {
    let mut checks = Vec::new();
    for prompt in 1..=130 {
        let one = |model| {
            said(prompt, model, &[])
                .citing(&["https://news.org/f"])
                .searching(&["best tool"])
        };
        let models = if prompt > 60 { 2 } else { 1 };
        checks.push(check(0, (0..models).map(one).collect()));
    }
    let mut scene = Scene::new(checks);
    scene.prompts = (1..=130).map(prompt).collect();
    let expected = ids(&(1..=30).chain(61..=130).collect::<Vec<_>>());
    for (rule, field, count) in [
        ("citation_gap", "citations", 170),
        ("fanout_gap", "frequency", 170),
    ] {
        let metadata = metadata(&scene.only(rule));
        let mut named: Vec<&str> = metadata["promptIds"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        named.sort_by_key(|id| (id.len(), id.to_owned()));
        let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        expected.sort_by_key(|id| (id.len(), id.to_owned()));
        assert_eq!(named, expected);
        assert_eq!(metadata[field], count);
    }
}
