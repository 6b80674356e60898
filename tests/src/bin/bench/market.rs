//! Generates what a brand's customers ask and what models answer. Every run generates the same data.

use acceptance::SeededRng;
use domain::answer::{Citation, ResponseState};
use domain::check::{Response, Usage};
use domain::citation::CanonicalUrl;
use domain::ordinal::BrandOrdinal;
use domain::time::{Day, MINUTE};
use mentions::common_words;

use super::distributions::{hit, of, real, zipf};

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

const CITATIONS: usize = 6;
const QUERIES: usize = 3;
/// Words that people use, and those of the brand's own field.
const LANGUAGE: usize = 6_000;
const FIELD: usize = 2_000;
/// How often a query is a new one, and how many variants the others have per prompt.
const FRESH: f64 = 0.3;
const VARIANTS: f64 = 40.0;

pub(crate) struct Market {
    prompts: u32,
    models: u32,
    words: Vec<&'static str>,
    domains: Vec<String>,
    /// How often the domains up to each one are cited, in all.
    reach: Vec<f64>,
}

impl Market {
    /// 1,000 domains, and ten more for every prompt.
    pub(crate) fn new(prompts: u32, models: u32) -> Self {
        let known: Vec<&str> = common_words().collect();
        let mut rng = SeededRng::new(9);
        let words: Vec<&str> = (0..LANGUAGE).map(|_| *of(&mut rng, &known)).collect();
        // A domain is a short word or two.
        let short: Vec<&str> = known.iter().filter(|word| word.len() <= 7).copied().collect();
        let (mut domains, mut reach, mut sum) = (Vec::new(), Vec::new(), 0.0);
        for rank in 1..=1_000 + 10 * prompts {
            let parts = 1 + usize::from(hit(&mut rng, 0.5));
            let name: String = (0..parts).map(|_| *of(&mut rng, &short)).collect();
            domains.push(format!("{name}.{}", of(&mut rng, &ENDS)));
            sum += 1.0 / f64::from(rank);
            reach.push(sum);
        }
        Self {
            prompts,
            models,
            words,
            domains,
            reach,
        }
    }

    /// The text of a prompt.
    pub(crate) fn prompt(&self, ordinal: u32) -> String {
        let query = self.query(ordinal, 0).to_lowercase();
        format!("What would you recommend for {query}?")
    }

    /// A day's check of every prompt with every model. `brands` are those known to it, the strongest first.
    pub(crate) fn day(&self, day: Day, brands: &[BrandOrdinal]) -> Vec<Response> {
        let mut rng = SeededRng::new(u64::from(day.0.unsigned_abs()) << 8);
        let mut responses = Vec::new();
        for prompt in 1..=self.prompts {
            // Of some prompts every answer names many brands.
            let lean = 0.2 + 1.4 * real(&mut SeededRng::new(u64::from(prompt)));
            for model in 0..self.models {
                let minutes = (10 * MINUTE).mul_f64(real(&mut rng));
                let at = day.start() + 6 * 60 * MINUTE + minutes;
                let failed = Response::failed(prompt.into(), model.into(), "No answer", at);
                responses.push(if hit(&mut rng, 0.01) {
                    failed
                } else {
                    self.answer(failed, lean, brands, &mut rng)
                });
            }
        }
        responses
    }

    fn answer(&self, failed: Response, lean: f64, brands: &[BrandOrdinal], rng: &mut SeededRng) -> Response {
        let prompt = failed.prompt.get();
        let mut named: Vec<(f64, BrandOrdinal)> = Vec::new();
        for (place, brand) in (1_u32..).zip(brands) {
            let rank = f64::from(place);
            if hit(rng, lean * 0.4 / rank) {
                named.push((rank + 4.0 * real(rng), *brand));
            }
        }
        named.sort_by(|a, b| a.0.total_cmp(&b.0));
        Response {
            state: ResponseState::Answered,
            reason: None,
            citations: self.citations(prompt, rng),
            queries: (0..QUERIES).map(|_| self.search(prompt, rng)).collect(),
            searched: Some(true),
            truncated: hit(rng, 0.01),
            brands: named.into_iter().map(|(_, brand)| brand).collect(),
            usage: Usage::default(),
            ..failed
        }
    }

    /// Distinct URLs, a third of them of what is always cited for the prompt.
    fn citations(&self, prompt: u32, rng: &mut SeededRng) -> Vec<Citation> {
        let mut cited: Vec<Citation> = Vec::new();
        while cited.len() < CITATIONS {
            let url = if hit(rng, 1.0 / 3.0) {
                let usual = (u64::from(prompt) << 16) + rng.next_u64() % 8;
                self.url(&mut SeededRng::new(usual))
            } else {
                self.url(rng)
            };
            if cited.iter().all(|known| known.url != url) {
                cited.push(Citation { url, title: None });
            }
        }
        cited
    }

    /// In its canonical form.
    fn url(&self, rng: &mut SeededRng) -> String {
        let drawn = real(rng) * self.reach.last().copied().unwrap_or_default();
        let place = self.reach.partition_point(|sum| *sum <= drawn);
        // Of a domain's pages, too, some are cited far oftener; the most cited domains have more of them.
        let page = zipf(rng, 3.0 + 3_000.0 / (place as f64 + 2.0));
        let mut of_page = SeededRng::new(((place as u64) << 20) + page as u64);
        let subdomain = if hit(&mut of_page, 0.125) { "docs." } else { "" };
        let slug: Vec<&str> = (0..2 + of_page.below(5))
            .map(|_| self.words[zipf(&mut of_page, FIELD as f64)])
            .collect();
        let path = match page {
            0 => String::new(),
            _ => format!("/{}{}", of(&mut of_page, &FOLDERS), slug.join("-")),
        };
        let url = format!("https://{subdomain}{}{path}", self.domains[place]);
        CanonicalUrl::parse(&url)
            .expect("a URL of words")
            .as_str()
            .to_owned()
    }

    /// A web search for the prompt: one that returns day by day, the first ones oftenest, or a new one.
    fn search(&self, prompt: u32, rng: &mut SeededRng) -> String {
        let variant = if hit(rng, FRESH) {
            1_000 + rng.below(1_000_000)
        } else {
            u32::try_from(zipf(rng, VARIANTS)).expect("a small number")
        };
        let query = self.query(prompt, variant);
        if hit(rng, 0.1) {
            query.to_lowercase()
        } else {
            query
        }
    }

    /// The same for the same variant: more than half of its words are of the prompt's ten.
    fn query(&self, prompt: u32, variant: u32) -> String {
        let mut rng = SeededRng::new((u64::from(prompt) << 32) + u64::from(variant));
        let count = 3 + zipf(&mut rng, 8.0);
        let words = (0..count).map(|_| {
            if hit(&mut rng, 0.6) {
                let place = zipf(&mut rng, 10.0) as u64;
                let mut topic = SeededRng::new((u64::from(prompt) << 8) + place + (1 << 60));
                self.word(zipf(&mut topic, LANGUAGE as f64))
            } else {
                self.word(zipf(&mut rng, LANGUAGE as f64))
            }
        });
        words.collect::<Vec<String>>().join(" ")
    }

    /// The word of that rank; every seventh is a name.
    fn word(&self, rank: usize) -> String {
        let word = self.words[rank];
        if rank.is_multiple_of(7) {
            let (first, rest) = word.split_at(1);
            format!("{}{rest}", first.to_uppercase())
        } else {
            word.to_owned()
        }
    }
}
