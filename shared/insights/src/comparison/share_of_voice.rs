//! How the share of voice of an entity has changed.

use std::cmp::Reverse;

use domain::limits::MAX_COMPARED_RIVALS;
use domain::metrics::Share;
use domain::ordinal::BrandOrdinal;
use facts::figures::Voices;

use super::compared_answers::ComparedAnswers;
use super::judgement::{Judgement, NotComparableReason, judge_together};
use super::observe::{head_to_head, share_of_voice};
use super::slices::{Slices, TaggedPrompts, compare_slices};

/// The comparison of the share of voice.
#[derive(Debug, Clone, PartialEq)]
pub struct VoiceComparison {
    /// The entity's mentions among the mentions of all brands.
    pub slices: Slices,
    /// The entity's mentions among its own and those of one rival. The rivals with the most mentions come
    /// first.
    pub by_rival: Vec<(BrandOrdinal, Judgement)>,
}

/// Compares the share of voice, also against each of the rivals with the most mentions.
///
/// `is_rival` returns whether a brand is shown. Rivals are judged together, like slices. `tracks_rivals`
/// tells whether the workspace tracks another brand. Without one, each window needs an answer that names one;
/// otherwise nothing is compared.
pub fn compare_share_of_voice(
    answers: &ComparedAnswers<'_>,
    tags: &[TaggedPrompts],
    is_rival: impl Fn(BrandOrdinal) -> bool,
    tracks_rivals: bool,
) -> VoiceComparison {
    let pairs = answers.pairs();
    let mut rivals: Vec<(BrandOrdinal, u64)> = answers.mentions_of_others().into_iter().collect();
    rivals.retain(|(brand, _)| is_rival(*brand));
    rivals.sort_by_key(|(brand, mentions)| (Reverse(*mentions), *brand));
    rivals.truncate(MAX_COMPARED_RIVALS);
    let judge = |rival: BrandOrdinal| {
        let observations = answers.observe(head_to_head(answers.brands, rival));
        let prompts = pairs.compared_prompts.iter().copied();
        (rival, Judgement::of(&observations, prompts, |_| true))
    };
    let mut by_rival: Vec<(BrandOrdinal, Judgement)> =
        rivals.into_iter().map(|(rival, _)| judge(rival)).collect();
    judge_together(by_rival.iter_mut().map(|(_, judgement)| judgement));
    let observations = answers.observe(share_of_voice(answers.brands));
    let mut slices = compare_slices(pairs, &observations, tags);
    let has_rivals = slices.whole.counts.iter().all(|counts| {
        let of_entity = Share {
            mentions: counts.count,
            responses: counts.total,
        };
        Voices::new(of_entity, tracks_rivals).reason().is_none()
    });
    if !has_rivals {
        slices.whole.withhold(NotComparableReason::NoRivals);
        let by_rival = by_rival.iter_mut().map(|(_, judgement)| judgement);
        for judgement in slices.parts_mut().chain(by_rival) {
            judgement.withhold(NotComparableReason::NoRivals);
        }
    }
    VoiceComparison { slices, by_rival }
}
