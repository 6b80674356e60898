//! The keys of the table. No part of a key can contain the separator: ids are base62, ordinals and days are
//! digits, and what clients choose is hashed or is the last part.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::cell::Cell;
use domain::check_key::{CheckKey, ShardKey};
use domain::family::Family;
use domain::id::{EntityId, GroupId, MemberId, TagId, WebhookId};
use domain::ordinal::{ActionableOrdinal, CheckNumber, PromptOrdinal, TaskOrdinal};
use domain::provider_rate::RateKey;
use domain::revision::Revision;
use domain::tag::TagName;
use domain::time::{Day, Month, Timestamp};
use domain::webhook::DeliveryId;
use uuid::Uuid;

use crate::Tenant;
use crate::table::{PARTITION_KEY, SORT_KEY};

/// The number of partitions of each part of the due index, which spreads the load.
pub(crate) const DUE_PARTITIONS: u32 = 4;

/// A part of the due index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DuePart {
    /// Entities by their next check slot.
    Slots,
    /// Running checks by their next reconciliation, deleted entities and workspaces, and rereadings. Each
    /// admission reads this part. There are few running checks in it, because a check is claimed when it can
    /// be worked on soon.
    Work,
    /// Idle running checks by their next reconciliation. There are many while a provider is paused.
    Idle,
    /// Recorded events, and queues of deliveries by their next attempt.
    Notifications,
}

impl DuePart {
    fn prefix(self) -> &'static str {
        match self {
            Self::Slots => "DUE",
            Self::Work => "WORK",
            Self::Idle => "IDLE",
            Self::Notifications => "NOTIFY",
        }
    }

    /// Returns the partition that contains the items of a workspace or an entity with this id.
    pub(crate) fn partition(self, id: &str) -> String {
        let sum: u32 = id.bytes().map(u32::from).sum();
        self.numbered_partition(sum % DUE_PARTITIONS)
    }

    fn numbered_partition(self, number: u32) -> String {
        format!("{}#{number}", self.prefix())
    }

    pub(crate) fn partitions(self) -> impl Iterator<Item = String> {
        (0..DUE_PARTITIONS).map(move |number| self.numbered_partition(number))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) pk: String,
    pub(crate) sk: String,
}

impl Key {
    /// Returns the key of an item.
    pub(crate) fn of(item: &HashMap<String, AttributeValue>) -> Option<Self> {
        Some(key(partition_key(item)?, sort_key(item)?))
    }

    pub(crate) fn attributes(&self) -> HashMap<String, AttributeValue> {
        HashMap::from([
            (PARTITION_KEY.to_owned(), AttributeValue::S(self.pk.clone())),
            (SORT_KEY.to_owned(), AttributeValue::S(self.sk.clone())),
        ])
    }
}

/// Returns the partition key of an item.
pub(crate) fn partition_key(item: &HashMap<String, AttributeValue>) -> Option<&str> {
    Some(item.get(PARTITION_KEY)?.as_s().ok()?)
}

/// Returns the sort key of an item.
pub(crate) fn sort_key(item: &HashMap<String, AttributeValue>) -> Option<&str> {
    Some(item.get(SORT_KEY)?.as_s().ok()?)
}

fn key(pk: impl Into<String>, sk: impl Into<String>) -> Key {
    Key {
        pk: pk.into(),
        sk: sk.into(),
    }
}

fn of_workspace(tenant: &Tenant, sk: impl Into<String>) -> Key {
    key(workspace_partition(tenant), sk)
}

fn of_entity(tenant: &Tenant, entity: &EntityId, sk: impl Into<String>) -> Key {
    key(entity_partition(tenant, entity), sk)
}

/// Returns the partition of a workspace's own items.
pub(crate) fn workspace_partition(tenant: &Tenant) -> String {
    format!("W#{}", tenant.workspace())
}

/// Returns the partition of an entity's children.
pub(crate) fn entity_partition(tenant: &Tenant, entity: &EntityId) -> String {
    format!("W#{}#E#{entity}", tenant.workspace())
}

/// The sort key of a workspace's own item.
pub(crate) const WORKSPACE: &str = "WORKSPACE";

pub(crate) fn workspace(tenant: &Tenant) -> Key {
    of_workspace(tenant, WORKSPACE)
}

pub(crate) fn credits(tenant: &Tenant) -> Key {
    of_workspace(tenant, "CREDITS")
}

pub(crate) const ENTITY: &str = "ENTITY#";

pub(crate) fn entity(tenant: &Tenant, entity: &EntityId) -> Key {
    of_workspace(tenant, format!("{ENTITY}{entity}"))
}

/// Returns the key of a tracked target. `uniqueness_key` is a domain with its path, or a folded name.
pub(crate) fn target(tenant: &Tenant, uniqueness_key: &str) -> Key {
    of_workspace(tenant, format!("TARGET#{uniqueness_key}"))
}

pub(crate) const BRAND: &str = "BRAND#";

pub(crate) fn brand(tenant: &Tenant, brand: Uuid) -> Key {
    of_workspace(tenant, format!("{BRAND}{brand}"))
}

/// Returns the key of a brand that was cited, but neither tracked nor grouped.
pub(crate) fn cited_brand(tenant: &Tenant, brand: Uuid) -> Key {
    of_workspace(tenant, format!("SEEN#{brand}"))
}

pub(crate) const GROUP: &str = "GROUP#";

pub(crate) fn group(tenant: &Tenant, group: &GroupId) -> Key {
    of_workspace(tenant, format!("{GROUP}{group}"))
}

/// The sort key of a request to read answers again: of a whole workspace, or of one entity.
pub(crate) const REREAD: &str = "REREAD";

pub(crate) fn workspace_rereading(tenant: &Tenant) -> Key {
    of_workspace(tenant, REREAD)
}

pub(crate) fn entity_rereading(tenant: &Tenant, entity: &EntityId) -> Key {
    of_entity(tenant, entity, REREAD)
}

pub(crate) const MEMBER: &str = "MEMBER#";

pub(crate) fn member(tenant: &Tenant, member: &MemberId) -> Key {
    of_workspace(tenant, format!("{MEMBER}{member}"))
}

pub(crate) const TAG: &str = "TAG#";

pub(crate) fn tag(tenant: &Tenant, tag: &TagId) -> Key {
    of_workspace(tenant, format!("{TAG}{tag}"))
}

pub(crate) fn tag_name(tenant: &Tenant, name: &TagName) -> Key {
    of_workspace(tenant, format!("TAGNAME#{}", name.uniqueness_key()))
}

pub(crate) const WEBHOOK: &str = "WEBHOOK#";

pub(crate) fn webhook(tenant: &Tenant, webhook: &WebhookId) -> Key {
    of_workspace(tenant, format!("{WEBHOOK}{webhook}"))
}

pub(crate) const DELIVERY_QUEUE: &str = "SENDQUEUE#";

/// Returns the key of the queue of a webhook's deliveries.
pub(crate) fn delivery_queue(tenant: &Tenant, webhook: &WebhookId) -> Key {
    of_workspace(tenant, format!("{DELIVERY_QUEUE}{webhook}"))
}

pub(crate) const RECORDED_EVENTS: &str = "OUTBOX#";

/// Returns the key of events that were recorded together, and that sort by time.
pub(crate) fn recorded_events(tenant: &Tenant, at: Timestamp, id: Uuid) -> Key {
    of_workspace(tenant, format!("{RECORDED_EVENTS}{}#{id}", format_instant(at)))
}

/// Returns the key of a delivery of a webhook. The deliveries of a webhook sort by their creation.
pub(crate) fn delivery(tenant: &Tenant, webhook: &WebhookId, delivery: &DeliveryId) -> Key {
    of_workspace(
        tenant,
        format!(
            "{}{}",
            delivery_from(webhook, delivery.created_at),
            delivery.event
        ),
    )
}

/// Returns a sort key that all deliveries of a webhook since `at` follow.
pub(crate) fn delivery_from(webhook: &WebhookId, at: Timestamp) -> String {
    format!("{}{}#", delivery_prefix(webhook), format_instant(at))
}

/// Returns the prefix of the sort keys of a webhook's deliveries.
pub(crate) fn delivery_prefix(webhook: &WebhookId) -> String {
    format!("DELIVERY#{webhook}#")
}

/// Returns a sort key that follows all deliveries of a webhook.
pub(crate) fn deliveries_until(webhook: &WebhookId) -> String {
    format!("DELIVERY#{webhook}$")
}

/// Returns the key of the pause of a provider that the workspace's webhooks were told of.
pub(crate) fn told_pause(tenant: &Tenant, provider: &str) -> Key {
    of_workspace(tenant, format!("TOLDPAUSE#{provider}"))
}

pub(crate) const PROMPT: &str = "PROMPT#";

pub(crate) fn prompt(tenant: &Tenant, entity: &EntityId, ordinal: PromptOrdinal) -> Key {
    of_entity(tenant, entity, format!("{PROMPT}{ordinal:07}"))
}

/// Returns the key of the board's own item, which does not begin with [`BOARD`].
pub(crate) fn board(tenant: &Tenant, entity: &EntityId) -> Key {
    of_entity(tenant, entity, "BOARD")
}

/// The prefix of a board's actionables and tasks, which sort in this order.
pub(crate) const BOARD: &str = "BOARD#";
pub(crate) const ACTIONABLE: &str = "BOARD#A#";
pub(crate) const TASK: &str = "BOARD#T#";

pub(crate) fn actionable(tenant: &Tenant, entity: &EntityId, ordinal: ActionableOrdinal) -> Key {
    of_entity(tenant, entity, format!("{ACTIONABLE}{ordinal:07}"))
}

pub(crate) fn task(tenant: &Tenant, entity: &EntityId, ordinal: TaskOrdinal) -> Key {
    of_entity(tenant, entity, format!("{TASK}{ordinal:07}"))
}

pub(crate) const NAME_REQUEST: &str = "NAMEREQ#";

/// Returns the key of a name request. `filed_at` is when it was filed, so requests sort by age.
pub(crate) fn name_request(tenant: &Tenant, entity: &EntityId, filed_at: Timestamp) -> Key {
    of_entity(
        tenant,
        entity,
        format!("{NAME_REQUEST}{}", format_instant(filed_at)),
    )
}

/// The prefix of the checks of an entity, with their plans and shards.
pub(crate) const CHECK: &str = "CHECK#";

pub(crate) fn check(tenant: &Tenant, entity: &EntityId, check: CheckNumber) -> Key {
    of_entity(tenant, entity, format!("CHECK#{check:07}"))
}

pub(crate) fn plan(tenant: &Tenant, entity: &EntityId, check: CheckNumber) -> Key {
    of_entity(tenant, entity, format!("CHECK#{check:07}#PLAN"))
}

pub(crate) fn shard_prefix(check: CheckNumber) -> String {
    format!("CHECK#{check:07}#SHARD#")
}

pub(crate) fn shard(tenant: &Tenant, entity: &EntityId, shard: ShardKey) -> Key {
    of_entity(
        tenant,
        entity,
        format!("{}{:05}", shard_prefix(shard.check), shard.shard),
    )
}

pub(crate) fn response_partition(tenant: &Tenant, entity: &EntityId, month: Month) -> String {
    format!("{}#R#{month}", entity_partition(tenant, entity))
}

pub(crate) fn response_prefix(CheckKey { day, check }: CheckKey) -> String {
    format!("{day}#{check:07}#")
}

/// Returns the check of a response's sort key.
pub(crate) fn response_check(sort: &str) -> Option<CheckKey> {
    let mut parts = sort.split('#');
    let day = Day::parse(parts.next()?)?;
    let check: u32 = parts.next()?.parse().ok()?;
    Some(CheckKey {
        day,
        check: check.into(),
    })
}

pub(crate) fn response(
    tenant: &Tenant,
    entity: &EntityId,
    check: CheckKey,
    Cell { prompt, model }: Cell,
) -> Key {
    key(
        response_partition(tenant, entity, check.day.month()),
        format!("{}{prompt:07}#{model:04}", response_prefix(check)),
    )
}

pub(crate) fn fact_partition(tenant: &Tenant, entity: &EntityId, family: Family) -> String {
    format!("{}#F#{}", entity_partition(tenant, entity), family.name())
}

/// Returns the prefix of the sort keys of a check's segments.
pub(crate) fn segment_prefix(CheckKey { day, check }: CheckKey) -> String {
    format!("{day}#{check:07}#")
}

/// Returns a sort key that follows all segments of a check.
pub(crate) fn segments_until(CheckKey { day, check }: CheckKey) -> String {
    format!("{day}#{check:07}$")
}

/// Returns the key of the first part of a bucket of a segment.
pub(crate) fn bucket(
    tenant: &Tenant,
    entity: &EntityId,
    family: Family,
    check: CheckKey,
    revision: Revision,
    bucket: usize,
) -> Key {
    let sk = format!("{}{revision}#{bucket:03}", segment_prefix(check));
    key(fact_partition(tenant, entity, family), sk)
}

/// Returns the key of a part of a bucket. `first` is that of the first part.
pub(crate) fn part(first: &Key, part: usize) -> Key {
    match part {
        0 => first.clone(),
        part => key(first.pk.clone(), format!("{}.{part}", first.sk)),
    }
}

/// The prefix of the sort keys of the indexes of an entity's facts, which sort by month.
pub(crate) const FACT_INDEX: &str = "INDEX#";

pub(crate) fn fact_index(tenant: &Tenant, entity: &EntityId, month: Month) -> Key {
    key(
        fact_index_partition(tenant, entity),
        format!("{FACT_INDEX}{month}"),
    )
}

pub(crate) fn fact_index_partition(tenant: &Tenant, entity: &EntityId) -> String {
    format!("{}{FACT_INDEX_PARTITION}", entity_partition(tenant, entity))
}

/// What follows the partition of an entity in that of the indexes of its facts.
pub(crate) const FACT_INDEX_PARTITION: &str = "#F";

pub(crate) fn api_key(digest: &str) -> Key {
    key(format!("KEY#{digest}"), "KEY")
}

pub(crate) const KEY_LIST: &str = "KEY#";

pub(crate) fn key_summary(tenant: &Tenant, key_id: &str) -> Key {
    of_workspace(tenant, format!("{KEY_LIST}{key_id}"))
}

/// Returns the key of a recorded reply. `request` is a digest of what the client chose.
pub(crate) fn recorded_reply(tenant: &Tenant, request: &str) -> Key {
    of_workspace(tenant, format!("IDEM#{request}"))
}

/// Returns the key of a provider's pause, which all workspaces share. `provider` is a name from the
/// catalogue.
pub(crate) fn provider_pause(provider: &str) -> Key {
    key(format!("PROVIDER#{provider}"), "PAUSE")
}

/// Returns the key of the latest probe of a provider that was not paused, which all workspaces share.
pub(crate) fn provider_probe(provider: &str) -> Key {
    key(format!("PROVIDER#{provider}"), "PROBE")
}

/// Returns the key of the state that all admissions share.
pub(crate) fn admission() -> Key {
    key("ADMISSION", "ADMISSION")
}

/// Returns the key of what was learnt about a provider's limit, which all workspaces share.
pub(crate) fn provider_rate(of: &RateKey) -> Key {
    let sort = format!("RATE#{}#{}", of.key_fingerprint, of.model);
    key(format!("PROVIDER#{}", of.provider), sort)
}

/// Returns the sort key in the due index of an item of a workspace or an entity with this id.
pub(crate) fn due_sort(at: Timestamp, id: &str) -> String {
    format!("{}#{id}", format_instant(at))
}

/// Returns the sort key in the due index of an entity with a running check.
pub(crate) fn running_sort(at: Timestamp, id: &str, check: CheckNumber) -> String {
    format!("{}#{check}", due_sort(at, id))
}

/// Returns the running check of a sort key of the due index, or `None` if it has none.
pub(crate) fn running_check(sort: &str) -> Option<CheckNumber> {
    let check: u32 = sort.split('#').nth(2)?.parse().ok()?;
    Some(check.into())
}

/// Returns when the item of a sort key of the due index is due.
pub(crate) fn due_at(sort: &str) -> Option<Timestamp> {
    sort.split_once('#')?.0.parse().ok().map(Timestamp::from_millis)
}

/// Returns the workspace whose item an entry of the due index is.
pub(crate) fn workspace_of(entry: &HashMap<String, AttributeValue>) -> Option<Tenant> {
    let partition = partition_key(entry)?.strip_prefix("W#")?;
    Some(Tenant::new(partition.split('#').next()?.parse().ok()?))
}

/// Returns a sort key that follows every item that is due at `at` or before.
pub(crate) fn due_until(at: Timestamp) -> String {
    format!("{}$", format_instant(at))
}

/// Formats an instant with a fixed width, so that the texts sort by time.
fn format_instant(at: Timestamp) -> String {
    format!("{:015}", at.as_millis().max(0))
}
