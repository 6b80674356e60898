//! Values that several examples share.

use domain::limits::DEFAULT_FREQUENCY_HOURS;
use serde_json::{Value, json};

pub(crate) const ENTITY: &str = "YeNhLe2QF84jNYyR";
pub(crate) const OTHER_ENTITY: &str = "p98Vm3oJiEZ945GD";
pub(crate) const BRAND: &str = "1cabdf72-c73b-5d33-8bfb-6cfb540fd349";
pub(crate) const RIVAL: &str = "7dea88c1-f321-5f64-bd14-a25dfce7807a";
pub(crate) const MODEL: &str = "625accba-c74c-56e0-a9ba-c210e1f3ed44";
pub(crate) const PROMPT_1: &str = "YeNhLe2QF84jNYyR-p1";
pub(crate) const PROMPT_2: &str = "YeNhLe2QF84jNYyR-p2";
pub(crate) const TAG: &str = "3sZkT0cR1vQe8LmX";
pub(crate) const GROUP: &str = "Hq7d2VbN0uYt5KpA";
pub(crate) const ACTIONABLE: &str = "YeNhLe2QF84jNYyR-a4";
pub(crate) const TASK: &str = "YeNhLe2QF84jNYyR-t1";
pub(crate) const RESPONSE: &str = "YeNhLe2QF84jNYyR-rfz3-1-1-0";
pub(crate) const WEBHOOK: &str = "Wb4cT8xKq1Zr6PnE";
pub(crate) const USER: &str = "0f4c2a1e-5b7d-5e90-9c3a-2d1b6f8e7a45";
/// The instant 2026-11-21T04:12:49.147Z in Unix milliseconds.
pub(crate) const NOW: i64 = 1_795_234_369_147;
pub(crate) const NOW_ISO: &str = "2026-11-21T04:12:49.147Z";

pub(crate) fn entity() -> Value {
    json!({
        "id": ENTITY, "entityUuid": BRAND, "name": "Velumora", "target": "velumora.example",
        "targetType": "domain", "trackingType": "website", "description": "Running shoes",
        "faviconUrl": "https://velumora.example/favicon.ico", "language": "en", "geolocation": "us",
        "models": [MODEL], "aliases": ["Velumora Sports"], "isActive": true,
        "frequencyHours": DEFAULT_FREQUENCY_HOURS, "createdAt": NOW,
    })
}

/// Returns a prompt as the list of an entity's prompts shows it, without stats.
pub(crate) fn prompt() -> Value {
    json!({
        "id": PROMPT_1, "prompt": "What is the best trail running shoe?", "language": "en", "geolocation": "us",
        "createdAt": NOW, "isActive": true, "tags": [TAG],
    })
}

/// Returns the `pagination` of a response with one row.
pub(crate) fn pagination() -> Value {
    json!({"total": 1, "limit": 20, "offset": 0})
}
