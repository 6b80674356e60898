//! How the share of voice of an entity has changed.

use super::compared_pairs::{ComparedPairs, WindowSegment};
use super::judgement::{Judgement, judge_together};
use super::observe::{BrandsToCompare, head_to_head, most_mentioned, share_of_voice};
use super::slices::{Slices, TaggedPrompts, compare_slices};
use crate::facts::families::Visibility;
use crate::limits::MAX_COMPARED_RIVALS;
use crate::ordinal::BrandOrdinal;

/// The comparison of the share of voice.
#[derive(Debug, Clone, PartialEq)]
pub struct VoiceComparison {
    /// The entity's mentions among the mentions of all brands.
    pub slices: Slices,
    /// The entity's mentions among its own and those of one rival. The rivals with the most mentions come first.
    pub by_rival: Vec<(BrandOrdinal, Judgement)>,
}

/// Compares the share of voice, also against each of the rivals with the most mentions.
///
/// `is_rival` returns whether a brand is shown. Rivals are judged together, like slices.
pub fn compare_share_of_voice(
    pairs: &ComparedPairs,
    segments: &[WindowSegment<'_, Visibility>],
    brands: BrandsToCompare<'_>,
    tags: &[TaggedPrompts],
    is_rival: impl Fn(BrandOrdinal) -> bool,
) -> VoiceComparison {
    let BrandsToCompare { own, counted_as } = brands;
    let observations = pairs.observe_answers(segments, share_of_voice(own, counted_as));
    let prompts = &pairs.compared_prompts;
    let rivals = most_mentioned(pairs, segments, own, counted_as);
    let rivals = rivals.into_iter().filter(|brand| is_rival(*brand));
    let judge = |rival: BrandOrdinal| {
        let observations = pairs.observe_answers(segments, head_to_head(own, rival, counted_as));
        let judgement = Judgement::of(&observations, prompts.iter().copied(), |_| true);
        (rival, judgement)
    };
    let mut by_rival: Vec<(BrandOrdinal, Judgement)> = rivals.take(MAX_COMPARED_RIVALS).map(judge).collect();
    judge_together(by_rival.iter_mut().map(|(_, judgement)| judgement));
    VoiceComparison {
        slices: compare_slices(pairs, &observations, tags),
        by_rival,
    }
}
