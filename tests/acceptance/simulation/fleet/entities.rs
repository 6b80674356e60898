//! The entities of a fleet, with their workspaces and models.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::catalogue::{Catalogue, Model};
use domain::id::EntityId;
use domain::prompt::PromptText;
use domain::time::Timestamp;
use store::{NewWorkspace, ReplyRecorder, Store, Tenant};

use crate::store::table::{new_entity, new_prompts, no_limits};

/// An entity whose check is due when it is created.
#[derive(Clone, Default)]
pub(super) struct Tracked {
    pub(super) workspace: usize,
    pub(super) prompts: usize,
    pub(super) models: usize,
    /// The time from the start of the fleet to the creation.
    pub(super) created_after: Duration,
    /// The texts of the prompts if they are not `Question 1?` and so on.
    pub(super) texts: Vec<String>,
}

/// Creates entities, whose checks are due at once, and their workspaces unless they are in `tenants`. The
/// first entity has the number `first`.
pub(super) async fn create_entities(
    store: &Store,
    catalogue: &Catalogue,
    tenants: &mut BTreeMap<usize, Tenant>,
    first: usize,
    tracked: &[Tracked],
) -> Vec<(Tenant, EntityId)> {
    let models: Vec<_> = catalogue.models().iter().map(Model::uuid).collect();
    let mut entities = Vec::new();
    for (index, entity) in tracked.iter().enumerate() {
        let number = first + index;
        let tenant = match tenants.get(&entity.workspace) {
            Some(tenant) => Tenant::clone(tenant),
            None => {
                let new = NewWorkspace {
                    name: format!("Workspace {}", entity.workspace),
                    plan_name: "test".to_owned(),
                    limits: no_limits(),
                    credits: 1_000_000,
                };
                let now = Timestamp::from_millis(0);
                let (tenant, ..) = store.create_workspace(new, now).await.unwrap();
                tenants.insert(entity.workspace, tenant.clone());
                tenant
            }
        };
        let domain = format!("acme{number}.com");
        let asked = &models[models.len() - entity.models.max(4)..];
        let asked = &asked[..entity.models];
        let mut new = new_entity(&tenant, &domain, entity.prompts.min(90), asked);
        for (prompt, text) in new.prompts.iter_mut().zip(&entity.texts) {
            prompt.text = PromptText::parse("prompt", text).unwrap();
        }
        let created = store
            .create_entity(&tenant, &new, None, &ReplyRecorder::disabled())
            .await;
        let id = created.unwrap().entity.id;
        let mut left = entity.prompts.saturating_sub(90);
        while left > 0 {
            let prompts = new_prompts(left.min(90));
            let added = store
                .add_prompts(&tenant, &id, &prompts, &ReplyRecorder::disabled())
                .await;
            assert!(added.is_ok(), "prompts are not added");
            left -= left.min(90);
        }
        entities.push((tenant, id));
    }
    entities
}

/// Returns a catalogue of a model of one provider, and four of another.
pub(super) fn catalogue() -> Catalogue {
    let models = ["other", "one", "two", "three", "four"].map(|id| {
        let provider = if id == "other" { "mistral" } else { "openai" };
        format!(
            r#"{{"id":"{id}","provider":"{provider}","model":"{id}","name":"{id}","description":"","credits":1}}"#
        )
    });
    Catalogue::from_json(&format!("[{}]", models.join(","))).unwrap()
}
