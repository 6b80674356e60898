//! Renaming of entities.

use std::collections::HashSet;

use super::Entity;
use crate::brand::fold_name;
use crate::error::InvalidField;
use crate::target::Target;

impl Entity {
    /// Returns the entity with another name. The old name becomes an alias, so that it still counts as a mention.
    ///
    /// The target of an individual without a domain changes to the new name. The UUID of the brand remains.
    pub fn renamed(&self, name: &str) -> Result<Self, InvalidField> {
        let mut new = self.clone();
        if new.domain.is_none() {
            new.set_target(&Target::individual("name", name)?);
        }
        name.clone_into(&mut new.name);
        let mut seen = HashSet::from([fold_name(name)]);
        new.aliases.push(self.name.clone());
        new.aliases.retain(|alias| seen.insert(fold_name(alias)));
        Ok(new)
    }
}
