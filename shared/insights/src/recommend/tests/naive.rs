//! A comparison of all rules with naive implementations of their definitions, on random answers.

use domain::board::SourceType;
use domain::citation::CanonicalUrl;
use domain::metrics::Share;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::strategy::ValueTree;
use strum::VariantArray;

use super::*;

/// The cited URLs. Their hosts are registrable domains.
const URLS: [&str; 8] = [
    "https://acme.com/a",
    "https://acme.de/b",
    "https://rival.com/c",
    "https://big.com/d",
    "https://former.com/e",
    "https://news.org/f",
    "https://news.org/g",
    "https://blog.net/h",
];
const QUERIES: [&str; 4] = ["best tool", "Best  TOOL", "cheap tool", " "];

fn answers() -> impl Strategy<Value = TestAnswer> {
    let state = prop_oneof![12 => Just(ResponseState::Answered), 1 => Just(ResponseState::Refused), 1 => Just(ResponseState::Failed)];
    // Low prompts rarely mention the entity and high ones often do, so that every rule has both results.
    let brands = subsequence(vec![SISTER, RIVAL, BIG, BIGGER, FORMER], 0..=5);
    let urls = subsequence(URLS[2..].to_vec(), 0..4);
    let queries = vec(prop::sample::select(QUERIES.to_vec()), 0..3);
    (1u32..7, 0u32..4, state, brands, urls, queries, 0u32..100).prop_map(
        |(prompt, model, state, mut brands, mut urls, queries, luck)| {
            let chance = [0, 3, 30, 70, 50, 50, 50][prompt as usize];
            brands.retain(|brand| *brand != SISTER || luck * 3 < chance);
            if luck < chance && model != 2 {
                brands.insert(0, ACME);
            }
            if luck < 4 {
                urls.push(URLS[(luck % 2) as usize]);
            }
            TestAnswer {
                prompt,
                model,
                state,
                brands,
                urls,
                queries,
            }
        },
    )
}

fn checks() -> impl Strategy<Value = Vec<Check>> {
    let one = (0i32..36, vec(answers(), 1..40)).prop_map(|(days_ago, mut answers)| {
        answers.sort_by_key(|answer| (answer.prompt, answer.model));
        answers.dedup_by_key(|answer| (answer.prompt, answer.model));
        Check { days_ago, answers }
    });
    // In some cases, no answer of the last 7 days mentions the entity.
    (vec(one, 0..22), any::<bool>()).prop_map(|(mut checks, is_lost)| {
        for check in checks.iter_mut().filter(|check| is_lost && check.days_ago < 7) {
            for answer in &mut check.answers {
                answer.brands.retain(|brand| !is_own(&[*brand]));
            }
        }
        checks
    })
}

fn is_own(brands: &[u32]) -> bool {
    brands.contains(&ACME) || brands.contains(&SISTER)
}

/// Returns the answered responses on these days before today for which `of` is true.
fn answered(
    fixture: &Fixture,
    days: std::ops::Range<i32>,
    of: impl Fn(&TestAnswer) -> bool,
) -> Vec<&TestAnswer> {
    let inside = fixture
        .checks
        .iter()
        .filter(|check| days.contains(&check.days_ago));
    let answers = inside.flat_map(|check| &check.answers);
    answers
        .filter(|answer| answer.state == ResponseState::Answered && of(answer))
        .collect()
}

fn share(answers: &[&TestAnswer], is: impl Fn(&[u32]) -> bool) -> Share {
    Share {
        mentions: answers.iter().filter(|answer| is(&answer.brands)).count() as u64,
        responses: answers.len() as u64,
    }
}

fn domain(url: &str) -> String {
    CanonicalUrl::parse(url).unwrap().registrable().to_owned()
}

fn cites(answer: &TestAnswer, domains: &[&str]) -> u64 {
    let cited = answer.urls.iter().map(|url| domain(url));
    cited.filter(|domain| domains.contains(&domain.as_str())).count() as u64
}

type Impacts = BTreeMap<String, u64>;

fn of_prompts(fixture: &Fixture, expected: &mut Impacts) {
    for prompt in 1..=4 {
        let of = |days| answered(fixture, days, |answer| answer.prompt == prompt);
        let all = share(&of(0..30), is_own);
        let of_prompt =
            |check: &&Check| check.days_ago < 30 && check.answers.iter().any(|s| s.prompt == prompt);
        let asked: Vec<&Check> = fixture.checks.iter().filter(of_prompt).collect();
        let here = |check: &&&Check| {
            let answers: Vec<&TestAnswer> = check.answers.iter().filter(|s| s.prompt == prompt).collect();
            answers.iter().all(|s| s.state != ResponseState::Failed)
                && answers.iter().any(|s| s.state == ResponseState::Answered)
        };
        let named = |check: &&Check| {
            let mut answers = check.answers.iter();
            answers.any(|s| s.prompt == prompt && s.state == ResponseState::Answered && is_own(&s.brands))
        };
        let last = asked
            .iter()
            .copied()
            .filter(|check| named(check))
            .map(|check| check.days_ago)
            .min();
        let after: Vec<&&Check> = asked
            .iter()
            .filter(|check| last.is_none_or(|last| check.days_ago < last))
            .filter(here)
            .collect();
        if after.len() >= 3 {
            let since = after.iter().map(|check| check.days_ago).max().unwrap();
            let impact = of(0..since + 1).len() as u64;
            expected.insert(format!("persistent_absence p{prompt}"), impact);
        } else if all.score().is_some_and(|score| score < 50.0) {
            expected.insert(format!("low_visibility p{prompt}"), all.responses - all.mentions);
        }
        let own: u64 = of(0..30).iter().map(|s| cites(s, &["acme.com", "acme.de"])).sum();
        if all.mentions >= 5 && own == 0 {
            expected.insert(format!("uncited_mention p{prompt}"), all.mentions);
        }
    }
}

/// The days before today of the base and of the window.
const WINDOWS: [std::ops::Range<i32>; 2] = [7..30, 0..7];

/// Compares the answers of all prompts, of each model and of each prompt, one by one.
fn lost(fixture: &Fixture, expected: &mut Impacts) {
    let asked = |prompt, model| {
        WINDOWS.map(|days| answered(fixture, days, |s| (s.prompt, s.model) == (prompt, model)).len())
    };
    let is_compared = |s: &TestAnswer| asked(s.prompt, s.model).iter().all(|answers| *answers > 0);
    let judge = |of: &dyn Fn(&TestAnswer) -> bool| {
        let of_window = |days| answered(fixture, days, |s| of(s) && is_compared(s));
        let [before, after] = WINDOWS.map(|days| share(&of_window(days), is_own));
        let mut observed = Vec::new();
        for check in &fixture.checks {
            let Some(side) = WINDOWS.iter().position(|days| days.contains(&check.days_ago)) else {
                continue;
            };
            let answers = check.answers.iter();
            for s in answers.filter(|s| s.state == ResponseState::Answered && of(s) && is_compared(s)) {
                observed.push(statistics::Observation {
                    prompt: s.prompt,
                    model: s.model,
                    side: statistics::Side::BOTH[side],
                    day: u32::try_from(check.days_ago).unwrap(),
                    counts: statistics::Counts {
                        count: u64::from(is_own(&s.brands)),
                        total: 1,
                    },
                });
            }
        }
        let observations: statistics::Observations = observed.into_iter().collect();
        let compared = observations.compare(observations.prompts(), |_| true);
        let compared = compared.filter(|_| before.responses.min(after.responses) >= 20);
        (before, after, compared)
    };
    let mut found = |subject: &str, before: Share, after: Share, change: f64| {
        let impact = (-change * after.responses as f64).round() as u64;
        if impact > 0 && after.score() < before.score() {
            expected.insert(format!("lost_visibility {subject}"), impact);
        }
    };
    let (before, after, compared) = judge(&|_| true);
    if let Some(compared) = compared.filter(|compared| compared.p_value <= 0.05) {
        found("all", before, after, compared.change);
    }
    let models = (0..4).map(|model| (0, judge(&|s| s.model == model)));
    let prompts = (1..=6).map(|prompt| (prompt, judge(&|s| s.prompt == prompt)));
    let slices = models
        .chain(prompts)
        .filter_map(|(prompt, (before, after, compared))| Some((prompt, before, after, compared?)));
    let slices: Vec<_> = slices.collect();
    let p_values: Vec<f64> = slices.iter().map(|(.., compared)| compared.p_value).collect();
    let is_found = statistics::are_discoveries(&p_values);
    for ((prompt, before, after, compared), is_found) in slices.into_iter().zip(is_found) {
        if (1..=4).contains(&prompt) && is_found && compared.change < 0.0 {
            found(&format!("p{prompt}"), before, after, compared.change);
        }
    }
}

fn of_all(fixture: &Fixture, expected: &mut Impacts) {
    lost(fixture, expected);
    let own = share(&answered(fixture, 0..30, |_| true), is_own);
    for model in 0..3 {
        let its = share(&answered(fixture, 0..30, |s| s.model == model), is_own);
        let rest = share(&answered(fixture, 0..30, |s| s.model != model), is_own);
        if its.responses >= 10 && its.mentions == 0 && rest.responses > 0 {
            let (low, high) = (rest.interval().unwrap()[0], its.interval().unwrap()[1]);
            if low > high {
                expected.insert(format!("model_gap {}", model_uuid(model)), its.responses);
            }
        }
    }
    let rivals: [(&str, &[u32]); 3] = [
        ("rival.com", &[RIVAL]),
        ("bigger.com", &[BIG, BIGGER]),
        ("former.com", &[FORMER]),
    ];
    for (rival, brands) in rivals {
        let is_it = |named: &[u32]| named.iter().any(|brand| brands.contains(brand));
        let its = share(&answered(fixture, 0..30, |_| true), is_it);
        if own.responses >= 20 && its.interval().unwrap()[0] > own.interval().unwrap()[1] {
            let subject = uuid_of_domain(rival);
            expected.insert(format!("competitor_lead {subject}"), its.mentions - own.mentions);
        }
    }
}

fn of_citations(fixture: &Fixture, expected: &mut Impacts) {
    let silent = |prompt: u32| {
        let answers = answered(fixture, 0..30, |s| s.prompt == prompt);
        prompt <= 4 && answers.iter().all(|s| !is_own(&s.brands))
    };
    for site in ["former.com", "news.org", "blog.net"] {
        let answers = answered(fixture, 0..30, |s| silent(s.prompt) && cites(s, &[site]) > 0);
        if answers.iter().map(|s| cites(s, &[site])).sum::<u64>() >= 5 {
            expected.insert(format!("citation_gap {site}"), answers.len() as u64);
        }
    }
    for query in ["best tool", "cheap tool"] {
        let ran = |s: &TestAnswer| {
            let folded = |q: &str| q.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            s.queries.iter().any(|q| folded(q) == query)
        };
        let answers = answered(fixture, 0..7, |s| s.prompt <= 4 && ran(s));
        let prompts: BTreeSet<u32> = answers.iter().map(|s| s.prompt).collect();
        let own = answered(fixture, 0..7, |s| prompts.contains(&s.prompt));
        let own: u64 = own.iter().map(|s| cites(s, &["acme.com", "acme.de"])).sum();
        if answers.len() >= 3 && own == 0 {
            expected.insert(format!("fanout_gap {query}"), answers.len() as u64);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_rules_find_what_their_definitions_say(checks in checks()) {
        let fixture = Fixture::new(checks);
        let mut expected = Impacts::new();
        of_prompts(&fixture, &mut expected);
        of_all(&fixture, &mut expected);
        of_citations(&fixture, &mut expected);
        let name = |candidate: &Candidate| serde_json::to_value(&candidate.fingerprint).unwrap().as_str().unwrap().to_owned();
        let candidates = fixture.candidates();
        let found: Impacts = candidates.iter().map(|candidate| (name(candidate), candidate.impact)).collect();
        prop_assert_eq!(found.len(), candidates.len());
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn the_random_answers_trigger_every_rule() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut fired = BTreeSet::new();
    for _ in 0..200 {
        let checks = checks().new_tree(&mut runner).unwrap().current();
        fired.extend(Fixture::new(checks).rules());
    }
    assert_eq!(fired.len(), SourceType::VARIANTS.len(), "{fired:?}");
}
