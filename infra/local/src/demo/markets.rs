//! The markets of the demo. Every company, site and title is made up.

mod banking;
mod projects;
mod shoes;

use super::market::Market;
use super::random::seed;

static MARKETS: [Market; 3] = [projects::MARKET, shoes::MARKET, banking::MARKET];

/// Finds the market that a text is about, which is the one with the most keywords in it. The market of a text
/// without keywords depends only on the text.
pub(super) fn find(text: &str) -> &'static Market {
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
