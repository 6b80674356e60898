//! Renaming of entities.

use std::collections::HashSet;

use super::Entity;
use crate::brand::fold_name;
use crate::error::InvalidField;
use crate::target::Target;

impl Entity {
    /// Returns the entity with another name. The old name becomes an alias, so that it still counts as a
    /// mention, unless `aliases` replace those of the entity.
    ///
    /// The target of an individual without a domain changes to the new name. The UUID of the brand remains.
    pub fn renamed(&self, name: &str, aliases: Option<&[String]>) -> Result<Self, InvalidField> {
        let mut renamed = self.clone();
        if renamed.domain.is_none() {
            renamed.set_target(&Target::individual("name", name)?);
        }
        name.clone_into(&mut renamed.name);
        let mut seen = HashSet::from([fold_name(name)]);
        match aliases {
            Some(aliases) => renamed.aliases = aliases.to_vec(),
            None => renamed.aliases.push(self.name.clone()),
        }
        renamed.aliases.retain(|alias| seen.insert(fold_name(alias)));
        Ok(renamed)
    }
}
