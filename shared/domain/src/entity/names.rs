//! The names by which answers can mention an entity's brand.

use std::collections::{BTreeSet, HashSet};

use super::Entity;
use crate::brand::{display_domain, fold_name};
use crate::error::InvalidField;
use crate::target::Target;

impl Entity {
    /// Returns the first name or alias of the entity, in the spelling of the entity, that another brand among
    /// `entities` has as name, alias or domain. Names that the entity had `before` are passed over. Entities
    /// of one site share their names.
    pub fn name_of_another_brand(&self, before: Option<&Self>, entities: &[Self]) -> Option<&str> {
        let others = entities.iter().filter(|entity| entity.brand != self.brand);
        let of_domain = |domain: &String| [fold_name(domain), fold_name(&display_domain(domain))];
        let taken: BTreeSet<String> = others
            .flat_map(|entity| {
                let domains = entity.domain.iter().flat_map(of_domain);
                entity.names().map(fold_name).chain(domains)
            })
            .collect();
        let kept: BTreeSet<String> = before
            .iter()
            .flat_map(|entity| entity.names())
            .map(fold_name)
            .collect();
        self.names().find(|name| {
            let folded = fold_name(name);
            taken.contains(&folded) && !kept.contains(&folded)
        })
    }

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

    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name)
            .chain(&self.aliases)
            .map(String::as_str)
    }
}
