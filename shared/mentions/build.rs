//! Front-codes the word lists of `common_words/` for a function's package.

#[path = "src/word_list/format.rs"]
mod format;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a build script its folder by the environment"
)]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=common_words");
    println!("cargo::rerun-if-changed=src/word_list/format.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    for entry in fs::read_dir("common_words")? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let code = name.and_then(|name| name.strip_suffix(".txt"));
        if let Some(code) = code.filter(|code| !code.contains('.')) {
            let brands = path.with_file_name(format!("{code}.brands.txt"));
            let target = out.join(format!("{code}.words"));
            let mut words = read_list(&path)?;
            words.retain(|word| word.chars().count() <= format::MAX_LETTERS);
            words.extend(read_list(&brands)?);
            fs::write(target, front_code(&words))?;
        }
    }
    Ok(())
}

/// Reads a list, one word per line.
fn read_list(path: &Path) -> io::Result<BTreeSet<String>> {
    let text = fs::read_to_string(path)?;
    let name = path.display();
    assert!(text.lines().is_sorted(), "{name} is not sorted by byte");
    let is_code = |b: u8| b <= format::MAX_SHARED_BYTES && b != b'\n';
    assert!(!text.bytes().any(is_code), "{name} has control characters");
    Ok(text.lines().map(str::to_owned).collect())
}

/// Front-codes a list of words in the format of `format`.
fn front_code(words: &BTreeSet<String>) -> Vec<u8> {
    let (mut coded, mut last) = (Vec::new(), "");
    for word in words {
        let shared = last.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        let shared = word.floor_char_boundary(shared.min(format::MAX_SHARED_BYTES.into())) as u8;
        coded.push(shared);
        coded.extend_from_slice(&word.as_bytes()[usize::from(shared)..]);
        last = word;
    }
    coded
}
