//! A request that an endpoint handles.

use std::str::FromStr;

use domain::error::InvalidField;
use domain::id::{EntityId, OfEntity, ParseIdError};
use domain::key_scope::KeyScope;
use domain::page::Page;
use store::{ReplyRecorder, RequestIdentity, Store, StoreError, Tenant};

use crate::{ApiError, ApiResponse, ApiState, Format, JsonBody, QueryParameters};

/// A request of a workspace. Its response is sent only if its API key is valid and the rate limit is not
/// exceeded. The handler can run beside that check.
pub struct ApiRequest<S> {
    /// The state of the function.
    pub state: S,
    /// The permission to address the items of the key's workspace.
    pub tenant: Tenant,
    /// What the key may do. Handlers of lists show only what it reaches.
    pub key_scope: KeyScope,
    /// The query parameters, not validated.
    pub query: QueryParameters,
    /// The format of a successful response.
    pub format: Format,
    pub(crate) body: Vec<u8>,
    /// The values that identify a repetition of the request, if it is a POST with an `Idempotency-Key`.
    pub(crate) identity: Option<RequestIdentity>,
}

impl<S: AsRef<ApiState>> ApiRequest<S> {
    /// The table.
    pub fn store(&self) -> &Store {
        &self.state.as_ref().store
    }
}

impl<S> ApiRequest<S> {
    /// Parses `limit` and `offset`. Without `limit`, a table has all rows. Returns 400 if one is not a number
    /// in its range.
    pub fn page(&self) -> Result<Page, ApiError> {
        let (limit, offset) = (self.query.text("limit")?, self.query.text("offset")?);
        let page = match self.format {
            Format::Json => Page::parse(limit, offset)?,
            Format::Table => Page::parse_of_table(limit, offset)?,
        };
        Ok(page)
    }

    /// Parses `limit` and `offset` of a listing that is complete without them. Returns `None` without
    /// `limit`, and 400 if one is not a number in its range, or if rows are to be skipped without `limit`.
    pub fn page_if_limited(&self) -> Result<Option<Page>, ApiError> {
        let page = self.page()?;
        if self.query.text("limit")?.is_some() {
            return Ok(Some(page));
        }
        if page.offset() > 0 {
            return Err(InvalidField::new("offset", "must be given together with limit").into());
        }
        Ok(None)
    }

    /// Parses the id in the query parameter `name`, which is required. See [`parse_id`](Self::parse_id).
    pub fn id<T: FromStr<Err = ParseIdError> + OfEntity>(&self, name: &str) -> Result<T, ApiError> {
        self.parse_id(self.query.required_text(name)?)
    }

    /// Parses the id in the query parameter `entityId`, which is required.
    pub fn entity_id(&self) -> Result<EntityId, ApiError> {
        self.id("entityId")
    }

    /// Parses the id of the item that the request addresses. See [`parse_id`].
    pub fn parse_id<T: FromStr<Err = ParseIdError> + OfEntity>(&self, text: &str) -> Result<T, ApiError> {
        parse_id(&self.key_scope, text)
    }

    /// Parses the body. Returns 400 if it is not a JSON object.
    pub fn body(&self) -> Result<JsonBody, ApiError> {
        JsonBody::parse(&self.body)
    }

    /// Returns what makes the store record the reply together with the request's effect.
    ///
    /// `to_response` creates the response from the effect. Without an idempotency key, nothing is recorded.
    pub fn reply_recorder<'a, T>(
        &'a self,
        to_response: &'a (impl Fn(&T) -> Result<ApiResponse, ApiError> + Sync),
    ) -> ReplyRecorder<'a, T> {
        let to_json = |effect: &T| match to_response(effect) {
            Ok(response) => Ok(response.into_json()),
            Err(_) => Err(StoreError::Internal("encoding a reply".to_owned())),
        };
        self.identity
            .as_ref()
            .map_or_else(ReplyRecorder::disabled, |identity| {
                ReplyRecorder::new(identity, to_json)
            })
    }
}

/// Parses the id of the item that a request addresses.
///
/// Returns 404, not 400, for a malformed id, because no item can have it, and for the id of an item that the
/// key does not reach. Call this function after all other input is validated, so that 400 takes precedence
/// over 404.
pub fn parse_id<T>(scope: &KeyScope, text: &str) -> Result<T, ApiError>
where
    T: FromStr<Err = ParseIdError> + OfEntity,
{
    let id: Option<T> = text.trim().parse().ok();
    id.filter(|id| id.of_entity().is_none_or(|entity| scope.reaches(entity)))
        .ok_or_else(|| ApiError::not_found(T::ITEM))
}
