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
    fn rate(&self) -> (u64, u64, Option<f64>, Option<[f64; 2]>);
}

impl Rate for AnswerCountsView {
    fn rate(&self) -> (u64, u64, Option<f64>, Option<[f64; 2]>) {
        (self.mentions, self.responses, self.score, self.interval)
    }
}

impl Rate for VoiceCountsView {
    fn rate(&self) -> (u64, u64, Option<f64>, Option<[f64; 2]>) {
        (self.mentions, self.total_mentions, self.share_of_voice, None)
    }
}

impl Rate for CitationCountsView {
    fn rate(&self) -> (u64, u64, Option<f64>, Option<[f64; 2]>) {
        (self.own_citations, self.total_citations, self.share, None)
    }
}

impl From<ComparisonResponse> for ComparisonTable {
    fn from(response: ComparisonResponse) -> Self {
        let ComparisonView {
            visibility,
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
        let mut data = Vec::new();
        add_rows(&mut data, "visibility", visibility);
        if let Some(compared) = without_changed_models {
            data.push(ComparisonRow::new(
                "visibility",
                "withoutChangedModels",
                None,
                None,
                &compared,
            ));
        }
        if let Some(voice) = share_of_voice {
            add_rows(&mut data, "shareOfVoice", voice.slices);
            for rival in voice.by_rival {
                let id = Some(rival.entity_uuid.to_string());
                data.push(ComparisonRow::new(
                    "shareOfVoice",
                    "rival",
                    id,
                    Some(rival.name),
                    &rival.compared,
                ));
            }
        }
        if let Some(citations) = citations {
            add_rows(&mut data, "citations", citations);
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

/// Adds a row for the whole and for each model, prompt and tag.
fn add_rows<C: Rate>(rows: &mut Vec<ComparisonRow>, metric: &'static str, slices: SliceViews<C>) {
    let mut add = |slice, id, name, compared: &ComparedView<C>| {
        rows.push(ComparisonRow::new(metric, slice, id, name, compared));
    };
    add("all", None, None, &slices.comparison);
    for model in slices.by_model {
        add("model", Some(model.model_id.to_string()), None, &model.compared);
    }
    for prompt in slices.by_prompt {
        let id = Some(prompt.prompt_id.to_string());
        add("prompt", id, prompt.prompt, &prompt.compared);
    }
    for tag in slices.by_tag {
        add("tag", Some(tag.tag_id.to_string()), None, &tag.compared);
    }
}

impl ComparisonRow {
    fn new(
        metric: &'static str,
        slice: &'static str,
        id: Option<String>,
        name: Option<String>,
        compared: &ComparedView<impl Rate>,
    ) -> Self {
        let (window_count, window_total, window_rate, window_interval) = compared.window.rate();
        let (base_count, base_total, base_rate, base_interval) = compared.base.rate();
        Self {
            metric,
            slice,
            id,
            name,
            window_count,
            window_total,
            window_rate,
            window_interval,
            base_count,
            base_total,
            base_rate,
            base_interval,
            change: compared.change,
            change_interval: compared.change_interval,
            p_value: compared.p_value,
            verdict: compared.verdict,
            reason: compared.reason,
        }
    }
}
