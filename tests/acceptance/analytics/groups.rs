//! Domain groups in analytics: they apply at once and to all history, and deleting them undoes it.

use domain::key_scope::{KeyAccess, KeyScope};
use reqwest::Method;
use serde_json::json;

use super::TrackedEntity;
use crate::domain_groups::cited;

impl TrackedEntity {
    /// Creates another entity that is only checked on request.
    async fn other(&self, name: &str, domain: &str, models: usize, prompts: &[&str]) -> String {
        let uuids = self.world.models(&self.account).await;
        let more = json!({"models": uuids[..models], "startTracking": false});
        self.world
            .entity(&self.account, name, domain, prompts, more)
            .await
    }

    /// Groups entities with the first one as the primary, and returns the group's id.
    async fn group(&self, members: &[&str], scope: Option<&str>) -> String {
        let body = json!({"primaryEntity": members[0], "entities": members, "entityId": scope});
        let made = self.world.post(&self.account, "/domain-groups", &body).await.ok();
        made["data"]["id"].as_str().unwrap().to_owned()
    }

    async fn ungroup(&self, group: &str) {
        let path = format!("/domain-groups?groupId={group}");
        self.world
            .send(Some(&self.account), Method::DELETE, &path, None)
            .await
            .ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_responses_of_a_groups_trackings_are_united_and_mentions_of_any_member_count() {
    // For Acme, one answer names Acme, one names Other and one names neither.
    let tracked = TrackedEntity::new(1, &["yes?", "a no?", "name Nobody?"]).await;
    let other = tracked
        .other("Other", "other.com", 1, &["yes?", "name Nobody?"])
        .await;
    let third = tracked.other("Third", "third.com", 1, &["name Third?"]).await;
    tracked.run_check().await;
    tracked.run_check_of(&other).await;
    tracked.run_check_of(&third).await;
    let before = [
        tracked.counts("").await,
        tracked.counts_of(&other, "").await,
        tracked.counts_of(&third, "").await,
    ];
    assert_eq!(before, [[(1, 3)], [(0, 2)], [(1, 1)]]);

    let group = tracked.group(&[&other, &tracked.entity], None).await;
    // 2 of 3 answers, and 1 of 2.
    assert_eq!(tracked.counts("").await, [(3, 5)]);
    assert_eq!(tracked.counts_of(&other, "").await, [(3, 5)]);
    assert_eq!(tracked.counts_of(&third, "").await, [(1, 1)]);
    assert_eq!(tracked.counts("union=true").await, [(3, 5)]);
    assert_eq!(tracked.counts("union=").await, [(3, 5)]);
    assert_eq!(tracked.counts("union=false").await, [(2, 3)]);
    assert_eq!(tracked.counts_of(&other, "union=false").await, [(1, 2)]);
    let score = tracked.points("").await[0]["score"].clone();
    assert_eq!(score, 60.0);

    tracked.ungroup(&group).await;
    let after = [
        tracked.counts("").await,
        tracked.counts_of(&other, "").await,
        tracked.counts_of(&third, "").await,
    ];
    assert_eq!(after, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scoped_group_changes_only_its_scope_and_unites_nothing() {
    let tracked = TrackedEntity::new(1, &["yes?", "a no?"]).await;
    let other = tracked
        .other("Other", "other.com", 1, &["yes?", "a no?", "a no?"])
        .await;
    tracked.run_check().await;
    tracked.run_check_of(&other).await;
    let group = tracked
        .group(&[&tracked.entity, &other], Some(&tracked.entity))
        .await;
    assert_eq!(tracked.counts("").await, [(2, 2)]);
    assert_eq!(tracked.counts_of(&other, "").await, [(1, 2)]);
    tracked.ungroup(&group).await;
    // A scope that is not a member changes nothing for the members.
    let third = tracked.other("Third", "third.com", 1, &["yes?"]).await;
    tracked.run_check_of(&third).await;
    tracked.group(&[&tracked.entity, &other], Some(&third)).await;
    assert_eq!(tracked.counts("").await, [(1, 2)]);
    assert_eq!(tracked.counts_of(&third, "").await, [(0, 1)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_trackings_of_a_member_take_part() {
    let tracked = TrackedEntity::new(1, &["yes?"]).await;
    let blog = tracked.other("Acme Blog", "blog.acme.com", 1, &["yes?"]).await;
    let other = tracked.other("Other", "other.com", 1, &["a no?"]).await;
    for entity in [&tracked.entity, &blog, &other] {
        tracked.run_check_of(entity).await;
    }
    // Two entities of one brand are not united without a group.
    assert_eq!(tracked.counts("").await, [(1, 1)]);
    tracked.group(&[&other, &tracked.entity], None).await;
    for entity in [&tracked.entity, &blog, &other] {
        assert_eq!(tracked.counts_of(entity, "").await, [(3, 3)]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mentions_of_an_untracked_member_count_from_the_first_check_that_knew_it() {
    let tracked = TrackedEntity::new(1, &["name rival.com?", "name Nobody?"]).await;
    tracked.run_check().await;
    tracked.advance_days(1);
    let rival = cited(&tracked.world, &tracked.account, &["rival.com"])
        .await
        .remove(0);
    tracked.group(&[&tracked.entity, &rival], None).await;
    assert_eq!(tracked.counts("").await, [(0, 2)]);
    tracked.run_check().await;
    assert_eq!(tracked.counts("").await, [(0, 2), (1, 2)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_counts_only_the_trackings_of_a_group_that_it_reaches() {
    let mut tracked = TrackedEntity::new(1, &["yes?", "a no?", "name Nobody?"]).await;
    let other = tracked
        .other("Other", "other.com", 1, &["yes?", "name Nobody?"])
        .await;
    tracked.run_check().await;
    tracked.run_check_of(&other).await;
    tracked.group(&[&other, &tracked.entity], None).await;
    assert_eq!(tracked.counts("union=true").await, [(3, 5)]);
    let responses = async |tracked: &TrackedEntity| {
        let path = format!("/responses?entityId={}", tracked.entity);
        tracked.world.get(&tracked.account, &path).await.ok()
    };
    assert!(responses(&tracked).await.to_string().contains(&other));

    let scope = KeyScope {
        access: KeyAccess::Read,
        entities: Some([tracked.entity.parse().unwrap()].into()),
    };
    tracked.account = tracked.world.account_with_scope(&tracked.account, scope).await;
    // Both brands still count as one.
    assert_eq!(tracked.counts("union=true").await, [(2, 3)]);
    assert_eq!(tracked.counts("union=false").await, [(2, 3)]);
    assert!(!responses(&tracked).await.to_string().contains(&other));
}
