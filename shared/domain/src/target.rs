//! Targets, which are the domains, URLs and names that entities track.

pub(crate) mod host;
mod parse;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::brand::{BrandUuid, fold_name, parse_name, uuid_of_domain, uuid_of_individual};
use crate::error::InvalidField;
use crate::id::WorkspaceId;
use crate::limits::MAX_TARGET_CHARS;

/// The kind of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetType {
    /// A host without a path.
    Domain,
    /// A host with a path.
    Url,
    /// A person or brand that is known by name, with or without a domain.
    Individual,
}

/// A target in its canonical form: `example.com`, `example.com/Shop`, or the name of an individual that has
/// no domain.
///
/// A host is in lower-case ASCII without `www.`. A path keeps its case and has no trailing slash.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    text: String,
    target_type: TargetType,
    /// The registrable domain, or `None` for an individual that has no domain.
    domain: Option<String>,
}

/// The maximum length of a [`Target::uniqueness_key`] in bytes. Longer keys are replaced by their digest.
const MAX_KEY_BYTES: usize = 512;

impl Target {
    /// Parses the name of an individual that has no domain. It must have 1 to 120 characters.
    pub fn individual(field: &str, name: &str) -> Result<Self, InvalidField> {
        Ok(Self {
            text: parse_name(field, name)?,
            target_type: TargetType::Individual,
            domain: None,
        })
    }

    /// Returns the target with the type [`TargetType::Individual`].
    #[must_use]
    pub fn into_individual(self) -> Self {
        Self {
            target_type: TargetType::Individual,
            ..self
        }
    }

    /// Restores a stored target from its text, its type and its registrable domain. Fails if they contradict
    /// each other.
    ///
    /// The Public Suffix List is not applied again, so that a newer list cannot make stored targets invalid.
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
        let is_valid = match (domain, stored.host()) {
            (Some(domain), Some(host)) => {
                let path = &text[host.len()..];
                let below = host.strip_suffix(domain);
                let kind = match target_type {
                    TargetType::Domain => path.is_empty(),
                    TargetType::Url => !path.is_empty(),
                    TargetType::Individual => true,
                };
                kind && host::has_only_ldh_labels(host)
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
        if is_valid && text.len() <= MAX_TARGET_CHARS {
            Ok(stored)
        } else {
            Err(InvalidField::new("target", "must be in its stored form"))
        }
    }

    /// Returns the target's canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn target_type(&self) -> TargetType {
        self.target_type
    }

    /// Returns the host, or `None` for an individual that has no domain.
    pub fn host(&self) -> Option<&str> {
        self.domain.as_ref()?;
        self.text.split('/').next()
    }

    /// Returns the registrable domain, or `None` for an individual that has no domain.
    pub fn registrable(&self) -> Option<&str> {
        self.domain.as_deref()
    }

    /// Returns the UUID of the brand of a target that is tracked under `name`.
    pub fn brand_uuid(&self, workspace: &WorkspaceId, name: &str) -> BrandUuid {
        match self.registrable() {
            Some(domain) => uuid_of_domain(domain),
            None => uuid_of_individual(workspace, name),
        }
    }

    /// Returns `https://<host>/favicon.ico`, or `None` for an individual that has no domain.
    pub fn favicon_url(&self) -> Option<String> {
        self.host().map(|host| format!("https://{host}/favicon.ico"))
    }

    /// Returns the key that is unique in a workspace: the target, or the folded name of an individual without
    /// a domain.
    ///
    /// The key has at most 512 bytes and no control characters. A longer target is represented by its digest.
    pub fn uniqueness_key(&self) -> String {
        let key = match self.domain {
            Some(_) => self.text.clone(),
            // No host contains an @, so an individual named like a site has another key than the site.
            None => format!("@{}", fold_name(&self.text)),
        };
        if key.len() <= MAX_KEY_BYTES {
            return key;
        }
        // No host, path or folded name contains two consecutive spaces.
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
