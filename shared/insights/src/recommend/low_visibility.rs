//! Rule `low_visibility`: the answers to a prompt rarely mention the brand.
//!
//! There is one candidate per prompt that is still asked, was answered in the window, and has a visibility
//! score below [`LOW_SCORE`]. The impact is the number of answers that do not mention the brand.

use domain::board::{Candidate, Evidence, Finding, Window};

use super::rule_input::{RuleInput, pluralize, prompt_excerpt};

/// The visibility score, 0 to 100, below which a prompt gets a recommendation.
const LOW_SCORE: f64 = 50.0;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let window = input.window();
    let (shares, models) = (input.shares(&window), input.facts.models(&window));
    let (first, last, name) = (window.first, window.last, &input.entity.name);
    let answers = input.answers(&window);
    let candidates = input.asked().filter_map(|prompt| {
        let share = *shares.get(&prompt.ordinal)?;
        let score = share.score().filter(|score| *score < LOW_SCORE)?;
        let (ids, question) = ([input.prompt_id(prompt.ordinal)], prompt_excerpt(prompt));
        let title = format!("Get {name} named in answers to “{question}”");
        let description = format!(
            "{name} is mentioned in {} of {} to “{question}” from {first} to {last}: a visibility score of {score}. \
             Models name the brands that they find on the sites they read. Next step: look up which sites are cited \
             most in the answers to this prompt, pick the first three lists, reviews or discussions among them that \
             leave {name} out, and get it included there.",
            share.mentions,
            pluralize(share.responses, "answer"),
        );
        let asked = models.get(&prompt.ordinal).into_iter().flatten().copied();
        let evidence = Evidence {
            finding: Finding::LowVisibility {
                figures: share.into(),
            },
            window: Window::from(&window),
            model_ids: input.model_ids(asked),
            query: input.query("/trends/visibility", &window).with_prompts(&ids),
            prompt_ids: ids.into(),
        };
        let impact = share.responses - share.mentions;
        let subject = format_args!("p{}", prompt.ordinal);
        Some(Candidate::new(
            subject,
            impact,
            answers,
            title,
            description,
            evidence,
        ))
    });
    candidates.collect()
}
