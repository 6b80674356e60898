//! What a group of endpoints that read facts works with.

use std::sync::Arc;

use api::App;

use crate::cache::FactCache;

/// Cheap to clone.
#[derive(Clone)]
pub struct State {
    pub app: App,
    pub facts: Arc<FactCache>,
}

impl State {
    /// With nothing read yet.
    pub fn new(app: App) -> Self {
        Self {
            app,
            facts: Arc::default(),
        }
    }
}

impl AsRef<App> for State {
    fn as_ref(&self) -> &App {
        &self.app
    }
}
