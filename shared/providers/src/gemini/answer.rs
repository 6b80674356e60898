//! Decodes the body of `generateContent`.

use std::collections::HashSet;

use domain::answer::{Answer, FinishReason};
use domain::citation::CanonicalUrl;
use domain::target::{Target, TargetType};
use serde_json::Value;

use crate::answer_builder::AnswerBuilder;
use crate::error_body::is_plain_word;
use crate::json_access::{items, non_blank_text, parse_object, token_count};
use crate::{AskError, error_mapping};

/// The host of the redirect URLs that Google reports instead of cited pages. They must not be fetched and
/// expire.
const REDIRECT_HOST: &str = "vertexaisearch.cloud.google.com";

/// Decodes a complete response body.
pub(super) fn decode(body: &[u8]) -> Result<Answer, AskError> {
    let body = parse_object(body)?;
    if !body["error"].is_null() {
        return Err(error_mapping::error_in_body(&body));
    }
    let candidate = &body["candidates"][0];
    let mut builder = AnswerBuilder::default();
    items(&candidate["content"]["parts"])
        .filter(|part| part["thought"] != true)
        .filter_map(|part| part["text"].as_str())
        .for_each(|text| builder.push_text(text));
    let grounding = &candidate["groundingMetadata"];
    add_citations(&mut builder, grounding);
    // Without a query, there was no search, even if there are citations.
    if items(&grounding["webSearchQueries"]).any(|query| non_blank_text(query).is_some()) {
        builder.searches.add(items(&grounding["webSearchQueries"]));
    }
    let end = finish_reason(&body, candidate, &builder)?;
    let usage = |name: &str| token_count(&body["usageMetadata"][name]);
    let mut answer = Answer {
        input_tokens: usage("promptTokenCount").saturating_add(usage("toolUsePromptTokenCount")),
        output_tokens: usage("candidatesTokenCount").saturating_add(usage("thoughtsTokenCount")),
        model_version: non_blank_text(&body["modelVersion"]).map(str::to_owned),
        ..builder.build(end, &candidate["finishReason"])?
    };
    // A text can contain a redirect as well, which is a source that the grounding reports.
    answer.citations.retain(|cited| leads_to_page(&cited.url));
    Ok(answer)
}

/// Decodes why the model stopped. An unfinished answer without text is an error that the caller can retry.
fn finish_reason(body: &Value, candidate: &Value, builder: &AnswerBuilder) -> Result<FinishReason, AskError> {
    match candidate["finishReason"].as_str() {
        None if builder.is_blank() && non_blank_text(&body["promptFeedback"]["blockReason"]).is_some() => {
            Ok(FinishReason::Refused)
        }
        None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => Ok(FinishReason::Complete),
        Some("MAX_TOKENS") => Ok(FinishReason::Truncated),
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
        ) => Ok(FinishReason::Refused),
        Some(reason) if builder.is_blank() => Err(not_finished(reason)),
        Some(_) => Ok(FinishReason::Truncated),
    }
}

/// Returns the error of an answer that stopped before its first word, with the vendor's word for it.
fn not_finished(reason: &str) -> AskError {
    AskError::answer_lost(if is_plain_word(reason) {
        format!("the answer was not finished ({})", reason.to_ascii_lowercase())
    } else {
        "the answer was not finished".to_owned()
    })
}

/// Adds citations of the chunks that support a passage, in the order of the passages. The model read the
/// other chunks without citing them. If nothing tells what the chunks support, they are the sources of the
/// whole answer.
fn add_citations(builder: &mut AnswerBuilder, grounding: &Value) {
    let mut known = HashSet::new();
    let chunks: Vec<&Value> = items(&grounding["groundingChunks"]).collect();
    let supported: Vec<&Value> = items(&grounding["groundingSupports"])
        .flat_map(|support| items(&support["groundingChunkIndices"]))
        .filter_map(|index| usize::try_from(index.as_u64()?).ok())
        .filter(|index| known.insert(*index))
        .filter_map(|index| chunks.get(index).copied())
        .collect();
    let cited = if supported.is_empty() { chunks } else { supported };
    for chunk in cited.into_iter().filter(|chunk| chunk.is_object()) {
        add_citation(builder, &chunk["web"]);
    }
}

/// Adds the page of a chunk: its URI, or only its domain if the URI is a redirect. The title of a chunk is
/// the page's domain or, mostly with its own URI, the page's title.
fn add_citation(builder: &mut AnswerBuilder, web: &Value) {
    let title_host = host_of(&web["title"]);
    if web["uri"].as_str().is_some_and(leads_to_page) {
        let title = if title_host.is_none() {
            &web["title"]
        } else {
            &Value::Null
        };
        builder.cite(&web["uri"], title, None);
    } else if let Some(host) = host_of(&web["domain"]).or(title_host) {
        builder.cite_site(host);
    } else {
        builder.add_unresolved_citation();
    }
}

/// Returns whether a URL leads to a page without Google's redirect.
fn leads_to_page(url: &str) -> bool {
    CanonicalUrl::parse(url).is_some_and(|url| url.host() != REDIRECT_HOST)
}

fn host_of(text: &Value) -> Option<String> {
    let target = Target::parse_domain("domain", text.as_str()?).ok()?;
    let host = target.as_str();
    (target.target_type() == TargetType::Domain && host != REDIRECT_HOST).then(|| host.to_owned())
}
