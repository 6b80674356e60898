//! The API keys that this instance has accepted.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::api_key::ApiKey;
use domain::key_scope::KeyScope;
use store::{Access, Tenant};

/// The maximum number of keys that an instance remembers. At that number it forgets all of them.
const MAX_KEYS: usize = 1_000;

/// What the holder of a key may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyReach {
    pub(crate) tenant: Tenant,
    pub(crate) scope: KeyScope,
}

impl From<&Access> for KeyReach {
    fn from(access: &Access) -> Self {
        Self {
            tenant: access.tenant.clone(),
            scope: access.scope.clone(),
        }
    }
}

/// What the keys reached when this instance last accepted them. A read begins with that while the key is
/// checked, so that it waits for the table once less. Whether the key is valid and its rate is not exceeded
/// is checked for each request all the same.
#[derive(Debug, Default)]
pub struct KnownKeys(Mutex<HashMap<String, KeyReach>>);

impl KnownKeys {
    pub(crate) fn reach(&self, key: &ApiKey) -> Option<KeyReach> {
        self.lock().get(&key.digest()).cloned()
    }

    /// Remembers a key that is valid and whose rate is not exceeded.
    pub(crate) fn accept(&self, key: &ApiKey, access: &Access) {
        let mut keys = self.lock();
        if keys.len() >= MAX_KEYS {
            keys.clear();
        }
        keys.insert(key.digest(), KeyReach::from(access));
    }

    /// Forgets a key that is refused, so that nothing is read for it any more.
    pub(crate) fn refuse(&self, key: &ApiKey) {
        self.lock().remove(&key.digest());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, KeyReach>> {
        // The map is complete after each of its operations.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
