//! A prompt whose answers mention the brand in less than half of the cases.

use std::collections::{BTreeMap, BTreeSet};

use super::{Cause, Observed};
use crate::answer::State;
use crate::board::{
    Category, Evidence, Fingerprint, Priority, Query, Recommendation, SourceType, TaskType, Window,
};
use crate::facts::visibility::Visibility;
use crate::id::PromptId;
use crate::metrics::Share;
use crate::prompt::Prompt;
use crate::text::shortened;

const RULE: SourceType = SourceType::LowVisibility;
/// Below this score a prompt is a cause.
const LOW: f64 = 50.0;
/// How much of a prompt's text is shown, in characters.
const PROMPT_SHOWN: usize = 90;

/// One cause per prompt that is asked, was answered in the window, and has a visibility score below 50. Its impact
/// is the number of answers that do not mention the brand.
///
/// The task is `off-page`: models name the brands that they read about on others' sites (lists, reviews,
/// discussions), and one that is hardly named is missing there, whatever its own pages say.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let tallies = tallies(observed);
    let asked = observed.prompts.iter().filter(|prompt| prompt.is_asked());
    asked
        .filter_map(|prompt| cause(observed, prompt, tallies.get(&prompt.ordinal)?))
        .collect()
}

/// What the window's responses to one prompt come to.
#[derive(Debug, Default)]
struct Tally {
    share: Share,
    /// Ordinals of the models that were asked.
    models: BTreeSet<u32>,
}

fn tallies(observed: &Observed<'_>) -> BTreeMap<u32, Tally> {
    let mut tallies = BTreeMap::<u32, Tally>::new();
    for cell in observed.visibility.iter().flat_map(Visibility::cells) {
        let tally = tallies.entry(cell.prompt).or_default();
        tally.models.insert(cell.model);
        if cell.state == State::Answered {
            let mentions = cell.brands.iter().any(|brand| observed.brands.contains(*brand));
            tally.share.add(Share {
                mentions: u64::from(mentions),
                responses: 1,
            });
        }
    }
    tallies
}

fn cause(observed: &Observed<'_>, prompt: &Prompt, tally: &Tally) -> Option<Cause> {
    let score = tally.share.score().filter(|score| *score < LOW)?;
    let missed = tally.share.responses - tally.share.mentions;
    let id = PromptId {
        entity: observed.entity.id.clone(),
        ordinal: prompt.ordinal,
    };
    let evidence = evidence(observed, &id, tally);
    Some(Cause {
        fingerprint: Fingerprint::new(RULE, format!("p{}", prompt.ordinal)),
        impact: missed,
        recommendation: Recommendation {
            title: title(observed, prompt),
            description: description(observed, prompt, tally.share, score),
            category: Category::Visibility,
            priority: priority(score, missed),
            source_type: RULE,
            task_type: TaskType::OffPage,
            evidence,
        },
    })
}

/// High: at most a quarter of the answers mention the brand, and 5 or more do not. Low: nearly half of them do
/// (40 or more), or fewer than 3 do not, which may be chance. Medium: everything between.
fn priority(score: f64, missed: u64) -> Priority {
    if score >= 40.0 || missed < 3 {
        Priority::Low
    } else if score <= 25.0 && missed >= 5 {
        Priority::High
    } else {
        Priority::Medium
    }
}

fn title(observed: &Observed<'_>, prompt: &Prompt) -> String {
    let question = shortened(prompt.text.as_str(), PROMPT_SHOWN);
    format!("Get {} named in answers to “{question}”", observed.entity.name)
}

fn description(observed: &Observed<'_>, prompt: &Prompt, share: Share, score: f64) -> String {
    let name = &observed.entity.name;
    let question = shortened(prompt.text.as_str(), PROMPT_SHOWN);
    let (first, last) = (observed.window.first, observed.window.last);
    let Share { mentions, responses } = share;
    let answers = if responses == 1 { "answer" } else { "answers" };
    format!(
        "{name} is mentioned in {mentions} of {responses} {answers} to “{question}” from {first} to {last}: a \
         visibility score of {score}. Models name the brands that they find on the sites they read. Next step: look \
         up which sites are cited most in the answers to this prompt, pick the first three lists, reviews or \
         discussions among them that leave {name} out, and get it included there.",
    )
}

fn evidence(observed: &Observed<'_>, prompt: &PromptId, tally: &Tally) -> Evidence {
    let window = Window::from(observed.window);
    let place = |ordinal: &u32| usize::try_from(*ordinal).ok();
    let model = |ordinal| observed.entity.model_ordinals.get(place(ordinal)?).copied();
    let parameters = [
        ("entityId", observed.entity.id.to_string()),
        ("promptIds", prompt.to_string()),
        ("startDate", window.start_date.clone()),
        ("endDate", window.end_date.clone()),
        ("union", "false".to_owned()),
    ];
    Evidence {
        rule: RULE,
        window,
        prompt_ids: vec![prompt.clone()],
        model_ids: tally.models.iter().filter_map(model).collect(),
        counts: tally.share,
        score: tally.share.score(),
        interval: tally.share.interval(),
        query: Query {
            path: "/trends/visibility".to_owned(),
            parameters: parameters
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        },
    }
}

#[cfg(test)]
mod tests;
