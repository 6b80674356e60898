//! Measures the parts of a check's work separately.

use domain::answer::Answer;
use domain::check::{Response, brand_names};
use domain::check_key::ShardKey;
use domain::limits::{LEASE, MAX_ANSWERS_PER_WRITE, MAX_PROMPTS_PER_SHARD};
use domain::ordinal::{CheckNumber, ShardNumber};
use facts::families::encode_check;
use futures::{StreamExt, TryStreamExt};
use mentions::Matcher;
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::super::instructions;
use super::checker_bench::{CheckerBench, MeasuredCheck};

/// The number of questions that a shard asks concurrently.
const CONCURRENT_QUESTIONS: usize = 8;
/// The offset of the checks for which answers are recorded again. No check that was claimed has such a
/// number.
const REPEATED_CHECK_OFFSET: u32 = 1_000_000;

/// The instructions of parts of a check, each for all answers.
pub(crate) struct Parts {
    pub(crate) ask: u64,
    pub(crate) find: u64,
    pub(crate) record: u64,
    pub(crate) fold: u64,
}

impl CheckerBench {
    /// Repeats the parts of a check: asks its questions, matches the answers, records them and folds them.
    pub(super) fn parts(&self, runtime: &Runtime, check: &MeasuredCheck) -> Parts {
        let (answers, ask) = self.ask(runtime, check);
        let names = brand_names(&check.plan.brands);
        let ((), find) = instructions::count(|| {
            for shard in answers.chunks(MAX_PROMPTS_PER_SHARD) {
                let matcher = Matcher::new(&names);
                for answer in shard {
                    std::hint::black_box(matcher.find(&answer.text));
                }
            }
        });
        let with_text = |(response, answer): (&Response, &Answer)| Response {
            text: answer.text.clone(),
            ..response.clone()
        };
        let responses: Vec<Response> = check.responses.iter().zip(&answers).map(with_text).collect();
        let (_, fold) = instructions::count(|| std::hint::black_box(encode_check(&check.responses)));
        Parts {
            ask,
            find,
            record: self.record(runtime, check, &responses),
            fold,
        }
    }

    fn ask(&self, runtime: &Runtime, check: &MeasuredCheck) -> (Vec<Answer>, u64) {
        let provider = self.checker.providers.get("openai").expect("a provider");
        let (table, store) = (&self.table, &self.checker.store);
        let prompts = runtime.block_on(store.prompts(&table.tenant, &table.entity.id));
        let prompts = prompts.expect("a table");
        let models = check.plan.models.iter().map(|model| {
            let model = table.catalogue.get(model.uuid).expect("a known model");
            model.model.as_str()
        });
        let questions: Vec<providers::Question<'_>> = models
            .flat_map(|model| {
                prompts.iter().map(move |prompt| providers::Question {
                    model,
                    prompt: prompt.text.as_str(),
                    language: "en",
                    country: None,
                })
            })
            .collect();
        let asked = futures::stream::iter(&questions).map(|question| provider.ask(question));
        let asked = asked.buffered(CONCURRENT_QUESTIONS).try_collect();
        let (answers, instructions) = instructions::count(|| runtime.block_on(asked));
        (answers.expect("every question is answered"), instructions)
    }

    fn record(&self, runtime: &Runtime, check: &MeasuredCheck, responses: &[Response]) -> u64 {
        let (table, store) = (&self.table, &self.checker.store);
        let now = self.checker.clock.now();
        let mut sum = 0;
        for (shard, responses) in (0..)
            .map(ShardNumber::new)
            .zip(responses.chunks(MAX_PROMPTS_PER_SHARD))
        {
            let key = ShardKey {
                check: CheckNumber::new(REPEATED_CHECK_OFFSET + check.check.get()),
                shard,
            };
            let (id, until) = (&table.entity.id, now + LEASE);
            let lease = store.lease_shard(&table.tenant, id, key, Uuid::new_v4(), now, until);
            let lease = runtime.block_on(lease).expect("a free shard");
            let batches: Vec<Vec<Response>> = responses
                .chunks(MAX_ANSWERS_PER_WRITE)
                .map(<[Response]>::to_vec)
                .collect();
            let ((), instructions) = instructions::count(|| {
                runtime.block_on(async {
                    for batch in batches {
                        let recorded = store.record_responses(&lease, now.day(), batch).await;
                        assert!(recorded.expect("a table"), "the shard is open");
                    }
                });
            });
            sum += instructions;
        }
        sum
    }
}
