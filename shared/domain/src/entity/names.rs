//! The names by which answers can mention an entity's brand.

use std::collections::BTreeSet;

use super::Entity;
use crate::brand::{display_domain, fold_name};

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

    /// Returns the name and the aliases.
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name)
            .chain(&self.aliases)
            .map(String::as_str)
    }
}
