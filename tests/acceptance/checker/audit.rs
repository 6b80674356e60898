//! Invariants that every completed check must satisfy, whatever faults it met.

use std::collections::BTreeMap;
use std::time::Instant;

use domain::answer::ResponseState;
use domain::board::Finding;
use domain::cell::Cell;
use domain::check::{Plan, Response};
use domain::check_key::CheckKey;
use domain::entity::Entity;
use domain::family::Family;
use domain::limits::MAX_ACTIVE_ACTIONABLES;
use domain::metrics::Share;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::period::DateRange;
use facts::families::{Visibility, VisibilityCell};

use super::fixture::{CREDITS, CheckerFixture, first_check};
use crate::store::table::catalogue;

impl CheckerFixture {
    /// Returns the times at which each question was asked.
    async fn asks(&self, plan: &Plan) -> BTreeMap<Cell, Vec<Instant>> {
        let prompts = self
            .table
            .store
            .prompts(&self.tenant, &self.entity)
            .await
            .unwrap();
        let prompts: BTreeMap<&str, PromptOrdinal> =
            prompts.iter().map(|p| (p.text.as_str(), p.ordinal)).collect();
        let catalogue = catalogue();
        let models: BTreeMap<&str, ModelOrdinal> = plan
            .models
            .iter()
            .map(|m| (catalogue.get(m.uuid).unwrap().model.as_str(), m.ordinal))
            .collect();
        let mut asks = BTreeMap::<_, Vec<Instant>>::new();
        for (at, model, input) in self.asks.lock().unwrap().iter() {
            // This question belongs to another entity.
            let Some(prompt) = prompts.get(input.as_str()) else {
                continue;
            };
            let question = Cell {
                prompt: *prompt,
                model: models[model.as_str()],
            };
            asks.entry(question).or_default().push(*at);
        }
        asks
    }

    /// Returns the time at which each response was recorded, by its question.
    fn recordings(&self) -> BTreeMap<Cell, Instant> {
        let mut recordings = BTreeMap::new();
        for call in self.table.faults.calls() {
            if call.operation != "TransactWriteItems" || !call.took_effect() {
                continue;
            }
            for action in call.request["TransactItems"].as_array().unwrap() {
                let item = &action["Put"]["Item"];
                let of_this = format!("#E#{}#R#", self.entity);
                if !item["PK"]["S"].as_str().is_some_and(|pk| pk.contains(&of_this)) {
                    continue;
                }
                let number = |name: &str| item[name]["N"].as_str().unwrap().parse::<u32>().unwrap();
                let question = Cell {
                    prompt: number("prompt").into(),
                    model: number("model").into(),
                };
                let at = call.ended.unwrap();
                recordings.entry(question).or_insert(at);
            }
        }
        recordings
    }

    /// Asserts every invariant of a completed check and returns its responses.
    pub(crate) async fn audit(&self) -> Vec<Response> {
        let entity = self.read_entity().await;
        assert!(entity.running.is_none());
        let last = entity.last_check.as_ref().unwrap();
        assert_eq!(last.key(), first_check());

        let plan = self.plan().await;
        let responses = self.responses().await;
        let questions: Vec<Cell> = responses.iter().map(Response::cell).collect();
        let models: Vec<ModelOrdinal> = plan.models.iter().map(|m| m.ordinal).collect();
        let asked_for: Vec<Cell> = plan
            .prompts
            .iter()
            .flat_map(|prompt| {
                models.iter().map(move |model| Cell {
                    prompt: *prompt,
                    model: *model,
                })
            })
            .collect();
        assert_eq!(questions, asked_for, "one response per question");

        let recordings = self.recordings();
        for (question, asks) in self.asks(&plan).await {
            let recorded = recordings[&question];
            assert!(
                asks.iter().all(|at| *at <= recorded),
                "{question:?} was asked again"
            );
        }
        let price: BTreeMap<ModelOrdinal, i64> = plan
            .models
            .iter()
            .map(|m| (m.ordinal, i64::from(m.credits)))
            .collect();
        let answered = responses.iter().filter(|r| r.state == ResponseState::Answered);
        let used: i64 = answered.map(|r| price[&r.model]).sum();
        assert_eq!(self.table.credits(&self.tenant).await, (CREDITS - used, 0, used));
        self.audit_facts(last.key(), &responses).await;
        self.audit_board(&entity, &responses).await;
        responses
    }

    /// Asserts that the board has one actionable for each prompt that less than half of the answers mention
    /// the entity in. The board can also hold actionables of other rules.
    async fn audit_board(&self, entity: &Entity, responses: &[Response]) {
        let mut shares = BTreeMap::<PromptOrdinal, Share>::new();
        for answered in responses.iter().filter(|r| r.state == ResponseState::Answered) {
            shares.entry(answered.prompt).or_default().add(Share {
                mentions: u64::from(answered.brands.contains(&entity.brand_ordinal)),
                responses: 1,
            });
        }
        shares.retain(|_, share| 2 * share.mentions < share.responses);
        let board = self.table.store.board(&self.tenant, &self.entity).await.unwrap();
        let evidence = board.actionables.iter().map(|a| &a.recommendation.evidence);
        let low: Vec<(PromptOrdinal, Share)> = evidence
            .filter_map(|e| match &e.finding {
                Finding::LowVisibility { figures } => Some((e.prompt_ids[0].ordinal, figures.counts.share())),
                _ => None,
            })
            .collect();
        let shown: BTreeMap<PromptOrdinal, Share> = low.iter().copied().collect();
        assert_eq!(low.len(), shown.len(), "one actionable per prompt");
        let others = board.actionables.len() - low.len();
        assert_eq!(
            board.actionables.len(),
            (shares.len() + others).min(MAX_ACTIVE_ACTIONABLES)
        );
        assert!(shown.iter().all(|(prompt, share)| shares[prompt] == *share));
    }

    /// Asserts that the facts agree with the responses.
    async fn audit_facts(&self, check: CheckKey, responses: &[Response]) {
        let store = &self.table.store;
        let range = DateRange::last_30_days(check.day);
        let index = store
            .fact_index(&self.tenant, &self.entity, &[range], store::Consistency::Strong)
            .await
            .unwrap();
        assert!(index.contains(check));
        let sealed = store
            .segments(
                &self.tenant,
                &self.entity,
                Family::Visibility,
                &index.segments_of(Family::Visibility).unwrap(),
            )
            .await
            .unwrap();
        assert_eq!(sealed.len(), 1);
        let facts = Visibility::decode(&sealed[0].1).unwrap();
        let cells: Vec<VisibilityCell> = facts
            .cells()
            .map(|c| VisibilityCell {
                prompt: c.prompt,
                model: c.model,
                state: c.state,
                brands: c.brands.to_vec(),
                model_version: c.model_version.map(str::to_owned),
            })
            .collect();
        let expected: Vec<VisibilityCell> = responses
            .iter()
            .map(|r| VisibilityCell {
                prompt: r.prompt,
                model: r.model,
                state: r.state,
                brands: r.brands.clone(),
                model_version: r.usage.model_version.clone(),
            })
            .collect();
        assert_eq!(cells, expected);
    }
}
