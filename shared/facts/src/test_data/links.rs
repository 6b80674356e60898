//! Generated citations for tests.

use domain::citation::CanonicalUrl;
use proptest::collection::vec;
use proptest::prelude::*;

use super::Random;
use crate::families::LinkRow;

/// Generates rows with few distinct prompts, models and URLs, so that they often coincide, and a few large
/// ordinals.
pub(crate) fn link_rows() -> impl Strategy<Value = Vec<LinkRow>> {
    let ordinal = || prop_oneof![9 => 0u32..8, 1 => any::<u32>()];
    let domain = prop_oneof![
        9 => "(docs\\.)?[a-c](\\.com|\\.co\\.uk|\\.de)",
        1 => Just("192.168.1.1".to_owned()),
        1 => Just("[::1]:81".to_owned()),
    ];
    let url = (domain, "(/[a-b]{1,2}){0,2}", "(\\?p=é?[:/])?");
    let url = url.prop_map(|(domain, path, query)| {
        CanonicalUrl::parse(&format!("https://{domain}{path}{query}")).unwrap()
    });
    let row = (ordinal(), ordinal(), vec(url, 0..6));
    vec(
        row.prop_map(|(prompt, model, urls)| LinkRow {
            prompt: prompt.into(),
            model: model.into(),
            urls,
        }),
        0..40,
    )
}

/// The words of a dictionary. `mentions` adds others to them, which must not change the generated data.
static WORDS: &str = include_str!("../../../mentions/common_words/en.txt");

/// The suffixes of domains, with common ones repeated.
static SUFFIXES: [&str; 16] = [
    "com", "com", "com", "com", "com", "com", "com", "org", "org", "net", "io", "ai", "co", "de", "co.uk",
    "app",
];
static FOLDERS: [&str; 8] = [
    "",
    "",
    "blog/",
    "blog/",
    "articles/",
    "guides/",
    "reviews/",
    "en/resources/",
];

/// The domains that answers about a brand cite, the most cited first, and their pages. They are equal on all
/// days.
pub(crate) struct World {
    prompts: u32,
    models: u32,
    words: Vec<&'static str>,
    domains: Vec<String>,
    /// The cumulative weight of the citations of the domains up to each one.
    cumulative_weights: Vec<f64>,
}

impl World {
    pub(crate) fn new(prompts: u32, models: u32) -> Self {
        let words: Vec<&str> = WORDS.lines().filter(|word| word.len() <= 7).collect();
        let mut random = Random(9);
        let count = 1_000 + 10 * prompts;
        let mut domains = Vec::new();
        let mut cumulative_weights = Vec::new();
        let mut sum = 0.0;
        for rank in 1..=count {
            let name: String = (0..1 + random.below(2)).map(|_| *random.of(&words)).collect();
            domains.push(format!("{name}.{}", random.of(&SUFFIXES)));
            sum += 1.0 / f64::from(rank);
            cumulative_weights.push(sum);
        }
        // URLs about the brand contain only a small part of the words.
        let words = (0..2_000).map(|_| *random.of(&words)).collect();
        Self {
            prompts,
            models,
            words,
            domains,
            cumulative_weights,
        }
    }

    /// Returns the domain with this rank, where 0 is the most cited one.
    pub(crate) fn domain(&self, rank: usize) -> &str {
        &self.domains[rank]
    }

    /// Creates the rows of one day's check, with six citations per response. A third of them recur for the
    /// prompt.
    pub(crate) fn day(&self, day: u64) -> Vec<LinkRow> {
        let mut random = Random(day);
        let mut rows = Vec::new();
        for prompt in 0..self.prompts {
            for model in 0..self.models {
                let url = |_| {
                    if random.below(3) > 0 {
                        return self.url(&mut random);
                    }
                    let recurring = u64::from(prompt) * 1_000 + random.below(8) as u64;
                    self.url(&mut Random(recurring))
                };
                rows.push(LinkRow {
                    prompt: prompt.into(),
                    model: model.into(),
                    urls: (0..6).map(url).collect(),
                });
            }
        }
        rows
    }

    fn url(&self, random: &mut Random) -> CanonicalUrl {
        // Neighbouring seeds have similar first numbers.
        random.next();
        let drawn = random.next() * self.cumulative_weights.last().unwrap();
        let rank = self.cumulative_weights.partition_point(|sum| *sum <= drawn);
        // Some pages of a domain are cited far more often than others. The most cited domains have more
        // pages.
        let pages = 3.0 + 3_000.0 / (rank as f64 + 2.0);
        let page = pages.powf(random.next()) as u64;
        let mut of_page = Random(rank as u64 * 10_000 + page);
        of_page.next();
        let subdomain = if of_page.below(8) == 0 { "docs." } else { "" };
        let slug: Vec<&str> = (0..2 + of_page.below(5))
            .map(|_| self.word(&mut of_page))
            .collect();
        let path = match page {
            1 => String::new(),
            _ => format!("/{}{}", of_page.of(&FOLDERS), slug.join("-")),
        };
        CanonicalUrl::parse(&format!("https://{subdomain}{}{path}", self.domains[rank])).unwrap()
    }

    fn word(&self, random: &mut Random) -> &'static str {
        let count = self.words.len() as f64;
        self.words[count.powf(random.next()) as usize - 1]
    }
}

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        (self.next() * limit as f64) as usize
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
