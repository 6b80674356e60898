//! Answers and names that are designed to be expensive.

use std::time::{Duration, Instant};

use crate::support::brand;
use mentions::Matcher;

/// The longest answer that the service reads.
const MAX_ANSWER_BYTES: usize = 128 * 1024;

/// Linear time stays far below this limit, even unoptimized on a busy machine. Quadratic time would be
/// minutes.
const TIME_LIMIT: Duration = Duration::from_secs(60);

fn assert_in_time(what: &str, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    assert!(start.elapsed() < TIME_LIMIT, "{what}: {:?}", start.elapsed());
}

#[test]
fn a_long_hostile_answer_takes_no_more_than_linear_time() {
    let matcher = Matcher::new(&[
        brand(0, "Gorgias", &[], Some("gorgias.com")),
        brand(1, "X", &[], Some("x.com")),
        brand(2, "C&A", &[], None),
        brand(3, "Notion", &[], None),
        brand(4, "ライン", &[], None),
        brand(5, "Tesla", &[], None),
    ]);
    let repeated = [
        "Gorgias ",
        "no information on Gorgias ",
        "NOTION ",
        "**Notion ",
        "| Notion ",
        "(Notion",
        "“Notion ",
        "ライン",
        "Teslas ",
        "- Notion\n",
        "|Notion|\n|-|\n|Notion|\n",
        "1. Nothing on Notion\n",
        "Gorgias, ",
        "C&A",
        "a",
        "[",
        "*",
        "(",
        "<",
        "![",
        "[](",
        "[[a]",
        "[^",
        "**",
        "**a ",
        "*a_ ",
        "`",
        "&#",
        "> ",
        "- ",
        "|",
        "| a ",
        "https://",
        "a@",
        "@a",
        "www.",
        "x.com/",
        "x.com-",
        "x.com/(",
        "X.com/X",
        "/",
        "a/",
        "-",
        "<sup>",
        "<a ",
        "<!--",
        "'",
        "e\u{301}\u{301}",
        "\u{fdfa}",
        "\u{200b}",
        "|-|-|\n",
        "a+1 ",
        "x.com+1 ",
        "(x.com, y.com+1",
        "+1",
        "Sources: ",
        "# a\n- Gorgias\n\n",
        "# a\n- Notion\n\n",
        "1) Notion ",
        "(a) Notion ",
        "(a) ",
        "Notion, ",
        "Notion / ",
        "notion, ",
        "\tNotion",
        "a: Notion\n",
        "- - - Notion\n",
        "Notion (Notion)\n",
        "```json\n\"Notion\": 1\n```\n",
        "1.",
        "①",
        "A, ",
        "A. ",
        ": A, ",
        "(A, ",
        "A (a",
        "A (a), ",
        "A: A? ",
        "A and ",
    ];
    assert_in_time("repeated", || {
        for part in repeated {
            matcher.find(&part.repeat(MAX_ANSWER_BYTES / part.len()));
        }
    });
    let nested = |open: &str, inside: &str, close: &str| {
        open.repeat(10_000) + &inside.repeat(30_000) + &close.repeat(10_000)
    };
    assert_in_time("nested", || {
        matcher.find(&nested("![", "1 ", "](x)"));
        matcher.find(&nested("[", "a ", "]"));
        matcher.find(&nested("(", "x.com ", ")"));
        matcher.find(&nested("[a](", "(", ")"));
    });
}

#[test]
fn thousands_of_brands_are_distinguished() {
    let brands: Vec<_> = (0..5_000)
        .map(|i| brand(i, &format!("Brand{i} Cloud"), &[], None))
        .collect();
    let answer: String = (0..5_000).rev().map(|i| format!("Brand{i} Cloud, ")).collect();
    let found: Vec<u32> = Matcher::new(&brands)
        .find(&answer)
        .mentioned
        .iter()
        .map(|m| m.brand)
        .collect();
    assert_eq!(found, (0..5_000).rev().collect::<Vec<_>>());
}

#[test]
fn names_that_cover_each_other_or_belong_to_many_brands_need_no_more_memory_than_the_answer() {
    assert_in_time("covering", || {
        let brands: Vec<_> = (0..60)
            .map(|i| brand(i, &"楽".repeat(i as usize + 1), &[], None))
            .collect();
        let found = Matcher::new(&brands).find(&"楽".repeat(10_000));
        assert_eq!(found.mentioned.iter().map(|m| m.brand).collect::<Vec<_>>(), [59]);
        assert_eq!(found.rejected.len(), 59);
    });
    assert_in_time("shared", || {
        let brands: Vec<_> = (0..3_000).map(|i| brand(i, "Zendo", &[], None)).collect();
        let found = Matcher::new(&brands).find(&"no information on Zendo. ".repeat(5_000));
        assert_eq!(found.rejected.len(), 3_000);
    });
}
