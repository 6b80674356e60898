//! The paths of the built functions and of the emulator.

use std::path::PathBuf;

/// The paths of the built functions and of the emulator.
#[derive(Debug, Clone)]
pub struct Release {
    /// The folder that contains `<function>/bootstrap` for each function.
    pub functions: PathBuf,
    /// The binary `aws-lambda-rie` for this machine's processor.
    pub emulator: PathBuf,
}

impl Release {
    /// Reads `RELEASE_FUNCTIONS` and `RELEASE_RIE`. Returns `None` unless both are set.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Option<Self> {
        Some(Self {
            functions: lookup("RELEASE_FUNCTIONS")?.into(),
            emulator: lookup("RELEASE_RIE")?.into(),
        })
    }

    pub fn bootstrap(&self, function: &str) -> PathBuf {
        self.functions.join(function).join("bootstrap")
    }
}
