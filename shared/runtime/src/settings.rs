//! The settings of a function, read from its environment.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use domain::limits::{
    DEFAULT_FREQUENCY_HOURS, DEFAULT_RESPONSE_RETENTION_DAYS, DEFAULT_SHARD_CONCURRENCY, MAX_FREQUENCY_HOURS,
    MAX_RESPONSE_RETENTION_DAYS, MAX_SHARD_CONCURRENCY, MIN_RESPONSE_RETENTION_DAYS, MIN_SHARD_CONCURRENCY,
};
use url::Url;

/// The settings of a function, without those of the providers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `TABLE_NAME`: the DynamoDB table.
    pub table: String,
    /// `EVENT_BUS_NAME`: the EventBridge bus.
    pub bus: String,
    /// `PROVIDERS`: the comma-separated names of the configured providers.
    pub providers: Vec<String>,
    /// `LOG_LEVEL`: a filter such as `info` or `warn,checker=debug`.
    pub log_level: Option<String>,
    /// `RESPONSE_RETENTION_DAYS`: the number of days for which answers and the other data of their check are
    /// kept.
    pub response_retention_days: u32,
    /// `DEFAULT_FREQUENCY_HOURS`: the number of hours between the checks of a new entity.
    pub frequency_hours: u32,
    /// `SHARD_CONCURRENCY`: the number of shards that are worked on at a time. Only the checker uses it.
    pub shard_concurrency: u32,
    /// `CORS_ORIGINS`: the comma-separated origins that may call the API from a browser:
    /// `https://app.example.com`, or `*` for all.
    pub cors_origins: Vec<String>,
    /// `METRICS_NAMESPACE`: the CloudWatch namespace of the metrics. Without it, there are no metrics.
    pub metrics_namespace: Option<String>,
}

/// An invalid value of an environment variable. The error message does not contain the value.
#[derive(Clone, PartialEq, Eq)]
pub struct InvalidSetting {
    name: &'static str,
    rule: String,
}

impl Settings {
    pub const TABLE: &'static str = "TABLE_NAME";
    pub const BUS: &'static str = "EVENT_BUS_NAME";
    /// The bus that every AWS account has.
    pub const DEFAULT_BUS: &'static str = "default";
    pub const PROVIDERS: &'static str = "PROVIDERS";
    pub const LOG_LEVEL: &'static str = "LOG_LEVEL";
    pub const RESPONSE_RETENTION_DAYS: &'static str = "RESPONSE_RETENTION_DAYS";
    pub const FREQUENCY_HOURS: &'static str = "DEFAULT_FREQUENCY_HOURS";
    pub const SHARD_CONCURRENCY: &'static str = "SHARD_CONCURRENCY";
    pub const CORS_ORIGINS: &'static str = "CORS_ORIGINS";
    pub const METRICS_NAMESPACE: &'static str = "METRICS_NAMESPACE";

    /// Reads the settings from the process environment.
    pub fn from_environment() -> Result<Self, InvalidSetting> {
        Self::from_lookup(environment_variable)
    }

    /// Reads the settings from `lookup`, which returns the value of a variable.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidSetting> {
        let list = |name| -> Vec<String> {
            let items = lookup(name);
            let items = items
                .as_deref()
                .unwrap_or("")
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty());
            items.map(str::to_owned).collect()
        };
        let number = |name, default, range| match lookup(name) {
            Some(text) => parse_number(name, &text, range),
            None => Ok(default),
        };
        let cors_origins = list(Self::CORS_ORIGINS);
        if !cors_origins.iter().all(|origin| is_origin(origin)) {
            return Err(InvalidSetting {
                name: Self::CORS_ORIGINS,
                rule: "origins such as https://app.example.com, comma-separated, or *".to_owned(),
            });
        }
        Ok(Self {
            table: lookup(Self::TABLE).unwrap_or_else(|| "visibility".to_owned()),
            bus: lookup(Self::BUS).unwrap_or_else(|| Self::DEFAULT_BUS.to_owned()),
            providers: list(Self::PROVIDERS),
            log_level: lookup(Self::LOG_LEVEL),
            response_retention_days: number(
                Self::RESPONSE_RETENTION_DAYS,
                DEFAULT_RESPONSE_RETENTION_DAYS,
                MIN_RESPONSE_RETENTION_DAYS..=MAX_RESPONSE_RETENTION_DAYS,
            )?,
            frequency_hours: number(
                Self::FREQUENCY_HOURS,
                DEFAULT_FREQUENCY_HOURS,
                1..=MAX_FREQUENCY_HOURS,
            )?,
            shard_concurrency: number(
                Self::SHARD_CONCURRENCY,
                DEFAULT_SHARD_CONCURRENCY,
                MIN_SHARD_CONCURRENCY..=MAX_SHARD_CONCURRENCY,
            )?,
            cors_origins,
            metrics_namespace: lookup(Self::METRICS_NAMESPACE),
        })
    }
}

fn parse_number(name: &'static str, text: &str, range: RangeInclusive<u32>) -> Result<u32, InvalidSetting> {
    let number = u32::from_str(text).ok().filter(|number| range.contains(number));
    number.ok_or_else(|| InvalidSetting {
        name,
        rule: format!("a whole number from {} to {}", range.start(), range.end()),
    })
}

/// Returns whether `text` is `*` or an origin as browsers send it: a scheme, a host and a port that is not
/// the scheme's default.
fn is_origin(text: &str) -> bool {
    let is_canonical =
        |url: Url| matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text;
    // A URL's host may contain a star, but browsers never send such an origin.
    text == "*" || (!text.contains('*') && Url::parse(text).is_ok_and(is_canonical))
}

impl fmt::Display for InvalidSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.name, self.rule)
    }
}

/// Shows the message, because a `main` that returns an error prints it with `Debug`.
impl fmt::Debug for InvalidSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for InvalidSetting {}

/// Returns the value of an environment variable that is set and not empty.
#[expect(clippy::disallowed_methods, reason = "a main reads its environment here")]
pub fn environment_variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &str) -> Result<Settings, InvalidSetting> {
        Settings::from_lookup(|asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn provider_names_are_split_at_commas() {
        let settings = with(Settings::PROVIDERS, "openai, xai,").unwrap();
        assert_eq!(settings.providers, ["openai", "xai"]);
        assert_eq!(settings.table, "visibility");
    }

    #[test]
    fn missing_settings_have_defaults() {
        let settings = Settings::from_lookup(|_| None).unwrap();
        assert_eq!(
            (settings.response_retention_days, settings.frequency_hours),
            (90, 24)
        );
        assert_eq!(settings.shard_concurrency, 2);
        assert!(settings.cors_origins.is_empty());
    }

    #[test]
    fn an_error_names_the_variable_and_the_range_of_its_number() {
        for (name, good, bad, rule) in [
            (
                Settings::RESPONSE_RETENTION_DAYS,
                ["30", "400"],
                ["29", "401"],
                "RESPONSE_RETENTION_DAYS must be a whole number from 30 to 400",
            ),
            (
                Settings::FREQUENCY_HOURS,
                ["1", "720"],
                ["0", "721"],
                "DEFAULT_FREQUENCY_HOURS must be a whole number from 1 to 720",
            ),
            (
                Settings::SHARD_CONCURRENCY,
                ["2", "1000"],
                ["1", "1001"],
                "SHARD_CONCURRENCY must be a whole number from 2 to 1000",
            ),
        ] {
            for good in good {
                assert!(with(name, good).is_ok(), "{name}={good}");
            }
            let never = ["-1", "90.5", "90 days", " 90", "4294967297"];
            for bad in bad.into_iter().chain(never) {
                assert_eq!(with(name, bad).unwrap_err().to_string(), rule, "{bad}");
            }
        }
    }

    #[test]
    fn an_origin_has_a_scheme_and_a_host_and_no_path() {
        let good = "https://app.example.com, http://localhost:5173,http://[::1]:8080";
        let origins = with(Settings::CORS_ORIGINS, good).unwrap().cors_origins;
        assert_eq!(
            origins,
            [
                "https://app.example.com",
                "http://localhost:5173",
                "http://[::1]:8080"
            ]
        );
        assert_eq!(with(Settings::CORS_ORIGINS, "*").unwrap().cors_origins, ["*"]);
        for bad in [
            "app.example.com",
            "https://",
            "https://a.example/",
            "https://*.a.example",
            "https://A.example",
            "null",
            "https://a.example\r\nx: y",
            "https://a.example:443",
            "http://a.example:80",
            "https://a.example:b",
            "https://user@a.example",
            "ftp://a.example",
        ] {
            assert!(with(Settings::CORS_ORIGINS, bad).is_err(), "{bad}");
        }
    }
}
