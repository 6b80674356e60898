//! Reads the error codes and messages of all vendors.

use serde_json::Value;

use crate::json_access::{items, non_blank_text};

/// How messages about an account without credits begin, and what they contain, from vendors that have no code
/// for it. A message that quotes a question begins otherwise.
const EMPTY_ACCOUNT_TEXTS: [(&str, &str); 5] = [
    ("your credit balance", ""),
    ("your prepayment credits", ""),
    ("your team ", "available credits"),
    ("your team ", "spending limit"),
    ("your newly created team ", "any credits"),
];
/// How messages about an invalid key begin, from vendors that have no code for it.
const INVALID_KEY_STARTS: [&str; 4] = [
    "incorrect api key",
    "invalid api key",
    "api key not valid",
    "your api key was reported as leaked",
];
/// Words in the codes of errors about the key or the account. A missing permission is none, because it can
/// concern one model.
const KEY_CODE_WORDS: [&str; 7] = [
    "api_key",
    "authentication",
    "unauthenticated",
    "unauthorized",
    "account",
    "organization",
    "consumer_suspended",
];
const QUOTA_CODE_WORDS: [&str; 5] = ["quota", "billing", "credit", "spend", "usage_limit"];
const TOO_LARGE_CODES: [&str; 3] = [
    "request_too_large",
    "context_length_exceeded",
    "tokens_limit_reached",
];

/// The body of an error response.
///
/// OpenAI, Perplexity, xAI: `{"error": {"message", "type", "code"}}`; Anthropic: `{"error": {"type",
/// "message", "details": {"error_code"}}}`; Gemini: `{"error": {"code": 429, "message", "status", "details":
/// [..]}}`; xAI as well: `{"code", "error": "text"}` and `{"error": "text"}`; Mistral: `{"object": "error",
/// "message", "type", "code"}` and `{"detail": ..}`. Members that are missing or have another type are
/// ignored.
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
        let message = [&error["message"], &body["error"], &body["detail"]]
            .into_iter()
            .find_map(non_blank_text)
            .map_or_else(String::new, str::to_ascii_lowercase);
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

    /// Returns whether a rate limit is reached that resets soon. The most specific code decides, because a
    /// type can be `insufficient_quota` for other errors too.
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

    /// Returns whether the body is an error with a code or a message.
    pub(crate) fn is_stated(&self) -> bool {
        !self.codes.is_empty() || !self.message.is_empty()
    }

    /// Returns whether the account has nothing left to spend, or a quota is used up for hours.
    pub(crate) fn is_quota(&self) -> bool {
        let is_text =
            |(start, part): &(&str, &str)| self.message.starts_with(start) && self.message.contains(part);
        let is_empty_account = EMPTY_ACCOUNT_TEXTS.iter().any(is_text);
        self.is_daily_quota()
            || !self.is_rate_limit() && (self.has_code_word(&QUOTA_CODE_WORDS) || is_empty_account)
    }

    /// Returns whether the key is invalid, or the account does not exist or is suspended.
    pub(crate) fn is_invalid_key(&self) -> bool {
        self.has_code_word(&KEY_CODE_WORDS)
            || self.message == "unauthorized"
            || INVALID_KEY_STARTS
                .iter()
                .any(|start| self.message.starts_with(start))
    }

    /// Returns whether the request alone exceeds a limit, so that it never succeeds. OpenAI reports that as a
    /// rate limit: `Request too large for m in organization o on tokens per min (TPM): Limit 30000, Requested
    /// 36278.`
    pub(crate) fn is_too_large(&self) -> bool {
        let exceeds = |(limit, requested)| limit < requested;
        let numbers = self.number_after("limit").zip(self.number_after("requested"));
        self.has_code(&TOO_LARGE_CODES)
            || self.message.starts_with("request too large")
            || self.is_rate_limit() && numbers.is_some_and(exceeds)
    }

    /// Returns whether a quota is zero, so that it never resets. Gemini has none for some models without
    /// billing: `{"violations": [{"quotaValue": "0"}]}`, or `Quota exceeded for metric: m, limit: 0, model:
    /// n`.
    pub(crate) fn is_zero_quota(&self) -> bool {
        let is_zero = |violation: &Value| violation["quotaValue"].as_str() == Some("0");
        self.violations().any(is_zero)
            || self.message.contains("quota exceeded") && self.number_after("limit") == Some(0)
    }

    /// Returns whether the prompt or its answer violates the vendor's rules. xAI reports that with the status
    /// of an invalid key.
    pub(crate) fn is_content_policy(&self) -> bool {
        self.has_code(&["invalid_prompt", "content_policy_violation"])
            || self.message.contains("usage guidelines")
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

    /// Returns whether a daily quota is used up. Gemini names it: `{"@type": "..QuotaFailure", "violations":
    /// [{"quotaId": "..PerDay.."}]}`.
    fn is_daily_quota(&self) -> bool {
        self.violations()
            .filter_map(|violation| violation["quotaId"].as_str())
            .any(|id| id.to_ascii_lowercase().replace('_', "").contains("perday"))
    }

    fn violations(&self) -> impl Iterator<Item = &Value> {
        items(&self.error["details"]).flat_map(|detail| items(&detail["violations"]))
    }

    /// Returns whether a word of a code begins with one of `words`. A sentence is no code.
    fn has_code_word(&self, words: &[&str]) -> bool {
        let begins = |code: &str, word: &&str| format!("_{code}").contains(&format!("_{word}"));
        let codes = self
            .codes
            .iter()
            .filter(|code| !code.contains(char::is_whitespace));
        codes
            .into_iter()
            .any(|code| words.iter().any(|word| begins(code, word)))
    }

    /// Returns the first number of the message that follows `word`.
    fn number_after(&self, word: &str) -> Option<u64> {
        let rests = self
            .message
            .match_indices(word)
            .filter_map(|(at, _)| self.message.get(at + word.len()..));
        let number = |rest: &str| {
            let digits = rest.trim_start_matches([':', ' ']);
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits.get(..end)?.parse().ok()
        };
        rests.filter_map(number).next()
    }
}

/// Returns whether `code` is a word in one case. Only codes are written like that, so it is neither a key nor
/// a payload.
pub(crate) fn is_plain_word(code: &str) -> bool {
    let is_all = |is: fn(&u8) -> bool| code.bytes().all(|byte| is(&byte) || byte == b'_');
    code.len() <= 40 && (is_all(u8::is_ascii_lowercase) || is_all(u8::is_ascii_uppercase))
}
