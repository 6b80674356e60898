//! Generated searches for tests.

use domain::time::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;

use super::Random;
use crate::families::FanoutRow;

/// Generates rows with few distinct prompts, models, instants and queries, so that they often coincide.
///
/// Queries differ in case and spacing, and some are not ASCII, blank or long.
pub(crate) fn rows() -> impl Strategy<Value = Vec<FanoutRow>> {
    let ordinal = || prop_oneof![9 => 0u32..6, 1 => any::<u32>()];
    let instant = prop_oneof![9 => 0i64..4, 1 => any::<i64>()];
    let row = (ordinal(), ordinal(), instant, vec(query(), 0..5));
    let row = row.prop_map(|(prompt, model, instant, queries)| FanoutRow {
        prompt: prompt.into(),
        model: model.into(),
        answered_at: Timestamp::from_millis(instant),
        queries,
    });
    vec(row, 0..30)
}

/// Generates a query or a text to search for in queries.
pub(crate) fn query() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[abAB]{1,2}( {1,2}[aA])?",
        2 => "[ßSsİiΣσς🦀]{1,3}",
        1 => "[ \\t\\u{a0}]{0,2}",
        1 => "[ab]{2}".prop_map(|text| text.repeat(2_000)),
    ]
}

/// Creates the searches of one day for all prompts and models: `queries` in most responses, none in a few.
///
/// Each prompt has a topic with queries that recur every day in a Zipf distribution. Every sixth query is
/// new. Some words are names, and a tenth of the queries is in lower case.
pub(crate) fn day(prompts: u32, models: u32, queries: u32, day: u32) -> Vec<FanoutRow> {
    let mut random = Random(u64::from(day) + 1);
    let mut rows = Vec::new();
    for prompt in 0..prompts {
        for model in 0..models {
            let searched = random.next() >= 0.04;
            let queries = (0..if searched { queries } else { 0 }).map(|_| {
                let fresh = random.next() < 0.16;
                let variant = if fresh {
                    1_000_000.0 * random.next()
                } else {
                    zipf(&mut random, 40.0)
                };
                let query = about(prompt, variant as u32);
                if random.next() < 0.1 {
                    query.to_lowercase()
                } else {
                    query
                }
            });
            let queries = queries.collect();
            rows.push(FanoutRow {
                prompt: prompt.into(),
                model: model.into(),
                answered_at: Timestamp::from_millis(1_760_000_000_000 + (600_000.0 * random.next()) as i64),
                queries,
            });
        }
    }
    rows
}

/// Returns a rank from 0 (inclusive) to `max` (exclusive), with a probability in proportion to 1 / rank.
fn zipf(random: &mut Random, max: f64) -> f64 {
    max.powf(random.next()) - 1.0
}

/// Returns the query about the prompt's topic with this number.
fn about(prompt: u32, variant: u32) -> String {
    let mut random = Random((u64::from(prompt) << 32 | u64::from(variant)) ^ 0x9e37_79b9);
    random.next();
    let words = 3 + zipf(&mut random, 8.0) as u32;
    let words = (0..words).map(|_| {
        if random.next() < 0.6 {
            // One of the topic's ten words.
            let index = zipf(&mut random, 10.0) as u64;
            let mut topic = Random((u64::from(prompt) << 8 | index) ^ 0x2545_f491);
            topic.next();
            word(zipf(&mut topic, 6_000.0) as u32)
        } else {
            word(zipf(&mut random, 6_000.0) as u32)
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

/// Returns the word with this rank of frequency. Every seventh word is a name.
fn word(rank: u32) -> String {
    let mut random = Random(u64::from(rank) * 7_919 + 11);
    random.next();
    let syllables = 1 + (3.0 * random.next()) as u32;
    let mut word = String::new();
    for _ in 0..syllables {
        for letters in ["bcdfghklmnprstvw", "aaeeiou", "lmnrst"] {
            let index = random.next() * letters.len() as f64;
            word.extend(letters.chars().nth(index as usize));
        }
    }
    if rank.is_multiple_of(7) {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    } else {
        word
    }
}
