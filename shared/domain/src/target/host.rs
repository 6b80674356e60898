//! Host names in lower-case ASCII, as targets and cited URLs have them.

/// The most characters that a host name has.
const MOST: usize = 253;

/// The registrable domain of `host` by the Public Suffix List, private suffixes included; an unlisted last
/// label is a suffix too. `None` for single labels, public suffixes and texts that are no host name.
///
/// `host` must be lower-case ASCII and must not be an IP address.
pub(crate) fn registrable(host: &str) -> Option<&str> {
    if is_named(host) {
        psl::domain_str(host)
    } else {
        None
    }
}

/// `host` without leading `www.` labels, as long as what is left has a registrable domain: `www.gov.uk` and
/// `www.com` are sites of their own and stay.
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

/// Whether every label of `host` has 1 to 63 characters and the whole at most 253.
pub(crate) fn is_named(host: &str) -> bool {
    host.len() <= MOST && host.split('.').all(|label| (1..=63).contains(&label.len()))
}

/// Whether the labels of `host` are letters, digits and inner hyphens only.
pub(crate) fn is_plain(host: &str) -> bool {
    let plain = |label: &str| {
        !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    is_named(host) && host.split('.').all(plain)
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
    fn www_goes_unless_it_is_the_site_itself() {
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
