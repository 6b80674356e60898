//! Makes the response of `GET /trends/compare` from what was compared.

use std::collections::BTreeMap;

use domain::group::BrandLabels;
use domain::id::PromptId;
use domain::metrics::{Share, percent, two_decimals};
use domain::ordinal::BrandOrdinal;
use domain::period::DateRange;
use insights::comparison::{
    ComparedPairs, ComparedRanges, Judgement, PromptKey, Slices, VersionDays, VisibilityComparison,
    VoiceComparison,
};
use statistics::{Counts, Side};

use super::*;
use crate::Scope;

/// Makes the views of one response.
pub(in super::super) struct Views<'a> {
    scope: &'a Scope<'a>,
    names: &'a BrandLabels,
    prompt_texts: BTreeMap<PromptKey, &'a str>,
}

impl<'a> Views<'a> {
    pub(in super::super) fn new(scope: &'a Scope<'a>, names: &'a BrandLabels) -> Self {
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

    pub(in super::super) fn response(
        &self,
        ranges: &ComparedRanges,
        pairs: &ComparedPairs,
        [base, window]: [Share; 2],
        visibility: &VisibilityComparison,
        voice: Option<&VoiceComparison>,
        citations: Option<&Slices>,
    ) -> ComparisonResponse {
        let changes = visibility.model_changes.iter().cloned();
        let model_changes = changes.map(|change| {
            let [base_versions, window_versions] = change.versions;
            ModelChangeView {
                model_id: change.model,
                base_versions,
                window_versions,
                versions: change.days.into_iter().map(VersionDaysView::from).collect(),
            }
        });
        let without = visibility.without_changed_models.as_ref();
        ComparisonResponse {
            data: ComparisonView {
                window: DaysView::from(&ranges.window),
                base: DaysView::from(&ranges.base),
                visibility: self.slices(&visibility.slices, answer_counts),
                all_answers: AllAnswersView {
                    window: AnswerCountsView::from(window),
                    base: AnswerCountsView::from(base),
                },
                model_changes: model_changes.collect(),
                without_changed_models: without.map(ComparedView::of_visibility),
                share_of_voice: voice.map(|voice| self.voice(voice)),
                citations: citations.map(|slices| self.slices(slices, citation_counts)),
                left_out: self.left_out(pairs),
                counted_since: self.scope.counted_since().map(|day| day.to_string()),
            },
        }
    }

    fn slices<C>(&self, slices: &Slices, counts: impl Fn(Counts) -> C) -> SliceViews<C> {
        let view = |judged: &Judgement| ComparedView::new(judged, &counts);
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
            tag_id: *tag,
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
        let has_rivals = voice.slices.whole.reason != Some(NotComparableReason::NoRivals);
        let counts = |counts: Counts| voice_counts(counts, has_rivals);
        let rivals = voice.by_rival.iter();
        VoiceView {
            slices: self.slices(&voice.slices, counts),
            by_rival: rivals
                .filter_map(|(rival, judged)| self.rival(*rival, ComparedView::new(judged, counts)))
                .collect(),
        }
    }

    fn rival(&self, rival: BrandOrdinal, compared: ComparedView<VoiceCountsView>) -> Option<RivalView> {
        let mut known = self.scope.known_brands.values();
        let brand = known.find(|brand| brand.ordinal == rival)?;
        let label = self.names.of_brand(brand.uuid, brand.domain.as_deref());
        Some(RivalView {
            entity_uuid: label.uuid,
            entity_id: label.entity_id,
            name: label.name,
            domain: Some(label.domain).filter(|domain| !domain.is_empty()),
            compared,
        })
    }

    fn prompt_id(&self, key: PromptKey) -> Option<PromptId> {
        Some(PromptId {
            entity: self.scope.entities.get(key.entity_index)?.entity.id,
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
            reason: judged.reason,
        }
    }
}

impl ComparedView<AnswerCountsView> {
    pub(crate) fn of_visibility(judged: &Judgement) -> Self {
        Self::new(judged, answer_counts)
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

impl From<VersionDays> for VersionDaysView {
    fn from(days: VersionDays) -> Self {
        Self {
            version: days.version,
            first_date: days.first.to_string(),
            last_date: days.last.to_string(),
        }
    }
}

fn answer_counts(counts: Counts) -> AnswerCountsView {
    AnswerCountsView::from(Share {
        mentions: counts.count,
        responses: counts.total,
    })
}

impl From<Share> for AnswerCountsView {
    fn from(share: Share) -> Self {
        Self {
            mentions: share.mentions,
            responses: share.responses,
            score: share.score(),
            interval: share.interval(),
        }
    }
}

fn voice_counts(counts: Counts, has_rivals: bool) -> VoiceCountsView {
    VoiceCountsView {
        mentions: counts.count,
        total_mentions: counts.total,
        share_of_voice: percent(counts.count, counts.total).filter(|_| has_rivals),
    }
}

fn citation_counts(counts: Counts) -> CitationCountsView {
    CitationCountsView {
        own_citations: counts.count,
        total_citations: counts.total,
        share: percent(counts.count, counts.total),
    }
}

fn four_decimals(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
