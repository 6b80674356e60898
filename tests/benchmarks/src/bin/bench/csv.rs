//! Writes the facts as CSV files, for comparisons with other databases.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use domain::answer::ResponseState;
use domain::check::Response;
use domain::check_key::CheckKey;
use domain::citation::CanonicalUrl;
use domain::entity::Entity;
use domain::id::{PromptId, ResponseId};
use domain::ordinal::BrandOrdinal;

/// The CSV files.
pub(crate) struct Csv {
    responses: BufWriter<File>,
    citations: BufWriter<File>,
    fanouts: BufWriter<File>,
}

impl Csv {
    pub(crate) fn create(directory: &Path) -> Self {
        std::fs::create_dir_all(directory).expect("a directory");
        let file = |name: &str, columns: &str| {
            let file = File::create(directory.join(name)).expect("a file");
            let mut file = BufWriter::new(file);
            writeln!(file, "{columns}").expect("a row is written");
            file
        };
        Self {
            responses: file(
                "responses.csv",
                "response_id,entity_id,prompt_id,model_uuid,answered_at,mentioned,position",
            ),
            citations: file("citations.csv", "response_id,url,domain"),
            fanouts: file("fanouts.csv", "response_id,query"),
        }
    }

    /// Writes the answered responses of a check. `brand` is the ordinal of the entity's brand.
    pub(crate) fn add(
        &mut self,
        entity: &Entity,
        brand: BrandOrdinal,
        check: CheckKey,
        responses: &[Response],
    ) {
        let answered = responses.iter().filter(|r| r.state == ResponseState::Answered);
        for response in answered {
            let id = ResponseId {
                entity: entity.id.clone(),
                day: check.day,
                check: check.check,
                prompt: response.prompt,
                model: response.model,
            };
            let prompt = PromptId {
                entity: entity.id.clone(),
                ordinal: response.prompt,
            };
            let model = entity.model_ordinals[response.model.index()];
            let index = response.brands.iter().position(|known| *known == brand);
            let position = index.map_or_else(String::new, |index| (index + 1).to_string());
            let (at, mentioned) = (response.answered_at.iso(), index.is_some());
            writeln!(
                self.responses,
                "{id},{},{prompt},{model},{at},{mentioned},{position}",
                entity.id
            )
            .expect("a row is written");
            for cited in &response.citations {
                let domain = CanonicalUrl::parse(&cited.url).map(|url| url.registrable().to_owned());
                let (url, domain) = (quoted(&cited.url), domain.unwrap_or_default());
                writeln!(self.citations, "{id},{url},{domain}").expect("a row is written");
            }
            for query in &response.queries {
                writeln!(self.fanouts, "{id},{}", quoted(query)).expect("a row is written");
            }
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
