//! The kinds of events.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A kind of event that a webhook can ask for.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
    schemars::JsonSchema,
)]
#[schemars(rename = "WebhookEventKind")]
#[strum(const_into_str)]
pub enum EventKind {
    /// A check has ended, and all of its questions were asked.
    #[serde(rename = "check.completed")]
    #[strum(serialize = "check.completed")]
    CheckCompleted,
    /// A check was closed at its deadline with open questions.
    #[serde(rename = "check.partial")]
    #[strum(serialize = "check.partial")]
    CheckPartial,
    /// The visibility of an entity has changed, and chance does not explain the change.
    #[serde(rename = "visibility.changed")]
    #[strum(serialize = "visibility.changed")]
    VisibilityChanged,
    /// A check has led to new recommendations.
    #[serde(rename = "recommendation.created")]
    #[strum(serialize = "recommendation.created")]
    RecommendationCreated,
    /// Enough answers have been counted to tell whether completed tasks helped.
    #[serde(rename = "recommendation.outcome")]
    #[strum(serialize = "recommendation.outcome")]
    RecommendationOutcome,
    /// A provider that rejects its account or its key holds up a check.
    #[serde(rename = "provider.paused")]
    #[strum(serialize = "provider.paused")]
    ProviderPaused,
    /// The credits suffice for less than a week of checks.
    #[serde(rename = "credits.low")]
    #[strum(serialize = "credits.low")]
    CreditsLow,
    /// Another webhook of the workspace was disabled, because it did not accept deliveries for days.
    #[serde(rename = "webhook.disabled")]
    #[strum(serialize = "webhook.disabled")]
    WebhookDisabled,
    /// A client asked for a test of a webhook. Only that webhook is sent it, and none can ask for it.
    #[serde(rename = "webhook.test")]
    #[strum(serialize = "webhook.test")]
    #[schemars(skip)]
    WebhookTest,
}

impl EventKind {
    /// The kinds that a webhook can ask for.
    pub fn selectable() -> impl Iterator<Item = Self> {
        let all = Self::VARIANTS.iter().copied();
        all.filter(|kind| *kind != Self::WebhookTest)
    }
}
