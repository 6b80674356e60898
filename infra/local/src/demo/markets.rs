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
    let mut best = &MARKETS[seed(&[&text], 0) as usize % MARKETS.len()];
    for market in &MARKETS {
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
