//! Rule `competitor_lead`: the answers mention a rival clearly more often than the entity.
//!
//! There is one candidate per rival whose share of the window's answers is significantly above the entity's,
//! if there are at least [`MIN_COMPARED_ANSWERS`] answers. Members of the entity's own group count as the
//! entity. The impact is the number of answers by which the rival leads.

use domain::board::{Candidate, Evidence, Finding, Measurement, ShareOfVoice, UnnamedTexts, Window};
use domain::group::{BrandLabel, TrackedBrands, counted_as};
use domain::limits::MIN_COMPARED_ANSWERS;
use domain::metrics::{Share, percent};
use facts::Selection;
use facts::figures::{Competitor, CountedBrands, brand_mentions, competitors};
use uuid::Uuid;

use super::rule_input::RuleInput;

/// Returns the candidates of the rule.
pub(super) fn candidates(input: &RuleInput<'_>) -> Vec<Candidate> {
    let (window, all, brands) = (input.window(), Selection::default(), input.brands);
    let own = input.share(&window, &all);
    if own.responses < MIN_COMPARED_ANSWERS {
        return Vec::new();
    }
    let checks = input.facts.visibility(&window).map(|(_, check)| (check, &all));
    let counted = CountedBrands {
        own: &brands.own,
        counted_as: &counted_as(&brands.groups),
    };
    let mentions = brand_mentions(checks, counted);
    let rows = competitors(input.entity, &brands.names, &brands.known, &mentions, &[]);
    let total = mentions.total();
    let Some(entity) = rows.iter().find(|row| row.is_own) else {
        return Vec::new();
    };
    let rivals = rows.iter().filter(|row| !row.is_own);
    let ahead = rivals.filter(|row| {
        let share = Share {
            mentions: row.mentions,
            ..own
        };
        share.is_above(own)
    });
    let models = input.models(&window);
    ahead
        .map(|rival| {
            let (rival, entity) = (share_of_voice(rival, total), share_of_voice(entity, total));
            candidate(input, own, rival, entity, &models)
        })
        .collect()
}

fn share_of_voice(row: &Competitor, total: u64) -> ShareOfVoice {
    ShareOfVoice {
        entity_uuid: row.label.uuid,
        name: row.label.name.clone(),
        domain: Some(row.label.domain.clone()).filter(|domain| !domain.is_empty()),
        mentions: row.mentions,
        share_of_voice: percent(row.mentions, total),
    }
}

/// Returns the candidate for a rival. `share` is the entity's visibility.
fn candidate(
    input: &RuleInput<'_>,
    share: Share,
    rival: ShareOfVoice,
    own: ShareOfVoice,
    models: &[Uuid],
) -> Candidate {
    let window = input.window();
    let name = &input.entity.name;
    let texts = |ahead: &str| {
        let title = format!("Catch up with {ahead} in the models' answers");
        let description = format!(
            "{ahead} is mentioned in {} of {} answers from {} to {}, {name} in {}. Next step: look at answers that mention \
             {ahead} and not {name}, note what {ahead} is praised for and which sites they cite, and get {name} compared \
             with {ahead} on the three that are cited most.",
            rival.mentions, share.responses, window.first, window.last, own.mentions,
        );
        (title, description)
    };
    let (title, description) = texts(&rival.name);
    let hidden = BrandLabel::of(
        &TrackedBrands::default(),
        rival.entity_uuid,
        rival.domain.as_deref(),
    );
    let (unnamed_title, unnamed_description) = texts(&hidden.name);
    let unnamed = UnnamedTexts {
        brand: rival.entity_uuid,
        name: rival.name.clone(),
        title: unnamed_title,
        description: unnamed_description,
    };
    let query = |path| input.query(path, &window);
    let visibility = Measurement::new(&window, share, query("/trends/visibility"));
    let (subject, lead) = (rival.entity_uuid, rival.mentions.saturating_sub(own.mentions));
    let evidence = Evidence {
        finding: Finding::CompetitorLead {
            rival,
            own,
            visibility,
        },
        window: Window::from(&window),
        prompt_ids: Vec::new(),
        model_ids: models.to_vec(),
        query: query("/entities/competitors"),
    };
    let mut candidate = Candidate::new(subject, lead, share.responses, title, description, evidence);
    candidate.recommendation.unnamed = Some(unnamed);
    candidate
}
