//! `GET /trends/compare`

mod views;

use std::collections::BTreeMap;

use api::{ApiError, ApiRequest, ApiResponse, Format};
use domain::error::InvalidField;
use domain::group::{BrandLabels, TrackedBrands, counted_as};
use domain::id::TagId;
use domain::ordinal::BrandOrdinal;
use facts::figures::CountedBrands;
use facts::{SelectedFacts, SelectedSegment, StringId};
use insights::comparison::{
    ComparedAnswers, ComparedRanges, PromptKey, TaggedPrompts, WindowSegment, compare_share_of_voice,
    compare_slices, compare_visibility,
};
use uuid::Uuid;

use crate::{AnalyticsRequest, AnalyticsState, Scope};

pub use views::ComparisonResponse;
pub(crate) use views::{AnswerCountsView, COLUMNS, ComparedView, DaysView};
use views::{ComparisonTable, Views};

/// What is compared besides the visibility.
#[derive(Clone, Copy)]
struct Metrics {
    share_of_voice: bool,
    citations: bool,
}

impl Metrics {
    /// Parses `metrics`, a list of names with commas. Without it, everything is compared.
    fn parse(names: Option<Vec<&str>>) -> Result<Self, InvalidField> {
        let Some(names) = names else {
            return Ok(Self {
                share_of_voice: true,
                citations: true,
            });
        };
        let known = ["visibility", "shareOfVoice", "citations"];
        if names.iter().any(|name| !known.contains(name)) {
            let rule = "must be a list of visibility, shareOfVoice and citations";
            return Err(InvalidField::new("metrics", rule));
        }
        Ok(Self {
            share_of_voice: names.contains(&"shareOfVoice"),
            citations: names.contains(&"citations"),
        })
    }
}

/// Compares two windows of days: the visibility, the share of voice and the citations of the entity, in all
/// answers and by model, prompt and tag.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let (analytics, ranges) = AnalyticsRequest::parse_comparison(&request)?;
    let metrics = Metrics::parse(request.query.list("metrics"))?;
    // Only rivals have names.
    let (scope, names) = if metrics.share_of_voice {
        analytics.load_scope_with_names().await?
    } else {
        let scope = analytics.load_scope().await?;
        let names = BrandLabels::new(TrackedBrands::default(), &scope.groups);
        (scope, names)
    };
    let models: Vec<&[Uuid]> = scope
        .entities
        .iter()
        .map(|counted| counted.entity.model_ordinals.as_slice())
        .collect();
    let tags = tagged_prompts(&scope);
    let counted_as = counted_as(&scope.groups);
    let brands = CountedBrands {
        own: &scope.brands,
        counted_as: &counted_as,
    };
    let is_rival = |ordinal: BrandOrdinal| scope.known_brands.values().any(|brand| brand.ordinal == ordinal);
    let citations = async {
        Ok(if metrics.citations {
            Some(scope.citations().await?)
        } else {
            None
        })
    };
    let (visibility, citations) = tokio::try_join!(scope.facts().visibility(), citations)?;
    let segments = in_windows(&visibility, &ranges);
    let answers = ComparedAnswers::new(ranges, &models, &segments, brands);
    let visibility = compare_visibility(&answers, &tags);
    let voice = metrics
        .share_of_voice
        .then(|| compare_share_of_voice(&answers, &tags, is_rival, scope.tracks_rivals()));
    let totals = answers.totals();
    let pairs = answers.into_pairs();
    let citations = citations.map(|facts| {
        let own = scope.own_domains().into_iter();
        let own: Vec<StringId> = own.filter_map(|domain| facts.texts.find(domain)).collect();
        let observations =
            pairs.observe_citations(&in_windows(&facts, &ranges), |domain| own.contains(&domain));
        compare_slices(&pairs, &observations, &tags)
    });
    let views = Views::new(&scope, &names);
    let response = views.response(
        &ranges,
        &pairs,
        totals,
        &visibility,
        voice.as_ref(),
        citations.as_ref(),
    );
    match request.format {
        Format::Json => ApiResponse::from_fields(&response),
        Format::Table => ApiResponse::from_fields(&ComparisonTable::from(response)),
    }
}

/// Returns the segments that are in one of the windows.
fn in_windows<'a, F>(facts: &'a SelectedFacts<'_, F>, ranges: &ComparedRanges) -> Vec<WindowSegment<'a, F>> {
    let in_window = |of: &'a SelectedSegment<'_, F>| WindowSegment::new(of, ranges, of.entity_index);
    facts.segments.iter().filter_map(in_window).collect()
}

fn tagged_prompts(scope: &Scope<'_>) -> Vec<TaggedPrompts> {
    let mut by_tag: BTreeMap<TagId, Vec<PromptKey>> = BTreeMap::new();
    for (entity_index, counted) in scope.entities.iter().enumerate() {
        for prompt in &counted.prompts {
            let key = PromptKey {
                entity_index,
                prompt: prompt.ordinal,
            };
            for tag in &prompt.tags {
                by_tag.entry(*tag).or_default().push(key);
            }
        }
    }
    let tagged = by_tag.into_iter();
    tagged
        .map(|(tag, prompts)| TaggedPrompts { tag, prompts })
        .collect()
}
