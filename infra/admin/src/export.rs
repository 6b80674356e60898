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
use domain::workspace::Workspace;
use serde::Serialize;
use serde_json::{Value, json};
use store::{Consistency, Store, Tenant};

use crate::facts::Facts;
use crate::{AdminError, key, member, name_request, workspace_json};

/// The version of the format. It changes if a line loses a field or a field changes its meaning.
const FORMAT: u32 = 1;
/// The fields of stored items that are of no use outside the table.
const INTERNAL_FIELDS: [&str; 11] = [
    "revision",
    "running",
    "promptSeq",
    "checkSeq",
    "claimedOn",
    "activeActionables",
    "lastNameRequest",
    "lastAlert",
    // Of a webhook: a file is no place for what signs its messages.
    "secrets",
    "isDefault",
    "fingerprint",
];

/// Exports a workspace to a file.
pub(crate) async fn to_file(
    store: &Store,
    tenant: &Tenant,
    workspace: &Workspace,
    out: &Path,
    overwrite: bool,
) -> Result<Value, AdminError> {
    refuse_existing(out, overwrite)?;
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = out.with_file_name(name);
    let exported = async {
        let lines = Lines::create(&partial)?;
        let exporter = Exporter { store, tenant, lines };
        exporter.export(workspace).await
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

    /// Writes a line of a type. The fields of `value` follow the type.
    fn write(&mut self, kind: &str, value: impl Serialize) -> Result<(), AdminError> {
        let mut line = serde_json::to_value(value)?;
        if let Some(fields) = line.as_object_mut() {
            for internal in INTERNAL_FIELDS {
                fields.remove(internal);
            }
            fields.insert("type".to_owned(), kind.into());
        }
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
    /// Writes all lines and returns their number.
    async fn export(mut self, of: &Workspace) -> Result<usize, AdminError> {
        let (store, tenant) = (self.store, self.tenant);
        let head = json!({ "format": FORMAT, "workspaceId": of.id.as_str() });
        self.lines.write("export", head)?;
        let shown = workspace_json::to_json(of, store.credits(tenant).await?);
        self.lines.write("workspace", shown)?;
        for key in store.list_keys(tenant).await? {
            self.lines.write("key", key::to_json(&key))?;
        }
        for member in store.members(tenant).await? {
            self.lines.write("member", member::to_json(&member))?;
        }
        for webhook in store.webhooks(tenant).await? {
            self.lines.write("webhook", &webhook)?;
        }
        for tag in store.tags(tenant).await? {
            self.lines.write("tag", tag)?;
        }
        for brand in store.brands(tenant).await?.values() {
            self.lines.write("brand", brand)?;
        }
        for group in store.groups(tenant).await? {
            self.lines.write("group", group)?;
        }
        let name_requests = store.name_requests(tenant).await?;
        for entity in store.entities(tenant).await? {
            self.lines.write("entity", &entity)?;
            for prompt in store.tagged_prompts(tenant, &entity.id).await? {
                let id = PromptId {
                    entity: entity.id.clone(),
                    ordinal: prompt.ordinal,
                };
                self.child("prompt", &entity, &id.to_string(), prompt)?;
            }
            for request in name_requests.iter().filter(|request| request.entity == entity.id) {
                self.lines.write("nameRequest", name_request::to_json(request))?;
            }
            self.board(&entity).await?;
            for check in store.checks(tenant, &entity.id).await? {
                let day = check.day().to_string();
                let mut line = serde_json::to_value(&check)?;
                line["entityId"] = entity.id.as_str().into();
                line["day"] = day.into();
                self.lines.write("check", line)?;
            }
            self.answers(&entity).await?;
            self.facts(&entity).await?;
        }
        self.lines.finish()
    }

    /// Writes an item of an entity.
    fn child(&mut self, kind: &str, of: &Entity, id: &str, value: impl Serialize) -> Result<(), AdminError> {
        let mut line = serde_json::to_value(value)?;
        line["id"] = id.into();
        line["entityId"] = of.id.as_str().into();
        self.lines.write(kind, line)
    }

    async fn board(&mut self, entity: &Entity) -> Result<(), AdminError> {
        let board = self.store.board(self.tenant, &entity.id).await?;
        for actionable in board.actionables {
            let id = ActionableId {
                entity: entity.id.clone(),
                ordinal: actionable.ordinal,
            };
            self.child("recommendation", entity, &id.to_string(), actionable)?;
        }
        for task in board.tasks {
            let id = TaskId {
                entity: entity.id.clone(),
                ordinal: task.ordinal,
            };
            self.child("task", entity, &id.to_string(), task)?;
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
                    self.lines.write("answer", answer(entity, &id, &response)?)?;
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
                entity: entity.id.clone(),
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

/// Returns an answer with the ids by which the API knows its prompt and model.
fn answer(entity: &Entity, id: &ResponseId, response: &Response) -> Result<Value, AdminError> {
    let prompt = PromptId {
        entity: entity.id.clone(),
        ordinal: response.prompt,
    };
    let model = entity.model_ordinals.get(response.model.index());
    let mut line = serde_json::to_value(response)?;
    line["id"] = id.to_string().into();
    line["entityId"] = entity.id.as_str().into();
    line["promptId"] = prompt.to_string().into();
    line["modelId"] = json!(model);
    line["day"] = id.day.to_string().into();
    line["check"] = json!(id.check);
    Ok(line)
}
