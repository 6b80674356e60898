//! Citation marks in brackets.

use crate::support::{brand, is_mentioned, reason};
use mentions::RejectionReason;

#[test]
fn marks_are_no_part_of_the_text() {
    assert!(is_mentioned("Zendo", "Zendo[1] is good.[2][3]"));
    assert!(is_mentioned("Zendo", "Zendo[1](https://a.com) is good."));
    assert!(!is_mentioned("Web", "It is good [web:1][web:4]."));
    for answer in [
        "I found nothing[web:1] about Zendo[web:2].",
        "I found nothing about[1] Zendo.",
        "No results[web:3] mention Zendo[1].",
        "There is no information about Zendo.[1][2] It rained yesterday in the whole country, and people stayed at home.",
        "My sources say \"nothing is known about Zendo.\" It rained yesterday in the whole country, and people stayed at home.",
    ] {
        let found = reason(brand(0, "Zendo", &[], None), answer);
        assert_eq!(found, Some(RejectionReason::NothingFound), "{answer}");
    }
    let cited = reason(
        brand(0, "Zendo", &[], Some("zendo.com")),
        "It is fast [zendo.com] [2].",
    );
    assert_eq!(cited, Some(RejectionReason::LinkOnly));
}
