//! Parsing of the domains and URLs that clients send.

use url::{Host, Url};

use super::host::{has_only_ldh_labels, registrable, without_www};
use super::{Target, TargetType};
use crate::error::InvalidField;
use crate::limits::MAX_TARGET_CHARS;

const TOO_LONG: &str = "must be at most 2048 characters";
const NOT_A_DOMAIN: &str = "must be a domain such as example.com or an http(s) URL";

impl Target {
    /// Parses a domain or an http(s) URL of at most 2,048 characters.
    ///
    /// The scheme, the query, the fragment and the ports 80 and 443 are dropped. Other schemes and ports,
    /// credentials, IP addresses, single labels, public suffixes, and hosts with characters other than
    /// letters, digits and hyphens are invalid.
    pub fn parse_domain(field: &str, input: &str) -> Result<Self, InvalidField> {
        let invalid = |rule: &str| InvalidField::new(field, rule);
        let url = parse_url(input).map_err(invalid)?;
        let host = parse_host(&url).map_err(invalid)?;
        let domain = registrable(&host).ok_or_else(|| invalid("must not be a public suffix"))?;
        let path = url.path().trim_end_matches('/');
        let text = format!("{host}{path}");
        if text.len() > MAX_TARGET_CHARS {
            return Err(invalid(TOO_LONG));
        }
        Ok(Self {
            target_type: if path.is_empty() {
                TargetType::Domain
            } else {
                TargetType::Url
            },
            domain: Some(domain.to_owned()),
            text,
        })
    }
}

fn parse_url(input: &str) -> Result<Url, &'static str> {
    let input = input.trim();
    if input.is_empty() {
        return Err(NOT_A_DOMAIN);
    }
    if input.chars().nth(MAX_TARGET_CHARS).is_some() {
        return Err(TOO_LONG);
    }
    if input.chars().any(char::is_control) {
        return Err("must not contain control characters");
    }
    let url = match scheme(input) {
        Some(scheme) if !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") => {
            return Err("must be an http(s) URL or a domain");
        }
        Some(_) => Url::parse(input),
        None => Url::parse(&format!("https://{}", input.trim_start_matches("//"))),
    };
    let url = url.map_err(|_| NOT_A_DOMAIN)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not contain a user name or password");
    }
    if url.port().is_some_and(|port| !matches!(port, 80 | 443)) {
        return Err("must not have a port");
    }
    Ok(url)
}

/// Returns the text before `://` if it is a valid scheme.
fn scheme(input: &str) -> Option<&str> {
    let (scheme, _) = input.split_once("://")?;
    let is_scheme_byte = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let is_scheme =
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(is_scheme_byte);
    is_scheme.then_some(scheme)
}

fn parse_host(url: &Url) -> Result<String, &'static str> {
    let Some(Host::Domain(host)) = url.host() else {
        return Err("must be a domain, not an IP address");
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    if !has_only_ldh_labels(host) {
        return Err(NOT_A_DOMAIN);
    }
    if !host.contains('.') || host.ends_with(".localhost") {
        return Err("must be a full domain such as example.com");
    }
    Ok(without_www(host).to_owned())
}
