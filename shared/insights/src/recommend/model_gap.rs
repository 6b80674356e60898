//! Rule `model_gap`: one model never mentions the brand, while the other models do.
//!
//! There is one candidate per model that the entity still asks, that has at least [`MIN_ANSWERS`] answers and
//! no mention in the window, if the other models' share of mentions is significantly above its own. The
//! impact is the number of the model's answers.

use domain::board::{Candidate, Evidence, Finding, Measurement, Window};
use domain::ordinal::ModelOrdinal;
use domain::ordinal_set::OrdinalSet;
use facts::Selection;

use super::rule_input::{RuleInput, pluralize};

/// The minimum number of answers of a model without a mention.
const MIN_ANSWERS: u64 = 10;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let (window, entity) = (input.window(), input.entity);
    let (name, first, last) = (&entity.name, window.first, window.last);
    let asked: OrdinalSet<ModelOrdinal> = input.facts.models(&window).into_values().flatten().collect();
    let share_of = |models: OrdinalSet<ModelOrdinal>| {
        let selection = Selection {
            models: Some(models),
            prompts: None,
        };
        input.share(&window, &selection)
    };
    let answers = input.answers(&window);
    let candidates = asked.as_slice().iter().filter_map(|ordinal| {
        let ids = input.model_ids([*ordinal]);
        let uuid = *ids.first().filter(|uuid| entity.models.contains(uuid))?;
        let share = share_of(OrdinalSet::from_iter([*ordinal]));
        let rest = asked.as_slice().iter().copied().filter(|other| other != ordinal);
        let others = share_of(rest.clone().collect());
        if share.responses < MIN_ANSWERS || share.mentions > 0 || !others.is_above(share) {
            return None;
        }
        let model = input.catalogue.get(uuid).map(|model| model.name.clone());
        let model = model.unwrap_or_else(|| format!("Model {uuid}"));
        let title = format!("Get {name} named by {model}");
        let description = format!(
            "{model} mentions {name} in none of its {} from {first} to {last}; the other models mention it in {} of \
             {}. What one model alone does not know it mostly cannot read. Next step: check that robots.txt and \
             firewall let its crawler read {name}'s site, then look up which sites {model} cites and get {name} \
             included in the first three.",
            pluralize(share.responses, "answer"),
            others.mentions,
            others.responses,
        );
        let query = || input.query("/trends/visibility", &window);
        let rest = query().with_models(&input.model_ids(rest));
        let evidence = Evidence {
            finding: Finding::ModelGap {
                model,
                figures: share.into(),
                others: Measurement::new(&window, others, rest),
            },
            window: Window::from(&window),
            prompt_ids: Vec::new(),
            query: query().with_models(&ids),
            model_ids: ids,
        };
        Some(Candidate::new(
            uuid,
            share.responses,
            answers,
            title,
            description,
            evidence,
        ))
    });
    candidates.collect()
}
