//! What this group works with.

use std::sync::Arc;

use api::App;
use events::Bus;
use providers::Providers;

#[derive(Clone)]
pub struct State {
    pub app: App,
    pub bus: Bus,
    /// They generate prompts.
    pub providers: Arc<Providers>,
    /// Hours between the checks of a new entity.
    pub frequency_hours: u32,
}

impl AsRef<App> for State {
    fn as_ref(&self) -> &App {
        &self.app
    }
}
