//! The mentions of all brands together, of which each brand has a share: its share of voice.

use domain::metrics::Share;
use serde::Serialize;

/// Why a brand has no share of voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoShareOfVoiceReason {
    /// The workspace tracks no other brand, and the answers name none that it knows. The brand's mentions are
    /// all mentions that were looked for, which says nothing.
    NoRivals,
}

/// The mentions of all brands in some answers, each once per answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Voices {
    all: u64,
    reason: Option<NoShareOfVoiceReason>,
}

impl Voices {
    /// `of_entity` has the mentions of all brands, and those of the entity among them. `tracks_rivals` tells
    /// whether the workspace tracks another brand.
    pub fn new(of_entity: Share, tracks_rivals: bool) -> Self {
        let has_rivals = tracks_rivals || of_entity.mentions < of_entity.responses;
        Self {
            all: of_entity.responses,
            reason: (!has_rivals).then_some(NoShareOfVoiceReason::NoRivals),
        }
    }

    /// Returns the mentions of all brands.
    pub fn all(self) -> u64 {
        self.all
    }

    /// Returns why no brand has a share of voice.
    pub fn reason(self) -> Option<NoShareOfVoiceReason> {
        self.reason
    }

    /// Returns the share of voice of a brand with so many of the mentions. It has no score if there is no
    /// mention.
    pub fn share(self, mentions: u64) -> Option<Share> {
        self.reason.is_none().then_some(Share {
            mentions,
            responses: self.all,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brand_without_rivals_has_no_share_of_voice() {
        let voices = |mentions, responses, tracks_rivals| {
            let voices = Voices::new(Share { mentions, responses }, tracks_rivals);
            let score = voices.share(mentions).map(Share::score);
            (score, voices.reason().is_some())
        };
        assert_eq!(voices(0, 0, false), (None, true));
        assert_eq!(voices(7, 7, false), (None, true));
        // Somebody else is named, tracked today or not.
        assert_eq!(voices(7, 8, false), (Some(Some(87.5)), false));
        assert_eq!(voices(0, 1, false), (Some(Some(0.0)), false));
        // A rival that no answer names.
        assert_eq!(voices(7, 7, true), (Some(Some(100.0)), false));
        assert_eq!(voices(0, 0, true), (Some(None), false));
    }
}
