//! The command line.

use std::path::PathBuf;
use std::time::Duration;

/// The number of models that each entity asks.
pub(crate) const MODELS: usize = 2;

/// The parsed command line.
#[derive(Debug, Clone)]
pub(crate) struct Arguments {
    pub(crate) entities: usize,
    pub(crate) workspaces: usize,
    /// The number of prompts of each entity.
    pub(crate) prompts: usize,
    /// The time that the provider takes for an answer.
    pub(crate) latency: Duration,
    /// The time from the host's start until all checks are due. The entities must be created within it.
    pub(crate) lead: Duration,
    /// The local host's binary.
    pub(crate) host: PathBuf,
}

impl Arguments {
    /// Returns the number of questions of all checks: one for each prompt and model.
    pub(crate) fn questions(&self) -> usize {
        self.entities * self.prompts * MODELS
    }

    /// Parses the arguments. `host` is the default binary. The error names the invalid argument.
    pub(crate) fn parse(mut given: impl Iterator<Item = String>, host: PathBuf) -> Result<Self, String> {
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
            let number = |min: usize, max: usize| {
                let number = value.parse().ok().filter(|n| (min..=max).contains(n));
                number.ok_or_else(|| format!("{name} is a number from {min} to {max}"))
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
