//! The schedule, bus, rule and queue that drive the checker.

use domain::limits::CHECK_DEADLINE;

use super::{events, functions, resources, template, text, texts};

#[test]
fn the_queue_feeds_the_checker_and_never_starves_the_tick() {
    let template = template();
    let checker = &functions(&template)["checker"];
    let schedule = events(checker, "Schedule");
    assert_eq!(schedule.len(), 1);
    assert_eq!(schedule[0]["Schedule"], "rate(1 minute)");
    assert!(is_rate(&text(&schedule[0]["Schedule"])));
    let queue = events(checker, "SQS");
    assert_eq!(queue.len(), 1);
    assert_eq!(queue[0]["FunctionResponseTypes"][0], "ReportBatchItemFailures");
    let default = |name: &str| template["Parameters"][name]["Default"].as_u64().unwrap();
    assert_eq!(
        queue[0]["ScalingConfig"]["MaximumConcurrency"],
        "ShardConcurrency"
    );
    // With 0 the function reserves no concurrency, and only the limit of the account applies.
    let reserved = default("CheckerConcurrency");
    assert!(reserved == 0 || default("ShardConcurrency") < reserved);
    let timeout = checker["Timeout"].as_u64().unwrap();
    let visible = template["Resources"]["Queue"]["Properties"]["VisibilityTimeout"]
        .as_u64()
        .unwrap();
    assert!(visible >= 6 * timeout);
    let pattern = &template["Resources"]["ChecksRule"]["Properties"]["EventPattern"];
    assert_eq!(pattern["source"][0], events::SOURCE);
    let rule = &template["Resources"]["ChecksRule"]["Properties"];
    assert_eq!(rule["EventBusName"], "Bus");
    assert_eq!(rule["Targets"][0]["Arn"], "Queue.Arn");
    assert_eq!(queue[0]["Queue"], "Queue.Arn");
    assert_eq!(queue[0]["BatchSize"], 1, "a failed step takes no other with it");
    let redrive = &template["Resources"]["Queue"]["Properties"]["RedrivePolicy"];
    assert_eq!(redrive["deadLetterTargetArn"], "DeadLetters.Arn");
    let local = local::bus::queue::Settings::default();
    assert_eq!(redrive["maxReceiveCount"], local.max_receives);
}

#[test]
fn undeliverable_events_are_kept_in_the_dead_letter_queue() {
    let template = template();
    let target = &template["Resources"]["ChecksRule"]["Properties"]["Targets"][0];
    assert_eq!(target["DeadLetterConfig"]["Arn"], "DeadLetters.Arn");
    assert_eq!(
        target["RetryPolicy"]["MaximumEventAgeInSeconds"],
        CHECK_DEADLINE.as_secs()
    );
    // The dead-letter queue holds steps only, so that all of them can return to the queue. A lost tick is followed by
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
    let rule = vec!["ChecksRule.Arn".to_owned()];
    let queues = ["DeadLetters", "Queue"].map(|queue| (queue.to_owned(), rule.clone()));
    assert_eq!(senders, queues);
}

/// Returns whether a rate expression is valid. EventBridge requires the singular for 1 and the plural for more, which
/// the linters do not check.
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
