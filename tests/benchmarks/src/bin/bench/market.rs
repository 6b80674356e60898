//! Generates the questions of a brand's customers and the answers of models. Every run generates identical
//! data.

use acceptance::SeededRng;
use domain::answer::{Citation, ResponseState};
use domain::check::{Response, Usage};
use domain::citation::CanonicalUrl;
use domain::ordinal::BrandOrdinal;
use domain::time::{Day, MINUTE};
use mentions::common_words;

use super::distributions::{chance, fraction, zipf};

/// The public suffixes of domains. Common ones occur several times.
static SUFFIXES: [&str; 16] = [
    "com", "com", "com", "com", "com", "com", "com", "org", "org", "net", "io", "ai", "co", "de", "co.uk",
    "app",
];
/// The first folders of paths. Common ones occur several times.
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

/// The number of citations per answer.
const CITATIONS: usize = 6;
/// The number of searches per answer.
const QUERIES: usize = 3;
/// The number of words in use.
const VOCABULARY: usize = 6_000;
/// The number of words in URLs.
const URL_VOCABULARY: usize = 2_000;
/// The share of searches that occur only once.
const UNIQUE_SEARCHES: f64 = 0.3;
/// The number of variants of a prompt's other searches.
const SEARCH_VARIANTS: f64 = 40.0;

/// A market whose prompts, models and domains are fixed.
pub(crate) struct Market {
    prompts: u32,
    models: u32,
    words: Vec<&'static str>,
    domains: Vec<String>,
    /// The sum of the citation weights of all domains up to each one.
    cumulative_weights: Vec<f64>,
}

/// A mentioned brand with a random rank, by which it is sorted.
struct RankedBrand {
    rank: f64,
    brand: BrandOrdinal,
}

impl Market {
    /// Creates a market with 1,000 domains, and ten more for every prompt.
    pub(crate) fn new(prompts: u32, models: u32) -> Self {
        let known: Vec<&str> = common_words().collect();
        let mut rng = SeededRng::new(9);
        let words: Vec<&str> = (0..VOCABULARY).map(|_| *rng.choose(&known)).collect();
        // A domain consists of one or two short words.
        let short: Vec<&str> = known.iter().filter(|word| word.len() <= 7).copied().collect();
        let (mut domains, mut cumulative_weights, mut sum) = (Vec::new(), Vec::new(), 0.0);
        for rank in 1..=1_000 + 10 * prompts {
            let parts = 1 + usize::from(chance(&mut rng, 0.5));
            let name: String = (0..parts).map(|_| *rng.choose(&short)).collect();
            domains.push(format!("{name}.{}", rng.choose(&SUFFIXES)));
            sum += 1.0 / f64::from(rank);
            cumulative_weights.push(sum);
        }
        Self {
            prompts,
            models,
            words,
            domains,
            cumulative_weights,
        }
    }

    /// Returns a word that occurs in a few of a hundred searches.
    pub(crate) fn frequent_word(&self) -> String {
        self.word(20)
    }

    /// Returns the text of a prompt.
    pub(crate) fn prompt(&self, ordinal: u32) -> String {
        let query = self.query(ordinal, 0).to_lowercase();
        format!("What would you recommend for {query}?")
    }

    /// Generates the responses of a day's check. `brands` are the brands in its plan, the most frequently
    /// mentioned first.
    pub(crate) fn day(&self, day: Day, brands: &[BrandOrdinal]) -> Vec<Response> {
        let mut rng = SeededRng::new(u64::from(day.0.unsigned_abs()) << 8);
        let mut responses = Vec::new();
        for prompt in 1..=self.prompts {
            // The answers to some prompts mention many brands.
            let brand_density = 0.2 + 1.4 * fraction(&mut SeededRng::new(u64::from(prompt)));
            for model in 0..self.models {
                let minutes = (10 * MINUTE).mul_f64(fraction(&mut rng));
                let at = day.start() + 6 * 60 * MINUTE + minutes;
                let failed = Response::failed(prompt.into(), model.into(), "No answer", at);
                responses.push(if chance(&mut rng, 0.01) {
                    failed
                } else {
                    self.answer(failed, brand_density, brands, &mut rng)
                });
            }
        }
        responses
    }

    fn answer(
        &self,
        failed: Response,
        brand_density: f64,
        brands: &[BrandOrdinal],
        rng: &mut SeededRng,
    ) -> Response {
        let prompt = failed.prompt.get();
        let mut mentioned: Vec<RankedBrand> = Vec::new();
        for (position, brand) in (1_u32..).zip(brands) {
            let rank = f64::from(position);
            if chance(rng, brand_density * 0.4 / rank) {
                mentioned.push(RankedBrand {
                    rank: rank + 4.0 * fraction(rng),
                    brand: *brand,
                });
            }
        }
        mentioned.sort_by(|a, b| a.rank.total_cmp(&b.rank));
        Response {
            state: ResponseState::Answered,
            reason: None,
            citations: self.citations(prompt, rng),
            queries: (0..QUERIES).map(|_| self.search(prompt, rng)).collect(),
            searched: Some(true),
            truncated: chance(rng, 0.01),
            brands: mentioned.into_iter().map(|mentioned| mentioned.brand).collect(),
            usage: Usage::default(),
            ..failed
        }
    }

    /// Generates distinct URLs. A third of them are among the eight URLs that are cited regularly for the
    /// prompt.
    fn citations(&self, prompt: u32, rng: &mut SeededRng) -> Vec<Citation> {
        let mut cited: Vec<Citation> = Vec::new();
        while cited.len() < CITATIONS {
            let url = if chance(rng, 1.0 / 3.0) {
                let usual = (u64::from(prompt) << 16) + rng.next_u64() % 8;
                self.url(&mut SeededRng::new(usual))
            } else {
                self.url(rng)
            };
            if cited.iter().all(|known| known.url != url) {
                cited.push(Citation {
                    url,
                    title: None,
                    ..Default::default()
                });
            }
        }
        cited
    }

    /// Generates a URL in canonical form.
    fn url(&self, rng: &mut SeededRng) -> String {
        let drawn = fraction(rng) * self.cumulative_weights.last().copied().unwrap_or_default();
        let domain = self.cumulative_weights.partition_point(|sum| *sum <= drawn);
        // Some pages of a domain are cited far more often than others. The most cited domains have the most
        // pages.
        let page = zipf(rng, 3.0 + 3_000.0 / (domain as f64 + 2.0));
        let mut page_rng = SeededRng::new(((domain as u64) << 20) + page as u64);
        let subdomain = if chance(&mut page_rng, 0.125) { "docs." } else { "" };
        let slug: Vec<&str> = (0..2 + page_rng.below(5))
            .map(|_| self.words[zipf(&mut page_rng, URL_VOCABULARY as f64)])
            .collect();
        let path = match page {
            0 => String::new(),
            _ => format!("/{}{}", page_rng.choose(&FOLDERS), slug.join("-")),
        };
        let url = format!("https://{subdomain}{}{path}", self.domains[domain]);
        CanonicalUrl::parse(&url)
            .expect("a URL of words")
            .as_str()
            .to_owned()
    }

    /// Generates a web search for the prompt: a variant that recurs every day, or a search that occurs only
    /// once.
    fn search(&self, prompt: u32, rng: &mut SeededRng) -> String {
        let variant = if chance(rng, UNIQUE_SEARCHES) {
            1_000 + rng.below(1_000_000)
        } else {
            u32::try_from(zipf(rng, SEARCH_VARIANTS)).expect("a small number")
        };
        let query = self.query(prompt, variant);
        if chance(rng, 0.1) {
            query.to_lowercase()
        } else {
            query
        }
    }

    /// Returns a variant of the prompt's search. More than half of its words are among the prompt's ten
    /// words.
    fn query(&self, prompt: u32, variant: u32) -> String {
        let mut rng = SeededRng::new((u64::from(prompt) << 32) + u64::from(variant));
        let count = 3 + zipf(&mut rng, 8.0);
        let words = (0..count).map(|_| {
            if chance(&mut rng, 0.6) {
                let index = zipf(&mut rng, 10.0) as u64;
                let mut word_rng = SeededRng::new((u64::from(prompt) << 8) + index + (1 << 60));
                self.word(zipf(&mut word_rng, VOCABULARY as f64))
            } else {
                self.word(zipf(&mut rng, VOCABULARY as f64))
            }
        });
        words.collect::<Vec<String>>().join(" ")
    }

    /// Returns the word with this rank. Every seventh word is capitalized, like a name.
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
