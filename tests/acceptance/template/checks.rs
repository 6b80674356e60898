//! The schedule, bus, rules and queues that drive the checker.

use ::events::{CheckEvent, CheckQueue, NotificationsDue};
use domain::limits::{SEND_FAILURES_IN_A_ROW, SEND_LEASE, SEND_STEP, SEND_TIMEOUT};
use domain::time::{DAY, HOUR};
use serde_yaml_ng::Value;

use super::{events, functions, queue_name, resources, root, template, template_with, text, texts};

#[test]
fn the_rules_send_each_event_to_the_queue_that_the_code_names_and_to_no_other() {
    let template = template();
    let rules = resources(&template, "AWS::Events::Rule");
    assert_eq!(rules.len(), CheckQueue::ALL.len() + 1);
    let pattern = &rules["NotificationRule"]["EventPattern"];
    assert_eq!(texts(&pattern["source"]), [NotificationsDue::SOURCE]);
    assert_eq!(texts(&pattern["detail-type"]), [NotificationsDue::DETAIL_TYPE]);
    assert_eq!(
        rules["NotificationRule"]["Targets"][0]["Arn"],
        "NotificationQueue.Arn"
    );
    for queue in CheckQueue::ALL {
        let name = queue_name(queue);
        let rule = &rules[&format!("{name}Rule")];
        assert_eq!(rule["EventBusName"], "Bus");
        let pattern = &rule["EventPattern"];
        assert_eq!(pattern.as_mapping().unwrap().len(), 2, "{name}");
        assert_eq!(texts(&pattern["source"]), [::events::SOURCE]);
        assert_eq!(texts(&pattern["detail-type"]), queue.detail_types(), "{name}");
        let targets = rule["Targets"].as_sequence().unwrap();
        assert_eq!(targets.len(), 1, "{name}");
        assert_eq!(targets[0]["Arn"], format!("{name}Queue.Arn"));
    }
}

#[test]
fn each_queue_feeds_the_checker_at_a_concurrency_of_its_own() {
    let template = template();
    let checker = &functions(&template)["checker"];
    let mappings = events(checker, "SQS");
    assert_eq!(mappings.len(), CheckQueue::ALL.len());
    let timeout = checker["Timeout"].as_u64().unwrap();
    for (mapping, queue) in mappings.iter().zip(CheckQueue::ALL) {
        let name = queue_name(queue);
        assert_eq!(mapping["Queue"], format!("{name}Queue.Arn"));
        assert_eq!(
            texts(&mapping["FunctionResponseTypes"]),
            ["ReportBatchItemFailures"]
        );
        assert_eq!(mapping["BatchSize"], 1, "a failed step takes no other with it");
        let properties = &template["Resources"][format!("{name}Queue")]["Properties"];
        let invisible = properties["VisibilityTimeout"].as_u64().unwrap();
        assert!(invisible >= 6 * timeout, "{name}");
        assert_eq!(properties["MessageRetentionPeriod"], DAY.as_secs(), "{name}");
        let redrive = &properties["RedrivePolicy"];
        assert_eq!(redrive["deadLetterTargetArn"], format!("{name}DeadLetters.Arn"));
        let local = local::bus::queue::Settings::default();
        assert_eq!(redrive["maxReceiveCount"], local.max_receives, "{name}");
    }
    let concurrency = mappings
        .iter()
        .map(|mapping| &mapping["ScalingConfig"]["MaximumConcurrency"]);
    let expected: [Value; 3] = ["ShardConcurrency".into(), "StepConcurrency".into(), 2.into()];
    assert!(concurrency.eq(&expected));
}

#[test]
fn the_queue_of_notifications_feeds_the_notifier_and_forgets_what_a_tick_sends_again() {
    let template = template();
    let notifier = &functions(&template)["notifier"];
    let mappings = events(notifier, "SQS");
    assert_eq!(mappings.len(), 1);
    assert_eq!(mappings[0]["Queue"], "NotificationQueue.Arn");
    assert_eq!(
        mappings[0]["BatchSize"], 1,
        "a slow receiver holds up no other workspace"
    );
    assert_eq!(
        texts(&mappings[0]["FunctionResponseTypes"]),
        ["ReportBatchItemFailures"]
    );
    let queue = &template["Resources"]["NotificationQueue"]["Properties"];
    let timeout = notifier["Timeout"].as_u64().unwrap();
    assert!(queue["VisibilityTimeout"].as_u64().unwrap() >= 6 * timeout);
    assert_eq!(queue["MessageRetentionPeriod"], HOUR.as_secs());
    let redrive = &queue["RedrivePolicy"];
    assert_eq!(redrive["deadLetterTargetArn"], "NotificationDeadLetters.Arn");
    // A sender ends before its lease does, and long before its function.
    assert!(SEND_STEP + SEND_FAILURES_IN_A_ROW * SEND_TIMEOUT < SEND_LEASE);
    assert!(SEND_LEASE.as_secs() <= timeout);
}

#[test]
fn the_off_switch_stops_the_schedule_and_the_workers_of_every_queue() {
    for (checks, state, enabled) in [("on", "ENABLED", true), ("off", "DISABLED", false)] {
        let template = template_with(&[("Checks", checks)]);
        let events = &functions(&template)["checker"]["Events"];
        let mut stopped = 0;
        for (_, event) in events.as_mapping().unwrap() {
            match event["Type"].as_str().unwrap() {
                "Schedule" => assert_eq!(event["Properties"]["State"], state),
                "SQS" => assert_eq!(event["Properties"]["Enabled"], enabled),
                other => panic!("{other} invokes the checker"),
            }
            stopped += 1;
        }
        assert_eq!(stopped, 4);
        // Without ticks, their absence means nothing, nor does the age of messages.
        let alarms = resources(&template, "AWS::CloudWatch::Alarm");
        for alarm in ["CheckerSilent", "Backlog", "StepBacklog", "RereadingBacklog"] {
            assert_eq!(
                alarms[&format!("{alarm}Alarm")]["ActionsEnabled"],
                enabled,
                "{alarm}"
            );
        }
    }
}

#[test]
fn the_workers_of_all_queues_together_leave_room_for_the_tick() {
    let template = template();
    let checker = &functions(&template)["checker"];
    let schedule = events(checker, "Schedule");
    assert_eq!(schedule.len(), 1);
    assert_eq!(schedule[0]["Schedule"], "rate(1 minute)");
    assert!(is_rate(&text(&schedule[0]["Schedule"])));
    let default = |name: &str| template["Parameters"][name]["Default"].as_u64().unwrap();
    let workers: u64 = events(checker, "SQS")
        .iter()
        .map(|mapping| match &mapping["ScalingConfig"]["MaximumConcurrency"] {
            Value::String(parameter) => default(parameter),
            number => number.as_u64().unwrap(),
        })
        .sum();
    // With 0 the function reserves no concurrency, and only the limit of the account applies.
    let reserved = default("CheckerConcurrency");
    assert!(reserved == 0 || workers < reserved);
    // A new account has a concurrency of ten, of which some is left for the API.
    let with_tick = workers + 1;
    assert!(with_tick <= 7, "{with_tick}");
    // The descriptions of the parameters state how many workers the other queues and the tick add.
    let rereadings = workers - default("ShardConcurrency") - default("StepConcurrency");
    for (parameter, says) in [
        (
            "ShardConcurrency",
            format!(
                "rereadings {rereadings}, and the tick 1. With the defaults that is {with_tick} of the 10"
            ),
        ),
        (
            "CheckerConcurrency",
            format!("at least ShardConcurrency + StepConcurrency + {}", rereadings + 1),
        ),
    ] {
        let description = text(&template["Parameters"][parameter]["Description"]);
        assert!(description.contains(&says), "{parameter}: {says}");
    }
}

#[test]
fn undeliverable_events_are_kept_in_the_dead_letters_of_their_queue() {
    let template = template();
    let mut expected = Vec::new();
    for name in CheckQueue::ALL.map(queue_name) {
        let rule = format!("{name}Rule");
        let target = &template["Resources"][rule.as_str()]["Properties"]["Targets"][0];
        assert_eq!(
            target["DeadLetterConfig"]["Arn"],
            format!("{name}DeadLetters.Arn")
        );
        // A message may be old and still right, because the deadline of a check begins with its first
        // question.
        assert_eq!(target["RetryPolicy"]["MaximumEventAgeInSeconds"], DAY.as_secs());
        let rule = vec![format!("{rule}.Arn")];
        expected.push((format!("{name}Queue"), rule.clone()));
        expected.push((format!("{name}DeadLetters"), rule));
        let url = if name == "Shard" { "" } else { name };
        let output = &template["Outputs"][format!("{url}DeadLettersUrl")];
        assert_eq!(output["Value"], format!("{name}DeadLetters"));
    }
    let rule = vec!["NotificationRule.Arn".to_owned()];
    expected.push(("NotificationQueue".to_owned(), rule.clone()));
    expected.push(("NotificationDeadLetters".to_owned(), rule));
    // Dead letters are steps only, so that all of them can return to their queue. A lost tick is followed by
    // another one.
    let tick = &events(&functions(&template)["checker"], "Schedule")[0];
    assert!(tick.get("DeadLetterConfig").is_none());
    assert_eq!(tick["RetryPolicy"]["MaximumEventAgeInSeconds"], 60);
    // Each queue accepts events only from the rule that sends to it.
    let mut senders = Vec::new();
    for (_, policy) in resources(&template, "AWS::SQS::QueuePolicy") {
        let statement = &policy["PolicyDocument"]["Statement"];
        assert_eq!(statement.as_sequence().unwrap().len(), 1);
        assert_eq!(statement[0]["Principal"]["Service"], "events.amazonaws.com");
        assert_eq!(statement[0]["Action"], "sqs:SendMessage");
        let queue = text(&policy["Queues"][0]);
        assert_eq!(statement[0]["Resource"], format!("{queue}.Arn"));
        let rules = texts(&statement[0]["Condition"]["ArnEquals"]["aws:SourceArn"]);
        senders.push((queue, rules));
    }
    senders.sort();
    expected.sort();
    assert_eq!(senders, expected);
}

#[test]
fn the_runbook_says_what_waits_in_each_queue() {
    let runbook = std::fs::read_to_string(root().join("infra/README.md")).unwrap();
    for queue in CheckQueue::ALL {
        let start = format!("| `{}Queue` |", queue_name(queue));
        let row = runbook.lines().find(|line| line.starts_with(&start)).unwrap();
        for other in CheckQueue::ALL {
            for detail_type in other.detail_types() {
                let is_named = row.contains(&format!("`{detail_type}`"));
                assert_eq!(is_named, other == queue, "{detail_type} in {row}");
            }
        }
    }
}

#[test]
fn the_sample_events_come_from_the_queues_in_which_they_wait() {
    let (mut samples, mut notifications) = (0, 0);
    for file in std::fs::read_dir(root().join("infra/events")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let sample: serde_json::Value = serde_json::from_str(&text).unwrap();
        for record in sample["Records"].as_array().into_iter().flatten() {
            let source = record["eventSourceARN"].as_str().unwrap();
            if NotificationsDue::from_envelope(record["body"].as_str().unwrap()).is_ok() {
                assert!(source.contains("-NotificationQueue-"), "{source}");
                notifications += 1;
                continue;
            }
            let event = CheckEvent::from_envelope(record["body"].as_str().unwrap()).unwrap();
            let queue = format!("-{}Queue-", queue_name(event.queue()));
            assert!(source.contains(&queue), "{event:?} from {source}");
            samples += 1;
        }
    }
    let kinds = CheckQueue::ALL.map(CheckQueue::detail_types).concat().len();
    assert_eq!((samples, notifications), (kinds, 1), "one sample of each kind");
}

/// Returns whether a rate expression is valid. EventBridge requires the singular for 1 and the plural for
/// more, which the linters do not check.
fn is_rate(expression: &str) -> bool {
    let inner = expression.strip_prefix("rate(").and_then(|e| e.strip_suffix(')'));
    let Some((number, unit)) = inner.and_then(|i| i.split_once(' ')) else {
        return false;
    };
    match number.parse::<u32>() {
        Ok(1) => ["minute", "hour", "day"].contains(&unit),
        Ok(n) if n > 1 => ["minutes", "hours", "days"].contains(&unit),
        _ => false,
    }
}

#[test]
fn a_rate_is_singular_for_one_and_plural_for_more() {
    assert!(is_rate("rate(1 minute)") && is_rate("rate(5 minutes)"));
    assert!(!is_rate("rate(1 minutes)") && !is_rate("rate(5 minute)") && !is_rate("cron(* * * * ? *)"));
}
