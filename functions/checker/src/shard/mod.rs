//! `ShardReady`: asks one model up to 25 questions, and records each answer once.

mod ask;
mod errors;
mod record;
mod round;
mod wait;
mod work;

use domain::check::{Check, CheckState, Plan, ShardPlan};
use domain::limits::LEASE;
use domain::time::Timestamp;
use events::{CheckEvent, CheckRef};
use store::{Lease, LeaseError, Tenant};
use uuid::Uuid;

use crate::{Checker, CheckerError};
use work::{Ended, Work};

impl Checker {
    pub(crate) async fn shard(&self, at: &CheckRef, shard: u32, ends: Timestamp) -> Result<(), CheckerError> {
        let tenant = Tenant::from_event(at.workspace_id.clone());
        let now = self.clock.now();
        let check = self.store.check(&tenant, &at.entity_id, at.check).await?;
        let running = |c: &Check| c.state == CheckState::Running && now < c.deadline;
        let Some(check) = check.filter(running) else {
            return Ok(());
        };
        let Some(plan) = self.store.plan(&tenant, &at.entity_id, at.check).await? else {
            return Ok(());
        };
        let Some(questions) = plan.shard(shard) else {
            return Ok(());
        };

        let until = now.plus(self.clock.to_service_millis(LEASE));
        let slot = (at.check, shard);
        let leased = self
            .store
            .lease_shard(&tenant, &at.entity_id, slot, Uuid::new_v4(), (now, until))
            .await?;
        let lease = match leased {
            Ok(lease) => lease,
            // Someone has it, or it is done: this event is a duplicate.
            Err(LeaseError::Held { .. } | LeaseError::Ended) => return Ok(()),
        };
        let done = self.work_on(at, &check, &plan, &lease, questions, ends).await;
        if done.is_err() {
            // The queue delivers the event again: it must not meet this worker's lease. A look finds what is
            // left to do where that comes late.
            let _ = self.store.drop_lease(&lease).await;
            let _ = self
                .store
                .reconcile_no_later_than(&tenant, &at.entity_id, at.check, self.clock.now())
                .await;
        }
        done
    }

    async fn work_on(
        &self,
        at: &CheckRef,
        check: &Check,
        plan: &Plan,
        lease: &Lease,
        questions: ShardPlan<'_>,
        ends: Timestamp,
    ) -> Result<(), CheckerError> {
        let work = Work::new(self, lease, check.day(), questions.model, plan, ends);
        match work.run(questions.prompts).await? {
            Ended::Done => {}
            Ended::OutOfTime => {
                self.store.drop_lease(lease).await?;
                self.bus
                    .publish(&[CheckEvent::ShardReady(at.clone(), lease.shard)])
                    .await?;
                return Ok(());
            }
            Ended::Released | Ended::Lost => return Ok(()),
        }
        if !self.store.finish_shard(lease).await? {
            return Ok(());
        }
        // The shard is done, and no event of it comes again: where it cannot be seen whether it was the last one, the
        // finish looks itself.
        let check = self.store.check(&lease.tenant, &at.entity_id, at.check).await;
        if check.map_or(true, |check| check.is_some_and(|c| c.shards_left == 0)) {
            self.bus.publish(&[CheckEvent::CheckAnswered(at.clone())]).await?;
        }
        Ok(())
    }
}
