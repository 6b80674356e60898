//! Every vendor's format, read by the service's own decoders.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::answer::Answer;

use super::*;

/// Providers, and a model of each.
const VENDORS: [(&str, &str); 6] = [
    ("openai", "demo-atlas"),
    ("anthropic", "demo-atlas"),
    ("gemini", "demo-atlas"),
    ("perplexity", "perplexity/demo-atlas"),
    ("xai", "grok-demo-atlas"),
    ("mistral", "demo-atlas"),
];

async fn ask(providers: &Providers, vendor: &str, model: &str, prompt: &str) -> Result<Answer, AskError> {
    let question = Question {
        model,
        prompt,
        language: "en",
        country: Some("DE"),
    };
    providers.get(vendor).unwrap().ask(&question).await
}

/// Returns the hosts of cited URLs, each once.
fn hosts<'a>(urls: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut hosts = Vec::new();
    for url in urls {
        let host = url.strip_prefix("https://").unwrap().split('/').next().unwrap();
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    hosts
}

#[tokio::test]
async fn every_vendors_answer_has_equal_text_citations_and_searches() {
    let providers = started().await;
    for (vendor, model) in VENDORS {
        let (mut cited, mut searched) = (0, 0);
        for prompt in ENTITIES.iter().flat_map(|entity| entity.prompts) {
            let sent = generate(&request(model, prompt, TODAY));
            let read = ask(&providers, vendor, model, prompt).await.unwrap();
            if sent.finish_reason == FinishReason::Refused {
                assert!(
                    read.finish_reason == FinishReason::Refused || vendor == "mistral",
                    "{vendor}"
                );
                continue;
            }
            let mut queries = sent.queries();
            if vendor == "gemini" {
                // It tells what was searched for, not how often.
                let mut known = BTreeSet::new();
                queries.retain(|query| known.insert(*query));
            }
            assert_eq!(
                (read.finish_reason, &read.queries),
                (
                    FinishReason::Complete,
                    &queries.iter().map(|q| (*q).to_owned()).collect()
                ),
                "{vendor}"
            );
            assert_eq!(read.searched, Some(!sent.actions.is_empty()), "{vendor}");
            assert!(
                sent.passages
                    .iter()
                    .all(|passage| read.text.contains(&passage.text)),
                "{vendor}: {}",
                read.text
            );
            let sources = hosts(sent.sources().iter().map(|link| link.url.as_str()));
            assert_eq!(
                hosts(read.citations.iter().map(|c| c.url.as_str())),
                sources,
                "{vendor}"
            );
            assert!(
                vendor == "gemini" || read.citations.len() == sent.sources().len(),
                "{vendor}"
            );
            let (input, output) = (
                u64::try_from(sent.input_tokens).unwrap(),
                u64::try_from(sent.output_tokens).unwrap(),
            );
            assert_eq!(
                (read.input_tokens, read.output_tokens),
                (input, output),
                "{vendor}"
            );
            assert_eq!(read.model_version.as_deref(), Some(model), "{vendor}");
            let tells_cost = ["perplexity", "xai"].contains(&vendor);
            assert_eq!(read.cost_micros.is_some(), tells_cost, "{vendor}");
            cited += sources.len();
            searched += read.queries.len();
        }
        assert!(cited > 10 && searched > 10, "{vendor}: {cited} {searched}");
    }
}

#[tokio::test]
async fn every_vendor_generates_prompts() {
    let providers = started().await;
    for (vendor, model) in VENDORS {
        let prompts = providers
            .get(vendor)
            .unwrap()
            .generate_prompts(&GenerationRequest {
                model,
                ..GENERATION_REQUEST
            })
            .await
            .unwrap();
        assert_eq!(prompts.len(), 7, "{vendor}");
        assert!(
            prompts.iter().all(|prompt| prompt.contains("business banking")),
            "{vendor}"
        );
    }
}

#[tokio::test]
async fn a_models_name_decides_how_it_fails() {
    let providers = started().await;
    for (vendor, model) in VENDORS {
        let prompt = ENTITIES[0].prompts[0];
        let failing = async |fault: &str| ask(&providers, vendor, &format!("{model}-{fault}"), prompt).await;
        let error = async |fault: &str| failing(fault).await.unwrap_err();
        assert!(
            matches!(error("400").await, AskError::Permanent { .. }),
            "{vendor}"
        );
        assert!(
            matches!(error("401").await, AskError::InvalidKey { .. }),
            "{vendor}"
        );
        assert!(
            matches!(error("402").await, AskError::QuotaExhausted { .. }),
            "{vendor}"
        );
        assert!(
            matches!(
                error("429").await,
                AskError::Unavailable {
                    retry_after: None,
                    ..
                }
            ),
            "{vendor}"
        );
        assert!(
            matches!(error("500").await, AskError::AnswerLost { .. }),
            "{vendor}"
        );
        assert!(
            matches!(error("529").await, AskError::Unavailable { .. }),
            "{vendor}"
        );
        assert!(
            matches!(error("nonsense").await, AskError::AnswerLost { .. }),
            "{vendor}"
        );
        let AskError::Unavailable { retry_after, .. } = error("wait30").await else {
            panic!("{vendor}");
        };
        assert_eq!(retry_after, Some(Duration::from_secs(30)), "{vendor}");

        let whole = ask(&providers, vendor, model, prompt).await.unwrap();
        let cut = failing("truncated").await.unwrap();
        assert_eq!(cut.finish_reason, FinishReason::Truncated, "{vendor}");
        assert!(cut.text.len() < whole.text.len(), "{vendor}");
        let refused = failing("refused").await.unwrap();
        let ends = if vendor == "mistral" {
            FinishReason::Complete
        } else {
            FinishReason::Refused
        };
        assert_eq!(
            (refused.finish_reason, refused.citations.len()),
            (ends, 0),
            "{vendor}"
        );
        let silent = tokio::time::timeout(Duration::from_millis(50), failing("stall")).await;
        assert!(silent.is_err(), "{vendor}");
    }
}
