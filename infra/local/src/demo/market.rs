//! A market: its brands, the sites that write about it, and the probability that a model mentions each brand
//! on a day.

use super::random::seed;

/// The probability that a brand is mentioned, and its change over time.
pub(super) struct Popularity {
    /// The mean over all models and days, in permille.
    pub mean: i32,
    /// The amplitude of the periodic change, in permille. A negative one starts high and falls first.
    pub swing: i32,
    /// The length of the period, in days.
    pub period: i32,
}

/// A brand of a market.
pub(super) struct Brand {
    pub name: &'static str,
    pub domain: &'static str,
    pub popularity: Popularity,
    /// The brand's strengths. Each one completes a sentence that starts with the brand's name.
    pub praise: &'static [&'static str],
    /// The model that does not know the brand, or an empty text.
    pub unknown_to: &'static str,
    /// Words of questions whose answers never mention the brand.
    pub absent_from: &'static [&'static str],
    /// The popularity that the brand has lost in the latest days of the demo's history, in permille.
    pub recent_loss: i32,
}

/// A site that writes about a market.
pub(super) struct Source {
    pub domain: &'static str,
    pub path: &'static str,
    pub title: &'static str,
}

/// Brands that compete for the same buyers.
pub(super) struct Market {
    /// The product in the words of a search, such as `running shoes`.
    pub product: &'static str,
    /// Lower-case words by which a text about this market is recognised.
    pub keywords: &'static [&'static str],
    pub brands: &'static [Brand],
    pub sources: &'static [Source],
    /// The buyers, such as `small teams`.
    pub buyers: &'static [&'static str],
    /// The criteria of buyers, such as `price`.
    pub concerns: &'static [&'static str],
}

impl Market {
    /// Counts the keywords that are in a text in lower case.
    pub(super) fn keywords_in(&self, text: &str) -> usize {
        self.keywords.iter().filter(|word| text.contains(**word)).count()
    }
}

impl Brand {
    pub(super) const fn new(
        name: &'static str,
        domain: &'static str,
        popularity: Popularity,
        praise: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            domain,
            popularity,
            praise,
            unknown_to: "",
            absent_from: &[],
            recent_loss: 0,
        }
    }

    pub(super) const fn unknown_to(mut self, model: &'static str) -> Self {
        self.unknown_to = model;
        self
    }

    pub(super) const fn absent_from(mut self, words: &'static [&'static str]) -> Self {
        self.absent_from = words;
        self
    }

    pub(super) const fn losing(mut self, permille: i32) -> Self {
        self.recent_loss = permille;
        self
    }

    /// Returns whether a model can mention the brand in an answer to a question.
    pub(super) fn is_known(&self, model: &str, input: &str) -> bool {
        let input = input.to_lowercase();
        self.unknown_to != model && !self.absent_from.iter().any(|word| input.contains(word))
    }

    /// Returns whether the brand's own site has a page that answers a question, which is so for two of three
    /// questions.
    pub(super) fn has_page(&self, input: &str) -> bool {
        !seed(&["page", input, self.name], 0).is_multiple_of(3)
    }

    /// Returns the probability that the brand is mentioned, in permille. It depends on the brand's popularity
    /// on that day, the model's preferences and how well the brand fits the question.
    pub(super) fn chance(&self, model: &str, input: &str, day: i32) -> i32 {
        let taste = spread(&["taste", model, self.name], 160);
        let fit = spread(&["fit", input, self.name], 140);
        let chance = self.popularity.mean + taste + fit + self.change_on(day);
        chance.clamp(60, 900)
    }

    /// Returns the change from the mean on a day. It moves linearly from `-swing` to `swing` and back.
    fn change_on(&self, day: i32) -> i32 {
        let period = self.popularity.period.max(2);
        let at = day.rem_euclid(period);
        let rising = at.min(period - at);
        4 * self.popularity.swing * rising / period - self.popularity.swing
    }
}

/// Returns a number from `-max` to `max`, derived from the texts.
fn spread(texts: &[&str], max: u32) -> i32 {
    let number = seed(texts, 0) % u64::from(2 * max + 1);
    i32::try_from(number).unwrap_or(0) - max.cast_signed()
}

impl Source {
    pub(super) const fn new(domain: &'static str, path: &'static str, title: &'static str) -> Self {
        Self { domain, path, title }
    }
}
