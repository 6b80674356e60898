//! The response of `GET /trends/compare`.

mod build;
mod table;

use domain::id::{EntityId, PromptId, TagId};
use insights::comparison::{LeftOutReason, NotComparableReason, Verdict};
use serde::Serialize;
use uuid::Uuid;

pub(super) use build::Views;
pub(crate) use table::COLUMNS;
pub(super) use table::ComparisonTable;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ComparisonResponse {
    /// The comparison of the two windows.
    data: ComparisonView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "TrendComparison")]
#[serde(rename_all = "camelCase")]
struct ComparisonView {
    /// The later window.
    window: DaysView,
    /// The earlier window.
    base: DaysView,
    #[serde(flatten)]
    visibility: SliceViews<AnswerCountsView>,
    /// The visibility in all answers of each window, compared or not.
    all_answers: AllAnswersView,
    /// The models whose version in the window is not the one in the base.
    model_changes: Vec<ModelChangeView>,
    /// The visibility in the answers of the other models. Null if no model has changed.
    without_changed_models: Option<ComparedView<AnswerCountsView>>,
    /// The entity's share of the mentions of all brands. Null if it is not requested.
    share_of_voice: Option<VoiceView>,
    /// The share of the entity's own domains in all citations. Null if it is not requested.
    citations: Option<SliceViews<CitationCountsView>>,
    /// What has answers in the windows and is not compared.
    left_out: LeftOutView,
    /// The first day of both windows from which on all answers were read for the same names. Mentions of
    /// earlier days can lack names that were added since and whose answers have no text any more. Null if
    /// there is no such day.
    #[schemars(with = "Option<domain::schema::IsoDay>")]
    counted_since: Option<String>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DateRange")]
#[serde(rename_all = "camelCase")]
pub(crate) struct DaysView {
    /// The first UTC day.
    #[schemars(with = "domain::schema::IsoDay")]
    start_date: String,
    /// The last UTC day.
    #[schemars(with = "domain::schema::IsoDay")]
    end_date: String,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "AllAnswers")]
struct AllAnswersView {
    /// The answers of the window.
    window: AnswerCountsView,
    /// The answers of the base.
    base: AnswerCountsView,
}

/// The counts of both windows, the change, and the verdict.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "{C}Change")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparedView<C> {
    /// The counts of the window.
    window: C,
    /// The counts of the base.
    base: C,
    /// The change in points, with two decimals: the mean of the changes of each prompt and model, weighted by
    /// their answers. Null if there are too few answers.
    #[schemars(with = "Option<domain::schema::Points>")]
    change: Option<f64>,
    /// The low and the high end of the change's interval at 95 %, with two decimals.
    #[schemars(with = "Option<domain::schema::PointInterval>")]
    change_interval: Option<[f64; 2]>,
    /// The probability, 0 to 1, that chance alone moves the figure at least so far.
    #[schemars(with = "Option<domain::schema::Probability>")]
    p_value: Option<f64>,
    /// Whether the figure has changed. All slices of a figure are judged together.
    verdict: Verdict,
    /// Why the verdict is `not_comparable`. Null otherwise.
    reason: Option<NotComparableReason>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Visibility")]
pub(crate) struct AnswerCountsView {
    /// The number of responses that mention the brand, each once.
    mentions: u64,
    /// The number of answered responses.
    responses: u64,
    /// 100 × mentions / responses, with two decimals.
    #[schemars(with = "Option<domain::schema::Percentage>")]
    score: Option<f64>,
    /// The low and the high end of the score's Wilson interval at 95 %, with two decimals.
    #[schemars(with = "Option<domain::schema::Interval>")]
    interval: Option<[f64; 2]>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "VoiceShare")]
#[serde(rename_all = "camelCase")]
struct VoiceCountsView {
    /// The number of responses that mention the brand.
    mentions: u64,
    /// The mentions of all compared brands, each once per response.
    total_mentions: u64,
    /// 100 × mentions / total mentions, with two decimals. Null without any mention or rival.
    #[schemars(with = "Option<domain::schema::Percentage>")]
    share_of_voice: Option<f64>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "CitationShare")]
#[serde(rename_all = "camelCase")]
struct CitationCountsView {
    /// The number of citations of the entity's own domains, each URL once per response.
    own_citations: u64,
    /// The number of all citations.
    total_citations: u64,
    /// 100 × own citations / all citations, with two decimals.
    #[schemars(with = "Option<domain::schema::Percentage>")]
    share: Option<f64>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Model{C}Change")]
#[serde(rename_all = "camelCase")]
struct ModelView<C> {
    /// The model's UUID.
    model_id: Uuid,
    #[serde(flatten)]
    compared: ComparedView<C>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Prompt{C}Change")]
#[serde(rename_all = "camelCase")]
struct PromptView<C> {
    /// The prompt's id.
    prompt_id: PromptId,
    /// The prompt's text.
    prompt: Option<String>,
    #[serde(flatten)]
    compared: ComparedView<C>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Tag{C}Change")]
#[serde(rename_all = "camelCase")]
struct TagView<C> {
    /// The tag's id.
    tag_id: TagId,
    #[serde(flatten)]
    compared: ComparedView<C>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "RivalVoiceShareChange")]
#[serde(rename_all = "camelCase")]
struct RivalView {
    /// The rival's UUID.
    entity_uuid: Uuid,
    /// The rival's oldest tracking in this workspace. Null if there is none.
    entity_id: Option<EntityId>,
    /// The display name.
    name: String,
    /// The registrable domain. Null for an individual without one.
    domain: Option<String>,
    /// The total are the mentions of the entity and of this rival.
    #[serde(flatten)]
    compared: ComparedView<VoiceCountsView>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "VoiceShareComparison")]
#[serde(rename_all = "camelCase")]
struct VoiceView {
    #[serde(flatten)]
    slices: SliceViews<VoiceCountsView>,
    /// The share of voice against each of the rivals with the most mentions, at most 10.
    by_rival: Vec<RivalView>,
}

// A figure in the answers that are compared, and in slices of them.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "{C}Comparison")]
#[serde(rename_all = "camelCase")]
struct SliceViews<C> {
    /// The figure in the answers that are compared: those to the prompts and models that have answers in both
    /// windows.
    comparison: ComparedView<C>,
    /// The figure in the answers of each model.
    by_model: Vec<ModelView<C>>,
    /// The figure in the answers to each prompt.
    by_prompt: Vec<PromptView<C>>,
    /// The figure in the answers to the prompts of each tag.
    by_tag: Vec<TagView<C>>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ModelChange")]
#[serde(rename_all = "camelCase")]
struct ModelChangeView {
    /// The model's UUID.
    model_id: Uuid,
    /// The versions that the provider reported in the base.
    base_versions: Vec<String>,
    /// The versions that the provider reported in the window.
    window_versions: Vec<String>,
    /// The days of each version, ascending by the first day.
    versions: Vec<VersionDaysView>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ModelVersionDays")]
#[serde(rename_all = "camelCase")]
struct VersionDaysView {
    /// The version that the provider reported.
    version: String,
    /// The first UTC day of both windows with a compared answer of this version.
    #[schemars(with = "domain::schema::IsoDay")]
    first_date: String,
    /// The last such day.
    #[schemars(with = "domain::schema::IsoDay")]
    last_date: String,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "LeftOut")]
struct LeftOutView {
    /// The prompts none of whose answers are compared.
    prompts: Vec<LeftOutPromptView>,
    /// The models none of whose answers are compared.
    models: Vec<LeftOutModelView>,
    /// The prompts and models that are compared, but not with each other.
    pairs: Vec<LeftOutPairView>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "LeftOutPrompt")]
#[serde(rename_all = "camelCase")]
struct LeftOutPromptView {
    /// The prompt's id.
    prompt_id: PromptId,
    /// Why it is left out.
    reason: LeftOutReason,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "LeftOutModel")]
#[serde(rename_all = "camelCase")]
struct LeftOutModelView {
    /// The model's UUID.
    model_id: Uuid,
    /// Why it is left out.
    reason: LeftOutReason,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "LeftOutPair")]
#[serde(rename_all = "camelCase")]
struct LeftOutPairView {
    /// The prompt's id.
    prompt_id: PromptId,
    /// The model's UUID.
    model_id: Uuid,
    /// Why the model's answers to the prompt are left out.
    reason: LeftOutReason,
}
