//! What each rule finds equals its definition, read off the answers one by one.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::strategy::ValueTree;
use strum::VariantArray;

use super::*;
use crate::board::SourceType;
use crate::citation::CanonicalUrl;
use crate::metrics::Share;

/// Every URL's registrable domain is the one before its path.
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

fn answers() -> impl Strategy<Value = Said> {
    let state = prop_oneof![12 => Just(ResponseState::Answered), 1 => Just(ResponseState::Refused), 1 => Just(ResponseState::Failed)];
    // The entity is named rarely for low prompts and often for high ones, so that rules fire and do not.
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
            Said {
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
    let one = (0i32..36, vec(answers(), 1..40)).prop_map(|(ago, mut said)| {
        said.sort_by_key(|said| (said.prompt, said.model));
        said.dedup_by_key(|said| (said.prompt, said.model));
        Check { ago, said }
    });
    // In some scenes the entity is not named any more in the last days.
    (vec(one, 0..22), any::<bool>()).prop_map(|(mut checks, is_lost)| {
        for check in checks.iter_mut().filter(|check| is_lost && check.ago < 7) {
            for said in &mut check.said {
                said.brands.retain(|brand| !is_own(&[*brand]));
            }
        }
        checks
    })
}

fn is_own(brands: &[u32]) -> bool {
    brands.contains(&ACME) || brands.contains(&SISTER)
}

/// The answered responses of the last so many days that pass.
fn answered(scene: &Scene, days: std::ops::Range<i32>, of: impl Fn(&Said) -> bool) -> Vec<&Said> {
    let inside = scene.checks.iter().filter(|check| days.contains(&check.ago));
    let said = inside.flat_map(|check| &check.said);
    said.filter(|said| said.state == ResponseState::Answered && of(said))
        .collect()
}

fn share(said: &[&Said], is: impl Fn(&[u32]) -> bool) -> Share {
    Share {
        mentions: said.iter().filter(|said| is(&said.brands)).count() as u64,
        responses: said.len() as u64,
    }
}

fn domain(url: &str) -> String {
    CanonicalUrl::parse(url).unwrap().registrable().to_owned()
}

fn cites(said: &Said, domains: &[&str]) -> u64 {
    let cited = said.urls.iter().map(|url| domain(url));
    cited.filter(|domain| domains.contains(&domain.as_str())).count() as u64
}

type Impacts = BTreeMap<String, u64>;

fn of_prompts(scene: &Scene, expected: &mut Impacts) {
    for prompt in 1..=4 {
        let of = |days| answered(scene, days, |said| said.prompt == prompt);
        let all = share(&of(0..30), is_own);
        let of_prompt = |check: &&Check| check.ago < 30 && check.said.iter().any(|s| s.prompt == prompt);
        let asked: Vec<&Check> = scene.checks.iter().filter(of_prompt).collect();
        let here = |check: &&&Check| {
            let said: Vec<&Said> = check.said.iter().filter(|s| s.prompt == prompt).collect();
            said.iter().all(|s| s.state != ResponseState::Failed)
                && said.iter().any(|s| s.state == ResponseState::Answered)
        };
        let named = |check: &&Check| {
            let mut said = check.said.iter();
            said.any(|s| s.prompt == prompt && s.state == ResponseState::Answered && is_own(&s.brands))
        };
        let last = asked
            .iter()
            .copied()
            .filter(|check| named(check))
            .map(|check| check.ago)
            .min();
        let after: Vec<&&Check> = asked
            .iter()
            .filter(|check| last.is_none_or(|last| check.ago < last))
            .filter(here)
            .collect();
        if after.len() >= 3 {
            let since = after.iter().map(|check| check.ago).max().unwrap();
            let impact = of(0..since + 1).len() as u64;
            expected.insert(format!("persistent_absence p{prompt}"), impact);
        } else if all.score().is_some_and(|score| score < 50.0) {
            expected.insert(format!("low_visibility p{prompt}"), all.responses - all.mentions);
        }
        let own: u64 = of(0..30).iter().map(|s| cites(s, &["acme.com", "acme.de"])).sum();
        if all.mentions >= 5 && own == 0 {
            expected.insert(format!("uncited_mention p{prompt}"), all.mentions);
        }
        lost(
            expected,
            &format!("p{prompt}"),
            [share(&of(7..30), is_own), share(&of(0..7), is_own)],
        );
    }
}

fn lost(expected: &mut Impacts, subject: &str, [before, after]: [Share; 2]) {
    if before.responses < 20 || after.responses < 20 {
        return;
    }
    if before.interval().unwrap()[0] > after.interval().unwrap()[1] {
        let due = (before.mentions * after.responses) / before.responses;
        expected.insert(format!("lost_visibility {subject}"), due - after.mentions);
    }
}

fn of_all(scene: &Scene, expected: &mut Impacts) {
    let of = |days| share(&answered(scene, days, |_| true), is_own);
    lost(expected, "all", [of(7..30), of(0..7)]);
    let own = of(0..30);
    for model in 0..3 {
        let its = share(&answered(scene, 0..30, |s| s.model == model), is_own);
        let rest = share(&answered(scene, 0..30, |s| s.model != model), is_own);
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
        let its = share(&answered(scene, 0..30, |_| true), is_it);
        if own.responses >= 20 && its.interval().unwrap()[0] > own.interval().unwrap()[1] {
            let subject = uuid_of_domain(rival);
            expected.insert(format!("competitor_lead {subject}"), its.mentions - own.mentions);
        }
    }
}

fn of_citations(scene: &Scene, expected: &mut Impacts) {
    let silent = |prompt: u32| {
        let said = answered(scene, 0..30, |s| s.prompt == prompt);
        prompt <= 4 && said.iter().all(|s| !is_own(&s.brands))
    };
    for site in ["former.com", "news.org", "blog.net"] {
        let said = answered(scene, 0..30, |s| silent(s.prompt) && cites(s, &[site]) > 0);
        if said.iter().map(|s| cites(s, &[site])).sum::<u64>() >= 5 {
            expected.insert(format!("citation_gap {site}"), said.len() as u64);
        }
    }
    for query in ["best tool", "cheap tool"] {
        let ran = |s: &Said| {
            let folded = |q: &str| q.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            s.queries.iter().any(|q| folded(q) == query)
        };
        let said = answered(scene, 0..7, |s| s.prompt <= 4 && ran(s));
        let prompts: BTreeSet<u32> = said.iter().map(|s| s.prompt).collect();
        let own = answered(scene, 0..7, |s| prompts.contains(&s.prompt));
        let own: u64 = own.iter().map(|s| cites(s, &["acme.com", "acme.de"])).sum();
        if said.len() >= 3 && own == 0 {
            expected.insert(format!("fanout_gap {query}"), said.len() as u64);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_rules_find_what_their_definitions_say(checks in checks()) {
        let scene = Scene::new(checks);
        let mut expected = Impacts::new();
        of_prompts(&scene, &mut expected);
        of_all(&scene, &mut expected);
        of_citations(&scene, &mut expected);
        let name = |candidate: &Candidate| serde_json::to_value(&candidate.fingerprint).unwrap().as_str().unwrap().to_owned();
        let candidates = scene.candidates();
        let found: Impacts = candidates.iter().map(|candidate| (name(candidate), candidate.impact)).collect();
        prop_assert_eq!(found.len(), candidates.len());
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn the_random_answers_are_such_that_every_rule_fires() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut fired = BTreeSet::new();
    for _ in 0..200 {
        let checks = checks().new_tree(&mut runner).unwrap().current();
        fired.extend(Scene::new(checks).rules());
    }
    assert_eq!(fired.len(), SourceType::VARIANTS.len(), "{fired:?}");
}
