//! The labelled texts from which the weights of `mentions` are learned.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use mentions::training::NameFeatures;
use mentions::{BrandNames, Matcher};

use crate::case::{Brand, Case, files};

/// The categories of cases in which the words of the brand in question are no name, though a name may be
/// written so.
const WORD_CATEGORIES: [&str; 9] = [
    "common-word",
    "capital",
    "other-word",
    "item-noun",
    "word",
    "small-word",
    "card",
    "task-name",
    "unit",
];

/// The categories of the grid, whose texts deny nothing.
const GRID_CATEGORIES: [&str; 2] = ["item-name", "subject"];

/// A decision about a name in a text.
#[derive(Debug, Clone)]
pub struct Example {
    /// What the decision is made of.
    pub features: Vec<u32>,
    /// The right decision.
    pub answer: bool,
    pub language: String,
    pub name: String,
    pub text: String,
}

/// The examples of the decisions that are learned.
#[derive(Debug, Clone, Default)]
pub struct Examples {
    /// Whether a sentence says that nothing was found about a name.
    pub absence: Vec<Example>,
    /// Whether common words are a name.
    pub name: Vec<Example>,
}

/// Reads the examples of the texts in `sentences` and of `cases`.
pub fn read_examples(cases: &[Case]) -> io::Result<Examples> {
    let mut examples = Examples::default();
    for path in files("sentences", "absence", ".tsv")? {
        for labelled in read_lines(&path)? {
            labelled.add_to(
                &mut examples.absence,
                |features| features.absence,
                |is_mentioned| !is_mentioned,
            );
        }
    }
    for path in files("sentences", "name", ".tsv")? {
        for labelled in read_lines(&path)? {
            labelled.add_to(
                &mut examples.name,
                |features| features.name,
                |is_mentioned| is_mentioned,
            );
        }
    }
    for case in cases {
        let names = std::iter::once((&case.brand, Some(case.mentioned)));
        let names = names.chain(case.others.iter().map(|other| (other, None)));
        let labelled = Labelled {
            text: case.answer.clone(),
            names: names.map(|(brand, label)| (brand.clone(), label)).collect(),
            language: case.language.clone(),
        };
        let is_of_grid = GRID_CATEGORIES.contains(&case.category.as_str());
        if (case.mentioned && !is_of_grid) || case.category.starts_with("absence") {
            labelled.add_to(
                &mut examples.absence,
                |features| features.absence,
                |is_mentioned| !is_mentioned,
            );
        }
        if case.mentioned || WORD_CATEGORIES.contains(&case.category.as_str()) {
            labelled.add_to(
                &mut examples.name,
                |features| features.name,
                |is_mentioned| is_mentioned,
            );
        }
    }
    Ok(examples)
}

/// A text with names, and whether it mentions them, where that is known.
struct Labelled {
    text: String,
    names: Vec<(Brand, Option<bool>)>,
    language: String,
}

/// Reads the lines of a file that is named by its language.
fn read_lines(path: &Path) -> io::Result<Vec<Labelled>> {
    let language = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let lines = fs::read_to_string(path)?;
    let labelled = lines.lines().map(|line| Labelled::parse(line, &language));
    let labelled: Option<Vec<Labelled>> = labelled.collect();
    labelled.ok_or_else(|| io::Error::other(format!("{}: a line is not `text⇥name=0`", path.display())))
}

impl Labelled {
    /// Reads a line, `text⇥Acme=0⇥Zendo=1`, or returns `None` if it is not written so.
    fn parse(line: &str, language: &str) -> Option<Self> {
        let (text, labels) = line.split_once('\t')?;
        let names = labels.split('\t').map(|label| {
            let (name, value) = label.rsplit_once('=')?;
            let name = Brand {
                name: name.to_owned(),
                aliases: Vec::new(),
                domain: None,
            };
            matches!(value, "0" | "1").then_some((name, Some(value == "1")))
        });
        Some(Self {
            text: text.replace("\\n", "\n"),
            names: names.collect::<Option<_>>()?,
            language: language.to_owned(),
        })
    }

    /// Adds an example for each labelled name: alone, as if the other names were unknown, and with the
    /// others.
    fn add_to(
        &self,
        examples: &mut Vec<Example>,
        features: impl Fn(NameFeatures) -> Option<Vec<u32>>,
        answer: impl Fn(bool) -> bool,
    ) {
        for (i, (brand, label)) in self.names.iter().enumerate() {
            let Some(is_mentioned) = *label else { continue };
            let others = self.names.iter().enumerate().filter(|&(k, _)| k != i).zip(1..);
            let others = others.map(|((_, (other, _)), ordinal)| brand_names(other, ordinal));
            let mut brands = vec![brand_names(brand, 0)];
            let mut found = self.features(&brands, &features, is_mentioned);
            brands.extend(others);
            if brands.len() > 1 {
                found.extend(self.features(&brands, &features, is_mentioned));
            }
            examples.extend(found.into_iter().map(|features| Example {
                features,
                answer: answer(is_mentioned),
                language: self.language.clone(),
                name: brand.name.clone(),
                text: self.text.clone(),
            }));
        }
    }

    /// Returns the features of the occurrences of the first of `brands`. If several occurrences make one
    /// mention, it is not known which of them does, so there are none.
    fn features(
        &self,
        brands: &[BrandNames],
        features: impl Fn(NameFeatures) -> Option<Vec<u32>>,
        is_mentioned: bool,
    ) -> BTreeSet<Vec<u32>> {
        let occurrences: Vec<NameFeatures> = Matcher::new(brands)
            .features(&self.text, &self.language)
            .into_iter()
            .filter(|occurrence| occurrence.brands.contains(&0))
            .collect();
        if is_mentioned && occurrences.len() > 1 {
            return BTreeSet::new();
        }
        occurrences.into_iter().filter_map(features).collect()
    }
}

fn brand_names(brand: &Brand, ordinal: u32) -> BrandNames {
    BrandNames {
        brand: ordinal,
        name: brand.name.clone(),
        aliases: brand.aliases.clone(),
        domain: brand.domain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_text_and_labelled_names() {
        let labelled = Labelled::parse("- A=B is good\\n- C: no data\tA=B=1\tC=0", "en").unwrap();
        assert_eq!(labelled.text, "- A=B is good\n- C: no data");
        let names: Vec<(&str, Option<bool>)> = labelled
            .names
            .iter()
            .map(|(brand, label)| (brand.name.as_str(), *label))
            .collect();
        assert_eq!(names, [("A=B", Some(true)), ("C", Some(false))]);
    }

    #[test]
    fn a_line_that_is_written_otherwise_is_refused() {
        for line in [
            "",
            "A text",
            "A text\t",
            "A text\tA",
            "A text\tA=2",
            "A text\tA=1\t",
            "A text\tA=1\tB",
        ] {
            assert!(Labelled::parse(line, "en").is_none(), "{line}");
        }
    }
}
