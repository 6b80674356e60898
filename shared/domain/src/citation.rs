//! The canonical form of cited URLs, in which they are counted.

use std::fmt;
use std::net::Ipv4Addr;

use url::{Host, Url};

use crate::target::host::{has_valid_lengths, registrable, without_www};

/// The maximum length of a URL in bytes, before and after canonicalisation.
const MAX_LENGTH: usize = 8_192;

/// A cited page: `https://host[:port][/path][?query]`.
///
/// The scheme is always https, and the host is lower-case ASCII without `www.` and a trailing dot. The ports 80 and 443,
/// credentials, the fragment, tracking parameters and a trailing slash of the path are removed. A slash before a query,
/// `//` inside the path and the order and bytes of the other parameters are preserved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalUrl {
    text: String,
    /// The byte offset of the host's end in `text`.
    host_end: usize,
}

const SCHEME: &str = "https://";

impl CanonicalUrl {
    /// Parses a URL as a provider reports it. Returns `None` if it is invalid, not http(s) or longer than 8,192 bytes.
    pub fn parse(url: &str) -> Option<Self> {
        if url.len() > MAX_LENGTH {
            return None;
        }
        // URL parsers ignore these characters. Without them, the query extracted below is the one that `Url` parses.
        let url: String = url
            .trim_matches(|c: char| c <= ' ')
            .chars()
            .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
            .collect();
        let parsed = Url::parse(&url).ok()?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return None;
        }
        let mut text = format!("{SCHEME}{}", host(&parsed)?);
        let host_end = text.len();
        if let Some(port) = parsed.port().filter(|port| !matches!(port, 80 | 443)) {
            text.push_str(&format!(":{port}"));
        }
        let query = query(&url);
        if query.is_empty() {
            text.push_str(parsed.path().trim_end_matches('/'));
        } else {
            text.push_str(parsed.path());
            text.push('?');
            text.push_str(&query);
        }
        (text.len() <= MAX_LENGTH).then_some(Self { text, host_end })
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn host(&self) -> &str {
        &self.text[SCHEME.len()..self.host_end]
    }

    /// Returns the host's registrable domain, or the host itself if it has none: an IP address, a single label or a public
    /// suffix such as `github.io`.
    pub fn registrable(&self) -> &str {
        let host = self.host();
        // The suffix list would treat the last numbers of an address as a domain.
        let is_address = host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok();
        if is_address {
            host
        } else {
            registrable(host).unwrap_or(host)
        }
    }
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<CanonicalUrl> for String {
    fn from(url: CanonicalUrl) -> Self {
        url.text
    }
}

fn host(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain(host) => {
            let host = host.strip_suffix('.').unwrap_or(host);
            has_valid_lengths(host).then(|| without_www(host).to_owned())
        }
        address => Some(address.to_string()),
    }
}

/// Returns the query of `url` without tracking parameters, or an empty string if no others are left.
///
/// The query is extracted from the text because `Url` re-encodes some characters that servers distinguish. Only characters
/// that are invalid in a URL (spaces, control characters and non-ASCII characters) are percent-encoded.
fn query(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let Some((_, query)) = url.split_once('?') else {
        return String::new();
    };
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_tracking(pair)).collect();
    if kept.iter().all(|pair| pair.is_empty()) {
        return String::new();
    }
    let mut encoded = String::with_capacity(query.len());
    for byte in kept.join("&").bytes() {
        if byte.is_ascii_graphic() {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// Returns whether a parameter only tracks the origin of a visitor.
fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with("utm_") || matches!(name.as_str(), "gclid" | "fbclid" | "msclkid" | "srsltid")
}

#[cfg(test)]
mod tests;
