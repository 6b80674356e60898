//! The data directory: the database, the service's time, the demo workspace's key.

use std::io;
use std::path::{Path, PathBuf};

use domain::clock::Clock;
use domain::id::WorkspaceId;
use domain::time::{SECOND, Timestamp};
use serde::{Deserialize, Serialize};

/// What is kept beside the database.
#[derive(Debug, Clone)]
pub(crate) struct DataDir(PathBuf);

/// The demo workspace, so that a restart finds it and prints its key again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DemoState {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) api_key: String,
    /// Its history is made.
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

    /// No stored instant is later than this.
    pub(crate) fn saved_time(&self) -> Option<Timestamp> {
        std::fs::read_to_string(self.0.join("service-time"))
            .ok()?
            .trim()
            .parse()
            .ok()
            .map(Timestamp::from_millis)
    }

    /// Saves an instant that service time will not reach before it is saved again.
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

    /// Writes a file as a whole: after a crash there is the old one or the new one.
    fn replace(&self, name: &str, content: &str) -> io::Result<()> {
        let new = self.0.join(format!("{name}.new"));
        std::fs::write(&new, content)?;
        std::fs::rename(new, self.0.join(name))
    }
}
