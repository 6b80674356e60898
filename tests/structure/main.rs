//! Rules on the structure of the source code that no lint checks.
#![expect(clippy::panic, reason = "a helper that fails is a failed test")]

mod imports;
mod nested_results;
mod source;

use std::path::{Path, PathBuf};

use imports::ModuleTree;

/// The folders whose subfolders are crates.
const CRATE_FOLDERS: [&str; 3] = ["shared", "functions", "infra"];

/// The repository's root folder, from the folder of the test's package, in which Cargo runs it.
fn root() -> &'static Path {
    Path::new("..")
}

/// The root files of all libraries and programs of the workspace.
fn crate_roots() -> Vec<PathBuf> {
    let crates = CRATE_FOLDERS
        .iter()
        .flat_map(|folder| source::entries(&root().join(folder)))
        .chain([root().join("tests")]);
    crates
        .flat_map(|folder| [folder.join("src/lib.rs"), folder.join("src/main.rs")])
        .chain(
            source::entries(&root().join("tests/benchmarks/src/bin"))
                .into_iter()
                .map(|folder| folder.join("main.rs")),
        )
        .filter(|file| file.is_file())
        .collect()
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let roots = crate_roots();
    assert!(roots.len() > 20, "{} crate roots are found", roots.len());
    let circles: Vec<String> = roots
        .iter()
        .flat_map(|file| ModuleTree::read(file).circles())
        .collect();
    assert!(circles.is_empty(), "circular imports:\n{}", circles.join("\n"));
}

#[test]
fn no_result_holds_another_result() {
    let files = source::rust_files(root());
    assert!(files.len() > 500, "{} files are found", files.len());
    let nested: Vec<String> = files.iter().flat_map(|file| nested_results::find(file)).collect();
    assert!(nested.is_empty(), "nested results:\n{}", nested.join("\n"));
}

#[test]
fn every_action_of_the_workflows_is_pinned_by_the_hash_of_a_commit() {
    let mut pinned = 0;
    for workflow in source::entries(&root().join(".github/workflows")) {
        let text = std::fs::read_to_string(&workflow).unwrap_or_else(|error| panic!("{error}"));
        for action in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let (_, version) = action.1.split_once('@').unwrap_or_else(|| panic!("{action:?}"));
            let (hash, tag) = version.split_once(" # ").unwrap_or_else(|| panic!("{action:?}"));
            let is_hash = hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(
                is_hash && tag.starts_with('v'),
                "{}: {action:?}",
                workflow.display()
            );
            pinned += 1;
        }
    }
    assert!(pinned >= 6, "{pinned} actions are found");
}
