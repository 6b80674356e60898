//! A look at a running check: what got lost is published again, what is late is closed.

use std::collections::BTreeMap;

use domain::check::{CheckState, Shard, ShardState};
use domain::entity::Running;
use domain::limits::LONGEST_LOOK;
use domain::time::Millis;
use events::{CheckEvent, CheckRef};
use store::Tenant;

use crate::{Checker, CheckerError};

impl Checker {
    pub(crate) async fn look(
        &self,
        tenant: &Tenant,
        at: &CheckRef,
        running: &Running,
    ) -> Result<(), CheckerError> {
        let check = self.store.check(tenant, &at.entity_id, at.check).await?;
        let Some(check) = check.filter(|c| c.state == CheckState::Running) else {
            return Ok(());
        };
        let now = self.clock.now();
        if now >= check.deadline {
            return self.close(tenant, at, &check).await;
        }
        if check.shards_left == 0 {
            self.bus.publish(&[CheckEvent::CheckAnswered(at.clone())]).await?;
        } else {
            let shards = self.store.shards(tenant, &at.entity_id, at.check).await?;
            let shards: BTreeMap<u32, Shard> = shards.into_iter().map(|s| (s.shard, s)).collect();
            let mut ready = Vec::new();
            let mut next = None;
            for n in 0..check.shards {
                match shards.get(&n).map(free_at) {
                    None => ready.push(CheckEvent::ShardReady(at.clone(), n)),
                    Some(Some(free)) if free <= now => ready.push(CheckEvent::ShardReady(at.clone(), n)),
                    Some(Some(free)) => next = Some(next.map_or(free, |n: Millis| n.min(free))),
                    Some(None) => {}
                }
            }
            self.bus.publish(&ready).await?;
            // A lease that is seen ends, or a wait is over, before the usual look: then that is the next one.
            let usual = now
                .plus(self.clock.stretch(running.look_after))
                .min(check.deadline);
            if let Some(next) = next.filter(|n| *n < usual) {
                self.store
                    .look_again(tenant, &at.entity_id, at.check, next, running.look_after)
                    .await?;
                return Ok(());
            }
        }
        let usual = now
            .plus(self.clock.stretch(running.look_after))
            .min(check.deadline);
        let then = (running.look_after * 2).min(LONGEST_LOOK);
        self.store
            .look_again(tenant, &at.entity_id, at.check, usual, then)
            .await?;
        Ok(())
    }
}

/// When a shard can be taken up; `None`: never again.
fn free_at(shard: &Shard) -> Option<Millis> {
    match shard.state {
        ShardState::Open => Some(
            shard
                .not_before
                .map_or(shard.lease_until, |n| n.max(shard.lease_until)),
        ),
        ShardState::Done | ShardState::Closed => None,
    }
}
