//! Host names of targets and cited URLs, in lower-case ASCII.

use mentions::public_suffix::registrable_domain;

const MAX_HOST_CHARS: usize = 253;

/// Returns the registrable domain of a host by the Public Suffix List, including its private suffixes.
///
/// A last label that is not listed counts as a suffix. Returns `None` for single labels, public suffixes and
/// invalid host names. `host` must be in lower-case ASCII and must not be an IP address.
pub(crate) fn registrable(host: &str) -> Option<&str> {
    if has_valid_lengths(host) {
        registrable_domain(host)
    } else {
        None
    }
}

/// Removes leading `www.` labels as long as the rest has a registrable domain. `www.gov.uk` and `www.com`
/// remain.
pub(crate) fn without_www(host: &str) -> &str {
    let mut bare = host;
    while let Some(rest) = bare.strip_prefix("www.") {
        if registrable(rest).is_none() {
            break;
        }
        bare = rest;
    }
    bare
}

/// Returns whether every label of a host has 1 to 63 characters and the host has at most 253.
pub(crate) fn has_valid_lengths(host: &str) -> bool {
    host.len() <= MAX_HOST_CHARS && host.split('.').all(|label| (1..=63).contains(&label.len()))
}

/// Returns whether the labels of a host consist of letters, digits and inner hyphens only.
pub(crate) fn has_only_ldh_labels(host: &str) -> bool {
    let is_ldh = |label: &str| {
        !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    has_valid_lengths(host) && host.split('.').all(is_ldh)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn private_suffixes_count() {
        assert_eq!(registrable("a.foo.github.io"), Some("foo.github.io"));
        assert_eq!(registrable("a.b.example.co.uk"), Some("example.co.uk"));
        assert_eq!(
            registrable("shop.xn--85x722f.xn--55qx5d.cn"),
            Some("xn--85x722f.xn--55qx5d.cn")
        );
        assert_eq!(registrable("a.acme.test"), Some("acme.test"));
        for none in [
            "github.io",
            "co.uk",
            "com",
            "localhost",
            "",
            ".",
            "a..com",
            ".com",
            "com.",
        ] {
            assert_eq!(registrable(none), None, "{none}");
        }
    }

    #[test]
    fn www_is_removed_unless_it_is_the_site_itself() {
        for (host, bare) in [
            ("www.example.com", "example.com"),
            ("www.www.example.com", "example.com"),
            ("www.gov.uk", "www.gov.uk"),
            ("www.com", "www.com"),
            ("www.github.io", "www.github.io"),
            ("www2.example.com", "www2.example.com"),
        ] {
            assert_eq!(without_www(host), bare);
        }
    }

    proptest! {
        #[test]
        fn a_registrable_domain_is_its_own(
            labels in "([a-z0-9-]{1,5}\\.){0,4}", suffix in "(com|co\\.uk|github\\.io|ck|kawasaki\\.jp|s3\\.amazonaws\\.com|test|[a-z]{2,4})",
        ) {
            let host = format!("{labels}{suffix}");
            if let Some(domain) = registrable(&host) {
                prop_assert_eq!(registrable(domain), Some(domain));
                let rest = host.strip_suffix(domain);
                prop_assert!(rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
            }
        }

        #[test]
        fn no_host_panics_and_the_bare_host_is_a_fixed_point(host in "(www\\.){0,3}[a-z.-]{0,20}") {
            let _ = registrable(&host);
            let bare = without_www(&host);
            prop_assert_eq!(without_www(bare), bare);
        }
    }
}
