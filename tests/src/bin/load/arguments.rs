//! The command line.

use std::path::PathBuf;
use std::time::Duration;

/// Models that each entity asks.
pub(crate) const MODELS: usize = 2;

#[derive(Debug, Clone)]
pub(crate) struct Arguments {
    pub(crate) entities: usize,
    pub(crate) workspaces: usize,
    /// Of each entity.
    pub(crate) prompts: usize,
    /// How long the provider takes for an answer.
    pub(crate) latency: Duration,
    /// How long after the host's start all checks are due: the entities have to be there by then.
    pub(crate) lead: Duration,
    /// The local host's binary.
    pub(crate) host: PathBuf,
}

impl Arguments {
    /// In all: one for each prompt and model.
    pub(crate) fn questions(&self) -> usize {
        self.entities * self.prompts * MODELS
    }

    /// `host`: the binary where none is given.
    pub(crate) fn read(mut given: impl Iterator<Item = String>, host: PathBuf) -> Result<Self, String> {
        let mut arguments = Self {
            entities: 1_000,
            workspaces: 50,
            prompts: 25,
            latency: Duration::from_millis(200),
            lead: Duration::from_secs(20),
            host,
        };
        while let Some(name) = given.next() {
            let value = given.next().ok_or_else(|| format!("{name} needs a value"))?;
            let number = |least: usize, most: usize| {
                let number = value.parse().ok().filter(|n| (least..=most).contains(n));
                number.ok_or_else(|| format!("{name} is a number from {least} to {most}"))
            };
            match name.as_str() {
                "--entities" => arguments.entities = number(1, 100_000)?,
                "--workspaces" => arguments.workspaces = number(1, 10_000)?,
                "--prompts" => arguments.prompts = number(1, 90)?,
                "--latency" => arguments.latency = Duration::from_millis(number(0, 100_000)? as u64),
                "--lead" => arguments.lead = Duration::from_secs(number(1, 3_600)? as u64),
                "--host" => arguments.host = value.into(),
                other => return Err(format!("unknown argument {other}")),
            }
        }
        if arguments.entities.div_ceil(arguments.workspaces) > 256 {
            return Err("a workspace has at most 256 entities".to_owned());
        }
        Ok(arguments)
    }
}
