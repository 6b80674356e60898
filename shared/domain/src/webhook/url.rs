//! The URLs to which webhooks are sent.

use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

use super::address::is_public;
use crate::limits::MAX_TARGET_CHARS;

/// The targets that a service may send to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Targets {
    /// Public addresses, by https.
    Public,
    /// Also the loopback addresses of the machine, by http as well. The local host permits them.
    PublicAndLoopback,
}

impl Targets {
    /// Returns whether a connection to the address is permitted.
    pub fn permits(self, address: IpAddr) -> bool {
        is_public(address) || self == Self::PublicAndLoopback && address.is_loopback()
    }
}

/// The domains that no public name server knows, and the last labels of names that are private by convention.
const PRIVATE_SUFFIXES: &str = "localhost local internal intranet lan home.arpa onion test";

/// A URL to which a webhook is sent, in the normal form of the WHATWG URL standard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WebhookUrl(String);

impl WebhookUrl {
    /// Parses a URL. A host that is an address must be one that `targets` permits. A name is resolved and
    /// checked before each delivery.
    ///
    /// # Errors
    ///
    /// Returns the rule that the URL breaks, for example `must be an https URL`.
    pub fn parse(text: &str, targets: Targets) -> Result<Self, String> {
        if text.chars().count() > MAX_TARGET_CHARS {
            return Err(format!("must be at most {MAX_TARGET_CHARS} characters"));
        }
        let url = Url::parse(text.trim()).map_err(|_| "must be an https URL".to_owned())?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or a password".to_owned());
        }
        if url.fragment().is_some() {
            return Err("must not contain a fragment".to_owned());
        }
        let is_loopback = match url.host() {
            None => return Err("must be an https URL".to_owned()),
            Some(Host::Ipv4(address)) => check_address(IpAddr::V4(address), targets)?,
            Some(Host::Ipv6(address)) => check_address(IpAddr::V6(address), targets)?,
            Some(Host::Domain(name)) => check_name(name, targets)?,
        };
        match url.scheme() {
            "https" => {}
            "http" if is_loopback => {}
            _ => return Err("must be an https URL".to_owned()),
        }
        Ok(Self(url.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WebhookUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether the address is one of loopback.
fn check_address(address: IpAddr, targets: Targets) -> Result<bool, String> {
    if targets.permits(address) {
        return Ok(address.is_loopback());
    }
    Err("must have a public address".to_owned())
}

/// Returns whether the name is one of loopback.
fn check_name(name: &str, targets: Targets) -> Result<bool, String> {
    let name = name.trim_end_matches('.');
    if name == "localhost" && targets == Targets::PublicAndLoopback {
        return Ok(true);
    }
    let is_private = |suffix: &str| {
        name.strip_suffix(suffix)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    if !name.contains('.') || PRIVATE_SUFFIXES.split(' ').any(is_private) {
        return Err("must have a public host name".to_owned());
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> String {
        WebhookUrl::parse(text, Targets::Public).unwrap_err()
    }

    #[test]
    fn a_public_https_url_is_accepted_in_its_normal_form() {
        for (text, normal) in [
            ("https://example.com", "https://example.com/"),
            (" HTTPS://Example.COM:443/a?b=c ", "https://example.com/a?b=c"),
            (
                "https://bücher.example:8443/x",
                "https://xn--bcher-kva.example:8443/x",
            ),
            ("https://8.8.8.8/", "https://8.8.8.8/"),
            ("https://[2606:4700::1111]/", "https://[2606:4700::1111]/"),
        ] {
            assert_eq!(WebhookUrl::parse(text, Targets::Public).unwrap().as_str(), normal);
        }
    }

    #[test]
    fn other_schemes_user_names_and_fragments_are_refused() {
        for text in [
            "",
            "example.com",
            "http://example.com",
            "ftp://example.com",
            "https://",
            "javascript:1",
            "file:///etc",
        ] {
            assert_eq!(rule(text), "must be an https URL", "{text}");
        }
        assert_eq!(
            rule("https://a@example.com"),
            "must not contain a user name or a password"
        );
        assert_eq!(
            rule("https://:b@example.com"),
            "must not contain a user name or a password"
        );
        assert_eq!(rule("https://example.com/#a"), "must not contain a fragment");
        let long = format!("https://example.com/{}", "a".repeat(MAX_TARGET_CHARS));
        assert_eq!(rule(&long), "must be at most 2048 characters");
    }

    #[test]
    fn addresses_that_are_not_public_are_refused_in_every_form_that_a_url_can_have() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "0x7f.1",
            "017700000001",
            "127.0.0.1.",
            "①②⑦.0.0.1",
            "10.0.0.1",
            "192.168.1.1",
            "172.16.0.1",
            "169.254.169.254",
            "2852039166",
            "0xa9fea9fe",
            "0251.0376.0251.0376",
            "100.64.0.1",
            "0",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "240.0.0.1",
            "192.0.2.1",
            "198.51.100.1",
            "203.0.113.1",
            "198.18.0.1",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "[fe80::1]",
            "[fc00::1]",
            "[fd00:ec2::254]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[2001::1]",
            "[2001:db8::1]",
            "[ff02::1]",
            "[fec0::1]",
        ] {
            assert_eq!(
                rule(&format!("https://{host}/")),
                "must have a public address",
                "{host}"
            );
        }
    }

    #[test]
    fn names_that_are_not_public_are_refused() {
        for host in [
            "localhost",
            "LOCALHOST",
            "a.localhost",
            "localhost.",
            "printer",
            "a.local",
            "metadata.google.internal",
            "a.lan",
            "x.home.arpa",
        ] {
            assert_eq!(
                rule(&format!("https://{host}/")),
                "must have a public host name",
                "{host}"
            );
        }
    }

    #[test]
    fn the_local_host_may_send_to_its_own_machine_without_tls() {
        for text in [
            "http://127.0.0.1:9/",
            "http://localhost:9/a",
            "http://[::1]:9/",
            "https://localhost/",
        ] {
            assert!(
                WebhookUrl::parse(text, Targets::PublicAndLoopback).is_ok(),
                "{text}"
            );
        }
        for text in [
            "http://example.com/",
            "https://10.0.0.1/",
            "http://[::ffff:127.0.0.1]/",
            "http://169.254.169.254/",
        ] {
            assert!(
                WebhookUrl::parse(text, Targets::PublicAndLoopback).is_err(),
                "{text}"
            );
        }
    }
}
