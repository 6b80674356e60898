use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::answer::FinishReason;
use domain::clock::Clock;
use domain::time::{Day, Timestamp};
use providers::{AskError, GenerationRequest, Provider, Providers, Question};
use serde_json::Value;
use statistics::{Comparison, Counts, Observation, Observations, Side};
use tokio::net::TcpListener;

use super::answer_generator::{AnswerRequest, generate};
use super::{ENTITIES, catalogue, market, responses_api, serve};

const TODAY: Day = Day(20_778);

const GENERATION_REQUEST: GenerationRequest<'static> = GenerationRequest {
    model: "demo-atlas",
    name: "Kontavo 24",
    domain: Some("kontavo.example"),
    description: "A bank account for freelancers",
    language: "en",
    language_name: "English",
    country: None,
    count: 7,
};

struct Fixed;

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        TODAY.start() + Duration::from_hours(3)
    }

    fn real_now(&self) -> Timestamp {
        self.now()
    }
}

fn request<'a>(model: &'a str, input: &'a str, day: Day) -> AnswerRequest<'a> {
    AnswerRequest {
        model,
        input,
        day,
        today: TODAY,
        search: true,
    }
}

/// Returns an answer as OpenAI writes it.
fn response(request: &AnswerRequest<'_>) -> Value {
    responses_api::write(&generate(request))
}

fn models() -> Vec<String> {
    catalogue()
        .unwrap()
        .models()
        .iter()
        .map(|m| m.model.clone())
        .collect()
}

/// Returns every answer that the demo workspace gets in 30 days.
fn answers_of_month() -> Vec<(&'static super::DemoEntity, String, Value)> {
    let mut answers = Vec::new();
    for entity in ENTITIES {
        for prompt in entity.prompts {
            for model in models() {
                for day in 0..30 {
                    let answer = response(&request(&model, prompt, TODAY.plus_days(-day)));
                    answers.push((entity, model.clone(), answer));
                }
            }
        }
    }
    answers
}

fn message(answer: &Value) -> &Value {
    &answer["output"].as_array().unwrap().last().unwrap()["content"][0]
}

fn text(answer: &Value) -> &str {
    message(answer)["text"].as_str().unwrap_or_default()
}

/// Starts the demo provider and gives what the service asks it through.
async fn started() -> Providers {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(serve(listener, Arc::new(Fixed), std::future::pending()));
    Providers::from_lookup(|name| (name == "OPENAI_BASE_URL").then(|| format!("{origin}/v1")))
}

fn openai(providers: &Providers) -> &dyn Provider {
    providers.get("openai").unwrap()
}

#[test]
fn a_questions_answer_is_fixed_for_a_day_and_changes_the_next_day() {
    let of = |model, day| response(&request(model, "Which kanban tool?", day)).to_string();
    assert_eq!(of("demo-atlas", TODAY), of("demo-atlas", TODAY));
    assert_ne!(of("demo-atlas", TODAY), of("demo-atlas", TODAY.plus_days(1)));
    assert_ne!(of("demo-atlas", TODAY), of("demo-birch", TODAY));
}

#[test]
fn every_brands_share_is_plausible_and_changes() {
    let answers = answers_of_month();
    for entity in ENTITIES {
        let market = market::find(entity.prompts[0]);
        assert!(
            market
                .brands
                .iter()
                .any(|b| b.name == entity.name && b.domain == entity.domain)
        );
        let mine: Vec<_> = answers.iter().filter(|(e, ..)| e.name == entity.name).collect();
        for brand in &market.brands {
            let mut shares: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
            for (_, model, answer) in &mine {
                let share = shares.entry(model).or_default();
                share.0 += u32::from(text(answer).contains(&brand.name));
                share.1 += 1;
            }
            let all = shares
                .values()
                .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            let percent = 100 * all.0 / all.1;
            assert!((5..95).contains(&percent), "{} {percent} %", brand.name);
            let differ = shares
                .values()
                .map(|share| share.0)
                .collect::<std::collections::BTreeSet<_>>();
            assert!(differ.len() > 1, "every model mentions {} as often", brand.name);
        }
    }
}

#[test]
fn a_brands_share_differs_between_days() {
    let share = |day: Day| {
        let prompts = ENTITIES[0].prompts.iter();
        let answers = prompts.flat_map(|p| models().into_iter().map(move |m| (m, *p)));
        answers
            .filter(|(m, p)| text(&response(&request(m, p, day))).contains("Plandriva"))
            .count()
    };
    let shares: std::collections::BTreeSet<usize> = (0..30).map(|day| share(TODAY.plus_days(-day))).collect();
    assert!(shares.len() >= 4, "{shares:?}");
}

#[test]
fn citations_span_the_visible_link() {
    let mut spans = 0;
    for (_, _, answer) in answers_of_month() {
        let text: Vec<char> = text(&answer).chars().collect();
        for citation in message(&answer)["annotations"].as_array().into_iter().flatten() {
            let at = |name: &str| usize::try_from(citation[name].as_u64().unwrap()).unwrap();
            let link: String = text[at("start_index")..at("end_index")].iter().collect();
            let url = citation["url"].as_str().unwrap();
            assert!(
                link.starts_with("([") && link.ends_with(&format!("]({url}))")),
                "{link}"
            );
            let host = url.strip_prefix("https://").unwrap().split('/').next().unwrap();
            assert!(
                host.ends_with(".example") && link.contains(&format!("[{host}]")),
                "{link}"
            );
            spans += 1;
        }
    }
    assert!(spans > 1_000);
}

#[test]
fn an_answer_quotes_a_question_about_another_market_and_cites_a_page_with_it_as_title_and_in_the_url() {
    let question = "Who repairs <b>clocks</b> in Bern?";
    let days = (0..30).map(|day| response(&request("demo-atlas", question, TODAY.plus_days(-day))));
    let answers: Vec<Value> = days
        .filter(|answer| message(answer)["type"] != "refusal")
        .collect();
    assert!(answers.len() > 20);
    assert!(answers.iter().all(|answer| text(answer).contains(question)));
    let titles = |answer: &&Value| message(answer)["annotations"][0]["title"] == question;
    assert!(answers.iter().filter(titles).count() > answers.len() / 2);
    let url = "https://questions.example/?q=Who+repairs+<b>clocks</b>+in+Bern?&utm_source=openai";
    let urls = |answer: &&Value| message(answer)["annotations"][0]["url"] == url;
    assert_eq!(
        answers.iter().filter(urls).count(),
        answers.iter().filter(titles).count()
    );
    let known = response(&request("demo-atlas", ENTITIES[0].prompts[0], TODAY));
    assert!(!text(&known).contains(ENTITIES[0].prompts[0]));
}

#[test]
fn a_few_answers_are_refusals_and_some_come_from_memory() {
    let answers = answers_of_month();
    let count =
        |is: fn(&Value) -> bool| 1_000 * answers.iter().filter(|(.., a)| is(a)).count() / answers.len();
    let refused = count(|answer| message(answer)["type"] == "refusal");
    assert!((3..25).contains(&refused), "{refused} ‰");
    let unsearched = count(|answer| !answer.to_string().contains("web_search_call"));
    assert!((80..200).contains(&unsearched), "{unsearched} ‰");
}

#[test]
fn the_demo_models_are_described_as_made_up() {
    let catalogue = catalogue().unwrap();
    assert_eq!(catalogue.models().len(), 3);
    for model in catalogue.models() {
        assert!(
            model.name.contains("demo") && model.id.starts_with("demo-") && model.model.starts_with("demo-")
        );
        assert_eq!((model.provider.as_str(), model.credits), ("openai", 1));
    }
}

#[tokio::test]
async fn the_services_own_decoder_reads_every_citation_and_query() {
    let providers = started().await;
    let mut searched = 0;
    for prompt in ENTITIES.iter().flat_map(|entity| entity.prompts) {
        let question = Question {
            model: "demo-cedar",
            prompt,
            language: "en",
            country: None,
        };
        let answer = openai(&providers).ask(&question).await.unwrap();
        let sent = response(&request("demo-cedar", prompt, TODAY));
        if answer.finish_reason == FinishReason::Refused {
            continue;
        }
        assert_eq!(answer.text, text(&sent));
        let mut urls: Vec<&str> = Vec::new();
        for citation in message(&sent)["annotations"].as_array().unwrap() {
            let url = citation["url"].as_str().unwrap();
            if !urls.contains(&url) {
                urls.push(url);
            }
        }
        assert_eq!(
            answer
                .citations
                .iter()
                .map(|c| c.url.as_str())
                .collect::<Vec<_>>(),
            urls
        );
        assert!(answer.citations.iter().all(|c| c.title.is_some()));
        let queries: Vec<&str> = sent["output"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|item| item["action"]["query"].as_str())
            .collect();
        assert_eq!(answer.queries, queries);
        assert_eq!(answer.searched, Some(!queries.is_empty()));
        searched += queries.len();
    }
    assert!(searched > 10);
}

#[tokio::test]
async fn the_service_can_generate_prompts() {
    let providers = started().await;
    let prompts = openai(&providers)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap();
    assert_eq!(prompts.len(), 7);
    assert!(
        prompts
            .iter()
            .all(|p| p.contains("business banking") && !p.contains("Kontavo"))
    );
}

#[tokio::test]
async fn the_error_of_a_malformed_request_names_the_problem() {
    let providers = started().await;
    let question = Question {
        model: "",
        prompt: "Which bank?",
        language: "en",
        country: None,
    };
    let error = openai(&providers).ask(&question).await.unwrap_err();
    assert!(matches!(error, AskError::Permanent { .. }), "{error:?}");
    let question = Question {
        model: "demo-atlas",
        prompt: " ",
        ..question
    };
    assert!(matches!(
        openai(&providers).ask(&question).await,
        Err(AskError::Permanent { .. })
    ));
}

/// Compares the last two weeks of a month that ends on a day with the two weeks before, in the answers of
/// these models.
fn compare(entity: &super::DemoEntity, models: &[String], today: Day) -> Comparison {
    let mut observed = Vec::new();
    for (prompt, input) in (0..).zip(entity.prompts) {
        for (model, name) in (0..).zip(models) {
            for days_ago in 0..28u32 {
                let asked = AnswerRequest {
                    today,
                    ..request(name, input, today.plus_days(-days_ago.cast_signed()))
                };
                let answer = responses_api::write(&generate(&asked));
                let is_mentioned = text(&answer).contains(entity.name);
                observed.push(Observation {
                    prompt,
                    model,
                    side: if days_ago < 14 { Side::Window } else { Side::Base },
                    day: days_ago % 14,
                    counts: Counts {
                        count: u64::from(is_mentioned),
                        total: 1,
                    },
                });
            }
        }
    }
    let observations: Observations = observed.into_iter().collect();
    observations.compare(observations.prompts(), |_| true).unwrap()
}

#[test]
fn in_the_last_two_weeks_one_brand_is_lost_one_stays_and_one_is_dragged_by_a_model() {
    let (models, level) = (models(), 0.05);
    let others = &models[..2];
    let days = || (0..10).map(|n| TODAY.plus_days(37 * n));
    let [plandriva, kanboro, stridara] = [0, 1, 2].map(|n| &ENTITIES[n]);
    for today in days() {
        for models in [&models[..], others] {
            let lost = compare(plandriva, models, today);
            assert!(lost.change < -0.2 && lost.p_value <= level, "{today} {lost:?}");
        }
        let dragged = compare(stridara, &models, today);
        assert!(
            dragged.change < -0.05 && dragged.p_value <= level,
            "{today} {dragged:?}"
        );
    }
    for (entity, models) in [(kanboro, &models[..]), (stridara, others)] {
        let stays = days().filter(|today| compare(entity, models, *today).p_value > level);
        assert!(stays.count() >= 8, "{}", entity.name);
    }
}
