//! Tests of the rules about models, sites, rivals and searches.

use super::rendering::*;
use super::*;

#[test]
fn model_gap_finds_a_model_that_never_mentions_the_brand() {
    let mut checks = answers(1, 0, 6, 6, &[ACME]);
    checks.extend(answers(1, 1, 5, 6, &[ACME]));
    checks.extend(answers(1, 2, 0, 9, &[]));
    assert!(!Fixture::new(checks.clone()).rules().contains("model_gap"));
    checks.extend(answers(2, 2, 0, 1, &[]));
    let candidate = Fixture::new(checks.clone()).only_candidate("model_gap");
    assert_eq!(candidate.impact, 10);
    assert_eq!(candidate.recommendation.title, "Get Acme named by CEDAR");
    let models = |models: &[u32]| {
        let uuids: Vec<String> = models.iter().map(|n| model_uuid(*n).to_string()).collect();
        query("/trends/visibility", &[], &json!({"models": uuids.join(",")}))
    };
    assert_eq!(
        metadata(&candidate),
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
    // A model that is no longer asked gets no recommendation.
    checks.extend(answers(1, 3, 0, 10, &[]));
    Fixture::new(checks).only_candidate("model_gap");
}

#[test]
fn citation_gap_finds_a_site_that_is_cited_without_the_brand() {
    let silent =
        |days_ago, prompt, urls: &[&'static str]| check(days_ago, vec![answer(prompt, 0, &[]).citing(urls)]);
    let (f, g) = ("https://news.org/f", "https://news.org/g");
    let mut checks = vec![
        silent(1, 1, &[f, g]),
        silent(2, 1, &[f]),
        silent(3, 2, &[f]),
        // Sites of the entity, of a rival and of a grouped rival do not count.
        silent(
            3,
            4,
            &["https://acme.de/x", "https://rival.com/x", "https://big.com/x"],
        ),
        // Answers that mention the brand, to a paused prompt or before the window do not count.
        check(3, vec![answer(3, 0, &[SISTER]).citing(&[f, g])]),
        silent(3, 5, &[f, g]),
        silent(30, 1, &[f]),
    ];
    assert!(!Fixture::new(checks.clone()).rules().contains("citation_gap"));
    checks.push(silent(0, 1, &[g]));
    let fixture = Fixture::new(checks);
    let mut candidate = fixture.only_candidate("citation_gap");
    assert_eq!(
        (candidate.impact, candidate.cited_domain()),
        (4, Some("news.org"))
    );
    assert_eq!(candidate.recommendation.title, "Get Acme onto news.org");
    let (links, texts) = fixture.links("news.org");
    add_urls(&mut candidate, &links, &texts);
    let cited = uuid_of_domain("news.org");
    assert_eq!(
        metadata(&candidate),
        json!({
            "rule": "citation_gap", "window": window(), "promptIds": ids(&[1, 2]), "modelIds": [model_uuid(0)],
            "domain": "news.org", "citedEntityUuid": cited, "citations": 5,
            "urls": [{"url": f, "citationCount": 3}, {"url": g, "citationCount": 2}],
            "query": query("/entities/citations/details", &[1, 2], &json!({"citedEntityUuid": cited})),
        })
    );
}

#[test]
fn competitor_lead_finds_a_rival_that_leads_significantly() {
    let mut checks = answers(1, 0, 12, 19, &[BIG, BIGGER, RIVAL]);
    checks.extend(answers(1, 1, 0, 0, &[]));
    assert!(!Fixture::new(checks.clone()).rules().contains("competitor_lead"));
    checks.extend(answers(2, 1, 1, 1, &[SISTER, ACME]));
    let candidates = Fixture::new(checks).candidates();
    let leads: Vec<&Candidate> = candidates
        .iter()
        .filter(|candidate| candidate.recommendation.rule().into_str() == "competitor_lead")
        .collect();
    assert_eq!(leads.len(), 2);
    assert_eq!(leads[0].impact, 11);
    // Two brands of a group are one rival with the name of its primary.
    let find = |name: &str| {
        leads
            .iter()
            .map(|c| metadata(c))
            .find(|m| m["rival"]["name"] == name)
    };
    let expected = json!({
        "rule": "competitor_lead", "window": window(), "promptIds": [], "modelIds": [model_uuid(0), model_uuid(1)],
        "rival": {
            "entityUuid": uuid_of_domain("bigger.com"), "name": "bigger.com", "domain": "bigger.com", "mentions": 12,
            "shareOfVoice": 48.0,
        },
        "own": {
            "entityUuid": uuid_of_domain("acme.com"), "name": "Acme", "domain": "acme.com", "mentions": 1,
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
fn fanout_gap_finds_a_search_whose_answers_never_cite_the_site() {
    let ran = |days_ago, prompt, model, queries: &[&'static str]| {
        check(days_ago, vec![answer(prompt, model, &[ACME]).searching(queries)])
    };
    let mut checks = vec![
        ran(0, 1, 0, &["Best tool", "best  tool"]),
        ran(6, 2, 1, &["best tool"]),
        ran(7, 2, 1, &["best tool"]),
        ran(1, 5, 1, &["best tool"]),
    ];
    assert!(!Fixture::new(checks.clone()).rules().contains("fanout_gap"));
    checks.push(ran(1, 2, 2, &["best tool", "too long ".repeat(40).leak()]));
    let fixture = Fixture::new(checks.clone());
    let candidate = fixture.only_candidate("fanout_gap");
    assert_eq!(candidate.impact, 3);
    assert_eq!(
        candidate.recommendation.title,
        "Publish a page that answers the search “best tool”"
    );
    let days = ["2026-03-04", END];
    assert_eq!(
        metadata(&candidate),
        json!({
            "rule": "fanout_gap", "window": {"startDate": "2026-03-04", "endDate": END, "days": 7},
            "promptIds": ids(&[1, 2]), "modelIds": [model_uuid(0), model_uuid(1), model_uuid(2)],
            "searchQuery": "best tool", "frequency": 4, "uniqueResponses": 3,
            "ownCitations": {"citations": 0, "query": query_of("/entities/prompts", days, &[1, 2], &json!({}))},
            "query": query_of("/query-fanouts", days, &[1, 2], &json!({"search": "best tool"})),
        })
    );
    // A citation counts in any answer to one of the search's prompts, even without that search.
    checks.push(check(2, vec![answer(2, 0, &[]).citing(&["https://acme.com/"])]));
    assert!(!Fixture::new(checks).rules().contains("fanout_gap"));
}

#[test]
fn evidence_is_limited_to_the_prompts_with_the_highest_counts() {
    let mut checks = Vec::new();
    for prompt in 1..=130 {
        let one = |model| {
            answer(prompt, model, &[])
                .citing(&["https://news.org/f"])
                .searching(&["best tool"])
        };
        let models = if prompt > 60 { 2 } else { 1 };
        checks.push(check(0, (0..models).map(one).collect()));
    }
    let mut fixture = Fixture::new(checks);
    fixture.prompts = (1..=130).map(prompt).collect();
    let expected = ids(&(1..=30).chain(61..=130).collect::<Vec<_>>());
    for (rule, field, count) in [
        ("citation_gap", "citations", 170),
        ("fanout_gap", "frequency", 170),
    ] {
        let metadata = metadata(&fixture.only_candidate(rule));
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
