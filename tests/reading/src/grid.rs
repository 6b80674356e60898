//! A grid of the forms in which answers present names: each format with names of each language, and the same
//! formats with words that are no names.
//!
//! `grid/formats.jsonl` has the formats and `grid/languages` what fills them. Every third format, name, word
//! and sentence is put aside. A case that is put aside has both its format and its name from there.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::case::{Brand, Case, Part, files};

/// The number of names, and of words, with which a format is filled in each language.
const ITEMS_PER_FORMAT: usize = 5;
/// The number of names with which a sentence is filled.
const NAMES_PER_SENTENCE: usize = 4;
/// The most items of a format.
const MAX_ITEMS: usize = 4;
/// What follows a brand in the name of a product.
const MODELS: [&str; 5] = ["Pro", "G 5000", "One", "Serie 6", "X2"];
/// Of this number of names, as many as there are models have one.
const MODELS_EVERY: usize = 17;
/// The number of heads of a table in a format.
const HEADS: usize = 6;

/// A form in which answers present items, with slots in braces.
#[derive(Deserialize)]
struct Format {
    id: String,
    template: String,
}

/// What fills the slots in a language.
#[derive(Deserialize)]
struct Language {
    language: String,
    names: Filling,
    nouns: Filling,
    /// Common words, and sentences in which they are no names.
    words: Vec<(String, String)>,
}

/// Items that a format presents, and what stands beside them.
#[derive(Deserialize)]
struct Filling {
    items: Vec<String>,
    intros: Vec<String>,
    outros: Vec<String>,
    phrases: Vec<String>,
    sentences: Vec<String>,
    tags: Vec<String>,
    prices: Vec<String>,
    heads: Vec<String>,
    /// Sentences about a name, which `{N}` stands for.
    #[serde(default)]
    subjects: Vec<String>,
}

/// Reads the grid's cases of a part.
pub fn read_grid(part: Part) -> io::Result<Vec<Case>> {
    let formats = read_formats("formats.jsonl")?;
    read_filled(&of_part(&formats, part), part, "languages", &[])
}

/// Reads the cases with names and words that are only learned from, in the open formats and in more of them.
pub fn read_learned_grid() -> io::Result<Vec<Case>> {
    let (open, more) = (
        read_formats("formats.jsonl")?,
        read_formats("more/formats.jsonl")?,
    );
    let formats: Vec<&Format> = of_part(&open, Part::Open).into_iter().chain(&more).collect();
    read_filled(&formats, Part::Open, "more", &MODELS)
}

fn read_formats(file: &str) -> io::Result<Vec<Format>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("grid").join(file);
    fs::read_to_string(path)?.lines().map(parse).collect()
}

/// Fills formats with a part of the names and words of a folder. Some names have one of `models` after them.
fn read_filled(formats: &[&Format], part: Part, folder: &str, models: &[&str]) -> io::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in files("grid", folder, ".json")? {
        let language: Language = parse(&fs::read_to_string(path)?)?;
        for (i, format) in formats.iter().enumerate() {
            cases.extend(language.cases_of_format(i, format, part, models));
        }
        cases.extend(language.subjects(part));
        cases.extend(language.words(part));
    }
    Ok(cases)
}

fn parse<T: DeserializeOwned>(json: &str) -> io::Result<T> {
    Ok(serde_json::from_str(json)?)
}

/// Returns what belongs to a part: every third of `all` is put aside.
fn of_part<T>(all: &[T], part: Part) -> Vec<&T> {
    let is_of_part = |&(i, _): &(usize, &T)| (i % 3 == 2) == matches!(part, Part::PutAside);
    all.iter()
        .enumerate()
        .filter(is_of_part)
        .map(|(_, item)| item)
        .collect()
}

impl Language {
    /// Returns the cases of the format with the number `number`: its names and its words.
    fn cases_of_format(&self, number: usize, format: &Format, part: Part, models: &[&str]) -> Vec<Case> {
        let part_is_learned = !models.is_empty();
        let mut cases = Vec::new();
        for (filling, is_name) in [(&self.names, true), (&self.nouns, false)] {
            let models = if is_name { models } else { &[] };
            let items = of_part(&filling.items, part);
            let count = if part_is_learned {
                2 * ITEMS_PER_FORMAT
            } else {
                ITEMS_PER_FORMAT
            };
            for k in 0..count {
                let of_format = (number, k, format);
                cases.push(self.case_of_format(of_format, (filling, &items), models, is_name));
            }
        }
        cases
    }

    fn case_of_format(
        &self,
        (number, k, format): (usize, usize, &Format),
        (filling, items): (&Filling, &[&String]),
        models: &[&str],
        is_name: bool,
    ) -> Case {
        let count = (1..=MAX_ITEMS)
            .filter(|i| format.template.contains(&format!("{{{i}}}")))
            .count();
        // The numbers move on by steps that share no factor with the lengths, so that all meet.
        let seed = number * 7 + k * 11;
        let place = (number + k) % count;
        let chosen: Vec<&String> = (0..count).map(|i| items[(seed + i) % items.len()]).collect();
        let mut answer = format.template.clone();
        let fill = |answer: &mut String, slot: &str, text: &str| {
            *answer = answer.replace(&format!("{{{slot}}}"), text);
        };
        fill(&mut answer, "intro", of(&filling.intros, seed));
        fill(&mut answer, "outro", of(&filling.outros, seed));
        for i in 0..MAX_ITEMS {
            if let Some(item) = chosen.get(i) {
                let model = models.get((seed + i) % MODELS_EVERY);
                let item = model.map_or((*item).clone(), |model| format!("{item} {model}"));
                fill(&mut answer, &format!("{}", i + 1), &item);
            }
            for (slot, texts) in [
                ("d", &filling.phrases),
                ("s", &filling.sentences),
                ("t", &filling.tags),
                ("p", &filling.prices),
            ] {
                fill(&mut answer, &format!("{slot}{}", i + 1), of(texts, seed + i));
            }
        }
        for i in 0..HEADS {
            fill(&mut answer, &format!("h{}", i + 1), of(&filling.heads, i));
        }
        // The others are known in every second case.
        let are_known = is_name && (number + k).is_multiple_of(2);
        let others = (0..count).filter(|&i| are_known && i != place);
        let others: Vec<Brand> = others.map(|i| brand(chosen[i])).collect();
        let position = is_name.then(|| {
            if are_known {
                place_in(&answer, &chosen, place)
            } else {
                1
            }
        });
        let category = if is_name { "item-name" } else { "item-noun" };
        Case {
            id: format!("{category}-{}-{}-{k}", self.language, format.id),
            category: category.to_owned(),
            brand: brand(chosen[place]),
            others,
            language: self.language.clone(),
            answer,
            mentioned: is_name,
            position,
            why: format.id.clone(),
        }
    }

    /// Returns the cases of sentences whose subject is a name.
    fn subjects(&self, part: Part) -> Vec<Case> {
        let names = of_part(&self.names.items, part);
        let sentences = of_part(&self.names.subjects, part);
        let filled = sentences.iter().enumerate().flat_map(|(i, sentence)| {
            let names = &names;
            (0..NAMES_PER_SENTENCE).map(move |k| (i, k, names[(i * 5 + k * 3) % names.len()], sentence))
        });
        let cases = filled.map(|(i, k, name, sentence)| Case {
            id: format!("subject-{}-{i}-{k}", self.language),
            category: "subject".to_owned(),
            brand: brand(name),
            others: Vec::new(),
            language: self.language.clone(),
            answer: sentence.replace("{N}", name),
            mentioned: true,
            position: Some(1),
            why: "the sentence is about the name".to_owned(),
        });
        cases.collect()
    }

    /// Returns the cases of common words that are no names.
    fn words(&self, part: Part) -> Vec<Case> {
        let words = of_part(&self.words, part);
        let cases = words.iter().enumerate().map(|(i, (word, sentence))| Case {
            id: format!("word-{}-{i}", self.language),
            category: "word".to_owned(),
            brand: brand(word),
            others: Vec::new(),
            language: self.language.clone(),
            answer: sentence.clone(),
            mentioned: false,
            position: None,
            why: "an ordinary word".to_owned(),
        });
        cases.collect()
    }
}

/// Returns the position of the item in question among all items, by their first places in the answer.
fn place_in(answer: &str, items: &[&String], place: usize) -> usize {
    let at = |item: &str| answer.find(item);
    let own = at(items[place]);
    1 + items.iter().filter(|item| at(item) < own).count()
}

fn of(texts: &[String], number: usize) -> &str {
    texts.get(number % texts.len().max(1)).map_or("", String::as_str)
}

fn brand(name: &str) -> Brand {
    Brand {
        name: name.to_owned(),
        aliases: Vec::new(),
        domain: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_filled_without_a_slot_left_over_and_the_parts_share_no_case() {
        let (open, put_aside) = (read_grid(Part::Open).unwrap(), read_grid(Part::PutAside).unwrap());
        for case in open.iter().chain(&put_aside).chain(&read_learned_grid().unwrap()) {
            for slot in [
                "{1}", "{2}", "{d1}", "{s1}", "{intro}", "{outro}", "{h1}", "{t1}", "{p1}", "{N}",
            ] {
                assert!(!case.answer.contains(slot), "{}: {}", case.id, case.answer);
            }
            assert!(
                !case.mentioned || case.answer.contains(&case.brand.name),
                "{}",
                case.id
            );
            assert_eq!(case.mentioned, case.position.is_some(), "{}", case.id);
        }
        let formats = |cases: &[Case]| -> Vec<String> {
            let of_items = cases.iter().filter(|case| case.category.starts_with("item"));
            of_items.map(|case| case.why.clone()).collect()
        };
        let of_open = formats(&open);
        assert!(formats(&put_aside).iter().all(|format| !of_open.contains(format)));
    }
}
