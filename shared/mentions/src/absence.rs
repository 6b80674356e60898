//! Clauses that say that nothing was found about a brand.
//!
//! The method comes from the reading of negations in clinical texts: NegEx (Chapman et al., 2001) and ConText
//! (Harkema et al., 2009) look for a trigger, give it a scope, and end the scope at a terminator. Here, a
//! *negator* (`no`, `not`, `nothing`, `unknown`, `neither`) is the trigger. Its scope is the clause of the
//! name, the sentence if the clause has no negator, or what stands beyond it if the sentence has none: the
//! next sentence, the text before a list of names, and the other cells of the name's row. Commas, colons,
//! dashes, brackets and contrasts (`but`, `however`) end a clause.
//!
//! Languages deny in too many ways for a list of patterns. So a logistic regression weighs what stands where
//! around the name: the words, and their roles in such clauses (negator, word of information, verb of
//! finding, source). It has learned the weights (`classifier`) from the labelled sentences in
//! `tests/reading/sentences`. When in doubt, the name is a mention.
//!
//! The submodules each do one step:
//!
//! - `context`: the words around a name, by their places relative to it.
//! - `features`: what the context has that may matter.
//!
//! The roles of words are in `languages/`, the weights in `weights/absence`.

mod context;
mod features;

use crate::classifier::Classifier;
use crate::text::Text;
use context::Context;

/// Decides whether the context of a name says that nothing was found about it. In doubt, it does not.
pub static ABSENCE_CLASSIFIER: Classifier = Classifier::new(include_bytes!("../weights/absence"), 18);

/// Returns whether the sentence around the name at the folded bytes `start..end` says that nothing was found
/// about it. The caller has set the flag `BRAND_NAME` on all names in the text.
pub(crate) fn says_nothing_found(text: Text<'_>, start: usize, end: usize) -> bool {
    features_of_name(text, start, end).is_some_and(|features| ABSENCE_CLASSIFIER.accepts(&features))
}

/// Returns the features of what stands around the name at the folded bytes `start..end`, if there is a
/// negator.
pub(crate) fn features_of_name(text: Text<'_>, start: usize, end: usize) -> Option<Vec<u32>> {
    let context = Context::around_name(text, start, end)?;
    Some(features::features(&context, context.scope()?))
}
