//! The markets of the demo: their brands, the sites that write about them, and the probability that a model
//! mentions each brand on a day. Every company, site and title is made up.

use std::sync::LazyLock;

use serde::Deserialize;

use super::random::seed;

#[expect(
    clippy::expect_used,
    reason = "the file is part of the program, and every test of the demo reads it"
)]
static MARKETS: LazyLock<Vec<Market>> =
    LazyLock::new(|| serde_json::from_str(include_str!("markets.json")).expect("markets.json is valid"));

/// Brands that compete for the same buyers.
#[derive(Deserialize)]
pub(super) struct Market {
    /// The product in the words of a search, such as `running shoes`.
    pub product: String,
    /// Lower-case words by which a text about this market is recognised.
    keywords: Vec<String>,
    pub brands: Vec<Brand>,
    pub sources: Vec<Source>,
    /// The buyers, such as `small teams`.
    pub buyers: Vec<String>,
    /// The criteria of buyers, such as `price`.
    pub concerns: Vec<String>,
}

/// A brand of a market. Its popularity is the probability that it is mentioned, in permille.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Brand {
    pub name: String,
    pub domain: String,
    /// The mean of the popularity over all models and days.
    mean: i32,
    /// The amplitude of its periodic change. A negative one starts high and falls first.
    swing: i32,
    /// The length of the period, in days.
    period: i32,
    /// The brand's strengths. Each one completes a sentence that starts with the brand's name.
    pub praise: Vec<String>,
    /// The model that does not know the brand.
    unknown_to: Option<String>,
    /// Words of questions whose answers never mention the brand.
    #[serde(default)]
    absent_from: Vec<String>,
    /// The popularity that the brand has lost in the latest days of the demo's history.
    #[serde(default)]
    pub recent_loss: i32,
}

/// A site that writes about a market.
#[derive(Deserialize)]
pub(super) struct Source {
    pub domain: String,
    pub path: String,
    pub title: String,
}

/// Finds the market that a text is about, which is the one with the most keywords in it. The market of a text
/// without keywords depends only on the text.
pub(super) fn find(text: &str) -> &'static Market {
    let text = text.to_lowercase();
    let mut best = &MARKETS[seed(&[&text], 0) as usize % MARKETS.len()];
    for market in MARKETS.iter() {
        if market.keywords_in(&text) > best.keywords_in(&text) {
            best = market;
        }
    }
    best
}

/// Returns whether a text is about one of the markets.
pub(super) fn is_known(text: &str) -> bool {
    let text = text.to_lowercase();
    MARKETS.iter().any(|market| market.keywords_in(&text) > 0)
}

impl Market {
    /// Counts the keywords that are in a text in lower case.
    fn keywords_in(&self, text: &str) -> usize {
        self.keywords.iter().filter(|word| text.contains(*word)).count()
    }
}

impl Brand {
    /// Returns whether a model can mention the brand in an answer to a question.
    pub(super) fn is_known(&self, model: &str, input: &str) -> bool {
        let input = input.to_lowercase();
        self.unknown_to.as_deref() != Some(model) && !self.absent_from.iter().any(|word| input.contains(word))
    }

    /// Returns whether the brand's own site has a page that answers a question, which is so for two of three
    /// questions.
    pub(super) fn has_page(&self, input: &str) -> bool {
        !seed(&["page", input, &self.name], 0).is_multiple_of(3)
    }

    /// Returns the probability that the brand is mentioned, in permille. It depends on the brand's popularity
    /// on that day, the model's preferences and how well the brand fits the question.
    pub(super) fn chance(&self, model: &str, input: &str, day: i32) -> i32 {
        let taste = spread(&["taste", model, &self.name], 160);
        let fit = spread(&["fit", input, &self.name], 140);
        let chance = self.mean + taste + fit + self.change_on(day);
        chance.clamp(60, 900)
    }

    /// Returns the change from the mean on a day. It moves linearly from `-swing` to `swing` and back.
    fn change_on(&self, day: i32) -> i32 {
        let period = self.period.max(2);
        let at = day.rem_euclid(period);
        let rising = at.min(period - at);
        4 * self.swing * rising / period - self.swing
    }
}

/// Returns a number from `-max` to `max`, derived from the texts.
fn spread(texts: &[&str], max: u32) -> i32 {
    // The lower half of the number is below the bound, which is one of 32 bits.
    let number = (seed(texts, 0) % u64::from(2 * max + 1)) as u32;
    number.cast_signed() - max.cast_signed()
}
