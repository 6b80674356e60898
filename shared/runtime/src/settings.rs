//! Settings of a function, from its environment.

/// The environment variables that functions read, besides the providers' own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `TABLE_NAME`
    pub table: String,
    /// `EVENT_BUS_NAME`
    pub bus: String,
    /// `PROVIDERS`: names of the configured providers, comma-separated.
    pub providers: Vec<String>,
    /// `LOG_LEVEL`
    pub log_level: Option<String>,
    /// `METRICS_NAMESPACE`: without one there are no metrics.
    pub metrics_namespace: Option<String>,
}

impl Settings {
    pub const TABLE: &'static str = "TABLE_NAME";
    pub const BUS: &'static str = "EVENT_BUS_NAME";
    pub const PROVIDERS: &'static str = "PROVIDERS";
    pub const LOG_LEVEL: &'static str = "LOG_LEVEL";
    pub const METRICS_NAMESPACE: &'static str = "METRICS_NAMESPACE";

    pub fn from_environment() -> Self {
        Self::from_lookup(variable)
    }

    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let providers = lookup(Self::PROVIDERS).unwrap_or_default();
        Self {
            table: lookup(Self::TABLE).unwrap_or_else(|| "visibility".to_owned()),
            bus: lookup(Self::BUS).unwrap_or_else(|| "default".to_owned()),
            providers: providers
                .split(',')
                .map(str::trim)
                .filter(|p| !p.is_empty())
                .map(str::to_owned)
                .collect(),
            log_level: lookup(Self::LOG_LEVEL),
            metrics_namespace: lookup(Self::METRICS_NAMESPACE),
        }
    }
}

/// An environment variable that is set and not empty.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where a main reads its environment"
)]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provider_names_are_split_at_commas() {
        let settings =
            Settings::from_lookup(|name| (name == Settings::PROVIDERS).then(|| "openai, xai,".to_owned()));
        assert_eq!(settings.providers, ["openai", "xai"]);
        assert_eq!(settings.table, "visibility");
    }
}
