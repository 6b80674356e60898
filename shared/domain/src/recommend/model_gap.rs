//! A model that never names the brand, while the others do.

use super::rule_input::counted;
use super::{Cause, Observed};
use crate::board::{Evidence, Finding, Measure, Window};
use crate::facts::{OrdinalSet, Selection};

/// Answers of a model before its silence says something.
const ANSWERS: u64 = 10;

/// One cause per model that is asked, has 10 answers or more and no mention, while the other models' share of mentions lies
/// above its own beyond chance. Its impact is the number of the model's answers.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let (window, entity) = (observed.window(), observed.entity);
    let (name, first, last) = (&entity.name, window.first, window.last);
    let asked: OrdinalSet = observed.facts.models(&window).into_values().flatten().collect();
    let of = |models: OrdinalSet| {
        let selection = Selection {
            models: Some(models),
            prompts: None,
        };
        observed.share(&window, &selection)
    };
    let answers = observed.answers(&window);
    let found = asked.as_slice().iter().filter_map(|ordinal| {
        let ids = observed.model_ids([*ordinal]);
        let uuid = *ids.first().filter(|uuid| entity.models.contains(uuid))?;
        let share = of(OrdinalSet::from_iter([*ordinal]));
        let rest = asked.as_slice().iter().copied().filter(|other| other != ordinal);
        let others = of(rest.clone().collect());
        if share.responses < ANSWERS || share.mentions > 0 || !others.is_above(share) {
            return None;
        }
        let model = observed.catalogue.get(uuid).map(|model| model.name.clone());
        let model = model.unwrap_or_else(|| format!("Model {uuid}"));
        let title = format!("Get {name} named by {model}");
        let description = format!(
            "{model} mentions {name} in none of its {} from {first} to {last}; the other models mention it in {} of \
             {}. What one model alone does not know it mostly cannot read. Next step: check that robots.txt and \
             firewall let its crawler read {name}'s site, then look up which sites {model} cites and get {name} \
             included in the first three.",
            counted(share.responses, "answer"),
            others.mentions,
            others.responses,
        );
        let query = || observed.query("/trends/visibility", &window);
        let rest = query().with_models(&observed.model_ids(rest));
        let evidence = Evidence {
            finding: Finding::ModelGap {
                model,
                figures: share.into(),
                others: Measure::new(&window, others, rest),
            },
            window: Window::from(&window),
            prompt_ids: Vec::new(),
            query: query().with_models(&ids),
            model_ids: ids,
        };
        Some(Cause::new(
            uuid,
            (share.responses, answers),
            (title, description),
            evidence,
        ))
    });
    found.collect()
}
