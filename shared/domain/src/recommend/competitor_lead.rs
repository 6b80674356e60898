//! A rival that is named clearly more often than the entity.

use super::{Cause, Observed};
use crate::board::{Evidence, Finding, Measure, Voice, Window};
use crate::facts::Selection;
use crate::facts::questions::brand_mentions;
use crate::group::{Competitor, competitors, merged_brands};
use crate::limits::MIN_COMPARED_ANSWERS;
use crate::metrics::{Share, percent};

/// One cause per rival whose share of the window's answers, 20 or more, lies above the entity's beyond chance. A member
/// of the entity's own group is the entity itself. Its impact is by how many answers the rival leads.
pub(super) fn causes(observed: &Observed<'_>) -> Vec<Cause> {
    let (window, all, brands) = (observed.window(), Selection::default(), observed.brands);
    let own = observed.share(&window, &all);
    if own.responses < MIN_COMPARED_ANSWERS {
        return Vec::new();
    }
    let checks = observed.facts.visibility(&window).map(|(_, check)| (check, &all));
    let mentions = brand_mentions(checks, &brands.own, &merged_brands(&brands.merged));
    let rows = competitors(observed.entity, &brands.names, &brands.known, &mentions, &[]);
    let voice = |row: &Competitor| Voice {
        entity_uuid: row.named.uuid,
        name: row.named.name.clone(),
        domain: Some(row.named.domain.clone()).filter(|domain| !domain.is_empty()),
        mentions: row.mentions,
        share_of_voice: percent(row.mentions, mentions.total()),
    };
    let named = brands
        .names
        .of_brand(observed.entity.brand, observed.entity.domain.as_deref());
    let itself = Competitor {
        named,
        mentions: mentions.own,
        citations: 0,
        is_own: true,
    };
    let rivals = rows.iter().filter(|row| !row.is_own);
    let ahead = rivals.filter(|row| {
        let share = Share {
            mentions: row.mentions,
            ..own
        };
        share.is_above(own)
    });
    let models = observed.models(&window);
    ahead
        .map(|rival| {
            let (name, ahead) = (&observed.entity.name, &rival.named.name);
            let title = format!("Catch up with {ahead} in the models' answers");
            let description = format!(
                "{ahead} is mentioned in {} of {} answers from {} to {}, {name} in {}. Next step: look at answers that \
                 mention {ahead} and not {name}, note what {ahead} is praised for and which sites they cite, and get \
                 {name} compared with {ahead} on the three that are cited most.",
                rival.mentions, own.responses, window.first, window.last, own.mentions,
            );
            let query = |path| observed.query(path, &window);
            let visibility = Measure::new(&window, own, query("/trends/visibility"));
            let evidence = Evidence {
                finding: Finding::CompetitorLead {
                    rival: voice(rival),
                    own: voice(&itself),
                    visibility,
                },
                window: Window::from(&window),
                prompt_ids: Vec::new(),
                model_ids: models.clone(),
                query: query("/entities/competitors"),
            };
            let lead = rival.mentions.saturating_sub(own.mentions);
            let impact = (lead, own.responses);
            Cause::new(rival.named.uuid, impact, (title, description), evidence)
        })
        .collect()
}
