//! The console's files.

use std::error::Error;
use std::path::Path;

use sha2::{Digest, Sha256};

/// A file that is served.
pub(crate) struct SourceFile {
    /// The path in its folder, with `/` between its parts.
    pub(crate) path: String,
    pub(crate) content: Vec<u8>,
}

/// The length of the hash, in bytes.
const HASH_BYTES: usize = 8;

/// Reads all files of a folder and its subfolders, in the order of their paths. Hidden files are left out.
pub(crate) fn read(folder: &Path) -> Result<Vec<SourceFile>, Box<dyn Error>> {
    let mut files = Vec::new();
    add(folder, "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn add(folder: &Path, prefix: &str, files: &mut Vec<SourceFile>) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name
            .to_str()
            .ok_or("the names of the console's files are UTF-8")?;
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            add(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push(SourceFile {
                path,
                content: std::fs::read(entry.path())?,
            });
        }
    }
    Ok(())
}

/// Returns a short hash of the paths and contents of all files.
pub(crate) fn hash(files: &[SourceFile]) -> String {
    let mut hash = Sha256::new();
    for file in files {
        // With its length before it, a part cannot be taken for the end of the one before.
        for part in [file.path.as_bytes(), &file.content] {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
    }
    hex::encode(&hash.finalize()[..HASH_BYTES])
}
