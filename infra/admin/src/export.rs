//! Writes everything that a workspace has as JSON lines. `infra/README.md` describes the types of the lines.
//!
//! The lines are written as they are read, page by page, to a file beside the requested one, which is renamed
//! at the end. Their order follows from the data, and the last line tells the number of lines.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use domain::check::Response;
use domain::entity::Entity;
use domain::id::{ActionableId, PromptId, ResponseId, TaskId};
use domain::period::DateRange;
use serde::Serialize;
use serde_json::{Value, json};
use store::{Consistency, Store, Tenant};

use crate::facts::Facts;
use crate::{AdminError, key, member, name_request};

/// The version of the format. It changes if a line loses a field or a field changes its meaning.
const FORMAT: u32 = 1;
/// A type of lines that show a stored item, and the fields of the item that they have. A field that an item
/// gains is exported when it is listed here: it may be a secret, or the state of work under way.
struct ItemType(&'static str, &'static str);

const WEBHOOK: ItemType = ItemType(
    "webhook",
    "id url format events entities createdAt updatedAt disabled",
);
const TAG: ItemType = ItemType("tag", "id name createdAt");
const BRAND: ItemType = ItemType("brand", "uuid ordinal domain trackings group countsAsUsed");
const GROUP: ItemType = ItemType("group", "id name primary members scope createdAt updatedAt");
const ENTITY: ItemType = ItemType(
    "entity",
    "id brand brandOrdinal name target targetType domain faviconUrl description language geolocation \
     trackingType aliases models modelOrdinals isActive frequencyHours createdAt prompts nextCheckAt lastCheck \
     problems",
);
const PROMPT: ItemType = ItemType(
    "prompt",
    "ordinal text language geolocation createdAt isActive isDeleted tags",
);
const RECOMMENDATION: ItemType = ItemType(
    "recommendation",
    "ordinal recommendation status createdAt updatedAt closedAt missed retired outcome",
);
const TASK: ItemType = ItemType(
    "task",
    "ordinal actionable title description unnamed priority status assignees sortOrder createdAt updatedAt doneAt",
);
const CHECK: ItemType = ItemType(
    "check",
    "check state claimedAt startedAt deadline shards shardsLeft reserved",
);
const ANSWER: ItemType = ItemType(
    "answer",
    "prompt model state answeredAt text narration citations unresolvedCitations citationsTruncated queries \
     searched truncated brands notMentioned reading reason usage",
);

impl ItemType {
    /// Returns the listed fields of an item together with those of `added`.
    fn line(&self, item: impl Serialize, added: Value) -> Result<Value, AdminError> {
        let mut line = serde_json::to_value(item)?;
        if let (Value::Object(fields), Value::Object(added)) = (&mut line, added) {
            fields.retain(|name, _| self.1.split(' ').any(|listed| listed == name));
            fields.extend(added);
        }
        Ok(line)
    }
}

/// Exports a workspace to a file. `shown` is the workspace as `workspace show` shows it.
pub(crate) async fn to_file(
    store: &Store,
    tenant: &Tenant,
    shown: Value,
    out: &Path,
    overwrite: bool,
) -> Result<Value, AdminError> {
    refuse_existing(out, overwrite)?;
    let partial = out.with_added_extension("partial");
    let exported = async {
        let lines = Lines::create(&partial)?;
        let exporter = Exporter { store, tenant, lines };
        exporter.export(shown).await
    };
    let exported = exported.await.and_then(|lines| {
        refuse_existing(out, overwrite)?;
        fs::rename(&partial, out)?;
        Ok(lines)
    });
    match exported {
        Ok(lines) => Ok(json!({
            "workspaceId": tenant.workspace().as_str(), "file": PathBuf::from(out), "lines": lines,
        })),
        Err(error) => {
            // The first error is the one to report.
            let _ = fs::remove_file(&partial);
            Err(error)
        }
    }
}

fn refuse_existing(out: &Path, overwrite: bool) -> Result<(), AdminError> {
    if !overwrite && out.try_exists()? {
        return Err(AdminError::Refused(
            "--out names a file that exists; --overwrite replaces it",
        ));
    }
    Ok(())
}

/// A file of JSON lines.
struct Lines {
    file: BufWriter<File>,
    count: usize,
}

impl Lines {
    /// Creates the file, in place of what an export has left that was stopped. Nobody else can read it. A
    /// link in its place is removed, not followed, and a file that somebody creates meanwhile is an error.
    fn create(path: &Path) -> Result<Self, AdminError> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = BufWriter::new(options.open(path)?);
        Ok(Self { file, count: 0 })
    }

    fn write_item(&mut self, of: &ItemType, item: impl Serialize, added: Value) -> Result<(), AdminError> {
        self.write(of.0, of.line(item, added)?)
    }

    fn write(&mut self, kind: &str, mut line: Value) -> Result<(), AdminError> {
        line["type"] = kind.into();
        serde_json::to_writer(&mut self.file, &line)?;
        self.file.write_all(b"\n")?;
        self.count += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<usize, AdminError> {
        self.write("end", json!({ "lines": self.count + 1 }))?;
        let count = self.count;
        let file = self.file.into_inner().map_err(IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok(count)
    }
}

struct Exporter<'a> {
    store: &'a Store,
    tenant: &'a Tenant,
    lines: Lines,
}

impl Exporter<'_> {
    async fn export(mut self, workspace: Value) -> Result<usize, AdminError> {
        let (store, tenant) = (self.store, self.tenant);
        let head = json!({ "format": FORMAT, "workspaceId": tenant.workspace().as_str() });
        self.lines.write("export", head)?;
        self.lines.write("workspace", workspace)?;
        for key in store.list_keys(tenant).await? {
            self.lines.write("key", key::to_json(&key))?;
        }
        for member in store.members(tenant).await? {
            self.lines.write("member", member::to_json(&member))?;
        }
        for webhook in store.webhooks(tenant).await? {
            self.lines.write_item(&WEBHOOK, &webhook, json!({}))?;
        }
        for tag in store.tags(tenant).await? {
            self.lines.write_item(&TAG, tag, json!({}))?;
        }
        for brand in store.brands(tenant).await?.values() {
            self.lines.write_item(&BRAND, brand, json!({}))?;
        }
        for group in store.groups(tenant).await? {
            self.lines.write_item(&GROUP, group, json!({}))?;
        }
        let name_requests = store.name_requests(tenant).await?;
        for entity in store.entities(tenant).await? {
            self.lines.write_item(&ENTITY, &entity, json!({}))?;
            for prompt in store.tagged_prompts(tenant, &entity.id).await? {
                let id = PromptId {
                    entity: entity.id,
                    ordinal: prompt.ordinal,
                };
                self.child(&PROMPT, &entity, &id.to_string(), prompt)?;
            }
            for request in name_requests.iter().filter(|request| request.entity == entity.id) {
                self.lines.write("nameRequest", name_request::to_json(request))?;
            }
            self.board(&entity).await?;
            for check in store.checks(tenant, &entity.id).await? {
                let added = json!({ "entityId": entity.id, "day": check.day().to_string() });
                self.lines.write_item(&CHECK, check, added)?;
            }
            self.answers(&entity).await?;
            self.facts(&entity).await?;
        }
        self.lines.finish()
    }

    fn child(
        &mut self,
        of: &ItemType,
        entity: &Entity,
        id: &str,
        item: impl Serialize,
    ) -> Result<(), AdminError> {
        self.lines
            .write_item(of, item, json!({ "id": id, "entityId": entity.id }))
    }

    async fn board(&mut self, entity: &Entity) -> Result<(), AdminError> {
        let board = self.store.board(self.tenant, &entity.id).await?;
        for actionable in board.actionables {
            let id = ActionableId {
                entity: entity.id,
                ordinal: actionable.ordinal,
            };
            self.child(&RECOMMENDATION, entity, &id.to_string(), actionable)?;
        }
        for task in board.tasks {
            let id = TaskId {
                entity: entity.id,
                ordinal: task.ordinal,
            };
            self.child(&TASK, entity, &id.to_string(), task)?;
        }
        Ok(())
    }

    async fn answers(&mut self, entity: &Entity) -> Result<(), AdminError> {
        for month in self.store.answer_months(entity) {
            let mut start = None;
            loop {
                let page = self
                    .store
                    .responses_of_month(self.tenant, &entity.id, month, start);
                let (responses, next) = page.await?;
                for (id, response) in responses {
                    let ids = ids_of_answer(entity, &id, &response);
                    self.lines.write_item(&ANSWER, response, ids)?;
                }
                if next.is_none() {
                    break;
                }
                start = next;
            }
        }
        Ok(())
    }

    async fn facts(&mut self, entity: &Entity) -> Result<(), AdminError> {
        for month in self.store.answer_months(entity) {
            let Some(range) = DateRange::of_month(month) else {
                continue;
            };
            let index = self
                .store
                .fact_index(self.tenant, &entity.id, &[range], Consistency::Strong)
                .await?;
            let facts = Facts {
                store: self.store.clone(),
                tenant: self.tenant.clone(),
                entity: entity.id,
                index,
            };
            for (check, entry) in facts.index.checks()? {
                let mut line = facts.check_as_json(check, &entry).await?;
                line["entityId"] = entity.id.as_str().into();
                line["day"] = check.day.to_string().into();
                self.lines.write("facts", line)?;
            }
        }
        Ok(())
    }
}

/// Returns the ids by which the API knows an answer, its prompt and its model.
fn ids_of_answer(entity: &Entity, id: &ResponseId, response: &Response) -> Value {
    let prompt = PromptId {
        entity: entity.id,
        ordinal: response.prompt,
    };
    json!({
        "id": id.to_string(),
        "entityId": entity.id,
        "promptId": prompt.to_string(),
        "modelId": entity.model_ordinals.get(response.model.index()),
        "day": id.day.to_string(),
        "check": id.check,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_an_item_gains_is_not_exported_unless_it_is_listed() {
        let types = [
            WEBHOOK,
            TAG,
            BRAND,
            GROUP,
            ENTITY,
            PROMPT,
            RECOMMENDATION,
            TASK,
            CHECK,
            ANSWER,
        ];
        for of in types {
            let listed: Value =
                of.1.split(' ')
                    .map(|field| (field.to_owned(), json!(1)))
                    .collect();
            let mut item = listed.clone();
            item["gained"] = json!("a secret");
            assert_eq!(of.line(item, json!({})).unwrap(), listed, "{}", of.0);
        }
    }
}
