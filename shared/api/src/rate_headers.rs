//! The headers that tell a client how much of its rate is left, by the IETF draft "RateLimit header fields
//! for HTTP".
//!
//! ```text
//! RateLimit-Policy: "read";q=600;w=60      600 reads in each window of 60 seconds
//! RateLimit: "read";r=599;t=42             599 are left, and the window ends in 42 seconds
//! ```

use domain::time::{MINUTE, whole_seconds};
use lambda_http::http::header::{HeaderMap, HeaderName, HeaderValue};
use store::{Quota, Rate};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// Adds the headers of a key's quota to a response.
pub(crate) fn add_quota(headers: &mut HeaderMap, quota: &Quota) {
    let name = match quota.rate {
        Rate::Read => "read",
        Rate::Write => "write",
    };
    let policy = format!("\"{name}\";q={};w={}", quota.limit, whole_seconds(MINUTE));
    let state = format!(
        "\"{name}\";r={};t={}",
        quota.remaining,
        whole_seconds(quota.resets_in)
    );
    for (header, text) in [(POLICY, policy), (STATE, state)] {
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.insert(header, value);
        }
    }
}
