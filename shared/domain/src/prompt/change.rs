//! Changes of a prompt by a request.

use super::{Prompt, PromptText};
use crate::id::{PromptId, TagId};
use crate::locale::{Geolocation, Language};

/// The changes of one prompt. Fields that are `None` remain unchanged.
///
/// A prompt keeps its ordinal and its answers when its text changes. The next check asks the new text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptChange {
    pub text: Option<PromptText>,
    /// The new language. `Some(None)` stands for the language of the entity.
    pub language: Option<Option<Language>>,
    /// The new geolocation. `Some(None)` stands for the geolocation of the entity.
    pub geolocation: Option<Option<Geolocation>>,
    pub is_active: Option<bool>,
    /// The tags that replace all current ones.
    pub tags: Option<Vec<TagId>>,
}

/// A prompt and its changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptUpdate {
    pub id: PromptId,
    pub change: PromptChange,
}

impl PromptChange {
    /// Returns whether the request names no field, not even with its current value.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn apply(&self, prompt: &mut Prompt) {
        let change = self.clone();
        prompt.text = change.text.unwrap_or_else(|| prompt.text.clone());
        prompt.language = change.language.unwrap_or(prompt.language);
        prompt.geolocation = change.geolocation.unwrap_or(prompt.geolocation);
        prompt.is_active = change.is_active.unwrap_or(prompt.is_active);
        prompt.tags = change.tags.unwrap_or_else(|| prompt.tags.clone());
    }

    /// Returns whether the change activates a prompt that is paused.
    pub fn resumes(&self, prompt: &Prompt) -> bool {
        self.is_active == Some(true) && !prompt.is_active
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::time::Timestamp;

    fn prompt() -> Prompt {
        Prompt {
            ordinal: 7.into(),
            text: PromptText::parse("prompt", "Which?").unwrap(),
            language: Some(Language::parse("language", "fr").unwrap()),
            geolocation: Some(Geolocation::parse("geolocation", "fr").unwrap()),
            created_at: Timestamp::from_millis(5),
            is_active: true,
            is_deleted: false,
            tags: vec![TagId::from_random(Uuid::from_u128(1))],
        }
    }

    #[test]
    fn fields_without_a_change_remain() {
        let mut changed = prompt();
        PromptChange::default().apply(&mut changed);
        assert_eq!(changed, prompt());
        assert!(PromptChange::default().is_empty());
    }

    #[test]
    fn each_field_changes_alone() {
        let german = Language::parse("language", "de").unwrap();
        let text = PromptText::parse("prompt", "Who?").unwrap();
        let none = PromptChange::default;
        type Expect = fn(&mut Prompt);
        let changes: [(PromptChange, Expect); 6] = [
            (
                PromptChange {
                    text: Some(text),
                    ..none()
                },
                |p| p.text = PromptText::parse("prompt", "Who?").unwrap(),
            ),
            (
                PromptChange {
                    language: Some(Some(german)),
                    ..none()
                },
                |p| p.language = Some(Language::parse("language", "de").unwrap()),
            ),
            (
                PromptChange {
                    language: Some(None),
                    ..none()
                },
                |p| p.language = None,
            ),
            (
                PromptChange {
                    geolocation: Some(None),
                    ..none()
                },
                |p| p.geolocation = None,
            ),
            (
                PromptChange {
                    is_active: Some(false),
                    ..none()
                },
                |p| p.is_active = false,
            ),
            (
                PromptChange {
                    tags: Some(Vec::new()),
                    ..none()
                },
                |p| p.tags.clear(),
            ),
        ];
        for (change, expect) in changes {
            let (mut changed, mut expected) = (prompt(), prompt());
            change.apply(&mut changed);
            expect(&mut expected);
            assert_eq!(changed, expected);
            assert_ne!(changed, prompt());
            assert!(!change.is_empty());
        }
    }

    #[test]
    fn only_a_paused_prompt_resumes() {
        let mut paused = prompt();
        paused.is_active = false;
        for (is_active, resumes) in [(None, false), (Some(false), false), (Some(true), true)] {
            let change = PromptChange {
                is_active,
                ..PromptChange::default()
            };
            assert_eq!(change.resumes(&paused), resumes);
            assert!(!change.resumes(&prompt()));
        }
    }
}
