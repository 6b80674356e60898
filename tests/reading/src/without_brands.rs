//! Long answers without any brand, read for names that are common words in some language.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, io};

use mentions::{BrandNames, Matcher};

use crate::case::files;

/// The number of answers that are composed per language.
const ANSWERS_PER_LANGUAGE: usize = 36;
/// The number of sections of an answer.
const SECTIONS: usize = 5;
/// The number of names per language that are searched for.
const NAMES_PER_LANGUAGE: usize = 8;

/// The mentions that were read in answers without any.
#[derive(Debug, Clone, Default)]
pub struct FalseMentions {
    pub answers: usize,
    pub names: usize,
    /// The numbers of answers by language and name.
    pub found: BTreeMap<(String, String), usize>,
}

impl FalseMentions {
    /// Returns the share of (answer, name) that is read as a mention, in percent.
    pub fn rate(&self) -> f64 {
        100.0 * self.found.values().sum::<usize>() as f64 / (self.answers * self.names).max(1) as f64
    }
}

/// Reads the answers for the names of all languages.
pub fn false_mentions() -> io::Result<FalseMentions> {
    let names = names()?;
    let brands: Vec<BrandNames> = names
        .iter()
        .zip(0..)
        .map(|(name, brand)| BrandNames {
            brand,
            name: name.clone(),
            aliases: Vec::new(),
            domain: None,
        })
        .collect();
    let matcher = Matcher::new(&brands);
    let mut result = FalseMentions {
        names: names.len(),
        ..FalseMentions::default()
    };
    for path in files("long", "", ".txt")? {
        let language = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path)?;
        for answer in compose(&text) {
            result.answers += 1;
            for mention in matcher.find(&answer).mentioned {
                let name = names[mention.brand as usize].clone();
                *result.found.entry((language.clone(), name)).or_default() += 1;
            }
        }
    }
    Ok(result)
}

/// Returns names that are common words in some language, the same number of each language.
fn names() -> io::Result<Vec<String>> {
    let mut names = BTreeSet::new();
    for path in files("long", "", ".names")? {
        let text = fs::read_to_string(&path)?;
        let lines = text.lines().map(str::trim).filter(|name| !name.is_empty());
        names.extend(lines.take(NAMES_PER_LANGUAGE).map(str::to_owned));
    }
    Ok(names.into_iter().collect())
}

/// Composes answers of sections. Each answer starts at another section and takes every n-th one, for another
/// n.
fn compose(text: &str) -> Vec<String> {
    let sections: Vec<&str> = text
        .split("-----")
        .map(str::trim)
        .filter(|section| !section.is_empty())
        .collect();
    (0..ANSWERS_PER_LANGUAGE)
        .map(|i| {
            let step = 1 + i / sections.len().max(1);
            let chosen = (0..SECTIONS).filter_map(|k| sections.get((i + k * step) % sections.len().max(1)));
            chosen.copied().collect::<Vec<_>>().join("\n\n")
        })
        .collect()
}
