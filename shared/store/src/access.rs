//! Authentication and rate limits.

use std::time::Duration;

use domain::api_key::ApiKey;
use domain::id::{KeyId, WorkspaceId};
use domain::key_scope::KeyScope;
use domain::limits::MAX_CLOCK_LEAD;
use domain::time::{MINUTE, Timestamp};
use serde::Deserialize;
use thiserror::Error;

use crate::expression::{bool_value, number_value};
use crate::items::{Updated, from_item};
use crate::{Store, StoreError, Tenant, keys};

/// The attempts to count a request while concurrent requests change the rate window.
const MAX_ATTEMPTS: u32 = 5;

/// The rate limit that a request counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    Read,
    Write,
}

/// The workspace and the key of an authenticated request.
#[derive(Debug, Clone)]
pub struct Access {
    pub tenant: Tenant,
    pub key_id: KeyId,
    /// What the key may do. The caller enforces it.
    pub scope: KeyScope,
    pub quota: Quota,
}

/// How much of a key's rate is left in its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub rate: Rate,
    /// The requests in each window.
    pub limit: u32,
    /// The requests that are left.
    pub remaining: u32,
    /// The time until the next window, at most a minute.
    pub resets_in: Duration,
}

/// Why a request is not authenticated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AuthError {
    #[error("unknown API key")]
    Unknown,
    #[error("revoked API key")]
    Deactivated,
    /// The rate limit of the key is reached until the next window.
    #[error("rate limit exceeded")]
    TooMany(Quota),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AuthError {
    /// Returns what is left of the key's rate, if that is the reason.
    pub fn quota(&self) -> Option<Quota> {
        match self {
            Self::TooMany(quota) => Some(*quota),
            Self::Unknown | Self::Deactivated | Self::Store(_) => None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyItem {
    key_id: KeyId,
    workspace: WorkspaceId,
    revoked: bool,
    scope: KeyScope,
    #[serde(default)]
    read_window: i64,
    #[serde(default)]
    read_count: u32,
    #[serde(default)]
    reads_per_minute: u32,
    #[serde(default)]
    write_window: i64,
    #[serde(default)]
    write_count: u32,
    #[serde(default)]
    writes_per_minute: u32,
}

impl Rate {
    /// Returns the names of the attributes that hold the window's minute, its count and its limit.
    fn attributes(self) -> [&'static str; 3] {
        match self {
            Self::Read => ["#readWindow", "#readCount", "#readsPerMinute"],
            Self::Write => ["#writeWindow", "#writeCount", "#writesPerMinute"],
        }
    }

    fn window_of(self, item: &KeyItem) -> (i64, u32, u32) {
        match self {
            Self::Read => (item.read_window, item.read_count, item.reads_per_minute),
            Self::Write => (item.write_window, item.write_count, item.writes_per_minute),
        }
    }

    /// Returns what is left of the rate in its window `minute`.
    fn quota(self, item: &KeyItem, minute: i64, real: Timestamp) -> Quota {
        let (_, count, limit) = self.window_of(item);
        let next = Timestamp::window_start(minute + 1, MINUTE);
        Quota {
            rate: self,
            limit,
            remaining: limit.saturating_sub(count),
            resets_in: next.duration_since(real).min(MINUTE),
        }
    }
}

/// The window in which a request is counted.
#[derive(Clone, Copy)]
enum Window {
    /// The stored one.
    Same,
    /// One that replaces the stored one.
    New,
}

impl Store {
    /// Finds the key and counts the request against its rate limit. This takes one write, or two at the start
    /// of a minute. `real` is real time, of which the windows of rates are.
    pub async fn authenticate(&self, key: &ApiKey, rate: Rate, real: Timestamp) -> Result<Access, AuthError> {
        let mut minute = real.window(MINUTE);
        // A window that begins later is that of a clock that was wrong.
        let latest = (real + MAX_CLOCK_LEAD).window(MINUTE);
        let mut window = Window::Same;
        for _ in 0..MAX_ATTEMPTS {
            let old = match self.count_request(key, rate, window, minute, latest).await? {
                Updated::Item(counted) => {
                    let counted: KeyItem = from_item(counted)?;
                    let quota = rate.quota(&counted, minute, real);
                    return Ok(Access {
                        tenant: Tenant::new(counted.workspace),
                        key_id: counted.key_id,
                        scope: counted.scope,
                        quota,
                    });
                }
                Updated::ConditionFailed(old) => old,
            };
            let stored: KeyItem = from_item(old.ok_or(AuthError::Unknown)?)?;
            if stored.revoked {
                return Err(AuthError::Deactivated);
            }
            let (stored_minute, ..) = rate.window_of(&stored);
            let is_other = stored_minute < minute || stored_minute > latest;
            window = match window {
                Window::Same if is_other => Window::New,
                Window::New if stored_minute == minute => Window::Same,
                // The clock of another instance is slightly ahead, and its window counts.
                _ if !is_other && stored_minute > minute => {
                    minute = stored_minute;
                    Window::Same
                }
                _ => return Err(AuthError::TooMany(rate.quota(&stored, minute, real))),
            };
        }
        let moving = "the key's rate window keeps moving".to_owned();
        Err(StoreError::Unavailable(moving).into())
    }

    /// Counts a request in the window `minute`, unless the key is unknown or revoked, its rate is exceeded,
    /// or its stored window is another one. A new window replaces one that is earlier, or later than
    /// `latest`.
    async fn count_request(
        &self,
        key: &ApiKey,
        rate: Rate,
        window: Window,
        minute: i64,
        latest: i64,
    ) -> Result<Updated, StoreError> {
        let [stored, count, limit] = rate.attributes();
        let mut bound = vec![
            (":one", number_value(1)),
            (":no", bool_value(false)),
            (":minute", number_value(minute)),
        ];
        let (update, condition) = match window {
            Window::Same => (
                format!("SET {count} = {count} + :one"),
                format!("{stored} = :minute AND {count} < {limit}"),
            ),
            Window::New => {
                bound.push((":latest", number_value(latest)));
                (
                    format!("SET {stored} = :minute, {count} = :one"),
                    format!(
                        "{limit} >= :one \
                         AND (attribute_not_exists({stored}) OR {stored} < :minute OR {stored} > :latest)"
                    ),
                )
            }
        };
        let condition = format!("attribute_exists(PK) AND #revoked = :no AND {condition}");
        let item = keys::api_key(&key.digest());
        self.update_one(&item, &update, &condition, bound).await
    }
}
