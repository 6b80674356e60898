//! Made-up citations.

use proptest::collection::vec;
use proptest::prelude::*;

use super::Random;
use crate::citation::CanonicalUrl;
use crate::facts::families::LinkRow;
use mentions::common_words;

/// Rows with few distinct prompts, models and URLs, so that they meet, and a few far out.
pub(in crate::facts) fn link_rows() -> impl Strategy<Value = Vec<LinkRow>> {
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
        row.prop_map(|(prompt, model, urls)| LinkRow { prompt, model, urls }),
        0..40,
    )
}

/// The ends of domains, the common ones several times.
static ENDS: [&str; 16] = [
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

/// What one brand's customers find: domains, the first of which are cited oftenest, each with its pages. It
/// stays the same from day to day.
pub(in crate::facts) struct World {
    prompts: u32,
    models: u32,
    words: Vec<&'static str>,
    domains: Vec<String>,
    /// How often the domains up to each one are cited, in all.
    reach: Vec<f64>,
}

impl World {
    pub(in crate::facts) fn new(prompts: u32, models: u32) -> Self {
        let words: Vec<&str> = common_words().filter(|word| word.len() <= 7).collect();
        let mut random = Random(9);
        let count = 1_000 + 10 * prompts;
        let mut domains = Vec::new();
        let mut reach = Vec::new();
        let mut sum = 0.0;
        for rank in 1..=count {
            let name: String = (0..1 + random.below(2)).map(|_| *random.of(&words)).collect();
            domains.push(format!("{name}.{}", random.of(&ENDS)));
            sum += 1.0 / f64::from(rank);
            reach.push(sum);
        }
        // The brand's own field has its words, and few of them.
        let words = (0..2_000).map(|_| *random.of(&words)).collect();
        Self {
            prompts,
            models,
            words,
            domains,
            reach,
        }
    }

    /// The domain that is cited so often: 0 is the most cited one.
    pub(in crate::facts) fn domain(&self, place: usize) -> &str {
        &self.domains[place]
    }

    /// One day's check: six citations per response, a third of them of what is always cited for the prompt.
    pub(in crate::facts) fn day(&self, day: u64) -> Vec<LinkRow> {
        let mut random = Random(day);
        let mut rows = Vec::new();
        for prompt in 0..self.prompts {
            for model in 0..self.models {
                let url = |_| {
                    if random.below(3) > 0 {
                        return self.url(&mut random);
                    }
                    let usual = u64::from(prompt) * 1_000 + random.below(8) as u64;
                    self.url(&mut Random(usual))
                };
                rows.push(LinkRow {
                    prompt,
                    model,
                    urls: (0..6).map(url).collect(),
                });
            }
        }
        rows
    }

    fn url(&self, random: &mut Random) -> CanonicalUrl {
        // The first numbers of neighbouring seeds are alike.
        random.next();
        let drawn = random.next() * self.reach.last().unwrap();
        let place = self.reach.partition_point(|sum| *sum <= drawn);
        // Of a domain's pages, too, some are cited far oftener; the most cited domains have more of them.
        let pages = 3.0 + 3_000.0 / (place as f64 + 2.0);
        let page = pages.powf(random.next()) as u64;
        let mut of_page = Random(place as u64 * 10_000 + page);
        of_page.next();
        let subdomain = if of_page.below(8) == 0 { "docs." } else { "" };
        let slug: Vec<&str> = (0..2 + of_page.below(5))
            .map(|_| self.word(&mut of_page))
            .collect();
        let path = match page {
            1 => String::new(),
            _ => format!("/{}{}", of_page.of(&FOLDERS), slug.join("-")),
        };
        CanonicalUrl::parse(&format!("https://{subdomain}{}{path}", self.domains[place])).unwrap()
    }

    fn word(&self, random: &mut Random) -> &'static str {
        let most = self.words.len() as f64;
        self.words[most.powf(random.next()) as usize - 1]
    }
}

impl Random {
    fn below(&mut self, most: usize) -> usize {
        (self.next() * most as f64) as usize
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
