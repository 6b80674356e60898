//! The data directory, with the database, the service time and the key of the demo workspace.

use std::io;
use std::path::{Path, PathBuf};

use domain::clock::Clock;
use domain::id::WorkspaceId;
use domain::time::{SECOND, Timestamp};
use serde::{Deserialize, Serialize};

/// The directory in which the host keeps its data.
#[derive(Debug, Clone)]
pub(crate) struct DataDir(PathBuf);

/// The demo workspace. It is saved so that a restarted host finds it and prints its key again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DemoState {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) api_key: String,
    /// Whether the workspace's history is complete.
    pub(crate) is_complete: bool,
}

impl DataDir {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(path)?;
        Ok(Self(path.to_owned()))
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.join("dynamodb.sqlite")
    }

    /// Returns the saved service time. No stored instant is later.
    pub(crate) fn saved_time(&self) -> Option<Timestamp> {
        std::fs::read_to_string(self.0.join("service-time"))
            .ok()?
            .trim()
            .parse()
            .ok()
            .map(Timestamp::from_millis)
    }

    /// Saves an instant that service time does not reach before the next save.
    pub(crate) fn save_time(&self, clock: &dyn Clock) -> io::Result<()> {
        let ahead = clock.now() + clock.to_service_time(2 * SECOND);
        self.replace("service-time", &ahead.as_millis().to_string())
    }

    pub(crate) fn demo(&self) -> Option<DemoState> {
        serde_json::from_str(&std::fs::read_to_string(self.0.join("demo.json")).ok()?).ok()
    }

    pub(crate) fn save_demo(&self, demo: &DemoState) -> io::Result<()> {
        self.replace("demo.json", &serde_json::to_string(demo)?)
    }

    /// Replaces a file atomically. After a crash, the file has either the old content or the new one.
    fn replace(&self, name: &str, content: &str) -> io::Result<()> {
        let new = self.0.join(format!("{name}.new"));
        std::fs::write(&new, content)?;
        std::fs::rename(new, self.0.join(name))
    }
}
