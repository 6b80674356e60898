//! Front-codes the word lists of `common_words/`: each word is the number of bytes that it shares with the word before it,
//! the rest of its bytes, and a line feed. That halves the size of a function's package, in which the lists are compressed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a build script its folder by the environment"
)]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=common_words");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for entry in fs::read_dir("common_words")? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if let Some(code) = name.strip_suffix(".txt").filter(|code| !code.contains('.')) {
            let brands = path.with_file_name(format!("{code}.brands.txt"));
            let target = out.join(format!("{code}.words"));
            write_front_coded(&[&path, &brands], &target)?;
        }
    }
    Ok(())
}

/// Merges sorted lists into one front-coded list.
fn write_front_coded(lists: &[&Path], target: &Path) -> io::Result<()> {
    let mut words = BTreeSet::new();
    for list in lists {
        let text = fs::read_to_string(list)?;
        let mut last = "";
        for word in text.lines() {
            assert!(last < word, "{}: {word} is not sorted by byte", list.display());
            words.insert(word.to_owned());
            last = word;
        }
    }
    let (mut coded, mut last) = (Vec::new(), "");
    for word in &words {
        let shared = last.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        let shared = u8::try_from(word.floor_char_boundary(shared)).unwrap_or(0);
        coded.push(shared);
        coded.extend_from_slice(&word.as_bytes()[usize::from(shared)..]);
        coded.push(b'\n');
        last = word;
    }
    fs::write(target, coded)
}
