//! The names of a workspace: what its answers are read for, and what its rows are called.

use std::collections::BTreeMap;

use domain::brand::{Brand, BrandUuid};
use domain::check::brand_names;
use domain::entity::Entity;
use domain::group::Group;
use domain::reading::Reading;
use store::{Tenant, plan_brands};

use crate::{Checker, CheckerError};

/// The entities, groups and brands of a workspace.
pub(crate) struct WorkspaceNames {
    pub(crate) entities: Vec<Entity>,
    pub(crate) groups: Vec<Group>,
    pub(crate) known_brands: BTreeMap<BrandUuid, Brand>,
}

impl WorkspaceNames {
    /// Returns how an answer to a check that is claimed now would be read.
    pub(crate) fn reading(&self) -> Reading {
        Reading::of(&brand_names(&plan_brands(
            &self.entities,
            self.known_brands.values(),
        )))
    }
}

impl Checker {
    /// Reads the names of a workspace, strongly consistent.
    pub(crate) async fn workspace_names(&self, tenant: &Tenant) -> Result<WorkspaceNames, CheckerError> {
        let (entities, groups, known_brands) = tokio::try_join!(
            self.store.entities(tenant),
            self.store.groups(tenant),
            self.store.brands(tenant),
        )?;
        Ok(WorkspaceNames {
            entities,
            groups,
            known_brands,
        })
    }
}
