//! Generates random responses.

use std::time::Duration;

use acceptance::SeededRng;
use domain::answer::{Citation, CitationKind, ResponseState};
use domain::cell::Cell;
use domain::check::{NotMentioned, Plan, Response, Usage};
use domain::ordinal::BrandOrdinal;
use domain::time::{HOUR, Timestamp};
use mentions::RejectionReason;

const URLS: [&str; 20] = [
    "https://www.acme.com/a/",
    "http://acme.com/a?utm_source=openai",
    "https://blog.acme.com/b#part",
    "https://acme.com",
    "https://rival.co.uk/1",
    "https://shop.rival.co.uk/2?gclid=7&a=1",
    "https://shop.rival.co.uk/2?a=1",
    "https://one.github.io/",
    "https://two.github.io/x",
    "https://xn--mller-kva.de/x",
    "https://müller.de/x",
    "https://day.io/news",
    "https://other.org/",
    "https://rival.example/?b=2&a=1",
    "https://203.0.113.7/status",
    "https://news.example/1",
    "https://news.example/2",
    "ftp://acme.com/file",
    "mailto:me@acme.com",
    "no URL",
];

const QUERIES: [&str; 10] = [
    "best CRM",
    "Best CRM",
    " best   crm ",
    "BEST CRM 2026",
    "Straße a",
    "STRASSE A",
    "strasse  a",
    "crab 🦀",
    "Crab 🦀",
    "what is a crm",
];

/// Generates one model's response to one prompt, on the day of `at`.
pub(super) fn response(rng: &mut SeededRng, plan: &Plan, cell: Cell, at: Timestamp) -> Response {
    // Choose from few instants, so that many responses share one.
    let at = at.day().start() + HOUR + rng.below(12) * Duration::from_millis(1_777);
    let state = match rng.below(8) {
        0 => return Response::failed(cell.prompt, cell.model, "no answer", at),
        1 => ResponseState::Refused,
        _ => ResponseState::Answered,
    };
    let mut brands: Vec<BrandOrdinal> = plan.brands.iter().map(|brand| brand.ordinal).collect();
    brands.retain(|_| state == ResponseState::Answered && rng.chance(40));
    brands.sort_by_cached_key(|_| rng.next_u64());
    let others = plan.brands.iter().map(|brand| brand.ordinal);
    let mut others: Vec<BrandOrdinal> = others.filter(|brand| !brands.contains(brand)).collect();
    others.retain(|_| state == ResponseState::Answered && rng.chance(20));
    let not_mentioned = others.into_iter().map(|brand| NotMentioned {
        brand,
        reason: *rng.choose(&[RejectionReason::NothingFound, RejectionReason::LinkOnly]),
    });
    let not_mentioned = not_mentioned.collect();
    let titles = [None, Some("Title"), Some("Another")];
    let citations = (0..rng.below(8)).map(|_| Citation {
        url: (*rng.choose(&URLS)).to_owned(),
        title: rng.choose(&titles).map(str::to_owned),
        kind: *rng.choose(&[CitationKind::Reported, CitationKind::InText]),
    });
    let citations = citations.collect();
    let queries = (0..rng.below(5)).map(|_| (*rng.choose(&QUERIES)).to_owned());
    let queries = queries.collect();
    Response {
        state,
        text: format!("Answer {} ä", rng.below(1_000)),
        narration: vec!["Let me look.".to_owned(); rng.below(3) as usize],
        citations,
        unresolved_citations: rng.below(3),
        citations_truncated: rng.chance(10),
        queries,
        searched: *rng.choose(&[None, Some(true), Some(false)]),
        truncated: rng.chance(10),
        brands,
        not_mentioned,
        reason: None,
        usage: Usage {
            model_version: rng.choose(&[None, Some("v1"), Some("v2")]).map(str::to_owned),
            ..Usage::default()
        },
        ..Response::failed(cell.prompt, cell.model, "", at)
    }
}
