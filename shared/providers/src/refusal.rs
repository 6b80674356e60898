//! What a vendor says is wrong, in whichever shape it says it.

use std::time::Duration;

use serde_json::Value;

use crate::collect::{items, text_of};
use crate::retry;

/// Texts of an account with nothing left, for vendors that have no code for it.
const EMPTY_ACCOUNT: [&str; 5] = [
    "credit balance",
    "available credits",
    "any credits",
    "credits are depleted",
    "spending limit",
];
const BAD_KEY: [&str; 3] = ["incorrect api key", "invalid api key", "api key not valid"];

/// An error's body. OpenAI, Perplexity, xAI: `{"error": {"message", "type", "code"}}`; Anthropic: `{"error": {"type", "message",
/// "details": {"error_code"}}}`; Gemini: `{"error": {"code": 429, "message", "status", "details": [..]}}`; xAI as well:
/// `{"code", "error": "text"}` and `{"error": "text"}`; Mistral: `{"object": "error", "message", "type", "code"}` and
/// `{"detail": ..}`. Whatever is missing or of another type says nothing.
pub(crate) struct Refusal<'a> {
    error: &'a Value,
    /// Lower case, the most exact first.
    codes: Vec<String>,
    /// The first of them that is a plain word.
    shown: Option<String>,
    /// Lower case.
    message: String,
}

impl<'a> Refusal<'a> {
    pub(crate) fn new(body: &'a Value) -> Self {
        // Gemini can put the object into an array.
        let body = body.get(0).unwrap_or(body);
        let error = if body["error"].is_object() {
            &body["error"]
        } else {
            body
        };
        let details = &error["details"];
        let reasons = items(details).map(|detail| &detail["reason"]);
        let codes: Vec<&str> = [&details["error_code"], &error["code"]]
            .into_iter()
            .chain(reasons)
            .chain([&error["type"], &body["error"]["status"]])
            .filter_map(text_of)
            .collect();
        let message = [&error["message"], &body["error"]]
            .into_iter()
            .find_map(text_of)
            .map(str::to_ascii_lowercase)
            .unwrap_or_default();
        Self {
            error,
            shown: codes
                .iter()
                .find(|code| is_plain(code))
                .map(|code| code.to_ascii_lowercase()),
            codes: codes.iter().map(|code| code.to_ascii_lowercase()).collect(),
            message,
        }
    }

    /// A code that stands for an HTTP status.
    pub(crate) fn status(&self) -> Option<u16> {
        let code = u16::try_from(self.error["code"].as_u64()?).ok()?;
        (400..600).contains(&code).then_some(code)
    }

    /// The most exact code that can be shown, in lower case.
    pub(crate) fn shown(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    pub(crate) fn is(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    /// A limit that passes by itself. Its code wins over a type, which can say `insufficient_quota` of anything.
    pub(crate) fn is_rate_limit(&self) -> bool {
        let exact = self.codes.first().map_or("", String::as_str);
        !self.is_daily()
            && matches!(
                exact,
                "rate_limit_exceeded" | "rate_limit_error" | "rate_limited" | "slow_down"
            )
    }

    /// An account with nothing left to spend, or a quota that does not come back for hours.
    pub(crate) fn is_quota(&self) -> bool {
        let words = ["quota", "billing", "credit", "spend", "usage_limit"];
        let named = |code: &String| words.iter().any(|word| code.contains(word));
        self.is_daily()
            || !self.is_rate_limit() && (self.codes.iter().any(named) || self.says(&EMPTY_ACCOUNT))
    }

    pub(crate) fn is_bad_key(&self) -> bool {
        self.codes.iter().any(|code| code.contains("api_key")) || self.says(&BAD_KEY)
    }

    /// The prompt or its answer breaks the vendor's rules, which xAI tells with the status of a bad key.
    pub(crate) fn is_content(&self) -> bool {
        self.is(&["invalid_prompt", "content_policy_violation"]) || self.says(&["usage guidelines"])
    }

    /// The key is good, but not for this model, country or the like.
    pub(crate) fn is_unsupported(&self) -> bool {
        self.codes
            .iter()
            .any(|code| code == "model_not_found" || code.starts_with("unsupported_"))
    }

    /// Gemini's hint, which is no header: `{"@type": "..RetryInfo", "retryDelay": "37s"}`.
    pub(crate) fn retry_delay(&self) -> Option<Duration> {
        items(&self.error["details"])
            .filter_map(|detail| detail["retryDelay"].as_str())
            .find_map(|text| retry::seconds(text.strip_suffix('s')?))
    }

    /// Gemini names the quotas that are used up: `{"@type": "..QuotaFailure", "violations": [{"quotaId": "..PerDay.."}]}`.
    fn is_daily(&self) -> bool {
        items(&self.error["details"])
            .flat_map(|detail| items(&detail["violations"]))
            .filter_map(|violation| violation["quotaId"].as_str())
            .any(|id| id.to_ascii_lowercase().replace('_', "").contains("perday"))
    }

    fn says(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.message.contains(text))
    }
}

/// A word as only codes are written, and so no key and no payload: all of it in one case.
fn is_plain(code: &str) -> bool {
    let all = |is: fn(&u8) -> bool| code.bytes().all(|byte| is(&byte) || byte == b'_');
    code.len() <= 40 && (all(u8::is_ascii_lowercase) || all(u8::is_ascii_uppercase))
}
