//! Several brands in one answer.

use crate::support::brand;
use mentions::{Matcher, RejectionReason};

#[test]
fn the_longest_of_several_names_wins() {
    let matcher = Matcher::new(&[
        brand(7, "Zendo", &[], Some("zendo.com")),
        brand(8, "Zendo Cloud", &[], None),
        brand(9, "Cloud Nine", &[], Some("shop.zendo.com")),
    ]);
    let brands = |answer: &str| -> Vec<u32> {
        matcher
            .find(answer)
            .mentioned
            .iter()
            .map(|mention| mention.brand)
            .collect()
    };
    assert_eq!(brands("Zendo Cloud"), [8]);
    assert_eq!(brands("ZendoCloud and Zendo"), [8, 7]);
    assert_eq!(brands("Zendo Cloud Nine"), [8, 9]);
    assert_eq!(brands("shop.zendo.com"), [9]);
    assert_eq!(brands("docs.zendo.com"), [7]);
    let rejected = matcher.find("Zendo Cloud").rejected;
    assert_eq!(
        (rejected[0].brand, rejected[0].reason),
        (7, RejectionReason::LongerName)
    );
}

#[test]
fn each_brand_is_reported_once_in_order_of_first_mention() {
    let matcher = Matcher::new(&[
        brand(1, "Foobar", &["FB Corp"], Some("foobar.io")),
        brand(2, "Zendo", &[], None),
        brand(3, "Quux", &["Zendo"], None),
        brand(1, "Second Foobar", &[], None),
    ]);
    let answer = "é **Zendo**, then FB Corp, Zendo and foobar.io";
    let found = matcher.find(answer);
    let brands: Vec<(u32, &str)> = found
        .mentioned
        .iter()
        .map(|m| (m.brand, &answer[m.offset..m.offset + 5]))
        .collect();
    assert_eq!(brands, [(2, "Zendo"), (3, "Zendo"), (1, "FB Co")]);
    assert!(found.rejected.is_empty());
}

#[test]
fn blank_names_and_aliases_are_ignored() {
    let matcher = Matcher::new(&[
        brand(1, "", &["", " ", "!", "\u{200b}"], Some("")),
        brand(2, " Zendo ", &[], None),
    ]);
    let found = matcher.find("a ! Zendo . ");
    assert_eq!(found.mentioned.iter().map(|m| m.brand).collect::<Vec<_>>(), [2]);
    assert_eq!(Matcher::new(&[]).find("Zendo"), mentions::Mentions::default());
}

#[test]
fn a_matcher_is_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&Matcher::new(&[]));
}
