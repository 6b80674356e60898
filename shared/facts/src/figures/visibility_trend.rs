//! The daily visibility of an entity.

use std::collections::BTreeMap;

use domain::metrics::Share;
use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;
use domain::time::Day;

use crate::codec::Selection;
use crate::families::Visibility;

/// The brands whose mentions count, and the responses in which they count.
#[derive(Debug, Clone, Copy)]
pub struct VisibilityFilter<'a> {
    /// The brands that count as the entity: its own brand and the other members of its group.
    pub brands: &'a OrdinalSet<BrandOrdinal>,
    pub selection: &'a Selection,
}

/// The share of a day on which at least one response was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrendPoint {
    pub day: Day,
    pub share: Share,
}

/// Returns the shares of the days, ascending. Days without answered responses have no point.
///
/// The shares of several segments of a day add up. Each segment has its own filter.
pub fn visibility_trend<'a>(
    days: impl Iterator<Item = (Day, &'a Visibility, VisibilityFilter<'a>)>,
) -> Vec<TrendPoint> {
    trend_of_shares(days.map(|(day, segment, filter)| (day, visibility_share(segment, filter))))
}

/// Returns the shares of the days, as [`visibility_trend`] does, from those of several segments of a day.
pub fn trend_of_shares(shares: impl Iterator<Item = (Day, Share)>) -> Vec<TrendPoint> {
    let mut of_days: BTreeMap<Day, Share> = BTreeMap::new();
    for (day, share) in shares {
        of_days.entry(day).or_default().add(share);
    }
    of_days
        .into_iter()
        .filter(|(_, share)| share.responses > 0)
        .map(|(day, share)| TrendPoint { day, share })
        .collect()
}

/// Returns the share of a check's selected answers that mention the entity.
pub fn visibility_share(segment: &Visibility, filter: VisibilityFilter<'_>) -> Share {
    let answers = segment.answer_counts(filter.selection);
    let shares = answers.map(|(mentioned, responses)| {
        let is_mentioned = mentioned.iter().any(|brand| filter.brands.contains(*brand));
        Share {
            mentions: if is_mentioned { responses } else { 0 },
            responses,
        }
    });
    shares.sum()
}

#[cfg(test)]
mod tests {
    use domain::answer::ResponseState;
    use domain::ordinal::{Ordinal, PromptOrdinal};
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    use super::*;
    use crate::families::VisibilityCell;
    use crate::test_data::{self, is_in, ordinals};

    fn selection() -> impl Strategy<Value = Selection> {
        (option::of(ordinals()), option::of(ordinals()))
            .prop_map(|(models, prompts)| Selection { models, prompts })
    }

    /// Computes the trend by testing every cell.
    fn scan(days: &[(i32, Vec<VisibilityCell>)], filter: VisibilityFilter<'_>) -> Vec<TrendPoint> {
        let mut points: Vec<TrendPoint> = Vec::new();
        for day in 0..100 {
            let mut share = Share::default();
            for (_, cells) in days.iter().filter(|(of, _)| *of == day) {
                let mut seen = Vec::new();
                for cell in cells {
                    if seen.contains(&(cell.prompt, cell.model)) {
                        continue;
                    }
                    seen.push((cell.prompt, cell.model));
                    if cell.state == ResponseState::Answered
                        && is_in(&filter.selection.models, cell.model)
                        && is_in(&filter.selection.prompts, cell.prompt)
                    {
                        share.responses += 1;
                        if cell
                            .brands
                            .iter()
                            .any(|brand| filter.brands.as_slice().contains(brand))
                        {
                            share.mentions += 1;
                        }
                    }
                }
            }
            if share.responses > 0 {
                points.push(TrendPoint { day: Day(day), share });
            }
        }
        points
    }

    proptest! {
        #[test]
        fn a_trend_is_what_a_scan_of_the_cells_gives(
            days in vec((0i32..6, test_data::cells()), 0..8), brands in ordinals(), selection in selection(),
        ) {
            let filter = VisibilityFilter { brands: &brands, selection: &selection };
            let segments: Vec<(Day, Visibility)> =
                days.iter().map(|(day, cells)| (Day(*day), Visibility::new(cells.clone()))).collect();
            let trend = visibility_trend(segments.iter().map(|(day, segment)| (*day, segment, filter)));
            prop_assert_eq!(trend, scan(&days, filter));
        }
    }

    fn set<T: Ordinal>(ordinals: &[u32]) -> OrdinalSet<T> {
        ordinals.iter().copied().map(T::from).collect()
    }

    fn cell(prompt: u32, state: ResponseState, brands: &[u32]) -> VisibilityCell {
        VisibilityCell {
            prompt: prompt.into(),
            model: 0.into(),
            state,
            brands: brands.iter().copied().map(BrandOrdinal::new).collect(),
            model_version: None,
        }
    }

    #[test]
    fn a_day_without_answers_has_no_point() {
        let failed = Visibility::new(vec![
            cell(0, ResponseState::Failed, &[]),
            cell(1, ResponseState::Refused, &[1]),
        ]);
        let answered = Visibility::new(vec![cell(0, ResponseState::Answered, &[])]);
        let filter = VisibilityFilter {
            brands: &set(&[1]),
            selection: &Selection::default(),
        };
        let days = [(Day(2), &answered, filter), (Day(1), &failed, filter)];
        let share = Share {
            mentions: 0,
            responses: 1,
        };
        assert_eq!(
            visibility_trend(days.into_iter()),
            [TrendPoint { day: Day(2), share }]
        );
    }

    #[test]
    fn segments_of_several_trackings_add_up_each_with_its_own_filter() {
        let segment = Visibility::new(vec![
            cell(0, ResponseState::Answered, &[4]),
            cell(1, ResponseState::Answered, &[9]),
        ]);
        let brands = set(&[4]);
        let selections =
            [None, Some(set(&[1]))].map(|prompts: Option<OrdinalSet<PromptOrdinal>>| Selection {
                models: None,
                prompts,
            });
        let days = selections.each_ref().map(|selection| {
            let filter = VisibilityFilter {
                brands: &brands,
                selection,
            };
            (Day(1), &segment, filter)
        });
        let trend = visibility_trend(days.into_iter());
        let share = Share {
            mentions: 1,
            responses: 3,
        };
        assert_eq!(trend, [TrendPoint { day: Day(1), share }]);
    }

    #[test]
    fn a_response_that_mentions_two_members_of_a_group_counts_once() {
        let segment = Visibility::new(vec![
            cell(0, ResponseState::Answered, &[4, 1]),
            cell(1, ResponseState::Answered, &[9]),
        ]);
        let filter = VisibilityFilter {
            brands: &set(&[1, 4]),
            selection: &Selection::default(),
        };
        assert_eq!(
            visibility_share(&segment, filter),
            Share {
                mentions: 1,
                responses: 2
            }
        );
    }

    #[test]
    fn an_empty_filter_matches_nothing() {
        let segment = Visibility::new(vec![cell(0, ResponseState::Answered, &[1])]);
        for (models, prompts) in [(Some(set(&[])), None), (None, Some(set(&[])))] {
            let filter = VisibilityFilter {
                brands: &set(&[1]),
                selection: &Selection { models, prompts },
            };
            assert_eq!(visibility_share(&segment, filter), Share::default());
        }
    }
}
