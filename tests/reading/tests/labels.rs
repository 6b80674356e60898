//! The labels of the answers in `named` and the pages in `pages` keep their rules.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

const SITE_TYPES: [&str; 10] = [
    "reviews",
    "editorial",
    "forum",
    "social",
    "video",
    "reference",
    "shop",
    "institution",
    "company",
    "other",
];
const PAGE_TYPES: [&str; 13] = [
    "homepage",
    "product",
    "listicle",
    "comparison",
    "review",
    "howto",
    "docs",
    "thread",
    "video",
    "news",
    "article",
    "profile",
    "other",
];

/// Reads the JSON lines of both parts of a folder: the open one, and what was put aside.
fn read(folder: &str) -> [Vec<Value>; 2] {
    ["open", "put_aside"].map(|part| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder).join(part);
        let mut files: Vec<PathBuf> = fs::read_dir(path)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        files.iter().flat_map(|file| lines(file)).collect()
    })
}

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text<'a>(line: &'a Value, field: &str) -> &'a str {
    line[field].as_str().unwrap()
}

fn assert_unique(lines: &[Value], field: &str) {
    let values: BTreeSet<&str> = lines.iter().map(|line| text(line, field)).collect();
    assert_eq!(values.len(), lines.len(), "{field}");
}

#[test]
fn answers_have_the_names_of_their_labels_in_their_order() {
    let [open, put_aside] = read("named");
    let sets = |part: &[Value]| -> BTreeSet<String> {
        part.iter().map(|answer| text(answer, "set").to_owned()).collect()
    };
    assert!(sets(&open).is_disjoint(&sets(&put_aside)));
    assert!(put_aside.len() * 4 > open.len(), "about a third is put aside");
    let all = [open, put_aside].concat();
    assert_unique(&all, "id");
    for answer in &all {
        let id = text(answer, "id");
        assert!(["api", "page"].contains(&text(answer, "kind")), "{id}");
        let mut before = 0;
        for name in answer["names"].as_array().unwrap() {
            assert!(["brand", "source"].contains(&text(name, "type")), "{id}");
            let written = name["as"].as_array().unwrap();
            let places = written
                .iter()
                .map(|form| text(answer, "answer").find(form.as_str().unwrap()));
            let places: Vec<usize> = places.map(|place| place.expect(id)).collect();
            let first = *places.iter().min().expect(id);
            assert!(first >= before, "{id}: {name}");
            before = first;
        }
    }
}

#[test]
fn pages_have_known_types() {
    let [open, put_aside] = read("pages");
    assert!(put_aside.len() * 4 > open.len(), "about a third is put aside");
    let all = [open, put_aside].concat();
    assert_unique(&all, "id");
    assert_unique(&all, "url");
    for page in &all {
        let url = text(page, "url");
        assert!(url.starts_with("https://") || url.starts_with("http://"), "{url}");
        assert!(SITE_TYPES.contains(&text(page, "site")), "{url}");
        assert!(PAGE_TYPES.contains(&text(page, "page")), "{url}");
    }
}
