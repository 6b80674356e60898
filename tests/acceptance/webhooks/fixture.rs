//! A notifier with a clock that stands still, whose calls to the table can fail.

use std::sync::Arc;
use std::time::Duration;

use acceptance::Fault;
use acceptance::{FaultInjector, SeededRng};
use domain::id::WebhookId;
use domain::time::MILLISECOND;
use domain::webhook::{EventKind, Format, Targets, WebhookUrl};
use events::{BusEvent as _, NotificationsDue};
use lambda_runtime::{Context, LambdaEvent};
use notifier::Notifier;
use notifier::sender::{Sender, SystemResolver};
use serde_json::{Value, json};
use store::{NewWebhook, NewWorkspace, ReplyRecorder, Store, Tenant};

use crate::store::table::{Table, no_limits};

/// The time after which an attempt counts as timed out.
const TIMEOUT: Duration = Duration::from_millis(200);

pub(crate) struct NotifierFixture {
    pub(crate) table: Table,
    pub(crate) tenant: Tenant,
    /// The faults and the calls of the notifier.
    pub(crate) faults: FaultInjector,
    notifier: Notifier,
}

impl NotifierFixture {
    pub(crate) async fn start() -> Self {
        let table = Table::start().await;
        let faults = FaultInjector::default();
        let aws = faults.inject_into(&table.database.client_config());
        let sender = Sender::new(Targets::PublicAndLoopback, Arc::new(SystemResolver)).with_timeout(TIMEOUT);
        let notifier = Notifier {
            store: Store::new(&aws, "visibility", table.clock.clone()),
            clock: table.clock.clone(),
            sender: Arc::new(sender),
        };
        let tenant = Self::workspace(&table).await;
        Self {
            table,
            tenant,
            faults,
            notifier,
        }
    }

    /// Creates a workspace.
    pub(crate) async fn workspace(table: &Table) -> Tenant {
        let new = NewWorkspace {
            name: "Workspace".to_owned(),
            plan_name: "plan".to_owned(),
            limits: no_limits(),
            credits: 0,
        };
        table.store.create_workspace(new, table.now()).await.unwrap().0
    }

    /// Creates a webhook that is told that others are disabled.
    pub(crate) async fn webhook(&self, tenant: &Tenant, url: &str) -> WebhookId {
        let new = NewWebhook {
            url: WebhookUrl::parse(url, Targets::PublicAndLoopback).unwrap(),
            format: Format::Json,
            events: vec![EventKind::WebhookDisabled],
            entities: None,
        };
        let recorder = ReplyRecorder::disabled();
        self.table
            .store
            .create_webhook(tenant, &new, &recorder)
            .await
            .unwrap()
            .id
    }

    /// Records an event for a webhook. Returns its id.
    pub(crate) async fn test(&self, tenant: &Tenant, webhook: &WebhookId) -> String {
        // No two events are of one instant, so that their order is defined.
        self.table.advance(MILLISECOND);
        let recorder = ReplyRecorder::disabled();
        let event = self.table.store.test_webhook(tenant, webhook, &recorder).await;
        event.unwrap().id.to_string()
    }

    /// Invokes the notifier as the queue does.
    pub(crate) async fn notify(&self, tenant: &Tenant) {
        let event = LambdaEvent::new(message(tenant), Context::default());
        let handled = self.notifier.invoke(event).await.unwrap();
        assert_eq!(handled, json!({"batchItemFailures": []}));
    }

    /// Invokes the notifier in a process that dies at a random call, or not. Returns whether it died.
    pub(crate) async fn notify_until_crash(&self, tenant: &Tenant, rng: &mut SeededRng) -> bool {
        let mut left = 1 + rng.below(14);
        let fault = if rng.below(2) == 0 {
            Fault::CrashBefore
        } else {
            Fault::CrashAfter
        };
        let crashed = self.faults.crashed();
        self.faults.script(move |_| {
            left = left.checked_sub(1).unwrap_or(u32::MAX);
            (left == 0).then_some(fault)
        });
        let died = tokio::select! {
            () = self.notify(tenant) => false,
            () = crashed => true,
        };
        self.faults.none();
        self.faults.wait_for_responses().await;
        died
    }

    /// Does what a tick does: invokes the notifier for each workspace that has something to send.
    pub(crate) async fn tick(&self) {
        for tenant in self
            .table
            .store
            .due_notifications(self.table.now())
            .await
            .unwrap()
        {
            self.notify(&tenant).await;
        }
    }
}

/// Returns the queue's message that a workspace has something to send.
fn message(tenant: &Tenant) -> Value {
    let due = NotificationsDue {
        workspace_id: *tenant.workspace(),
    };
    let detail: Value = serde_json::from_str(&due.detail().unwrap()).unwrap();
    let envelope = json!({"source": due.source(), "detail-type": due.detail_type(), "detail": detail});
    json!({"Records": [{"messageId": "1", "body": envelope.to_string()}]})
}
