//! The body of a delivery: the event as JSON, or a message for people.

use std::fmt::Display;

use domain::board::{Measurement, OutcomeResult};
use domain::webhook::{Event, EventData, Format, VisibilityChange};
use serde_json::{Value, json};

/// The maximum number of recommendations or outcomes that a message for people lists.
const MAX_LISTED: usize = 5;
/// The longest text of a header in Slack.
const MAX_SLACK_HEADER_CHARS: usize = 150;

/// Returns the body of a delivery in a webhook's format.
pub fn body(format: Format, event: &Event) -> Value {
    match format {
        Format::Json => event.body(),
        Format::Slack => slack(&Text::of(&event.data)),
        Format::Teams => teams(&Text::of(&event.data)),
    }
}

/// A message for people: a title and lines below it, as plain text.
struct Text {
    title: String,
    lines: Vec<String>,
}

impl Text {
    fn of(data: &EventData) -> Self {
        match data {
            EventData::CheckCompleted(end) => Self {
                title: format!("{}: the check is complete", end.name),
                lines: vec![figures("Visibility", &end.visibility)],
            },
            EventData::CheckPartial(end) => {
                let problems = end.problems.iter().map(|problem| problem.reason.clone());
                Self {
                    title: format!("{}: the check has ended with open questions", end.name),
                    lines: std::iter::once(figures("Visibility", &end.visibility))
                        .chain(problems.take(MAX_LISTED))
                        .collect(),
                }
            }
            EventData::VisibilityChanged(change) => Self::of_change(change),
            EventData::RecommendationCreated(created) => {
                let titles = created.recommendations.iter().map(|new| new.title.clone());
                Self::list(
                    format!(
                        "{}: {}",
                        created.name,
                        count(titles.len(), "new recommendation", "new recommendations")
                    ),
                    titles,
                )
            }
            EventData::RecommendationOutcome(recorded) => {
                let outcomes = recorded.outcomes.iter().map(|done| {
                    let result = match done.outcome.result {
                        OutcomeResult::Improved => "it helped",
                        OutcomeResult::NoChange => "no clear change",
                        OutcomeResult::Worse => "it is worse than before",
                    };
                    let [before, after] = [&done.outcome.before, &done.outcome.after].map(score);
                    format!("{}: {result} ({before} before, {after} after)", done.title)
                });
                Self::list(
                    format!(
                        "{}: {}",
                        recorded.name,
                        count(
                            outcomes.len(),
                            "completed task can be judged",
                            "completed tasks can be judged"
                        )
                    ),
                    outcomes,
                )
            }
            EventData::ProviderPaused(paused) => Self {
                title: format!("Checks wait for the provider {}", paused.provider),
                lines: vec![paused.reason.clone()],
            },
            EventData::CreditsLow(low) => Self {
                title: format!("The credits suffice for {}", count(low.days_left, "day", "days")),
                lines: vec![format!(
                    "{} left, about {} a day",
                    count(low.balance, "credit", "credits"),
                    low.credits_per_day
                )],
            },
            EventData::WebhookDisabled(disabled) => Self {
                title: "A webhook is disabled".to_owned(),
                lines: vec![format!("{}: {}", disabled.webhook_id, disabled.reason)],
            },
            EventData::WebhookTest(test) => Self {
                title: test.message.clone(),
                lines: Vec::new(),
            },
        }
    }

    fn of_change(change: &VisibilityChange) -> Self {
        let verb = if change.change > 0.0 { "rose" } else { "fell" };
        let [low, high] = change.change_interval;
        Self {
            title: format!(
                "{}: the visibility {verb} from {} to {}",
                change.name,
                score(&change.base),
                score(&change.window)
            ),
            lines: vec![
                format!(
                    "By {} points (95 % interval: {} to {})",
                    signed(change.change),
                    signed(low),
                    signed(high)
                ),
                figures("Latest days", &change.window),
                figures("Days before", &change.base),
            ],
        }
    }

    /// Returns a text with the first of the lines, and the number of the others.
    fn list(title: String, lines: impl ExactSizeIterator<Item = String>) -> Self {
        let others = lines.len().saturating_sub(MAX_LISTED);
        let mut lines: Vec<String> = lines.take(MAX_LISTED).map(|line| format!("• {line}")).collect();
        if others > 0 {
            lines.push(format!("and {others} more"));
        }
        Self { title, lines }
    }
}

/// Returns a difference with a minus sign, not a hyphen, such as `−20.0`.
fn signed(points: f64) -> String {
    format!("{points:.1}").replace('-', "−")
}

fn score(measured: &Measurement) -> String {
    let score = measured.figures.score;
    score.map_or("no answers".to_owned(), |score| format!("{score:.1} %"))
}

fn figures(label: &str, measured: &Measurement) -> String {
    let share = measured.figures.counts.share();
    let interval = measured.figures.interval;
    let interval = interval.map_or_else(String::new, |[low, high]| {
        format!(", 95 % interval: {low:.1} to {high:.1}")
    });
    let days = if measured.start_date == measured.end_date {
        measured.end_date.clone()
    } else {
        format!("{} to {}", measured.start_date, measured.end_date)
    };
    format!(
        "{label}, {days}: {} ({} of {}{})",
        score(measured),
        share.mentions,
        count(share.responses, "answer", "answers"),
        interval
    )
}

fn count<N: Copy + PartialEq + From<bool> + Display>(n: N, one: &str, many: &str) -> String {
    let noun = if n == N::from(true) { one } else { many };
    format!("{n} {noun}")
}

/// Returns a message for an incoming webhook of Slack: a text for notifications, a header and a section. Both
/// are plain texts, so that Slack makes neither links nor emphasis of what a title or a client's name
/// contains.
fn slack(text: &Text) -> Value {
    // Slack asks for these three to be escaped in every text.
    let escape = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };
    let plain = |text: &str| json!({"type": "plain_text", "text": text, "emoji": false});
    let title = escape(&text.title);
    let mut lines: Vec<String> = text.lines.iter().map(|line| escape(line)).collect();
    let header = if text.title.chars().count() <= MAX_SLACK_HEADER_CHARS {
        title.clone()
    } else {
        lines.insert(0, title.clone());
        let start: String = text.title.chars().take(MAX_SLACK_HEADER_CHARS - 1).collect();
        format!("{}…", escape(&start))
    };
    let mut blocks = vec![json!({"type": "header", "text": plain(&header)})];
    if !lines.is_empty() {
        blocks.push(json!({"type": "section", "text": plain(&lines.join("\n"))}));
    }
    json!({"text": title, "mrkdwn": false, "blocks": blocks})
}

/// Returns a message for a workflow of Teams: an adaptive card.
fn teams(text: &Text) -> Value {
    // Adaptive cards show a subset of Markdown, so that its marks in names of clients are escaped.
    let escape = |text: &str| {
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            if matches!(
                c,
                '\\' | '*' | '_' | '[' | ']' | '(' | ')' | '`' | '<' | '>' | '#'
            ) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped
    };
    let block = |text: &str| json!({"type": "TextBlock", "text": escape(text), "wrap": true});
    let mut title = block(&text.title);
    title["weight"] = json!("Bolder");
    let lines = text.lines.iter().map(|line| block(line));
    let blocks: Vec<Value> = std::iter::once(title).chain(lines).collect();
    json!({
        "type": "message",
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "content": {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.4",
                "body": blocks,
            },
        }],
    })
}

#[cfg(test)]
mod tests {
    use domain::board::ApiQuery;
    use domain::metrics::Share;
    use domain::period::DateRange;
    use domain::time::{Day, Timestamp};
    use domain::webhook::{CreditsLow, EventId};
    use uuid::Uuid;

    use super::*;

    fn event(data: EventData) -> Event {
        Event {
            id: EventId::test(Uuid::from_u128(1)),
            at: Timestamp::from_millis(1),
            entity: None,
            only: None,
            data,
        }
    }

    fn measured(first: i32, mentions: u64) -> Measurement {
        let range = DateRange::between(Day(first), Day(first + 6)).unwrap();
        let query = ApiQuery::new("/comparison", &"acme000000000000".parse().unwrap(), &range);
        let share = Share {
            mentions,
            responses: 525,
        };
        Measurement::new(&range, share, query)
    }

    fn change(name: &str) -> Event {
        let query = measured(20_607, 160).query;
        event(EventData::VisibilityChanged(Box::new(VisibilityChange {
            entity_id: "acme000000000000".parse().unwrap(),
            name: name.to_owned(),
            window: measured(20_607, 160),
            base: measured(20_600, 265),
            change: -20.0,
            change_interval: [-27.04, -12.96],
            p_value: 0.000_01,
            query,
        })))
    }

    #[test]
    fn a_message_for_slack_tells_the_change_with_its_counts_and_interval() {
        let message = body(Format::Slack, &change("Acme"));
        assert_eq!(message["text"], "Acme: the visibility fell from 50.5 % to 30.5 %");
        assert_eq!(
            message["blocks"][0]["text"]["text"],
            "Acme: the visibility fell from 50.5 % to 30.5 %"
        );
        assert_eq!(
            message["blocks"][1]["text"]["text"],
            "By −20.0 points (95 % interval: −27.0 to −13.0)\n\
             Latest days, 2026-06-03 to 2026-06-09: 30.5 % (160 of 525 answers, 95 % interval: 26.7 to 34.5)\n\
             Days before, 2026-05-27 to 2026-06-02: 50.5 % (265 of 525 answers, 95 % interval: 46.2 to 54.7)"
        );
    }

    #[test]
    fn names_cannot_add_markup_to_a_message() {
        let slack = body(
            Format::Slack,
            &change("*a* <!channel> & _<http://x|y>_ `c` ~d~ https://e.example"),
        );
        let shown =
            "*a* &lt;!channel&gt; &amp; _&lt;http://x|y&gt;_ `c` ~d~ https://e.example: the visibility fell";
        let text = slack["blocks"][0]["text"]["text"].as_str().unwrap();
        assert!(text.starts_with(shown), "{text}");
        let mut blocks = slack["blocks"].as_array().unwrap().iter();
        assert!(blocks.all(|block| block["text"]["type"] == "plain_text") && slack["mrkdwn"] == false);
        let teams = body(Format::Teams, &change("[a](http://x) **b**"));
        let text = teams["attachments"][0]["content"]["body"][0]["text"]
            .as_str()
            .unwrap();
        assert!(text.starts_with(r"\[a\]\(http://x\) \*\*b\*\*: the"), "{text}");
    }

    #[test]
    fn a_title_that_is_too_long_for_slacks_header_is_whole_below_it() {
        let name = "N".repeat(200);
        let slack = body(Format::Slack, &change(&name));
        let header = slack["blocks"][0]["text"]["text"].as_str().unwrap();
        assert_eq!(header.chars().count(), MAX_SLACK_HEADER_CHARS);
        let below = slack["blocks"][1]["text"]["text"].as_str().unwrap();
        assert!(
            below.starts_with(&format!("{name}: the visibility fell from")),
            "{below}"
        );
    }

    #[test]
    fn numbers_have_the_right_noun() {
        let low = |days_left| {
            let data = EventData::CreditsLow(CreditsLow {
                balance: 1,
                credits_per_day: 1,
                days_left,
            });
            body(Format::Slack, &event(data))["text"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(low(1), "The credits suffice for 1 day");
        assert_eq!(low(0), "The credits suffice for 0 days");
    }
}
