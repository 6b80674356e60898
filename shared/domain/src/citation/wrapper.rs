//! Addresses that wrap the address of another page: redirects of search engines, copies in caches, and
//! translations.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use url::Url;

use crate::target::host::without_www;

/// The redirects that have the page's address in a parameter: the host, the path, and the names of the
/// parameter.
const REDIRECTS: [(&str, &str, &[&str]); 8] = [
    ("translate.google.com", "/translate", &["u"]),
    ("translate.google.com", "/website", &["u"]),
    ("translatetheweb.com", "/", &["a"]),
    ("l.facebook.com", "/l.php", &["u"]),
    ("lm.facebook.com", "/l.php", &["u"]),
    ("l.instagram.com", "/", &["u"]),
    ("duckduckgo.com", "/l/", &["uddg"]),
    ("youtube.com", "/redirect", &["q"]),
];

/// Returns the address of the page inside, if `url` is a wrapper. It is always shorter than `url`.
pub(super) fn inner(url: &Url) -> Option<String> {
    let host = without_www(url.host_str()?);
    let path = url.path();
    let inner = if is_google(host) && path == "/url" {
        parameter(url, &["url", "q"])
    } else if host == "bing.com" && path == "/ck/a" {
        bing(url)
    } else if let Some(mangled) = host.strip_suffix(".translate.goog") {
        let address = format!("{}{path}", translated_host(mangled));
        Some(page(&address, url, |name| name.starts_with("_x_tr_")))
    } else if host.ends_with(".cdn.ampproject.org") {
        // The first segment is the kind of copy: `c` is a page, `v` one for a viewer.
        cached(url, path.get(1..)?.split_once('/')?.1)
    } else if is_google(host) {
        cached(url, path.strip_prefix("/amp/")?)
    } else {
        let redirect = REDIRECTS.iter().find(|(at, on, _)| host == *at && path == *on);
        parameter(url, redirect?.2)
    };
    inner.filter(|inner| inner.len() < url.as_str().len())
}

/// Returns whether a host is that of Google's search in some country: `google.` and a public suffix.
fn is_google(host: &str) -> bool {
    let suffix = host.strip_prefix("google.");
    suffix.is_some_and(|suffix| {
        suffix.len() <= 6 && suffix.split('.').all(|label| (2..=3).contains(&label.len()))
    })
}

fn parameter(url: &Url, names: &[&str]) -> Option<String> {
    let mut pairs = url.query_pairs().filter(|(name, _)| names.contains(&&**name));
    pairs.find_map(|(_, value)| is_web(&value).then(|| value.into_owned()))
}

/// Decodes Bing's redirect, whose parameter is `a1` and the address in base64.
fn bing(url: &Url) -> Option<String> {
    let (_, value) = url.query_pairs().find(|(name, _)| name == "u")?;
    let decoded = URL_SAFE_NO_PAD
        .decode(value.strip_prefix("a1")?.trim_end_matches('='))
        .ok()?;
    String::from_utf8(decoded).ok().filter(|address| is_web(address))
}

/// Returns the page of which a cache has a copy: `s/` and its address without the scheme, or without `s/` if
/// it is not served by TLS.
fn cached(url: &Url, path: &str) -> Option<String> {
    let address = path.strip_prefix("s/").unwrap_or(path);
    let host = address.split('/').next()?;
    let is_added = |name: &str| name.starts_with("amp_") || name == "usqp";
    host.contains('.').then(|| page(address, url, is_added))
}

/// Returns the host of which Google shows a translation: it writes `-` for a dot, and `--` for `-`.
fn translated_host(mangled: &str) -> String {
    mangled
        .replace("--", "\u{0}")
        .replace('-', ".")
        .replace('\u{0}', "-")
}

/// Returns an address with the parameters of `url` that the wrapper has not added.
fn page(address: &str, url: &Url, is_added: impl Fn(&str) -> bool) -> String {
    let is_added = |pair: &str| is_added(pair.split_once('=').map_or(pair, |(name, _)| name));
    let pairs = url.query().unwrap_or("").split('&');
    let query: Vec<&str> = pairs.filter(|pair| !pair.is_empty() && !is_added(pair)).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("https://{address}{mark}{}", query.join("&"))
}

fn is_web(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}
