use std::collections::BTreeSet;

use domain::cell::Cell;
use domain::check_key::{CheckKey, ShardKey};
use domain::id::{GroupId, MemberId, TagId, WebhookId, WorkspaceId};
use domain::provider_rate::RateKey;
use domain::revision::Revision;
use domain::tag::TagName;
use domain::webhook::DeliveryId;
use uuid::Uuid;

use super::*;

/// How the items of a kind end when their entity or workspace is deleted.
#[derive(Debug, PartialEq)]
enum Owner {
    /// The entity: its erasure goes over the item's partition.
    Entity,
    /// The workspace: its erasure goes over the item's partition.
    Workspace,
    /// The workspace, whose list of keys leads to the item.
    KeyList,
    /// Nobody: the item contains nothing of a workspace.
    Nobody,
}

/// Returns the names of the functions of `keys.rs` that return a key.
fn kinds() -> BTreeSet<String> {
    let source = include_str!("../keys.rs");
    let functions = source.split("\npub(crate) fn ").skip(1);
    let returns_key = |function: &&str| {
        let signature = function.split('{').next().unwrap_or_default();
        // A pattern in the parameters has braces, too.
        signature.contains("-> Key ")
            || function
                .split("-> ")
                .nth(1)
                .is_some_and(|of| of.starts_with("Key "))
    };
    let name = |function: &str| function.split('(').next().unwrap_or_default().to_owned();
    functions.filter(returns_key).map(name).collect()
}

#[test]
fn an_erasure_reaches_every_kind_of_item() {
    let random = Uuid::from_u128(7);
    let tenant = Tenant::new(WorkspaceId::from_random(random));
    let entity = EntityId::from_random(random);
    let (t, e) = (&tenant, &entity);
    let month = Day(20_000).month();
    let check = CheckKey {
        day: Day(20_000),
        check: 3.into(),
    };
    let shard = ShardKey {
        check: 3.into(),
        shard: 0.into(),
    };
    let cell = Cell {
        prompt: 1.into(),
        model: 0.into(),
    };
    let (revision, at) = (Revision::of(b""), Timestamp::from_millis(1));
    let group: GroupId = "AAAAAAAAAAAAAAAA".parse().unwrap();
    let tag: TagId = "AAAAAAAAAAAAAAAA".parse().unwrap();
    let member = MemberId::from_random(random);
    let rate = RateKey {
        provider: "p".to_owned(),
        key_fingerprint: "k".to_owned(),
        model: "m".to_owned(),
    };
    let bucket = keys::bucket(t, e, Family::Links, check, revision, 0);
    let webhook = WebhookId::from_random(random);
    let delivery = DeliveryId {
        created_at: at,
        event: "e".parse().unwrap(),
    };
    let all = [
        ("webhook", keys::webhook(t, &webhook), Owner::Workspace),
        (
            "delivery_queue",
            keys::delivery_queue(t, &webhook),
            Owner::Workspace,
        ),
        (
            "recorded_events",
            keys::recorded_events(t, at, random),
            Owner::Workspace,
        ),
        (
            "delivery",
            keys::delivery(t, &webhook, &delivery),
            Owner::Workspace,
        ),
        ("told_pause", keys::told_pause(t, "p"), Owner::Workspace),
        ("workspace", keys::workspace(t), Owner::Workspace),
        ("credits", keys::credits(t), Owner::Workspace),
        ("entity", keys::entity(t, e), Owner::Workspace),
        ("target", keys::target(t, "acme.com"), Owner::Workspace),
        ("brand", keys::brand(t, random), Owner::Workspace),
        ("cited_brand", keys::cited_brand(t, random), Owner::Workspace),
        ("group", keys::group(t, &group), Owner::Workspace),
        (
            "workspace_rereading",
            keys::workspace_rereading(t),
            Owner::Workspace,
        ),
        ("entity_rereading", keys::entity_rereading(t, e), Owner::Entity),
        ("member", keys::member(t, &member), Owner::Workspace),
        ("tag", keys::tag(t, &tag), Owner::Workspace),
        (
            "tag_name",
            keys::tag_name(t, &TagName::parse("name", "n").unwrap()),
            Owner::Workspace,
        ),
        ("prompt", keys::prompt(t, e, 1.into()), Owner::Entity),
        ("board", keys::board(t, e), Owner::Entity),
        ("actionable", keys::actionable(t, e, 1.into()), Owner::Entity),
        ("task", keys::task(t, e, 1.into()), Owner::Entity),
        ("name_request", keys::name_request(t, e, at), Owner::Entity),
        ("check", keys::check(t, e, 3.into()), Owner::Entity),
        ("plan", keys::plan(t, e, 3.into()), Owner::Entity),
        ("shard", keys::shard(t, e, shard), Owner::Entity),
        ("response", keys::response(t, e, check, cell), Owner::Entity),
        ("part", keys::part(&bucket, 1), Owner::Entity),
        ("bucket", bucket, Owner::Entity),
        ("fact_index", keys::fact_index(t, e, month), Owner::Entity),
        ("api_key", keys::api_key("d"), Owner::KeyList),
        ("key_summary", keys::key_summary(t, "k"), Owner::Workspace),
        ("recorded_reply", keys::recorded_reply(t, "r"), Owner::Workspace),
        ("provider_pause", keys::provider_pause("p"), Owner::Nobody),
        ("provider_probe", keys::provider_probe("p"), Owner::Nobody),
        ("admission", keys::admission(), Owner::Nobody),
        ("provider_rate", keys::provider_rate(&rate), Owner::Nobody),
    ];
    let listed: BTreeSet<String> = all.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(listed, kinds(), "say here how a new kind of item ends");
    let mut of_entity = data_partitions(t, e, &[month]);
    of_entity.push(keys::entity_partition(t, e));
    for (name, key, owner) in all {
        let is_shared = !key.pk.contains(t.workspace().as_str());
        let expected = if of_entity.contains(&key.pk) {
            Owner::Entity
        } else if key.pk == keys::workspace_partition(t) {
            Owner::Workspace
        } else if is_shared && owner != Owner::Nobody {
            Owner::KeyList
        } else {
            Owner::Nobody
        };
        assert_eq!(owner, expected, "{name}");
        assert_eq!(
            is_shared,
            matches!(owner, Owner::Nobody | Owner::KeyList),
            "{name}"
        );
    }
}
