//! The table of `GET /trends/compare`.

use api::Columns;
use serde::Serialize;

use super::*;

/// The columns of the table, which has a row for each slice of each figure.
pub(crate) const COLUMNS: Columns = &[
    "metric",
    "slice",
    "id",
    "name",
    "windowCount",
    "windowTotal",
    "windowRate",
    "windowIntervalLow",
    "windowIntervalHigh",
    "baseCount",
    "baseTotal",
    "baseRate",
    "baseIntervalLow",
    "baseIntervalHigh",
    "change",
    "changeIntervalLow",
    "changeIntervalHigh",
    "pValue",
    "verdict",
    "reason",
];

/// The slices of all figures in one list, as a table needs them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct ComparisonTable {
    data: Vec<ComparisonRow>,
    // A CSV table has no place for what is true of all rows. An assistant needs it.
    window: DaysView,
    base: DaysView,
    all_answers: AllAnswersView,
    model_changes: Vec<ModelChangeView>,
    left_out: LeftOutView,
    counted_since: Option<String>,
}

/// The comparison of one slice of a figure.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ComparisonRow {
    metric: &'static str,
    slice: &'static str,
    /// The id of the model, prompt, tag or rival.
    id: Option<String>,
    /// The text of the prompt, or the name of the rival.
    name: Option<String>,
    window_count: u64,
    window_total: u64,
    window_rate: Option<f64>,
    window_interval: Option<[f64; 2]>,
    base_count: u64,
    base_total: u64,
    base_rate: Option<f64>,
    base_interval: Option<[f64; 2]>,
    change: Option<f64>,
    change_interval: Option<[f64; 2]>,
    p_value: Option<f64>,
    verdict: Verdict,
    reason: Option<NotComparableReason>,
}

/// The counts of a window: what is counted, of how many, the percentage, and its interval if the response has
/// one.
trait Rate {
    fn rate(&self) -> (u64, u64, Option<f64>);

    fn interval(&self) -> Option<[f64; 2]> {
        None
    }
}

impl Rate for AnswerCountsView {
    fn rate(&self) -> (u64, u64, Option<f64>) {
        (self.mentions, self.responses, self.score)
    }

    fn interval(&self) -> Option<[f64; 2]> {
        self.interval
    }
}

impl Rate for VoiceCountsView {
    fn rate(&self) -> (u64, u64, Option<f64>) {
        (self.mentions, self.total_mentions, self.share_of_voice)
    }
}

impl Rate for CitationCountsView {
    fn rate(&self) -> (u64, u64, Option<f64>) {
        (self.own_citations, self.total_citations, self.share)
    }
}

/// A slice of the answers.
#[derive(Default)]
struct Slice {
    kind: &'static str,
    id: Option<String>,
    name: Option<String>,
}

impl From<ComparisonResponse> for ComparisonTable {
    fn from(response: ComparisonResponse) -> Self {
        let ComparisonView {
            comparison,
            by_model,
            by_prompt,
            by_tag,
            without_changed_models,
            share_of_voice,
            citations,
            window,
            base,
            all_answers,
            model_changes,
            left_out,
            counted_since,
        } = response.data;
        let visibility = SliceViews {
            comparison,
            by_model,
            by_prompt,
            by_tag,
        };
        let mut data = rows("visibility", visibility);
        if let Some(compared) = without_changed_models {
            let slice = Slice {
                kind: "withoutChangedModels",
                ..Slice::default()
            };
            data.push(ComparisonRow::new("visibility", slice, &compared));
        }
        if let Some(voice) = share_of_voice {
            let slices = SliceViews {
                comparison: voice.comparison,
                by_model: voice.by_model,
                by_prompt: voice.by_prompt,
                by_tag: voice.by_tag,
            };
            data.extend(rows("shareOfVoice", slices));
            for rival in voice.by_rival {
                let slice = Slice {
                    kind: "rival",
                    id: Some(rival.entity_uuid.to_string()),
                    name: Some(rival.name),
                };
                data.push(ComparisonRow::new("shareOfVoice", slice, &rival.compared));
            }
        }
        if let Some(citations) = citations {
            let slices = SliceViews {
                comparison: citations.comparison,
                by_model: citations.by_model,
                by_prompt: citations.by_prompt,
                by_tag: citations.by_tag,
            };
            data.extend(rows("citations", slices));
        }
        Self {
            data,
            window,
            base,
            all_answers,
            model_changes,
            left_out,
            counted_since,
        }
    }
}

/// Returns a row for the whole and for each model, prompt and tag.
fn rows<C: Rate>(metric: &'static str, slices: SliceViews<C>) -> Vec<ComparisonRow> {
    let row = |slice: Slice, compared: ComparedView<C>| ComparisonRow::new(metric, slice, &compared);
    let slice = |kind, id: Option<String>, name| Slice { kind, id, name };
    let whole = row(slice("all", None, None), slices.comparison);
    let models = slices.by_model.into_iter();
    let models = models.map(|model| {
        row(
            slice("model", Some(model.model_id.to_string()), None),
            model.compared,
        )
    });
    let prompts = slices.by_prompt.into_iter().map(|prompt| {
        let id = Some(prompt.prompt_id.to_string());
        row(slice("prompt", id, prompt.prompt), prompt.compared)
    });
    let tags = slices.by_tag.into_iter();
    let tags = tags.map(|tag| row(slice("tag", Some(tag.tag_id.to_string()), None), tag.compared));
    std::iter::once(whole)
        .chain(models)
        .chain(prompts)
        .chain(tags)
        .collect()
}

impl ComparisonRow {
    fn new(metric: &'static str, slice: Slice, compared: &ComparedView<impl Rate>) -> Self {
        let (window_count, window_total, window_rate) = compared.window.rate();
        let (base_count, base_total, base_rate) = compared.base.rate();
        Self {
            metric,
            slice: slice.kind,
            id: slice.id,
            name: slice.name,
            window_count,
            window_total,
            window_rate,
            window_interval: compared.window.interval(),
            base_count,
            base_total,
            base_rate,
            base_interval: compared.base.interval(),
            change: compared.change,
            change_interval: compared.change_interval,
            p_value: compared.p_value,
            verdict: compared.verdict,
            reason: compared.reason,
        }
    }
}
