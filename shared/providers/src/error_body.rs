//! Reads the error codes and messages of all vendors.

use serde_json::Value;

use crate::json_access::{items, non_blank_text};

/// Messages about an account without credits, from vendors that have no code for it.
const EMPTY_ACCOUNT_TEXTS: [&str; 5] = [
    "credit balance",
    "available credits",
    "any credits",
    "credits are depleted",
    "spending limit",
];
const INVALID_KEY_TEXTS: [&str; 3] = ["incorrect api key", "invalid api key", "api key not valid"];

/// The body of an error response.
///
/// OpenAI, Perplexity, xAI: `{"error": {"message", "type", "code"}}`; Anthropic: `{"error": {"type", "message",
/// "details": {"error_code"}}}`; Gemini: `{"error": {"code": 429, "message", "status", "details": [..]}}`; xAI as well:
/// `{"code", "error": "text"}` and `{"error": "text"}`; Mistral: `{"object": "error", "message", "type", "code"}` and
/// `{"detail": ..}`. Members that are missing or have another type are ignored.
pub(crate) struct ErrorBody<'a> {
    error: &'a Value,
    /// The codes in lower case, the most specific first.
    codes: Vec<String>,
    /// The first code that is a plain word.
    display_code: Option<String>,
    /// The message in lower case.
    message: String,
}

impl<'a> ErrorBody<'a> {
    pub(crate) fn new(body: &'a Value) -> Self {
        // Gemini may wrap the object in an array.
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
            .filter_map(non_blank_text)
            .collect();
        let message = [&error["message"], &body["error"]]
            .into_iter()
            .find_map(non_blank_text)
            .map(str::to_ascii_lowercase)
            .unwrap_or_default();
        Self {
            error,
            display_code: codes
                .iter()
                .find(|code| is_plain_word(code))
                .map(|code| code.to_ascii_lowercase()),
            codes: codes.iter().map(|code| code.to_ascii_lowercase()).collect(),
            message,
        }
    }

    /// Returns the code if it is an HTTP status.
    pub(crate) fn status(&self) -> Option<u16> {
        let code = u16::try_from(self.error["code"].as_u64()?).ok()?;
        (400..600).contains(&code).then_some(code)
    }

    /// Returns the most specific code that can be shown, in lower case.
    pub(crate) fn display_code(&self) -> Option<&str> {
        self.display_code.as_deref()
    }

    /// Returns whether one of `codes` occurs.
    pub(crate) fn has_code(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    /// Returns whether a rate limit is reached that resets soon. The most specific code decides, because a type can be
    /// `insufficient_quota` for other errors too.
    pub(crate) fn is_rate_limit(&self) -> bool {
        let most_specific = self.codes.first().map_or("", String::as_str);
        !self.is_daily_quota()
            && matches!(
                most_specific,
                "rate_limit_exceeded" | "rate_limit_error" | "rate_limited" | "slow_down"
            )
    }

    /// Returns whether the provider has too much to do.
    pub(crate) fn is_overload(&self) -> bool {
        self.has_code(&["overloaded_error", "overloaded", "unavailable", "slow_down"])
    }

    /// Returns whether the account has nothing left to spend, or a quota is used up for hours.
    pub(crate) fn is_quota(&self) -> bool {
        let words = ["quota", "billing", "credit", "spend", "usage_limit"];
        let mentions_quota = |code: &String| words.iter().any(|word| code.contains(word));
        self.is_daily_quota()
            || !self.is_rate_limit()
                && (self.codes.iter().any(mentions_quota) || self.message_contains(&EMPTY_ACCOUNT_TEXTS))
    }

    /// Returns whether the key is invalid.
    pub(crate) fn is_invalid_key(&self) -> bool {
        self.codes.iter().any(|code| code.contains("api_key")) || self.message_contains(&INVALID_KEY_TEXTS)
    }

    /// Returns whether the prompt or its answer violates the vendor's rules. xAI reports that with the status of an invalid
    /// key.
    pub(crate) fn is_content_policy(&self) -> bool {
        self.has_code(&["invalid_prompt", "content_policy_violation"])
            || self.message_contains(&["usage guidelines"])
    }

    /// Returns whether the key is valid, but not for this model, country or the like.
    pub(crate) fn is_unsupported_model(&self) -> bool {
        self.codes
            .iter()
            .any(|code| code == "model_not_found" || code.starts_with("unsupported_"))
    }

    /// Returns the details, which can contain a hint when to retry.
    pub(crate) fn details(&self) -> &Value {
        &self.error["details"]
    }

    /// Returns whether a daily quota is used up. Gemini names it: `{"@type": "..QuotaFailure", "violations": [{"quotaId": "..PerDay.."}]}`.
    fn is_daily_quota(&self) -> bool {
        items(&self.error["details"])
            .flat_map(|detail| items(&detail["violations"]))
            .filter_map(|violation| violation["quotaId"].as_str())
            .any(|id| id.to_ascii_lowercase().replace('_', "").contains("perday"))
    }

    fn message_contains(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.message.contains(text))
    }
}

/// Returns whether `code` is a word in one case. Only codes are written like that, so it is neither a key nor a payload.
fn is_plain_word(code: &str) -> bool {
    let is_all = |is: fn(&u8) -> bool| code.bytes().all(|byte| is(&byte) || byte == b'_');
    code.len() <= 40 && (is_all(u8::is_ascii_lowercase) || is_all(u8::is_ascii_uppercase))
}
