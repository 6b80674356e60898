//! An authenticated request.

use std::str::FromStr;

use domain::id::NotAnId;
use store::{Idempotent, IdempotentRequest, StoreError, Tenant};

use crate::{ApiError, ApiResponse, JsonBody, QueryParameters};

/// A request whose key is good and whose rate is not used up.
pub struct ApiRequest<S> {
    pub state: S,
    pub tenant: Tenant,
    pub query: QueryParameters,
    pub(crate) body: Vec<u8>,
    /// From the `Idempotency-Key` of a POST.
    pub(crate) idempotency: Option<IdempotentRequest>,
}

impl<S> ApiRequest<S> {
    /// The body as a JSON object.
    pub fn body(&self) -> Result<JsonBody, ApiError> {
        JsonBody::parse(&self.body)
    }

    /// How the request's effect is answered, for the record that is kept with it.
    pub fn idempotent<'a, T>(
        &'a self,
        answer: &'a (impl Fn(&T) -> Result<ApiResponse, ApiError> + Sync),
    ) -> Idempotent<'a, T> {
        let text = |done: &T| match answer(done) {
            Ok(response) => Ok(response.into_json()),
            Err(_) => Err(StoreError::Broken("there is no reply to record".to_owned())),
        };
        self.idempotency
            .as_ref()
            .map_or_else(Idempotent::none, |request| Idempotent::new(request, text))
    }
}

/// The id of a request's subject: one of impossible form is unknown, like any other that names nothing.
/// To be called once everything else of the request is valid.
pub fn parse_id<T: FromStr<Err = NotAnId>>(text: &str, what: &str) -> Result<T, ApiError> {
    text.trim().parse().map_err(|NotAnId| ApiError::not_found(what))
}
