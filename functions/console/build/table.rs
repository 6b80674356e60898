//! The table of everything that the function serves, as Rust source code.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// How long a client may use its copy. The names are those of `File` in `src/file.rs`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Caching {
    /// For good, because the path changes with the content.
    Immutable,
    /// As long as the function confirms it.
    Revalidated,
}

/// What a page may load. The names are those of `File` in `src/file.rs`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Policy {
    Console,
    Docs,
    /// No page at all.
    Document,
}

/// What the function serves at a path.
#[derive(Clone, Copy)]
pub(crate) struct Served<'a> {
    pub(crate) path: &'a str,
    /// The route of the path, as API Gateway writes it.
    pub(crate) route: &'a str,
    pub(crate) media_type: &'a str,
    pub(crate) caching: Caching,
    pub(crate) policy: Policy,
    pub(crate) content: &'a [u8],
}

/// The table, whose source code and packed contents are written to a folder.
pub(crate) struct Table {
    folder: PathBuf,
    source: String,
}

/// The length of the hash that identifies a content, in hexadecimal digits.
const TAG_DIGITS: usize = 16;

impl Table {
    /// Creates an empty table in `folder`, which loses what an earlier run has packed.
    pub(crate) fn new(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let packed = folder.join("packed");
        if packed.exists() {
            std::fs::remove_dir_all(&packed)?;
        }
        std::fs::create_dir_all(&packed)?;
        Ok(Self {
            folder: folder.to_owned(),
            source: "&[\n".to_owned(),
        })
    }

    /// Packs the content and adds a line to the table. Two paths with the same content share it.
    pub(crate) fn add(&mut self, served: Served<'_>) -> Result<(), Box<dyn Error>> {
        let Served {
            path,
            route,
            media_type,
            caching,
            policy,
            content,
        } = served;
        let hash = hex::encode(Sha256::digest(content));
        let packed = self.folder.join("packed").join(&hash);
        if !packed.exists() {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(content)?;
            std::fs::write(&packed, encoder.finish()?)?;
        }
        // The packed and the plain content share one tag, so it is a weak one.
        let tag = format!("W/\"{}\"", &hash[..TAG_DIGITS]);
        writeln!(
            self.source,
            "File {{ path: {path:?}, route: {route:?}, media_type: {media_type:?}, caching: Caching::{caching:?}, \
             policy: Policy::{policy:?}, tag: {tag:?}, \
             packed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/packed/{hash}\")) }},"
        )?;
        Ok(())
    }

    /// Writes the source code of the table.
    pub(crate) fn write(mut self) -> Result<(), Box<dyn Error>> {
        self.source.push_str("]\n");
        Ok(std::fs::write(self.folder.join("files.rs"), self.source)?)
    }
}

/// Returns the media type of a file by the ending of its name.
pub(crate) fn media_type(name: &str) -> Result<&'static str, Box<dyn Error>> {
    let ending = name.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    Ok(match ending.map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("txt") | None => "text/plain; charset=utf-8",
        Some(_) => return Err(format!("build/table.rs has no media type for {name}").into()),
    })
}
