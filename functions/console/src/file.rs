//! The files that the function serves.

use std::io::Read;

use flate2::read::GzDecoder;

/// How long a client may use its copy of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    /// For good, because the path changes with the content.
    Immutable,
    /// As long as the function confirms it.
    Revalidated,
}

/// What a page may load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    Console,
    Docs,
    /// No page at all.
    Document,
}

/// A file that the function serves.
#[derive(Debug)]
pub(crate) struct File {
    /// The path of its URL.
    pub(crate) path: &'static str,
    /// The route of the path, one of [`PATHS`](crate::PATHS).
    pub(crate) route: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) caching: Caching,
    pub(crate) policy: Policy,
    /// The entity tag, which changes with the content.
    pub(crate) tag: &'static str,
    /// The content, compressed by gzip.
    pub(crate) packed: &'static [u8],
}

/// Every file. The build script writes the table.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl File {
    /// Finds the file of a path.
    pub(crate) fn find(path: &str) -> Option<&'static Self> {
        FILES.iter().find(|file| file.path == path)
    }

    /// Returns the content without its compression.
    pub(crate) fn unpacked(&self) -> std::io::Result<Vec<u8>> {
        let mut content = Vec::new();
        GzDecoder::new(self.packed).read_to_end(&mut content)?;
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PATHS;

    #[test]
    fn every_file_can_be_unpacked_and_has_a_route_of_the_function() {
        assert!(FILES.len() >= 8);
        for file in FILES {
            assert!(!file.unpacked().unwrap().is_empty(), "{}", file.path);
            assert!(PATHS.contains(&file.route), "{}", file.path);
            let prefix = file.route.trim_end_matches("{file+}");
            assert!(file.path.starts_with(prefix), "{}", file.path);
        }
    }

    #[test]
    fn no_path_has_two_files() {
        for file in FILES {
            let same = FILES.iter().filter(|other| other.path == file.path);
            assert_eq!(same.count(), 1, "{}", file.path);
        }
    }
}
