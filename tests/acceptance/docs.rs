//! Documents that say what the code is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub(crate) fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn the_stores_readme_lists_every_access_pattern_and_no_other() {
    let store = root().join("shared/store");
    let readme = fs::read_to_string(store.join("README.md")).unwrap();
    let patterns = readme
        .split("## Access patterns")
        .nth(1)
        .unwrap()
        .split("## Rules")
        .next()
        .unwrap();
    let listed: BTreeSet<String> = patterns
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|')?.rsplit('|').next())
        .filter_map(|cell| {
            cell.trim()
                .strip_prefix('`')?
                .strip_suffix('`')
                .map(str::to_owned)
        })
        .collect();

    let mut files = Vec::new();
    sources(&store.join("src"), &mut files);
    let mut written = BTreeSet::new();
    for file in files.iter().filter(|f| !f.ends_with("connect.rs")) {
        let text = fs::read_to_string(file).unwrap();
        for rest in text.split("    pub async fn ").skip(1) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap();
            written.insert(rest[..end].to_owned());
        }
    }
    assert_eq!(listed, written);
}

#[test]
fn every_folder_that_the_readme_maps_exists() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let map = readme
        .split("## Where things are")
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap();
    let mut folders = 0;
    for line in map.lines() {
        for name in line
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| name.ends_with('/') || name.contains(".y"))
        {
            assert!(root().join(name).exists(), "{name}");
            folders += 1;
        }
    }
    assert!(folders >= 12, "{folders}");
}
