//! The values that examples share.

pub(crate) const ENTITY: &str = "YeNhLe2QF84jNYyR";
pub(crate) const OTHER: &str = "p98Vm3oJiEZ945GD";
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
pub(crate) const USER: &str = "0f4c2a1e-5b7d-5e90-9c3a-2d1b6f8e7a45";
/// 2026-11-21T04:12:49.147Z.
pub(crate) const NOW: i64 = 1_795_234_369_147;
pub(crate) const NOW_ISO: &str = "2026-11-21T04:12:49.147Z";
