//! Hides the names of brands from clients whose key reaches none of their entities.

use crate::board::{Finding, Recommendation, ShareOfVoice, Task, UnnamedTexts};
use crate::group::{BrandLabel, TrackedBrands};

impl Recommendation {
    /// Leaves out the names of other brands than those that the client's key reaches.
    pub fn hide_names(&mut self, reached: &TrackedBrands) {
        if let Some(unnamed) = hidden(&mut self.unnamed, reached) {
            (self.title, self.description) = (unnamed.title, unnamed.description);
        }
        if let Finding::CompetitorLead { rival, own, .. } = &mut self.evidence.finding {
            for brand in [rival, own] {
                relabel(brand, reached);
            }
        }
    }
}

impl Task {
    /// Leaves out the names of other brands than those that the client's key reaches.
    pub fn hide_names(&mut self, reached: &TrackedBrands) {
        if let Some(unnamed) = hidden(&mut self.unnamed, reached) {
            (self.title, self.description) = (unnamed.title, unnamed.description);
        }
    }
}

/// Takes the texts without a name if the client may not know the name that the other texts contain.
fn hidden(unnamed: &mut Option<UnnamedTexts>, reached: &TrackedBrands) -> Option<UnnamedTexts> {
    unnamed.take_if(|texts| reached.name(texts.brand) != Some(&texts.name))
}

fn relabel(brand: &mut ShareOfVoice, reached: &TrackedBrands) {
    brand.name = BrandLabel::of(reached, brand.entity_uuid, brand.domain.as_deref()).name;
}
