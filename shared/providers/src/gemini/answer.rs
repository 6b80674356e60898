//! Decodes the body of `generateContent`.

use std::collections::HashSet;

use domain::answer::{Answer, End};
use domain::target::{Target, TargetType};
use serde_json::Value;

use crate::collect::{items, object, text_of, tokens};
use crate::draft::Draft;
use crate::{AskError, status};

/// The host of the addresses that Google gives instead of a page's own. They must not be fetched and cease to work.
const REDIRECTS: &str = "vertexaisearch.cloud.google.com";

/// Reads a whole response body.
pub(super) fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = object(body)?;
    if !body["error"].is_null() {
        return Err(status::failed(&body));
    }
    let candidate = &body["candidates"][0];
    let mut draft = Draft::default();
    items(&candidate["content"]["parts"])
        .filter(|part| part["thought"] != true)
        .filter_map(|part| part["text"].as_str())
        .for_each(|text| draft.push(text));
    let grounding = &candidate["groundingMetadata"];
    cite(&mut draft, grounding);
    // Without a query there was no search, whatever else is there.
    if items(&grounding["webSearchQueries"]).any(|query| text_of(query).is_some()) {
        draft.searches.add(items(&grounding["webSearchQueries"]));
    }
    let end = end(&body, candidate, &draft)?;
    let usage = |name: &str| tokens(&body["usageMetadata"][name]);
    Ok(Answer {
        input_tokens: usage("promptTokenCount").saturating_add(usage("toolUsePromptTokenCount")),
        output_tokens: usage("candidatesTokenCount").saturating_add(usage("thoughtsTokenCount")),
        model_version: text_of(&body["modelVersion"]).map(str::to_owned),
        ..draft.answer(end)?
    })
}

/// How it ended. What broke off without a word is worth asking again.
fn end(body: &Value, candidate: &Value, draft: &Draft) -> Result<End, AskError> {
    match candidate["finishReason"].as_str() {
        None if draft.is_empty() && text_of(&body["promptFeedback"]["blockReason"]).is_some() => {
            Ok(End::Refused)
        }
        None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => Ok(End::Complete),
        Some("MAX_TOKENS") => Ok(End::Truncated),
        Some(
            "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "ESCALATION"
            | "PUP_LIMITED_DISABLED"
            | "MODEL_ARMOR",
        ) => Ok(End::Refused),
        Some(_) if draft.is_empty() => Err(AskError::lost("the answer was not finished")),
        Some(_) => Ok(End::Truncated),
    }
}

/// Cites the chunks that support a passage, in the order of the passages; the others were only read.
fn cite(draft: &mut Draft, grounding: &Value) {
    let mut known = HashSet::new();
    let indices = items(&grounding["groundingSupports"])
        .flat_map(|support| items(&support["groundingChunkIndices"]))
        .filter_map(|index| usize::try_from(index.as_u64()?).ok());
    for index in indices.filter(|&index| known.insert(index)) {
        let web = &grounding["groundingChunks"][index]["web"];
        if let Some(host) = host_of(&web["domain"]).or_else(|| host_of(&web["title"])) {
            draft
                .citations
                .add(&format!("https://{host}").into(), &Value::Null);
        }
    }
}

/// A text that is a domain, in its canonical form. All that tells the cited site is its domain, mostly as the title.
fn host_of(text: &Value) -> Option<String> {
    let target = Target::parse_domain("domain", text.as_str()?).ok()?;
    let host = target.as_str();
    (target.target_type() == TargetType::Domain && host != REDIRECTS).then(|| host.to_owned())
}
