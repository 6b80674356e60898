//! Another name for an entity.

use std::collections::HashSet;

use super::Entity;
use crate::brand::fold_name;
use crate::error::InvalidField;
use crate::target::Target;

impl Entity {
    /// The entity under another name. The old one becomes an alias, so that answers that use it still count. The
    /// target of an individual without a domain is the name and follows it; the brand's uuid stays.
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
