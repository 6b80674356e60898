//! A prompt whose answers mention the brand in less than half of the cases.

use super::rule_input::{counted, question};
use super::{Cause, Observed};
use crate::board::{Evidence, Finding, Window};

/// Below this score a prompt is a cause.
const LOW: f64 = 50.0;

/// One cause per prompt that is asked, was answered in the window, and has a visibility score below 50. Its impact
/// is the number of answers that do not mention the brand.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let window = observed.window();
    let (shares, models) = (observed.shares(&window), observed.facts.models(&window));
    let (first, last, name) = (window.first, window.last, &observed.entity.name);
    let answers = observed.answers(&window);
    let found = observed.asked().filter_map(|prompt| {
        let share = *shares.get(&prompt.ordinal)?;
        let score = share.score().filter(|score| *score < LOW)?;
        let (ids, question) = ([observed.prompt_id(prompt.ordinal)], question(prompt));
        let title = format!("Get {name} named in answers to “{question}”");
        let description = format!(
            "{name} is mentioned in {} of {} to “{question}” from {first} to {last}: a visibility score of {score}. \
             Models name the brands that they find on the sites they read. Next step: look up which sites are cited \
             most in the answers to this prompt, pick the first three lists, reviews or discussions among them that \
             leave {name} out, and get it included there.",
            share.mentions,
            counted(share.responses, "answer"),
        );
        let asked = models.get(&prompt.ordinal).into_iter().flatten().copied();
        let evidence = Evidence {
            finding: Finding::LowVisibility {
                figures: share.into(),
            },
            window: Window::from(&window),
            model_ids: observed.model_ids(asked),
            query: observed.query("/trends/visibility", &window).with_prompts(&ids),
            prompt_ids: ids.into(),
        };
        let impact = share.responses - share.mentions;
        let subject = format_args!("p{}", prompt.ordinal);
        Some(Cause::new(
            subject,
            (impact, answers),
            (title, description),
            evidence,
        ))
    });
    found.collect()
}
