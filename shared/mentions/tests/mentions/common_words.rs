//! Names that are common words, and names that are numbers.

use crate::support::{all_mentioned, brand, is_mentioned, none_mentioned, reason};
use mentions::{Matcher, RejectionReason};

#[test]
fn a_name_of_common_words_in_small_letters_is_the_common_noun() {
    for (name, answer) in [
        ("Notion", "the notion of time"),
        ("Best Buy", "the best buy, a best-buy"),
        ("Apple", "an apple a day"),
        ("Target", "**target**"),
        ("notion", "the notion"),
        ("X", "solve for x"),
    ] {
        assert_eq!(
            reason(brand(0, name, &[], None), answer),
            Some(RejectionReason::CommonWord),
            "{name} in {answer}"
        );
        assert!(!is_mentioned(name, answer), "{name} in {answer}");
    }
    all_mentioned(&[
        ("Notion", "the notion of Notion"),
        ("Notion", "NOTION"),
        ("Best Buy", "at Best buy"),
        ("Zendo", "zendo"),
        ("Zendo Cloud", "zendo cloud"),
        ("苹果", "推荐苹果和Samsung。"),
    ]);
    let apple = Matcher::new(&[brand(0, "Apple", &[], Some("apple.com"))]);
    assert_eq!(apple.find("at apple.com").mentioned.len(), 1);
}

#[test]
fn a_name_of_digits_only_is_a_name() {
    all_mentioned(&[
        ("1688", "order on 1688, or on 1688.com"),
        ("1688", "**1688**: cheap"),
        ("1688", "1688's prices, Alibaba/1688"),
        ("360", "use 360 on a PC"),
        ("37signals", "37signals"),
    ]);
    none_mentioned(&[
        ("1688", "16880 or 21688"),
        ("688", "1,688 or 688,000 or 688.5"),
        ("688", "$688, 688% and 688€"),
        ("30", "at 12:30"),
    ]);
}
