//! Settings of a function, from its environment.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use domain::limits::{
    DEFAULT_FREQUENCY_HOURS, DEFAULT_RESPONSE_RETENTION_DAYS, MAX_FREQUENCY_HOURS,
    MAX_RESPONSE_RETENTION_DAYS, MIN_RESPONSE_RETENTION_DAYS,
};
use url::Url;

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
    /// `RESPONSE_RETENTION_DAYS`: how long answers and what belongs to their check are kept.
    pub response_days: u32,
    /// `DEFAULT_FREQUENCY_HOURS`: hours between the checks of a new entity.
    pub frequency_hours: u32,
    /// `CORS_ORIGINS`: who may call the API from a browser, comma-separated: `https://app.example.com`, or `*` for all.
    pub cors_origins: Vec<String>,
    /// `METRICS_NAMESPACE`: without one there are no metrics.
    pub metrics_namespace: Option<String>,
}

/// A variable whose value is against its rule. The value is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct BadSetting {
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
    pub const RESPONSE_DAYS: &'static str = "RESPONSE_RETENTION_DAYS";
    pub const FREQUENCY_HOURS: &'static str = "DEFAULT_FREQUENCY_HOURS";
    pub const CORS_ORIGINS: &'static str = "CORS_ORIGINS";
    pub const METRICS_NAMESPACE: &'static str = "METRICS_NAMESPACE";

    pub fn from_environment() -> Result<Self, BadSetting> {
        Self::from_lookup(variable)
    }

    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, BadSetting> {
        let list = |name| -> Vec<String> {
            let items = lookup(name).unwrap_or_default();
            let items = items.split(',').map(str::trim).filter(|item| !item.is_empty());
            items.map(str::to_owned).collect()
        };
        let number = |name, default, range| match lookup(name) {
            Some(text) => within(name, &text, range),
            None => Ok(default),
        };
        let cors_origins = list(Self::CORS_ORIGINS);
        if !cors_origins.iter().all(|origin| is_origin(origin)) {
            return Err(BadSetting {
                name: Self::CORS_ORIGINS,
                rule: "origins such as https://app.example.com, comma-separated, or *".to_owned(),
            });
        }
        Ok(Self {
            table: lookup(Self::TABLE).unwrap_or_else(|| "visibility".to_owned()),
            bus: lookup(Self::BUS).unwrap_or_else(|| Self::DEFAULT_BUS.to_owned()),
            providers: list(Self::PROVIDERS),
            log_level: lookup(Self::LOG_LEVEL),
            response_days: number(
                Self::RESPONSE_DAYS,
                DEFAULT_RESPONSE_RETENTION_DAYS,
                MIN_RESPONSE_RETENTION_DAYS..=MAX_RESPONSE_RETENTION_DAYS,
            )?,
            frequency_hours: number(
                Self::FREQUENCY_HOURS,
                DEFAULT_FREQUENCY_HOURS,
                1..=MAX_FREQUENCY_HOURS,
            )?,
            cors_origins,
            metrics_namespace: lookup(Self::METRICS_NAMESPACE),
        })
    }
}

/// A whole number in digits, within its range.
fn within(name: &'static str, text: &str, range: RangeInclusive<u32>) -> Result<u32, BadSetting> {
    let number = u32::from_str(text).ok().filter(|number| range.contains(number));
    number.ok_or_else(|| BadSetting {
        name,
        rule: format!("a whole number from {} to {}", range.start(), range.end()),
    })
}

/// As a browser sends it: scheme, host, a port where it is not the scheme's own, and nothing behind that.
fn is_origin(text: &str) -> bool {
    let is_sent =
        |url: Url| matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text;
    // A URL's host may hold a star; no page comes from one.
    text == "*" || (!text.contains('*') && Url::parse(text).is_ok_and(is_sent))
}

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.name, self.rule)
    }
}

/// As a `main` that returns it shows it.
impl fmt::Debug for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BadSetting {}

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

    fn with(name: &'static str, value: &str) -> Result<Settings, BadSetting> {
        Settings::from_lookup(|asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn provider_names_are_split_at_commas() {
        let settings = with(Settings::PROVIDERS, "openai, xai,").unwrap();
        assert_eq!(settings.providers, ["openai", "xai"]);
        assert_eq!(settings.table, "visibility");
    }

    #[test]
    fn what_is_not_set_has_its_default() {
        let settings = Settings::from_lookup(|_| None).unwrap();
        assert_eq!((settings.response_days, settings.frequency_hours), (90, 24));
        assert!(settings.cors_origins.is_empty());
    }

    #[test]
    fn a_number_outside_its_range_is_refused_by_its_name_and_rule() {
        for (name, good, bad, rule) in [
            (
                Settings::RESPONSE_DAYS,
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
