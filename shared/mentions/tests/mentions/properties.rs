//! Properties of every answer.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use mentions::{BrandNames, Matcher};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

fn brand(brand: u32, name: &str, domain: Option<&str>) -> BrandNames {
    BrandNames {
        brand,
        name: name.to_owned(),
        aliases: Vec::new(),
        domain: domain.map(str::to_owned),
    }
}

fn some_brands() -> Matcher {
    Matcher::new(&[
        brand(0, "Acme", Some("acme.com")),
        brand(1, "Acme Cloud", None),
        brand(2, "C&A", None),
        brand(3, "楽天", None),
        brand(4, "X", Some("x.com")),
        brand(5, "Notion", None),
        brand(6, "กรุง", None),
        brand(7, ".NET", None),
        brand(8, "Größe", Some("xn--gre-8ka6i.de")),
    ])
}

const WRAPS: &[&str] = &[
    "@",
    "**@**",
    "*@*",
    "_@_",
    "***@***",
    "~~@~~",
    "`@`",
    "<b>@</b>",
    "[@](https://a.com)",
    "# @",
    "> @",
    "- @",
    "1. @",
    "- [ ] @",
    "| a | b |\n|---|---|\n| @ | c |",
    "| @ | b |\n|---|---|\n| a | c |",
    "```\n@\n```",
    "a[^1]\n\n[^1]: @",
    "(@)",
    "“@”",
    "@'s",
    "@.",
];

const SPELLS: &[fn(&str) -> String] = &[
    str::to_owned,
    str::to_uppercase,
    |name| name.nfd().collect(),
    |name| name.replace(' ', "-"),
    |name| name.replace(' ', "\u{a0}"),
];

/// Returns whether a word of small ASCII letters denies something in any language.
fn is_negator(word: &str) -> bool {
    static NEGATORS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let lists = files.filter(|path| path.extension().is_some_and(|extension| extension == "txt"));
        let texts: Vec<String> = lists.map(|path| fs::read_to_string(path).unwrap()).collect();
        let lines = texts.iter().flat_map(|text| text.lines());
        let terms = lines.filter_map(|line| {
            let (role, terms) = line.split_once('=')?;
            ["no", "nothing", "not", "missing", "neither", "no_data"]
                .contains(&role.trim())
                .then_some(terms)
        });
        let is_mark = |c: &char| ('\u{300}'..'\u{370}').contains(c);
        let fold = |term: &str| term.to_lowercase().nfd().filter(|c| !is_mark(c)).collect();
        terms.flat_map(str::split_whitespace).map(fold).collect()
    });
    NEGATORS
        .iter()
        .any(|term| match (term.strip_prefix('*'), term.strip_suffix('*')) {
            (Some(ending), _) => word.ends_with(ending),
            (_, Some(stem)) => word.starts_with(stem),
            _ => term == word,
        })
}

proptest! {
    #[test]
    fn any_text_is_read_and_offsets_are_char_boundaries(answer in any::<String>()) {
        for mention in some_brands().find(&answer).mentioned {
            prop_assert!(answer.is_char_boundary(mention.offset));
        }
    }

    #[test]
    fn any_markdown_is_read_and_each_brand_is_in_one_list_once(
        answer in "(Acme|acme.com|Cloud|C&A|c&amp;a|楽天|กรุง|X|notion|Notion|.NET|größe|no information on|not found|\\[|\\]\\(|\\)|https://|www\\.|@|/|\\*|\\*\\*|_|`|```|#|\\||\n|\n\n| | |<|>|</p>|\\.|,|:|'s|-|é|\u{ad}|😀|\u{301}){0,40}"
    ) {
        let found = some_brands().find(&answer);
        let mut brands: Vec<u32> = found.mentioned.iter().map(|mention| mention.brand).collect();
        brands.extend(found.rejected.iter().map(|rejected| rejected.brand));
        brands.sort_unstable();
        let count = brands.len();
        brands.dedup();
        prop_assert_eq!(brands.len(), count);
        prop_assert!(found.mentioned.iter().all(|mention| answer.is_char_boundary(mention.offset)));
        prop_assert!(found.mentioned.is_sorted_by_key(|mention| mention.offset));
    }

    #[test]
    fn any_names_can_be_searched_for(name in any::<String>(), alias in any::<String>(), domain in any::<String>(), answer in any::<String>()) {
        let brand = BrandNames { brand: 1, name: name.clone(), aliases: vec![alias], domain: Some(domain) };
        let matcher = Matcher::new(&[brand]);
        matcher.find(&answer);
        matcher.find(&format!("{answer} {name} {answer}"));
    }

    #[test]
    fn a_name_put_into_prose_as_a_word_of_its_own_is_mentioned(
        before in prop::collection::vec("[a-z]{1,9}", 0..12),
        after in prop::collection::vec("[a-z]{1,9}", 0..12),
        name in "Zq[a-z]{3,8}( [A-Z][a-z]{2,6})?",
    ) {
        prop_assume!(!before.iter().chain(&after).any(|word| is_negator(word)));
        let answer = [before.join(" "), name.clone(), after.join(" ")].join(" ");
        let found = Matcher::new(&[brand(3, &name, None)]).find(&answer);
        prop_assert_eq!(found.mentioned.len(), 1);
        prop_assert!(answer[found.mentioned[0].offset..].starts_with(&name));
    }

    #[test]
    fn a_name_inside_a_longer_word_is_not_mentioned(before in "[a-z]{1,5}", after in "[a-rt-z][a-z]{0,4}", name in "Zq[a-z]{4,8}") {
        let matcher = Matcher::new(&[brand(3, &name, None)]);
        for answer in [format!("see {before}{name} now"), format!("see {name}{after} now")] {
            prop_assert!(matcher.find(&answer).mentioned.is_empty());
        }
    }

    #[test]
    fn a_mention_survives_markup_and_other_spellings(
        name in "[ZÀÉÖ]q[a-zéüñç]{3,8}( [A-Z][a-zéüñç]{2,6})?",
        wrap in prop::sample::select(WRAPS),
        spell in prop::sample::select(SPELLS),
    ) {
        let wrapped = wrap.replace('@', &spell(&name));
        let found = Matcher::new(&[brand(3, &name, None)]).find(&wrapped);
        prop_assert_eq!(found.mentioned.len(), 1, "{}", wrapped);
    }

    #[test]
    fn other_clauses_do_not_remove_a_mention(
        before in "((no|not|nothing|none|found|find|information|about|on|of|is|and|or|Foo|Bar|appears)[ ,.:]{0,2}){0,12}",
        after in "((no|not|nothing|none|found|find|information|about|on|of|is|and|or|Foo|Bar|appears)[ ,.:]{0,2}){0,12}",
        apart in prop::sample::select(&[". ", "! ", "; ", "\n", "\n\n", "\n- "][..]),
    ) {
        let answer = format!("{before}{apart}We use Acme daily{apart}{after}");
        prop_assert_eq!(some_brands().find(&answer).mentioned.len(), 1, "{}", answer);
    }
}
