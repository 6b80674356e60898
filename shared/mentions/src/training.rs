//! What the learned decisions are made of, for those who learn their weights.

pub use crate::absence::ABSENCE_CLASSIFIER;
pub use crate::classifier::{Classifier, FEATURE_COUNT, WEIGHT_SCALE};
pub use crate::evidence::NAME_CLASSIFIER;

/// The features of an occurrence of a name in an answer.
#[derive(Debug, Clone)]
pub struct NameFeatures {
    /// The ordinals of the brands.
    pub brands: Vec<u32>,
    /// By which it is decided whether common words are a name, if that is in doubt.
    pub name: Option<Vec<u32>>,
    /// By which it is decided whether nothing was found about the name, if there is a negator near it.
    pub absence: Option<Vec<u32>>,
}
