//! A market: who sells in it, who writes about it, and how strong each brand is with a model on a day.

use super::dice::seed;
use super::markets::MARKETS;

/// A brand of a market.
pub(super) struct Brand {
    pub name: &'static str,
    pub domain: &'static str,
    /// How often it is mentioned, in permille, all models and days taken together.
    pub strength: i32,
    /// Permille that it gains (or loses) and loses (or gains) again in a period.
    pub swing: i32,
    /// The period's length in days.
    pub period: i32,
    /// What it is good at, as the end of a sentence that starts with its name.
    pub praise: &'static [&'static str],
    /// The model that does not know it; empty: all do.
    pub unknown_to: &'static str,
    /// Words of the questions that it never comes up in.
    pub absent_from: &'static [&'static str],
}

/// A site that writes about a market.
pub(super) struct Source {
    pub domain: &'static str,
    pub path: &'static str,
    pub title: &'static str,
}

pub(super) struct Market {
    /// What is sold, as searches name it: `running shoes`.
    pub thing: &'static str,
    /// Lower-case words of inputs that ask about this market.
    pub keywords: &'static [&'static str],
    pub brands: &'static [Brand],
    pub sources: &'static [Source],
    /// Whom it is sold to: `small teams`.
    pub buyers: &'static [&'static str],
    /// What buyers look at: `price`.
    pub concerns: &'static [&'static str],
}

/// The market that a text is about: the one with the most keywords in it, else any, always the same.
pub(super) fn of(text: &str) -> &'static Market {
    let text = text.to_lowercase();
    let hits = |market: &Market| market.keywords.iter().filter(|word| text.contains(*word)).count();
    let mut best = &MARKETS[seed(&[&text], 0) as usize % MARKETS.len()];
    for market in &MARKETS {
        if hits(market) > hits(best) {
            best = market;
        }
    }
    best
}

impl Brand {
    pub(super) const fn unknown_to(mut self, model: &'static str) -> Self {
        self.unknown_to = model;
        self
    }

    pub(super) const fn absent_from(mut self, words: &'static [&'static str]) -> Self {
        self.absent_from = words;
        self
    }

    /// Whether a model can name the brand in answer to a question.
    pub(super) fn comes_up(&self, model: &str, input: &str) -> bool {
        let input = input.to_lowercase();
        self.unknown_to != model && !self.absent_from.iter().any(|word| input.contains(word))
    }

    /// Whether its own site has anything to say to a question: to two of three it has.
    pub(super) fn has_page(&self, input: &str) -> bool {
        !seed(&["page", input, self.name], 0).is_multiple_of(3)
    }

    /// How likely the brand is mentioned, in permille: its strength, the model's taste, how well it fits the question, and
    /// where its slow swing is on that day.
    pub(super) fn chance(&self, model: &str, input: &str, day: i32) -> i32 {
        let taste = spread(&["taste", model, self.name], 160);
        let fit = spread(&["fit", input, self.name], 140);
        let chance = self.strength + taste + fit + self.wave(day);
        chance.clamp(60, 900)
    }

    /// From `-swing` to `swing` and back along straight lines.
    fn wave(&self, day: i32) -> i32 {
        let period = self.period.max(2);
        let at = day.rem_euclid(period);
        let rising = at.min(period - at);
        4 * self.swing * rising / period - self.swing
    }
}

/// A number from `-most` to `most` that follows from the texts.
fn spread(texts: &[&str], most: u32) -> i32 {
    let at = seed(texts, 0) % u64::from(2 * most + 1);
    i32::try_from(at).unwrap_or(0) - most.cast_signed()
}
