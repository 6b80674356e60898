//! The documents agree with the code.

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

/// The files of the decisions, without their index, in order.
fn decisions() -> Vec<String> {
    let files = fs::read_dir(root().join("shared/decisions")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != "README.md").collect();
    names.sort();
    names
}

/// Returns the folder and text of each document.
fn documents() -> Vec<(PathBuf, String)> {
    let names = [
        "README.md",
        "infra/README.md",
        "shared/README.md",
        "shared/decisions/README.md",
        "shared/mentions/README.md",
        "shared/store/README.md",
        "tests/README.md",
        "tests/figures.md",
        "functions/console/README.md",
        "functions/notifier/README.md",
        "tests/clients/README.md",
        ".github/CONTRIBUTING.md",
    ];
    let decisions = decisions()
        .into_iter()
        .map(|name| format!("shared/decisions/{name}"));
    names
        .into_iter()
        .map(str::to_owned)
        .chain(decisions)
        .map(|name| {
            let file = root().join(&name);
            let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
            (file.parent().unwrap().to_owned(), text)
        })
        .collect()
}

#[test]
fn every_relative_link_of_the_documents_leads_to_a_file() {
    let mut links = 0;
    for (folder, text) in documents() {
        for rest in text.split("](").skip(1) {
            let target = rest.split(')').next().unwrap();
            let file = target.split('#').next().unwrap();
            if file.is_empty() || target.contains("://") {
                continue;
            }
            assert!(folder.join(file).exists(), "{target}");
            links += 1;
        }
    }
    assert!(links >= 5, "{links}");
}

#[test]
fn every_file_and_folder_that_the_documents_name_exists() {
    // A clone does not contain build output or the paths of other systems.
    let elsewhere = ["target/", "https://", "/v1/", "/docs"];
    let mut found = 0;
    for (folder, text) in documents() {
        let prose = text.split("```").step_by(2).collect::<String>();
        for name in prose.split('`').skip(1).step_by(2) {
            let is_path = name.contains('/')
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
                && !name.starts_with('/')
                && !elsewhere.iter().any(|part| name.contains(part));
            let first = name.split('/').next().unwrap();
            if is_path && (root().join(first).is_dir() || folder.join(first).is_dir()) {
                assert!(
                    root().join(name).exists() || folder.join(name).exists(),
                    "{name} in {}",
                    folder.display()
                );
                found += 1;
            }
        }
    }
    assert!(found >= 30, "{found}");
}

#[test]
fn the_readme_is_short_and_begins_with_the_two_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 160, "{}", readme.lines().count());
    let commands = readme.split("```").nth(1).unwrap();
    assert!(commands.contains("cargo run ") && commands.contains("cargo test --workspace "));
}

#[test]
fn the_architecture_fits_into_250_lines_of_110_columns() {
    let text = fs::read_to_string(root().join("shared/README.md")).unwrap();
    assert!(text.lines().count() <= 250, "{}", text.lines().count());
    for line in text.lines() {
        assert!(line.chars().count() <= 110, "{line}");
    }
    assert!(text.contains("```mermaid"));
}

#[test]
fn every_decision_is_in_the_index_and_tells_its_context_choice_and_price() {
    let folder = root().join("shared/decisions");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    for name in decisions() {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        let headings: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with('#'))
            .skip(1)
            .collect();
        assert_eq!(headings, ["## Context", "## Choice", "## Price"], "{name}");
        let title = text.lines().next().unwrap().trim_start_matches("# ");
        let entry = format!("- [{}]({name}): {title}.", &name[..3]);
        assert!(index.lines().any(|line| line == entry), "{entry}");
    }
}
