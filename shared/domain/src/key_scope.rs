//! What an API key may do.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::id::EntityId;

/// Whether a key may change anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "KeyScope")]
#[serde(rename_all = "snake_case")]
pub enum KeyAccess {
    /// It may only read.
    Read,
    /// It may read and write.
    #[default]
    Write,
}

/// What a key may do, and with which entities. The default is everything in the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyScope {
    pub access: KeyAccess,
    /// The entities that the key reaches. `None` stands for all entities of the workspace, and for the
    /// workspace itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<BTreeSet<EntityId>>,
}

impl KeyScope {
    /// Returns whether the key may change anything.
    pub fn may_write(&self) -> bool {
        self.access == KeyAccess::Write
    }

    /// Returns whether the key reaches some entities only, and not the workspace itself.
    pub fn is_bound(&self) -> bool {
        self.entities.is_some()
    }

    /// Returns whether the key reaches an entity. Another entity does not exist for the client.
    pub fn reaches(&self, entity: &EntityId) -> bool {
        self.entities
            .as_ref()
            .is_none_or(|entities| entities.contains(entity))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_key_may_do_everything_unless_it_is_said_and_an_unreadable_scope_is_none() {
        let scope = KeyScope::default();
        assert!(scope.may_write() && !scope.is_bound());
        assert!(scope.reaches(&EntityId::from_random(Uuid::from_u128(1))));
        assert!(serde_json::from_str::<KeyScope>("{}").is_err());
    }

    #[test]
    fn a_bound_key_reaches_its_entities_only() {
        let [own, other] = [1, 2].map(|n| EntityId::from_random(Uuid::from_u128(n)));
        let bound = KeyScope {
            entities: Some(BTreeSet::from([own])),
            ..KeyScope::default()
        };
        let stored: KeyScope = serde_json::from_str(&serde_json::to_string(&bound).unwrap()).unwrap();
        assert_eq!(stored, bound);
        assert!(bound.is_bound() && bound.reaches(&own) && !bound.reaches(&other));
    }
}
