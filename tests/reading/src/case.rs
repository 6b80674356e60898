//! The labelled cases.

use std::path::PathBuf;
use std::{fs, io};

use mentions::{BrandNames, Matcher};
use serde::{Deserialize, Serialize};

/// An answer and what a careful reader says about a brand in it.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    pub id: String,
    pub category: String,
    /// The brand in question.
    pub brand: Brand,
    /// Other brands that are known.
    pub others: Vec<Brand>,
    /// The ISO 639-1 code.
    pub language: String,
    pub answer: String,
    /// Whether the answer mentions the brand.
    pub mentioned: bool,
    /// The brand's position among the mentioned brands, from 1.
    pub position: Option<usize>,
    /// The reason for the label.
    pub why: String,
}

/// The names of a brand.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Brand {
    pub name: String,
    pub aliases: Vec<String>,
    pub domain: Option<String>,
}

/// A part of the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The cases for the work on the rules.
    Open,
    /// The cases that are looked at only to measure.
    PutAside,
}

impl Part {
    fn folder(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::PutAside => "put_aside",
        }
    }
}

impl Case {
    /// Returns the position at which the brand is read, or `None` if no mention is read.
    pub fn read(&self) -> Option<usize> {
        let brands: Vec<BrandNames> = std::iter::once(&self.brand)
            .chain(&self.others)
            .zip(0..)
            .map(|(brand, ordinal)| BrandNames {
                brand: ordinal,
                name: brand.name.clone(),
                aliases: brand.aliases.clone(),
                domain: brand.domain.clone(),
            })
            .collect();
        let found = Matcher::new(&brands).find(&self.answer);
        let index = found.mentioned.iter().position(|mention| mention.brand == 0);
        index.map(|index| index + 1)
    }
}

/// Reads the cases of a part.
pub fn read_cases(part: Part) -> io::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in files("cases", part.folder(), ".jsonl")? {
        for line in fs::read_to_string(&path)?.lines() {
            cases.push(serde_json::from_str(line)?);
        }
    }
    Ok(cases)
}

/// Returns the files of a folder beside this crate's manifest that end with `suffix`, by name.
pub(crate) fn files(folder: &str, part: &str, suffix: &str) -> io::Result<Vec<PathBuf>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder).join(part);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(suffix) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
