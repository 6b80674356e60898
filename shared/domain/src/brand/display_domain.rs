//! How people read a domain.

/// Returns a domain with its punycode labels decoded, for example `münchen.de` for `xn--mnchen-3ya.de`.
pub fn display_domain(domain: &str) -> String {
    let decoded = url::quirks::domain_to_unicode(domain);
    if decoded.is_empty() {
        domain.to_owned()
    } else {
        decoded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_displayed_in_unicode() {
        assert_eq!(display_domain("xn--mnchen-3ya.de"), "münchen.de");
        assert_eq!(display_domain("example.com"), "example.com");
        assert_eq!(display_domain("192.0.2.1"), "192.0.2.1");
        assert_eq!(display_domain("[2001:db8::1]"), "[2001:db8::1]");
    }
}
