//! The parameters that the analytics endpoints share.

use api::{ApiError, ApiRequest, parse_id};
use domain::group::BrandLabels;
use domain::id::EntityId;
use domain::key_scope::KeyScope;
use domain::page::Page;
use domain::period::DateRange;
use insights::comparison::ComparedRanges;
use store::Tenant;

use crate::filters::Filters;
use crate::names::tracked_brands;
use crate::scope::Scope;
use crate::state::AnalyticsState;

/// The common parameters of a request: an entity, a date range and filters.
///
/// Errors are reported in the order of the parameters: `entityId` is missing, the range, the page, the
/// filters, the endpoint's own parameters. Whether the entity exists is checked last, by
/// [`load_scope`](Self::load_scope), and with the entity whether the filter's models are known.
pub struct AnalyticsRequest<'a> {
    state: &'a AnalyticsState,
    tenant: &'a Tenant,
    key_scope: &'a KeyScope,
    entity_id: &'a str,
    pub range: DateRange,
    /// The ranges of days that are read, ascending.
    ranges: Vec<DateRange>,
    filters: Filters,
}

impl<'a> AnalyticsRequest<'a> {
    /// Parses `entityId`, `period`, `startDate`, `endDate` and the filters.
    pub fn parse(request: &'a ApiRequest<AnalyticsState>) -> Result<Self, ApiError> {
        let (parsed, ()) = Self::parse_with(request, |_| Ok(()))?;
        Ok(parsed)
    }

    /// Parses the parameters of [`parse`](Self::parse), and `limit` and `offset`.
    pub fn parse_with_page(request: &'a ApiRequest<AnalyticsState>) -> Result<(Self, Page), ApiError> {
        Self::parse_with(request, ApiRequest::page)
    }

    /// Parses the parameters of [`parse`](Self::parse), and `baseStartDate` and `baseEndDate`. The scope has
    /// both windows, and the prompts of its entities.
    pub fn parse_comparison(
        request: &'a ApiRequest<AnalyticsState>,
    ) -> Result<(Self, ComparedRanges), ApiError> {
        let (mut parsed, base) = Self::parse_with(request, |request| {
            let query = &request.query;
            Ok((query.text("baseStartDate")?, query.text("baseEndDate")?))
        })?;
        let ranges = ComparedRanges::parse(parsed.range, base.0, base.1)?;
        parsed.ranges = ranges.to_read();
        parsed.filters = parsed.filters.with_prompts();
        Ok((parsed, ranges))
    }

    /// Parses the parameters. `parse_page` runs after the range is parsed and before the filters are.
    fn parse_with<P>(
        request: &'a ApiRequest<AnalyticsState>,
        parse_page: impl FnOnce(&'a ApiRequest<AnalyticsState>) -> Result<P, ApiError>,
    ) -> Result<(Self, P), ApiError> {
        let entity_id = request.query.required_text("entityId")?;
        let range = request.query.range(request.state.api.clock.now().day())?;
        let page = parse_page(request)?;
        let parsed = Self {
            state: &request.state,
            tenant: &request.tenant,
            key_scope: &request.key_scope,
            entity_id,
            range,
            ranges: vec![range],
            filters: Filters::parse(&request.query)?,
        };
        Ok((parsed, page))
    }

    /// Restricts the request to the entity's own responses, without those of the other entities of its group.
    #[must_use]
    pub fn without_group(self) -> Self {
        Self {
            filters: self.filters.without_group(),
            ..self
        }
    }

    /// Returns the id of the entity. Returns 404 if the text is not an id.
    pub fn entity_id(&self) -> Result<EntityId, ApiError> {
        parse_id(self.key_scope, self.entity_id)
    }

    /// Loads the scope of the entity. Returns 404 if there is no such entity.
    pub async fn load_scope(&self) -> Result<Scope<'a>, ApiError> {
        self.scope_of(&self.entity_id()?).await
    }

    /// Loads the scope of the entity and, concurrently, the names of brands and cited domains in the
    /// workspace. Returns 404 if there is no such entity.
    pub async fn load_scope_with_names(&self) -> Result<(Scope<'a>, BrandLabels), ApiError> {
        let id = self.entity_id()?;
        let entities =
            async { Ok(tracked_brands(&self.state.api.store, self.tenant, self.key_scope).await?) };
        let (scope, entities) = tokio::try_join!(self.scope_of(&id), entities)?;
        let names = BrandLabels::new(entities, &scope.groups);
        Ok((scope, names))
    }

    async fn scope_of(&self, id: &EntityId) -> Result<Scope<'a>, ApiError> {
        Scope::load(
            self.state,
            self.tenant,
            self.key_scope,
            id,
            &self.ranges,
            &self.filters,
        )
        .await
    }
}
