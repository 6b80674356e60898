//! Links, URLs and domains.

use crate::support::{all_mentioned, brand, is_mentioned, reason};
use mentions::{Matcher, RejectionReason};

#[test]
fn links_count_by_their_labels_only() {
    all_mentioned(&[
        ("Zendo", "[Zendo](https://a.com)"),
        ("Zendo", "[Why Zendo wins](https://a.com)"),
        ("Zendo", "[Zendo][1]\n\n[1]: https://a.com"),
        ("Node.js", "[Node.js](https://nodejs.org)"),
    ]);
    let zendo = || brand(0, "Zendo", &[], Some("zendo.com"));
    for answer in [
        "[here](https://zendo.com/zendo)",
        "https://zendo.com",
        "<https://zendo.com>",
        "see www.zendo.com.",
        "([zendo.com](https://zendo.com/x?utm_source=openai))",
        "[https://zendo.com/x](https://zendo.com/x)",
        "[www.zendo.com, a.com +2](https://zendo.com)",
        "[zendo.com](https://zendo.com/x",
        "a.com/zendo/x",
        "[x]: https://zendo.com\n\nsee https://a.com/Zendo",
        "mail sales@zendo.com",
        "<zendo@a.com>",
    ] {
        let found = Matcher::new(&[zendo()]).find(answer);
        assert!(found.mentioned.is_empty(), "{answer}");
    }
    assert_eq!(
        reason(zendo(), "([zendo.com](https://zendo.com/x))"),
        Some(RejectionReason::LinkOnly)
    );
    assert_eq!(
        reason(zendo(), "see https://a.com/Zendo"),
        Some(RejectionReason::LinkOnly)
    );
    assert_eq!(reason(zendo(), "[a](https://notzendo.com)"), None);
}

#[test]
fn a_full_domain_in_prose_counts_and_its_label_does_not() {
    let mentioned = |answer: &str| {
        let you = brand(0, "Susea", &[], Some("you.com"));
        !Matcher::new(&[you]).find(answer).mentioned.is_empty()
    };
    for answer in [
        "use you.com.",
        "You.com is",
        "**you.com**",
        "`you.com`",
        "docs.you.com",
        "you.com/",
        "you.com, a.com",
        "You.com/Foo",
        "you.com's",
        "a you.com-based app",
        "在you.com上",
        "(you.com)",
        "see [the page of you.com](https://a.com)",
        "good is you.com.It has",
    ] {
        assert!(mentioned(answer), "{answer}");
    }
    for answer in [
        "you",
        "You are",
        "notyou.com",
        "not-you.com",
        "you.com.au",
        "you.community",
        "you.com-pany.net",
        "me@you.com",
        "@you.com",
        "you .com",
        "you. com",
        "you-.com",
        "yóu.com",
        "you.com/pricing",
        "(docs.you.com/a).",
    ] {
        assert!(!mentioned(answer), "{answer}");
    }
    let idn = Matcher::new(&[brand(0, "Susea", &[], Some("xn--mnchen-3ya.de"))]);
    assert_eq!(idn.find("auf München.de und").mentioned.len(), 1);
    assert_eq!(idn.find("auf xn--mnchen-3ya.de und").mentioned.len(), 1);
    assert_eq!(idn.find("auf munchen.de und").mentioned.len(), 0);
}

#[test]
fn names_joined_by_a_slash_are_names() {
    for answer in [
        "Booking.com/Expedia are the biggest",
        "**Booking.com/Expedia**",
        "[Booking.com/Expedia](https://a.com)",
        "Monday.com/Asana/Expedia",
        "Monday.com/Asana/Booking.com/Expedia.",
    ] {
        assert!(is_mentioned("Expedia", answer), "{answer}");
    }
    assert!(is_mentioned("Booking.com", "Booking.com/Expedia are the biggest"));
    assert!(is_mentioned("Asana", "Monday.com/Asana/ClickUp"));
}

#[test]
fn a_bare_url_without_a_scheme_does_not_count() {
    let g2 = || brand(0, "G2", &[], Some("g2.com"));
    for answer in ["g2.com/products/zendo", "see (www.g2.com/x) or g2.com/y."] {
        assert_eq!(reason(g2(), answer), Some(RejectionReason::LinkOnly), "{answer}");
    }
    assert!(!is_mentioned("Zendo", "g2.com/products/zendo"));
    for answer in ["g2.com", "on g2.com.", "g2.com, a.com", "(g2.com)"] {
        assert_eq!(Matcher::new(&[g2()]).find(answer).mentioned.len(), 1, "{answer}");
    }
}
