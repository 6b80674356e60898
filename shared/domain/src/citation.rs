//! The canonical form of cited URLs, in which they are counted.

mod alias;
#[cfg(test)]
mod tests;
mod wrapper;

use std::fmt;
use std::net::Ipv4Addr;

use url::{Host, Url};

use crate::target::host::{has_valid_lengths, registrable, without_www};

/// The maximum length of a URL in bytes, before and after canonicalisation.
const MAX_LENGTH: usize = 8_192;

/// A cited page: `https://host[:port][/path][?query]`.
///
/// The scheme is always https, and the host is lower-case ASCII without `www.` and a trailing dot. The ports
/// 80 and 443, credentials, the fragment, tracking parameters and a trailing slash of the path are removed.
/// Percent-encodings are as RFC 3986, 6.2.2, normalises them. A slash before a query, `//` inside the path
/// and the order of the other parameters are preserved. A redirect, a copy in a cache and a translation is
/// the page inside, and a page that its site shows under several addresses is one of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalUrl {
    text: String,
    /// The byte offset of the host's end in `text`.
    host_end: usize,
}

const SCHEME: &str = "https://";

impl CanonicalUrl {
    /// Parses a URL as a provider reports it. Returns `None` if it is invalid, not http(s) or longer than
    /// 8,192 bytes.
    pub fn parse(url: &str) -> Option<Self> {
        if url.len() > MAX_LENGTH {
            return None;
        }
        // URL parsers ignore these characters. Without them, the query extracted below is the one that `Url`
        // parses.
        let url: String = url
            .trim_matches(|c: char| c <= ' ')
            .chars()
            .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
            .collect();
        let parsed = Url::parse(&url).ok()?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return None;
        }
        // The page inside a wrapper has a shorter address, so that this ends.
        if let Some(page) = wrapper::inner(&parsed).and_then(|inner| Self::parse(&inner)) {
            return Some(page);
        }
        let path = normalise_encodings(parsed.path());
        let (host, path, query) = alias::resolve(host(&parsed)?, path, query(&url));
        let mut text = format!("{SCHEME}{host}");
        let host_end = text.len();
        if let Some(port) = parsed.port().filter(|port| !matches!(port, 80 | 443)) {
            text.push_str(&format!(":{port}"));
        }
        if query.is_empty() {
            text.push_str(path.trim_end_matches('/'));
        } else {
            text.push_str(&path);
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

    /// Returns the host's registrable domain, or the host itself if it has none: an IP address, a single
    /// label or a public suffix such as `github.io`.
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
/// The query is extracted from the text because `Url` re-encodes some characters that servers distinguish.
/// Only characters that are invalid in a URL (spaces, control characters and non-ASCII characters) are
/// percent-encoded.
fn query(url: &str) -> String {
    let url = url.split_once('#').map_or(url, |(url, _)| url);
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
    normalise_encodings(&encoded)
}

/// Decodes the percent-encodings of letters, digits, `-`, `.`, `_` and `~`, and writes the others in upper
/// case.
fn normalise_encodings(text: &str) -> String {
    let Some((start, encoded)) = text.split_once('%') else {
        return text.to_owned();
    };
    let mut normal = start.to_owned();
    for piece in encoded.split('%') {
        let byte = piece.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let is_hex = piece.bytes().take(2).all(|digit| digit.is_ascii_hexdigit());
        let Some((byte, rest)) = byte.filter(|_| is_hex).zip(piece.get(2..)) else {
            normal.push('%');
            normal.push_str(piece);
            continue;
        };
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            normal.push(char::from(byte));
        } else {
            normal.push_str(&format!("%{byte:02X}"));
        }
        normal.push_str(rest);
    }
    normal
}

/// The beginnings of the names of tracking parameters.
const TRACKING_PREFIXES: [&str; 5] = ["utm_", "mc_", "_hs", "__hs", "hsa_"];
/// The other names of tracking parameters, besides those that end with `clid`.
const TRACKING_NAMES: [&str; 9] = [
    "gbraid", "wbraid", "msclkid", "srsltid", "msockid", "igshid", "igsh", "_ga", "_gl",
];
/// The parameters that tell from where a visitor comes. They are part of the page, unless they name an
/// assistant.
const REFERRER_NAMES: [&str; 3] = ["ref", "referrer", "source"];
/// The assistants that add themselves to the links of their answers.
const ASSISTANTS: &str = "chatgpt openai perplexity grok xai gemini bard copilot claude anthropic mistral lechat \
                          deepseek";

fn is_tracking(pair: &str) -> bool {
    // A link that was copied from HTML can have `&amp;` between its parameters.
    let pair = pair.trim_start_matches("amp;").to_ascii_lowercase();
    let (name, value) = pair.split_once('=').unwrap_or((&pair, ""));
    TRACKING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || TRACKING_NAMES.contains(&name)
        || name
            .strip_suffix("clid")
            .is_some_and(|network| !network.is_empty())
        || REFERRER_NAMES.contains(&name) && names_assistant(value)
}

/// Returns whether a value is the name of an assistant, or its host, such as `chat.openai.com`.
fn names_assistant(value: &str) -> bool {
    let host = value
        .trim_start_matches("https%3a%2f%2f")
        .trim_start_matches("https://");
    let host = host.trim_end_matches("%2f").trim_end_matches('/');
    host.split('.')
        .any(|label| ASSISTANTS.split(' ').any(|name| name == label))
}
