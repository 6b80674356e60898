//! The demo's markets. Every company, site and title is made up.

mod banking;
mod projects;
mod shoes;

use super::market::{Brand, Market, Source};

pub(super) static MARKETS: [Market; 3] = [projects::MARKET, shoes::MARKET, banking::MARKET];

/// A brand: name, domain, strength, swing, period, praise.
const fn brand(
    name: &'static str,
    domain: &'static str,
    (strength, swing, period): (i32, i32, i32),
    praise: &'static [&'static str],
) -> Brand {
    Brand {
        name,
        domain,
        strength,
        swing,
        period,
        praise,
        unknown_to: "",
        absent_from: &[],
    }
}

const fn source(domain: &'static str, path: &'static str, title: &'static str) -> Source {
    Source { domain, path, title }
}
