//! Targets: the domain, URL or person that an entity tracks.

pub(crate) mod host;
mod parse;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::brand::{fold_name, name as parse_name};
use crate::error::InvalidField;
use crate::limits::MAX_TARGET_CHARS;

/// What kind of target it is, as clients see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum TargetType {
    /// A host.
    Domain,
    /// A host and a path.
    Url,
    /// A person or brand, with or without a domain.
    Individual,
}

/// A tracked target in its canonical form: `example.com`, `example.com/Shop`, or the name of an individual
/// that has no domain.
///
/// A host is in lower-case ASCII and has no `www.`; a path keeps its case and has no trailing slash.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    text: String,
    target_type: TargetType,
    /// `None` for an individual that has no domain.
    domain: Option<String>,
}

/// The longest key of [`Target::uniqueness_key`] that is written out, in bytes.
const LONGEST_KEY: usize = 512;

impl Target {
    /// An individual that has no domain: the target is the name, of 1 to 120 characters.
    pub fn individual(field: &str, name: &str) -> Result<Self, InvalidField> {
        Ok(Self {
            text: parse_name(field, name)?,
            target_type: TargetType::Individual,
            domain: None,
        })
    }

    /// The same target, of an individual.
    #[must_use]
    pub fn of_individual(self) -> Self {
        Self {
            target_type: TargetType::Individual,
            ..self
        }
    }

    /// Reads a stored target: its text, its type, and the registrable domain it had when it was written.
    ///
    /// The Public Suffix List is not asked again: a newer list must not make an entity unreadable.
    pub fn from_stored(
        text: &str,
        target_type: TargetType,
        domain: Option<&str>,
    ) -> Result<Self, InvalidField> {
        let stored = Self {
            text: text.to_owned(),
            target_type,
            domain: domain.map(str::to_owned),
        };
        let sound = match (domain, stored.host()) {
            (Some(domain), Some(host)) => {
                let path = &text[host.len()..];
                let below = host.strip_suffix(domain);
                let kind = match target_type {
                    TargetType::Domain => path.is_empty(),
                    TargetType::Url => !path.is_empty(),
                    TargetType::Individual => true,
                };
                kind && host::is_plain(host)
                    && !domain.is_empty()
                    && below.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
                    && !path.ends_with('/')
                    && path.bytes().all(|b| b.is_ascii_graphic())
            }
            _ => {
                target_type == TargetType::Individual
                    && text.trim() == text
                    && !text.chars().any(char::is_control)
                    && !fold_name(text).is_empty()
            }
        };
        if sound && text.len() <= MAX_TARGET_CHARS {
            Ok(stored)
        } else {
            Err(InvalidField::new("target", "must be in its stored form"))
        }
    }

    /// The target as stored and shown.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn target_type(&self) -> TargetType {
        self.target_type
    }

    /// `None` for an individual that has no domain.
    pub fn host(&self) -> Option<&str> {
        self.domain.as_ref()?;
        self.text.split('/').next()
    }

    /// The registrable domain; `None` for an individual that has no domain.
    pub fn registrable(&self) -> Option<&str> {
        self.domain.as_deref()
    }

    /// `https://<host>/favicon.ico`; `None` for an individual that has no domain.
    pub fn favicon_url(&self) -> Option<String> {
        self.host().map(|host| format!("https://{host}/favicon.ico"))
    }

    /// What may be tracked once per workspace: the target, an individual's name folded.
    ///
    /// At most 512 bytes, without control characters; a longer target is represented by its digest.
    pub fn uniqueness_key(&self) -> String {
        let key = match self.domain {
            Some(_) => self.text.clone(),
            // No host holds an @: a person named like a site is not that site.
            None => format!("@{}", fold_name(&self.text)),
        };
        if key.len() <= LONGEST_KEY {
            return key;
        }
        // Two spaces occur in no host, path or folded name.
        format!("sha256  {}", hex::encode(Sha256::digest(key.as_bytes())))
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
