//! The names of brands that the request's key may not know.

use api::{ApiRequest, ApiState};
use domain::board::{Recommendation, Task};
use domain::group::TrackedBrands;
use store::StoreError;

/// Hides the names of brands of which the request's key reaches no entity.
pub(crate) struct HiddenNames {
    /// The brands that a bound key reaches. `None` if the key reaches all.
    reached: Option<TrackedBrands>,
}

impl HiddenNames {
    /// Reads the workspace's entities if the key is bound to some of them.
    pub(crate) async fn load(request: &ApiRequest<ApiState>) -> Result<Self, StoreError> {
        if !request.key_scope.is_bound() {
            return Ok(Self { reached: None });
        }
        let entities = request.store().entities(&request.tenant).await?;
        Ok(Self {
            reached: Some(TrackedBrands::new(entities, &request.key_scope)),
        })
    }

    pub(crate) fn hide_in_recommendation(&self, recommendation: &mut Recommendation) {
        if let Some(reached) = &self.reached {
            recommendation.hide_names(reached);
        }
    }

    pub(crate) fn hide_in_task(&self, task: &mut Task) {
        if let Some(reached) = &self.reached {
            task.hide_names(reached);
        }
    }
}
