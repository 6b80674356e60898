//! Records responses. The first response to a question counts.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::cell::Cell;
use domain::check::{Response, ShardState};
use domain::check_key::CheckKey;
use domain::id::{EntityId, ResponseId};
use domain::limits::MAX_ANSWERS_PER_WRITE;
use domain::reading::Reading;
use domain::time::{Day, Month};
use serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value;

use crate::expression::{names, string_value};
use crate::items::{Consistency, Item, ReadOptions, SortKeys, Updated, from_item, to_expiring_item};
use crate::transaction::{Outcome, Transaction};
use crate::{Lease, Store, StoreError, Tenant, keys};

/// The compression level of zstd.
const TEXT_LEVEL: i32 = 3;
/// The maximum length of a decompressed text. Every accepted answer is shorter.
const TEXT_BYTES: usize = 16 * 1024 * 1024;
const TEXT: &str = "text";
/// The attributes of a response without its text, from which facts are computed.
const FACTS: &str = "#prompt, #model, #state, #answeredAt, #citations, #queries, #searched, #truncated, \
                     #brands, #notMentioned, #reading, #reason, #usage";

/// A page of a check's responses with their texts.
#[derive(Debug, Clone)]
pub struct ResponsePage {
    pub responses: Vec<Response>,
    /// Where the next page starts, or `None` if this is the last one.
    pub next: Option<PageStart>,
}

/// Where a page of responses starts.
#[derive(Debug, Clone)]
pub struct PageStart(Item);

impl Store {
    /// Records up to 10 responses of a shard and marks their questions as recorded, in one transaction.
    /// Responses to questions that already have one are dropped. Returns `false` if the shard is closed.
    pub async fn record_responses(
        &self,
        lease: &Lease,
        day: Day,
        mut responses: Vec<Response>,
    ) -> Result<bool, StoreError> {
        debug_assert!(responses.len() <= MAX_ANSWERS_PER_WRITE);
        while !responses.is_empty() {
            let mut transaction = Transaction::default();
            let asked: Vec<String> = responses.iter().map(|r| r.prompt.to_string()).collect();
            let shard = transaction.update(
                &keys::shard(&lease.tenant, &lease.entity, lease.shard),
                // The provider answers, so the shard has no problem any more.
                "ADD #recorded :prompts REMOVE #problem",
                "#state = :open",
                vec![
                    (":prompts", AttributeValue::Ns(asked)),
                    (":open", string_value(ShardState::Open.into_str())),
                ],
            );
            let indexes = self.put_responses(
                &mut transaction,
                &lease.tenant,
                &lease.entity,
                CheckKey {
                    day,
                    check: lease.shard.check,
                },
                &responses,
            )?;
            match self.transact(transaction).await? {
                Outcome::Committed => return Ok(true),
                Outcome::Rejected(failed) if failed.contains(shard) => return Ok(false),
                Outcome::Rejected(failed) => {
                    let mut indexes = indexes.into_iter();
                    responses.retain(|_| !indexes.next().is_some_and(|index| failed.contains(index)));
                }
            }
        }
        Ok(true)
    }

    /// Adds new responses to a transaction. Returns the indexes of their actions.
    pub(crate) fn put_responses(
        &self,
        transaction: &mut Transaction,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        responses: &[Response],
    ) -> Result<Vec<usize>, StoreError> {
        responses
            .iter()
            .map(|response| {
                let key = keys::response(tenant, entity, check, response.cell());
                let expires = self.check_expiry(response.answered_at);
                let mut item = to_expiring_item(&key, response, expires)?;
                let text = zstd::bulk::compress(response.text.as_bytes(), TEXT_LEVEL)
                    .map_err(|e| StoreError::internal("compressing a text", e))?;
                item.insert(TEXT.to_owned(), AttributeValue::B(text.into()));
                Ok(transaction.create(item))
            })
            .collect()
    }

    /// Lists the responses of a check without their texts, strongly consistent.
    pub async fn responses_of(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
    ) -> Result<Vec<Response>, StoreError> {
        let options = ReadOptions {
            consistency: Consistency::Strong,
            projection: Some(FACTS),
        };
        let partition = keys::response_partition(tenant, entity, check.day.month());
        let prefix = SortKeys::Prefix(keys::response_prefix(check));
        self.query(&partition, prefix, options)
            .await?
            .into_iter()
            .map(decode_response)
            .collect()
    }

    /// Reads a page of the responses of a check with their texts, strongly consistent. A page has at most 1
    /// MB of items.
    pub async fn response_page(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        start: Option<PageStart>,
    ) -> Result<ResponsePage, StoreError> {
        let partition = keys::response_partition(tenant, entity, check.day.month());
        let prefix = keys::response_prefix(check);
        let (items, next) = self.response_items(partition, &prefix, start).await?;
        Ok(ResponsePage {
            responses: items.into_iter().map(decode_response).collect::<Result<_, _>>()?,
            next,
        })
    }

    /// Reads a page of the responses that count in a month, with their ids and texts, by day, check, prompt
    /// and model, strongly consistent. A page has at most 1 MB of items.
    pub async fn responses_of_month(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        month: Month,
        start: Option<PageStart>,
    ) -> Result<(Vec<(ResponseId, Response)>, Option<PageStart>), StoreError> {
        let partition = keys::response_partition(tenant, entity, month);
        let (items, next) = self.response_items(partition, &month.to_string(), start).await?;
        let with_id = |item: Item| {
            let check = keys::sort_key(&item).and_then(keys::response_check);
            let CheckKey { day, check } =
                check.ok_or_else(|| StoreError::Internal("a response has another key".to_owned()))?;
            let response = decode_response(item)?;
            let id = ResponseId {
                entity: *entity,
                day,
                check,
                prompt: response.prompt,
                model: response.model,
            };
            Ok((id, response))
        };
        let responses = items.into_iter().map(with_id);
        Ok((responses.collect::<Result<_, StoreError>>()?, next))
    }

    /// Reads a page of response items that have not expired.
    async fn response_items(
        &self,
        partition: String,
        prefix: &str,
        start: Option<PageStart>,
    ) -> Result<(Vec<Item>, Option<PageStart>), StoreError> {
        let condition = "#PK = :pk AND begins_with(#SK, :prefix)";
        let page = self
            .db
            .query()
            .table_name(&self.table)
            .key_condition_expression(condition)
            .set_expression_attribute_names(names(&[condition]))
            .expression_attribute_values(":pk", string_value(partition))
            .expression_attribute_values(":prefix", string_value(prefix))
            .consistent_read(true)
            .set_exclusive_start_key(start.map(|PageStart(key)| key))
            .send()
            .await?;
        let items = page.items.unwrap_or_default().into_iter(); // DynamoDB always sends them.
        let live = items.filter(|item| self.is_live(item)).collect();
        Ok((live, page.last_evaluated_key.map(PageStart)))
    }

    /// Replaces what was read from the text of a recorded response. A response that does not exist any more
    /// stays absent. Returns `false` if the response was read otherwise than `before` meanwhile.
    pub async fn rewrite_mentions(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        response: &Response,
        before: Option<Reading>,
    ) -> Result<bool, StoreError> {
        let Some(reading) = response.reading else {
            return Ok(true);
        };
        let list = |encoded: Result<AttributeValue, serde_dynamo::Error>| {
            encoded
                .map_err(|_| StoreError::Internal("the mentions of a response cannot be written".to_owned()))
        };
        let mut bound = vec![
            (":brands", list(to_attribute_value(&response.brands))?),
            (
                ":notMentioned",
                list(to_attribute_value(&response.not_mentioned))?,
            ),
            (":reading", string_value(reading)),
        ];
        let key = keys::response(tenant, entity, check, response.cell());
        let update = "SET #brands = :brands, #notMentioned = :notMentioned, #reading = :reading";
        let unchanged = match before {
            Some(before) => {
                bound.push((":before", string_value(before)));
                "#reading = :before OR #reading = :reading"
            }
            None => "attribute_not_exists(#reading) OR #reading = :reading",
        };
        let condition = format!("attribute_exists(PK) AND ({unchanged})");
        Ok(match self.update_one(&key, update, &condition, bound).await? {
            Updated::Item(_) | Updated::ConditionFailed(None) => true,
            Updated::ConditionFailed(Some(_)) => false,
        })
    }

    /// Returns whether no text of the answers of a day has expired, unless they were recorded with a shorter
    /// retention.
    pub fn keeps_texts_of(&self, day: Day) -> bool {
        self.check_expiry(day.start()) > self.clock.now()
    }

    /// Reads a response with its text, strongly consistent.
    pub async fn response(&self, tenant: &Tenant, id: &ResponseId) -> Result<Option<Response>, StoreError> {
        let check = CheckKey {
            day: id.day,
            check: id.check,
        };
        let cell = Cell {
            prompt: id.prompt,
            model: id.model,
        };
        let key = keys::response(tenant, &id.entity, check, cell);
        self.get_item(&key, Consistency::Strong)
            .await?
            .map(decode_response)
            .transpose()
    }
}

fn decode_response(mut item: Item) -> Result<Response, StoreError> {
    let text = match item.remove(TEXT) {
        Some(AttributeValue::B(packed)) => {
            let text = zstd::bulk::decompress(packed.as_ref(), TEXT_BYTES)
                .map_err(|e| StoreError::internal("decoding an answer's text", e))?;
            String::from_utf8(text).map_err(|e| StoreError::internal("decoding an answer's text", e))?
        }
        _ => String::new(),
    };
    item.insert(TEXT.to_owned(), string_value(text));
    from_item(item)
}
