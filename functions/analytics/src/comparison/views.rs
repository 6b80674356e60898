//! The response of `GET /trends/compare`.

use std::collections::BTreeMap;

use analytics_core::Scope;
use domain::comparison::{
    ComparedPairs, ComparedRanges, Judgement, LeftOutReason, NotComparableReason, PromptKey, Slices, Verdict,
    VisibilityComparison, VoiceComparison,
};
use domain::group::BrandLabels;
use domain::id::{EntityId, PromptId, TagId};
use domain::metrics::{Share, percent, two_decimals};
use domain::ordinal::BrandOrdinal;
use domain::period::DateRange;
use serde::Serialize;
use statistics::{Counts, Side};
use uuid::Uuid;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparisonResponse {
    /// The comparison of the two windows.
    data: ComparisonView,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "TrendComparison")
)]
#[serde(rename_all = "camelCase")]
struct ComparisonView {
    /// The later window.
    window: DaysView,
    /// The earlier window.
    base: DaysView,
    /// The visibility in all answers.
    comparison: VisibilityView,
    /// The visibility in the answers of each model.
    by_model: Vec<ModelView<VisibilityView>>,
    /// The visibility in the answers to each prompt.
    by_prompt: Vec<PromptView<VisibilityView>>,
    /// The visibility in the answers to the prompts of each tag.
    by_tag: Vec<TagView<VisibilityView>>,
    /// The models whose version in the window is not the one in the base.
    model_changes: Vec<ModelChangeView>,
    /// The visibility in the answers of the other models. Null if no model has changed.
    without_changed_models: Option<ComparedView<AnswerCountsView>>,
    /// The entity's share of the mentions of all brands. Null if it is not requested.
    share_of_voice: Option<VoiceView>,
    /// The share of the entity's own domains in all citations. Null if it is not requested.
    citations: Option<CitationsView>,
    /// What has answers in the windows and is not compared.
    left_out: LeftOutView,
    /// The first day of both windows from which on all answers were read for the same names. Mentions of earlier days can lack names
    /// that were added since and whose answers have no text any more. Null if there is no such day.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::IsoDay>"))]
    counted_since: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "DateRange")
)]
#[serde(rename_all = "camelCase")]
struct DaysView {
    /// The first UTC day.
    #[cfg_attr(feature = "schema", schemars(with = "domain::schema::IsoDay"))]
    start_date: String,
    /// The last UTC day.
    #[cfg_attr(feature = "schema", schemars(with = "domain::schema::IsoDay"))]
    end_date: String,
}

/// The counts of both windows, the change, and the verdict.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "{C}Change")
)]
#[serde(rename_all = "camelCase")]
struct ComparedView<C> {
    /// The counts of the window.
    window: C,
    /// The counts of the base.
    base: C,
    /// The change in points, with two decimals: the mean of the changes of each prompt and model, weighted by their answers. Null if there
    /// are too few answers.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::Points>"))]
    change: Option<f64>,
    /// The low and the high end of the change's interval at 95 %, with two decimals.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::PointInterval>"))]
    change_interval: Option<[f64; 2]>,
    /// The probability, 0 to 1, that chance alone moves the figure at least so far.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::Probability>"))]
    p_value: Option<f64>,
    /// Whether the figure has changed. All slices of a figure are judged together.
    verdict: Verdict,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "VisibilityChangeWithReason")
)]
struct VisibilityView {
    #[serde(flatten)]
    compared: ComparedView<AnswerCountsView>,
    /// Why the verdict is `not_comparable`. Null otherwise.
    reason: Option<NotComparableReason>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Visibility")
)]
struct AnswerCountsView {
    /// The number of responses that mention the brand, each once.
    mentions: u64,
    /// The number of answered responses.
    responses: u64,
    /// 100 × mentions / responses, with two decimals.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::Percentage>"))]
    score: Option<f64>,
    /// The low and the high end of the score's Wilson interval at 95 %, with two decimals.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::Interval>"))]
    interval: Option<[f64; 2]>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "VoiceShare")
)]
#[serde(rename_all = "camelCase")]
struct VoiceCountsView {
    /// The number of responses that mention the brand.
    mentions: u64,
    /// The mentions of all compared brands, each once per response.
    total_mentions: u64,
    /// 100 × mentions / total mentions, with two decimals.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::Percentage>"))]
    share_of_voice: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "CitationShare")
)]
#[serde(rename_all = "camelCase")]
struct CitationCountsView {
    /// The number of citations of the entity's own domains, each URL once per response.
    own_citations: u64,
    /// The number of all citations.
    total_citations: u64,
    /// 100 × own citations / all citations, with two decimals.
    #[cfg_attr(feature = "schema", schemars(with = "Option<domain::schema::Percentage>"))]
    share: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Model{V}")
)]
#[serde(rename_all = "camelCase")]
struct ModelView<V> {
    /// The model's UUID.
    model_id: Uuid,
    #[serde(flatten)]
    compared: V,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Prompt{V}")
)]
#[serde(rename_all = "camelCase")]
struct PromptView<V> {
    /// The prompt's id.
    prompt_id: PromptId,
    /// The prompt's text.
    prompt: Option<String>,
    #[serde(flatten)]
    compared: V,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Tag{V}"))]
#[serde(rename_all = "camelCase")]
struct TagView<V> {
    /// The tag's id.
    tag_id: TagId,
    #[serde(flatten)]
    compared: V,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RivalVoiceShareChange")
)]
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

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "VoiceShareComparison")
)]
#[serde(rename_all = "camelCase")]
struct VoiceView {
    /// The share of voice in all answers.
    comparison: ComparedView<VoiceCountsView>,
    /// The share of voice in the answers of each model.
    by_model: Vec<ModelView<ComparedView<VoiceCountsView>>>,
    /// The share of voice in the answers to each prompt.
    by_prompt: Vec<PromptView<ComparedView<VoiceCountsView>>>,
    /// The share of voice in the answers to the prompts of each tag.
    by_tag: Vec<TagView<ComparedView<VoiceCountsView>>>,
    /// The share of voice against each of the rivals with the most mentions, at most 10.
    by_rival: Vec<RivalView>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "CitationShareComparison")
)]
#[serde(rename_all = "camelCase")]
struct CitationsView {
    /// The citations of all answers.
    comparison: ComparedView<CitationCountsView>,
    /// The citations of each model's answers.
    by_model: Vec<ModelView<ComparedView<CitationCountsView>>>,
    /// The citations of the answers to each prompt.
    by_prompt: Vec<PromptView<ComparedView<CitationCountsView>>>,
    /// The citations of the answers to the prompts of each tag.
    by_tag: Vec<TagView<ComparedView<CitationCountsView>>>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "ModelChange")
)]
#[serde(rename_all = "camelCase")]
struct ModelChangeView {
    /// The model's UUID.
    model_id: Uuid,
    /// The versions that the provider reported in the base.
    base_versions: Vec<String>,
    /// The versions that the provider reported in the window.
    window_versions: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "LeftOut")
)]
struct LeftOutView {
    /// The prompts none of whose answers are compared.
    prompts: Vec<LeftOutPromptView>,
    /// The models none of whose answers are compared.
    models: Vec<LeftOutModelView>,
    /// The prompts and models that are compared, but not with each other.
    pairs: Vec<LeftOutPairView>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "LeftOutPrompt")
)]
#[serde(rename_all = "camelCase")]
struct LeftOutPromptView {
    /// The prompt's id.
    prompt_id: PromptId,
    /// Why it is left out.
    reason: LeftOutReason,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "LeftOutModel")
)]
#[serde(rename_all = "camelCase")]
struct LeftOutModelView {
    /// The model's UUID.
    model_id: Uuid,
    /// Why it is left out.
    reason: LeftOutReason,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "LeftOutPair")
)]
#[serde(rename_all = "camelCase")]
struct LeftOutPairView {
    /// The prompt's id.
    prompt_id: PromptId,
    /// The model's UUID.
    model_id: Uuid,
    /// Why the model's answers to the prompt are left out.
    reason: LeftOutReason,
}

/// Makes the views of one response.
pub(super) struct Views<'a> {
    scope: &'a Scope<'a>,
    names: &'a BrandLabels,
    prompt_texts: BTreeMap<PromptKey, &'a str>,
}

/// The views of the slices of a figure.
struct SliceViews<V> {
    comparison: V,
    by_model: Vec<ModelView<V>>,
    by_prompt: Vec<PromptView<V>>,
    by_tag: Vec<TagView<V>>,
}

impl<'a> Views<'a> {
    pub(super) fn new(scope: &'a Scope<'a>, names: &'a BrandLabels) -> Self {
        let entities = scope.entities.iter().enumerate();
        let prompts = entities.flat_map(|(entity_index, counted)| {
            counted.prompts.iter().map(move |prompt| {
                let key = PromptKey {
                    entity_index,
                    prompt: prompt.ordinal,
                };
                (key, prompt.text.as_str())
            })
        });
        Self {
            scope,
            names,
            prompt_texts: prompts.collect(),
        }
    }

    pub(super) fn response(
        &self,
        ranges: &ComparedRanges,
        pairs: &ComparedPairs,
        visibility: &VisibilityComparison,
        voice: Option<&VoiceComparison>,
        citations: Option<&Slices>,
    ) -> ComparisonResponse {
        let slices = self.slices(&visibility.slices, VisibilityView::new);
        let changes = visibility.model_changes.iter().cloned();
        let model_changes = changes.map(|change| {
            let [base_versions, window_versions] = change.versions;
            ModelChangeView {
                model_id: change.model,
                base_versions,
                window_versions,
            }
        });
        let without = visibility.without_changed_models.as_ref();
        ComparisonResponse {
            data: ComparisonView {
                window: DaysView::from(&ranges.window),
                base: DaysView::from(&ranges.base),
                comparison: slices.comparison,
                by_model: slices.by_model,
                by_prompt: slices.by_prompt,
                by_tag: slices.by_tag,
                model_changes: model_changes.collect(),
                without_changed_models: without.map(|judged| ComparedView::new(judged, answer_counts)),
                share_of_voice: voice.map(|voice| self.voice(voice)),
                citations: citations.map(|slices| {
                    let slices = self.slices(slices, |judged| ComparedView::new(judged, citation_counts));
                    CitationsView {
                        comparison: slices.comparison,
                        by_model: slices.by_model,
                        by_prompt: slices.by_prompt,
                        by_tag: slices.by_tag,
                    }
                }),
                left_out: self.left_out(pairs),
                counted_since: self.scope.counted_since().map(|day| day.to_string()),
            },
        }
    }

    fn slices<V>(&self, slices: &Slices, view: impl Fn(&Judgement) -> V) -> SliceViews<V> {
        let by_model = slices.by_model.iter().map(|(model, judged)| ModelView {
            model_id: *model,
            compared: view(judged),
        });
        let by_prompt = slices.by_prompt.iter().filter_map(|(key, judged)| {
            Some(PromptView {
                prompt_id: self.prompt_id(*key)?,
                prompt: self.prompt_texts.get(key).map(|text| (*text).to_owned()),
                compared: view(judged),
            })
        });
        let by_tag = slices.by_tag.iter().map(|(tag, judged)| TagView {
            tag_id: tag.clone(),
            compared: view(judged),
        });
        SliceViews {
            comparison: view(&slices.whole),
            by_model: by_model.collect(),
            by_prompt: by_prompt.collect(),
            by_tag: by_tag.collect(),
        }
    }

    fn voice(&self, voice: &VoiceComparison) -> VoiceView {
        let slices = self.slices(&voice.slices, |judged| ComparedView::new(judged, voice_counts));
        let rivals = voice.by_rival.iter();
        VoiceView {
            comparison: slices.comparison,
            by_model: slices.by_model,
            by_prompt: slices.by_prompt,
            by_tag: slices.by_tag,
            by_rival: rivals
                .filter_map(|(rival, judged)| self.rival(*rival, judged))
                .collect(),
        }
    }

    fn rival(&self, rival: BrandOrdinal, judged: &Judgement) -> Option<RivalView> {
        let mut known = self.scope.known_brands.values();
        let brand = known.find(|brand| brand.ordinal == rival)?;
        let label = self.names.of_brand(brand.uuid, brand.domain.as_deref());
        Some(RivalView {
            entity_uuid: label.uuid,
            entity_id: label.entity_id,
            name: label.name,
            domain: Some(label.domain).filter(|domain| !domain.is_empty()),
            compared: ComparedView::new(judged, voice_counts),
        })
    }

    fn prompt_id(&self, key: PromptKey) -> Option<PromptId> {
        Some(PromptId {
            entity: self.scope.entities.get(key.entity_index)?.entity.id.clone(),
            ordinal: key.prompt,
        })
    }

    fn left_out(&self, pairs: &ComparedPairs) -> LeftOutView {
        let left_out = pairs.left_out();
        let prompts = left_out.prompts.into_iter().filter_map(|(key, reason)| {
            let prompt_id = self.prompt_id(key)?;
            Some(LeftOutPromptView { prompt_id, reason })
        });
        let models = left_out.models.into_iter();
        let pairs = left_out.pairs.into_iter().filter_map(|(key, model_id, reason)| {
            let prompt_id = self.prompt_id(key)?;
            Some(LeftOutPairView {
                prompt_id,
                model_id,
                reason,
            })
        });
        LeftOutView {
            prompts: prompts.collect(),
            models: models
                .map(|(model_id, reason)| LeftOutModelView { model_id, reason })
                .collect(),
            pairs: pairs.collect(),
        }
    }
}

impl<C> ComparedView<C> {
    fn new(judged: &Judgement, counts: impl Fn(Counts) -> C) -> Self {
        let [base, window] = Side::BOTH.map(|side| judged.counts[side.index()]);
        let compared = judged.comparison.as_ref();
        // Adding 0 turns −0 into 0.
        let points = |rate: f64| two_decimals(100.0 * rate) + 0.0;
        Self {
            window: counts(window),
            base: counts(base),
            change: compared.map(|compared| points(compared.change)),
            change_interval: compared.map(|compared| compared.interval.map(points)),
            p_value: compared.map(|compared| four_decimals(compared.p_value)),
            verdict: judged.verdict,
        }
    }
}

impl VisibilityView {
    fn new(judged: &Judgement) -> Self {
        Self {
            compared: ComparedView::new(judged, answer_counts),
            reason: judged.reason,
        }
    }
}

impl From<&DateRange> for DaysView {
    fn from(range: &DateRange) -> Self {
        Self {
            start_date: range.first.to_string(),
            end_date: range.last.to_string(),
        }
    }
}

fn answer_counts(counts: Counts) -> AnswerCountsView {
    let share = Share {
        mentions: counts.count,
        responses: counts.total,
    };
    AnswerCountsView {
        mentions: share.mentions,
        responses: share.responses,
        score: share.score(),
        interval: share.interval(),
    }
}

fn voice_counts(counts: Counts) -> VoiceCountsView {
    VoiceCountsView {
        mentions: counts.count,
        total_mentions: counts.total,
        share_of_voice: percent(counts.count, counts.total),
    }
}

fn citation_counts(counts: Counts) -> CitationCountsView {
    CitationCountsView {
        own_citations: counts.count,
        total_citations: counts.total,
        share: percent(counts.count, counts.total),
    }
}

/// Rounds a probability to four decimals.
fn four_decimals(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
