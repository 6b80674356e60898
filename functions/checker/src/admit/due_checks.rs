//! The due checks of all workspaces, as an admission sees them.

use std::collections::BTreeSet;

use domain::admission::DueWork;
use domain::catalogue::Catalogue;
use domain::entity::Entity;
use domain::id::{EntityId, WorkspaceId};
use domain::limits::MAX_PROMPTS_PER_SHARD;
use store::{DueItem, DueSubject};

/// A due check that nobody has claimed.
pub(super) struct DueCheck {
    pub(super) item: DueItem,
    pub(super) entity: EntityId,
    pub(super) work: DueWork<WorkspaceId>,
}

impl DueCheck {
    /// Describes the due check of an entity. Its expected shards are those of all its prompts, including
    /// paused ones.
    pub(super) fn of(item: DueItem, entity: &Entity, catalogue: &Catalogue) -> Self {
        let models = entity.models.iter().filter(|m| catalogue.get(**m).is_some());
        let models: u32 = models.map(|_| 1).sum();
        let work = DueWork {
            workspace: *item.tenant.workspace(),
            since: item.since,
            shards: (0..entity.prompts)
                .step_by(MAX_PROMPTS_PER_SHARD)
                .map(|_| models)
                .sum(),
        };
        Self {
            entity: entity.id,
            item,
            work,
        }
    }
}

/// The entities whose check slots are due and that the admission has not processed, earliest first.
pub(super) struct DueChecks(Vec<(DueItem, EntityId)>);

impl DueChecks {
    pub(super) fn of(slots: Vec<DueItem>) -> Self {
        let entity = |item: DueItem| match item.subject.clone() {
            DueSubject::Entity(entity) => Some((item, entity)),
            DueSubject::WorkspaceRereading
            | DueSubject::EntityRereading(_)
            | DueSubject::DeletedWorkspace => None,
        };
        Self(slots.into_iter().filter_map(entity).collect())
    }

    /// Returns the earliest entity of each of the first `workspaces` workspaces.
    pub(super) fn first_of_workspaces(&self, workspaces: usize) -> Vec<(DueItem, EntityId)> {
        let mut seen = BTreeSet::new();
        let first = self
            .0
            .iter()
            .filter(|(item, _)| seen.insert(item.tenant.workspace()));
        first.take(workspaces).cloned().collect()
    }

    pub(super) fn remove(&mut self, item: &DueItem) {
        self.0.retain(|(other, _)| other != item);
    }
}
