//! Generates answers like those of models that search the web.

use serde_json::Value;

use crate::{SeededRng, answer};

/// The first parts of brand names.
const FIRST: [&str; 16] = [
    "Velu", "Kanbo", "Stri", "Ordi", "Pluma", "Zeno", "Quari", "Talo", "Mira", "Ebro", "Juno", "Lanta",
    "Nori", "Osca", "Riva", "Sabu",
];
/// The last parts of brand names.
const LAST: [&str; 16] = [
    "mora", "dara", "vane", "lix", "tora", "nda", "pex", "ro", "sta", "quill", "bane", "zio", "fern", "gard",
    "hive", "lane",
];
const PRAISE: [&str; 8] = [
    "is the one that reviewers come back to most often, mainly for its clear pricing",
    "suits small teams that want to be up and running within an afternoon",
    "has the widest choice of integrations, though some of them cost extra",
    "is praised for its support, which answers within minutes on weekdays",
    "offers a free plan that is enough for a single person or a pilot",
    "keeps things simple: few settings, sensible defaults, hardly any training",
    "is strong in reporting and lets you export every figure as a spreadsheet",
    "costs a little more than the others and makes up for it in reliability",
];
const CAVEAT: [&str; 4] = [
    "Some users miss a mobile app that works offline.",
    "Larger companies may want single sign-on, which only the highest plan has.",
    "The yearly plan is about a fifth cheaper than paying by the month.",
    "Moving your existing data takes an hour or two with the built-in import.",
];
const SITES: [&str; 12] = [
    "toolreview.example",
    "dailycompare.example",
    "buyersdesk.example",
    "www.softwarelist.example",
    "forum.makers.example",
    "techmonthly.example",
    "opinions.example",
    "thebench.example",
    "blog.workwell.example",
    "rankings.example",
    "smallbiz.example",
    "guides.example",
];
const CITATIONS: u32 = 6;
const QUERIES: u32 = 3;

/// Returns the made-up brand name with this number. There are 256 different names.
pub fn brand_name(number: usize) -> String {
    format!("{}{}", FIRST[number % 16], LAST[(number / 16 + number) % 16])
}

/// Generates the body of an answer in OpenAI's format: about 2.3 KB of Markdown that recommends six of
/// `brands` with a citation each, and three web searches. The state of `rng` decides the answer.
pub fn long_answer(rng: &mut SeededRng, brands: &[String]) -> Value {
    let mut text =
        "There is no single best choice, but a few names come up in nearly every comparison of this \
                    year. I looked at recent reviews, at what users say in forums, and at the vendors' own \
                    pages. This is my short list, with what each of them is good at and what it is not:\n\n"
            .to_owned();
    let mut cited = Vec::new();
    for position in 1..=CITATIONS {
        let site = rng.choose(&SITES);
        let (year, page) = (2024 + rng.below(3), rng.below(400));
        let url = format!("https://{site}/{year}/best-tools-compared-{page}?utm_source=openai");
        let (name, praise, caveat) = (rng.choose(brands), rng.choose(&PRAISE), rng.choose(&CAVEAT));
        text.push_str(&format!(
            "{position}. **{name}** {praise}. {caveat} ([{site}]({url}))\n"
        ));
        cited.push(url);
    }
    text.push_str(
        "\n**How to choose.** Start from what you do every day rather than from the longest list of features. \
         Try two of them side by side for a week with real work, and ask the people who will use the tool most. \
         Look at what it costs once you have grown to twice your size, since most plans charge for each seat. \
         If you need help with data protection, ask for the vendor's agreement before you sign anything. For \
         most teams the first two entries of the list are a safe start, and each of them can be cancelled by \
         the month.\n",
    );
    let queries: Vec<String> = (0..QUERIES)
        .map(|_| {
            format!(
                "best tools {} {} comparison",
                2024 + rng.below(3),
                rng.choose(brands)
            )
        })
        .collect();
    let cited: Vec<&str> = cited.iter().map(String::as_str).collect();
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    answer(&text, &cited, &queries)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_number_has_a_name_of_its_own() {
        let names: BTreeSet<String> = (0..256).map(brand_name).collect();
        assert_eq!(names.len(), 256);
    }

    #[test]
    fn an_answer_has_about_2_300_bytes() {
        let brands: Vec<String> = (0..20).map(brand_name).collect();
        for seed in 0..50 {
            let answer = long_answer(&mut SeededRng::new(seed), &brands);
            let output = answer["output"].as_array().unwrap();
            let content = &output.last().unwrap()["content"][0];
            let length = content["text"].as_str().unwrap().len();
            assert!((2_100..2_500).contains(&length), "{length}");
            assert_eq!(content["annotations"].as_array().unwrap().len(), 6);
            assert_eq!(output.len(), 4);
        }
    }
}
