//! Examples and properties of finding mentions, through the public interface.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod absence;
mod absence_languages;
mod answer;
mod brands;
mod capitals;
mod citation_marks;
mod common_words;
mod hostile;
mod inflected_names;
mod links;
mod names;
mod properties;
mod support;
mod usual_spellings;
mod whole_words;
