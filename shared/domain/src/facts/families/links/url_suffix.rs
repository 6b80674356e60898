//! URLs without their scheme and registrable domain.

use crate::citation::CanonicalUrl;

const SCHEME: &str = "https://";

/// Returns a canonical URL without its scheme and registrable domain.
///
/// For `https://blog.example.com/path?query` that is `blog./path?query`.
pub(super) fn url_suffix(url: &CanonicalUrl) -> String {
    let host = url.host();
    let rest = url.as_str().get(SCHEME.len() + host.len()..);
    let subdomain = host.strip_suffix(url.registrable());
    [subdomain.unwrap_or_default(), rest.unwrap_or_default()].concat()
}

/// Restores the URL of a domain from its [`url_suffix`]. Replaces the content of `url`.
pub(super) fn restore_url(suffix: &str, domain: &str, url: &mut String) {
    // A subdomain contains none of these characters.
    let end = suffix.find(['/', '?', ':']).unwrap_or(suffix.len());
    let (subdomain, rest) = suffix.split_at(end);
    url.clear();
    for part in [SCHEME, subdomain, domain, rest] {
        url.push_str(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stripped_url_is_restored() {
        for (url, stripped) in [
            ("https://example.com", ""),
            ("https://example.com/a/b?c=d:e", "/a/b?c=d:e"),
            ("https://example.com:8080/a.b", ":8080/a.b"),
            ("https://example.com:8080", ":8080"),
            ("https://example.com/?a=b", "/?a=b"),
            ("https://blog.docs.example.co.uk", "blog.docs."),
            ("https://blog.example.co.uk/a:b", "blog./a:b"),
            (
                "https://example.github.io/example.github.io",
                "/example.github.io",
            ),
            ("https://github.io/a", "/a"),
            ("https://192.168.1.1:81/a", ":81/a"),
            ("https://[2001:db8::1]:81/a", ":81/a"),
            ("https://[::1]", ""),
            ("https://localhost/a", "/a"),
        ] {
            let canonical = CanonicalUrl::parse(url).unwrap();
            assert_eq!(canonical.as_str(), url);
            assert_eq!(url_suffix(&canonical), stripped, "{url}");
            let mut restored = "before".to_owned();
            restore_url(stripped, canonical.registrable(), &mut restored);
            assert_eq!(restored, url);
        }
    }
}
