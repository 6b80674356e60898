//! A question that is refused for itself fails alone. Only a provider that refuses the service's own question
//! as well is paused.

use acceptance::ProviderReply;
use domain::answer::ResponseState;
use domain::check::CheckState;
use domain::limits::PAUSE_JITTER;
use domain::time::MINUTE;

use super::fixture::{CheckerFixture, default_answer, prompt_number};
use super::pauses::{PauseScenario, successful_reply};

const BLOCK_PAGE: &str =
    "<!DOCTYPE html><title>Attention Required! | Cloudflare</title><p>Sorry, you have been blocked";
const BAD_KEY_PAGE: &str = "<html><head><title>401 Authorization Required</title></head></html>";

/// Returns the questions of customers and of the service itself that the provider was asked.
fn asked(fixture: &CheckerFixture) -> (usize, usize) {
    let asks = fixture.asks.lock().unwrap();
    let own = asks
        .iter()
        .filter(|(.., input)| prompt_number(input) == 0)
        .count();
    (asks.len() - own, own)
}

#[tokio::test]
async fn a_question_that_is_refused_for_itself_fails_at_once_and_is_neither_repeated_nor_charged() {
    let too_large = || {
        let mut reply = ProviderReply::error(429, "rate_limit_exceeded");
        reply.body["error"]["message"] = "Request too large for m: Limit 30000, Requested 36278.".into();
        reply.retry_after = Some(7);
        reply
    };
    let blocked = "the request was blocked before it reached the model";
    for (reply, reason, probes) in [
        (ProviderReply::page(403, BLOCK_PAGE), blocked, 1),
        (ProviderReply::page(401, BAD_KEY_PAGE), blocked, 1),
        (ProviderReply::page(402, BLOCK_PAGE), blocked, 1),
        (ProviderReply::error(403, "forbidden"), blocked, 1),
        (
            ProviderReply::error(400, "invalid_prompt"),
            "the prompt was refused",
            0,
        ),
        (too_large(), "the request is too large", 0),
    ] {
        let of_second = reply.clone();
        let fixture = CheckerFixture::start(4, move |model: &str, input: &str| match prompt_number(input) {
            2 => of_second.clone(),
            _ => default_answer(model, input).into(),
        })
        .await;
        fixture.tick().await;
        fixture.deliver_published().await;
        let responses = fixture.audit().await;
        for response in &responses {
            let shown = response.reason.clone().unwrap_or_default();
            match response.prompt.get() {
                2 => assert_eq!(
                    (response.state, shown.contains(reason)),
                    (ResponseState::Failed, true),
                    "{shown}"
                ),
                _ => assert_eq!(response.state, ResponseState::Answered, "{shown}"),
            }
        }
        assert_eq!(asked(&fixture), (8, probes), "{reply:?}");
        let (paid, rates) = (3 + 3 * 3, fixture.table.items().await);
        assert_eq!(fixture.table.credits(&fixture.tenant).await.2, paid);
        assert!(
            rates.keys().all(|(_, sort)| !sort.starts_with("RATE#")),
            "no rate is learnt"
        );
        assert_eq!(fixture.table.store.provider_pause("openai").await.unwrap(), None);
        assert_eq!(fixture.check_state().await, CheckState::Complete);
        let problems = fixture.read_entity().await.problems;
        assert!(
            problems.iter().all(|problem| problem.reason.contains(reason)),
            "{problems:?}"
        );
        assert_eq!(problems.len(), 2, "one per model");
    }
}

#[tokio::test]
async fn a_key_that_a_gateway_refuses_pauses_its_provider_within_one_check_and_the_rest_waits() {
    let scenario = PauseScenario::start(27).await;
    scenario.set_script(|_, _| ProviderReply::page(401, BAD_KEY_PAGE));
    scenario.advance_and_deliver(std::time::Duration::ZERO).await;
    let pause = scenario.pause().await.unwrap();
    assert!(pause.reason.contains("blocked"), "{}", pause.reason);
    let failed = scenario.responses().await;
    assert!(
        failed
            .iter()
            .all(|response| response.state == ResponseState::Failed)
    );
    assert!(
        failed.len() < 54,
        "questions that had not been asked wait: {}",
        failed.len()
    );
    let (_, own) = asked(&scenario.fixture);
    assert_eq!(own, 2, "the cheapest model and the shard's model");
    for _ in 0..14 {
        assert_eq!(scenario.advance_and_deliver(MINUTE).await, 0);
    }
    scenario.set_script(successful_reply);
    scenario.advance_and_deliver(MINUTE + PAUSE_JITTER).await;
    scenario.run_until_ended(3).await;
    assert_eq!(scenario.pause().await, None);
    let states = scenario.fixture.audit().await;
    let answered = states.iter().filter(|r| r.state == ResponseState::Answered);
    assert!(answered.count() > 0, "what waited is answered");
}

#[tokio::test]
async fn a_model_that_the_key_may_not_use_stops_no_other_model() {
    let fixture = CheckerFixture::start(3, |model: &str, input: &str| match model {
        "large" => ProviderReply::error(403, "permission_error"),
        _ => default_answer(model, input).into(),
    })
    .await;
    fixture.tick().await;
    fixture.deliver_published().await;
    assert_eq!(fixture.table.store.provider_pause("openai").await.unwrap(), None);
    let responses = fixture.audit().await;
    for response in responses {
        let is_large = response.model.get() == 1;
        assert_eq!(response.state == ResponseState::Failed, is_large);
    }
    assert_eq!(asked(&fixture), (6, 1));
}

#[tokio::test]
async fn the_cheapest_model_alone_does_not_pause_its_provider() {
    let fixture = CheckerFixture::start(3, |model: &str, input: &str| {
        match (model, prompt_number(input)) {
            ("small", _) | ("large", 2) => ProviderReply::page(403, BLOCK_PAGE),
            _ => default_answer(model, input).into(),
        }
    })
    .await;
    fixture.tick().await;
    fixture.deliver_published().await;
    assert_eq!(fixture.table.store.provider_pause("openai").await.unwrap(), None);
    assert_eq!(asked(&fixture), (6, 2), "the large model has answered");
}
