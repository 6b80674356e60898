//! From held segments to the parts of a question about citations.

use analysis::{Held, MergedBrands, Scope};
use domain::facts::Texts;
use domain::facts::domains::Part;

pub(crate) fn parts<'a, F>(held: &[Held<'a, F>]) -> Vec<Part<'a, F>> {
    let part = |held: &Held<'a, F>| Part {
        day: held.day,
        segment: held.segment,
        selection: held.selection,
    };
    held.iter().map(part).collect()
}

/// Which domains are in the row of another: those of a group's members in that of the domain that the row is shown
/// with, cited or not, so that rows with equal counts are in the order of the domains that are shown.
pub(crate) fn merged(scope: &Scope, texts: &Texts) -> Vec<(u32, u32)> {
    let of_group = |merged: &MergedBrands| -> Vec<(u32, u32)> {
        let Some(row) = merged.row_domain().and_then(|domain| texts.find(domain)) else {
            return Vec::new();
        };
        let numbers = merged.domains().filter_map(|domain| texts.find(domain));
        numbers.map(|domain| (domain, row)).collect()
    };
    scope.merged.iter().flat_map(of_group).collect()
}

/// The domains that rows of groups are shown with.
pub(crate) fn row_domains(scope: &Scope) -> Vec<&str> {
    scope.merged.iter().filter_map(MergedBrands::row_domain).collect()
}
