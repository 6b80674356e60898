//! The data directory, with the database, the service time and the key of the demo workspace.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::clock::Clock;
use domain::id::WorkspaceId;
use domain::time::{SECOND, Timestamp};
use serde::{Deserialize, Serialize};

use crate::clock::ServiceClock;
use crate::error::HostError;

/// The names of the files.
const DATABASE: &str = "dynamodb.sqlite";
const SERVICE_TIME: &str = "service-time";
const DEMO: &str = "demo.json";

/// The directory in which the host keeps its data. No other process can open it while a clone of this exists.
#[derive(Debug, Clone)]
pub(crate) struct DataDir {
    path: PathBuf,
    /// An open file whose lock ends with the process at the latest. Tasks of this process replace files one
    /// at a time, because they write to the same new file.
    lock: Arc<Mutex<File>>,
}

/// The demo workspace. It is saved so that a restarted host finds it and prints its key again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DemoState {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) api_key: String,
    /// Whether the workspace's history is complete.
    pub(crate) is_complete: bool,
    /// The service time of the data that is older than the demo workspace. Service time continues there after
    /// the history.
    pub(crate) older_data_ends_at: Option<Timestamp>,
}

impl DataDir {
    /// Creates the directory if it does not exist, and locks it.
    pub(crate) fn open(path: &Path) -> Result<Self, HostError> {
        let unusable = |source| HostError::Data {
            path: path.to_owned(),
            source,
        };
        create_directory(path).map_err(unusable)?;
        let lock = private_file(&path.join("lock")).map_err(unusable)?;
        // The database creates its other files with the permissions of this one.
        private_file(&path.join(DATABASE)).map_err(unusable)?;
        for name in [SERVICE_TIME, DEMO] {
            // An earlier run may have left it for others to read.
            if path.join(name).is_file() {
                private_file(&path.join(name)).map_err(unusable)?;
            }
        }
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => HostError::DataInUse(path.to_owned()),
            TryLockError::Error(source) => unusable(source),
        })?;
        Ok(Self {
            path: path.to_owned(),
            lock: Arc::new(Mutex::new(lock)),
        })
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// Returns the saved service time. No stored instant is later, except while the history of a demo
    /// workspace is generated.
    pub(crate) fn saved_time(&self) -> Result<Option<Timestamp>, HostError> {
        self.read(
            SERVICE_TIME,
            "it must be a number of milliseconds since 1970, at most 253402207200999",
            "service time continues at the present, and what is stored can be later",
            |text| {
                let millis: i64 = text.trim().parse().ok()?;
                let time = Timestamp::from_millis(millis);
                (millis >= 0 && Timestamp::from_iso(&time.iso()) == Some(time)).then_some(time)
            },
        )
    }

    /// Saves an instant that service time does not reach before the next save.
    pub(crate) fn save_time(&self, clock: &dyn Clock) -> io::Result<()> {
        let _lock = self.lock();
        self.write_time(clock.now())
    }

    /// Saves the time to which service time is moved, and moves it. Nothing is stored with the new time
    /// before it is saved.
    fn advance(&self, clock: &ServiceClock, time: Duration) -> io::Result<()> {
        let _lock = self.lock();
        self.write_time(clock.now() + time)?;
        clock.advance(time);
        Ok(())
    }

    fn write_time(&self, now: Timestamp) -> io::Result<()> {
        let ahead = now + 2 * SECOND;
        self.replace(SERVICE_TIME, &ahead.as_millis().to_string())
    }

    pub(crate) fn demo(&self) -> Result<Option<DemoState>, HostError> {
        self.read(
            DEMO,
            "it must be what an earlier run wrote",
            "another demo workspace is created",
            |text| serde_json::from_str(text).ok(),
        )
    }

    pub(crate) fn save_demo(&self, demo: &DemoState) -> io::Result<()> {
        let _lock = self.lock();
        self.replace(DEMO, &serde_json::to_string(demo)?)
    }

    fn read<T>(
        &self,
        name: &str,
        rule: &'static str,
        without: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, HostError> {
        let path = self.path.join(name);
        let content = match std::fs::read(&path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(HostError::Data { path, source }),
        };
        let value = std::str::from_utf8(&content).ok().and_then(parse);
        value.map(Some).ok_or(HostError::Damaged { path, rule, without })
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces a file atomically. After a crash, the file has either the old content or the new one. The
    /// caller holds the lock.
    fn replace(&self, name: &str, content: &str) -> io::Result<()> {
        let new = self.path.join(format!("{name}.new"));
        let mut file = private_file(&new)?;
        file.set_len(0)?;
        file.write_all(content.as_bytes())?;
        std::fs::rename(new, self.path.join(name))
    }
}

/// Moves service time forward, and saves it if there is a data directory.
pub(crate) fn advance(data: Option<&DataDir>, clock: &ServiceClock, time: Duration) -> io::Result<()> {
    match data {
        Some(data) => data.advance(clock, time),
        None => {
            clock.advance(time);
            Ok(())
        }
    }
}

/// Creates the directory, and those above it, unless it exists. Only its owner can read it.
fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens a file for writing, and creates it if it does not exist. Only its owner can read it: it can have
/// keys and answers.
fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use domain::time::DAY;

    use super::*;

    #[test]
    fn tasks_that_save_the_time_at_once_all_succeed_and_the_file_is_whole() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::open(directory.path()).unwrap();
        let clock = ServiceClock::new(Timestamp::from_millis(1_700_000_000_000));
        let clock = &clock;
        std::thread::scope(|scope| {
            let saving: Vec<_> = (0..4)
                .map(|_| {
                    let data = data.clone();
                    scope.spawn(move || {
                        (0..500).try_for_each(|_| {
                            data.save_time(clock)?;
                            data.advance(clock, DAY)?;
                            data.saved_time().map(|_| ()).map_err(io::Error::other)
                        })
                    })
                })
                .collect();
            for task in saving {
                task.join().unwrap().unwrap();
            }
        });
        let after_every_jump = Timestamp::from_millis(1_700_000_000_000) + 2_000 * DAY;
        assert!(clock.now() >= after_every_jump);
        assert!(data.saved_time().unwrap() > Some(after_every_jump));
    }
}
