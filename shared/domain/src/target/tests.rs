use proptest::prelude::*;

use uuid::Uuid;

use super::*;
use crate::brand::{uuid_of_domain, uuid_of_individual};
use crate::id::WorkspaceId;

fn domain(input: &str) -> Target {
    Target::parse_domain("domain", input).unwrap()
}

fn refusal(input: &str) -> String {
    Target::parse_domain("domain", input).unwrap_err().to_string()
}

#[test]
fn a_domain_is_kept_in_its_canonical_form() {
    for input in [
        "example.com",
        " Example.COM. ",
        "www.example.com",
        "http://example.com",
        "HTTPS://WWW.example.com:443/?a=b#c",
        "http://example.com:443//",
        "//example.com/",
        "example.com:80",
        "example.com?u=https://other.org",
    ] {
        let target = domain(input);
        assert_eq!(target.as_str(), "example.com", "{input}");
        assert_eq!(target.target_type(), TargetType::Domain);
        assert_eq!(target.host(), Some("example.com"));
        assert_eq!(
            target.favicon_url().as_deref(),
            Some("https://example.com/favicon.ico")
        );
    }
}

#[test]
fn a_path_makes_it_a_url_and_keeps_its_case() {
    let target = domain("https://Shop.Example.co.uk/Über uns//Team/?x#y");
    assert_eq!(target.as_str(), "shop.example.co.uk/%C3%9Cber%20uns//Team");
    assert_eq!(target.target_type(), TargetType::Url);
    assert_eq!(target.host(), Some("shop.example.co.uk"));
    assert_eq!(target.registrable(), Some("example.co.uk"));
    assert_eq!(
        target.favicon_url().as_deref(),
        Some("https://shop.example.co.uk/favicon.ico")
    );
}

#[test]
fn hosts_are_ascii_and_tenants_of_private_suffixes_are_domains() {
    let target = domain("Bücher.example");
    assert_eq!(target.as_str(), "xn--bcher-kva.example");
    assert_eq!(target.registrable(), Some("xn--bcher-kva.example"));
    assert_eq!(
        domain("https://foo.github.io/docs").registrable(),
        Some("foo.github.io")
    );
    assert_eq!(domain("https://www.gov.uk/tax").as_str(), "www.gov.uk/tax");
}

#[test]
fn an_invalid_domain_is_an_error_with_its_rule() {
    for ip in ["127.0.0.1", "http://[::1]/", "https://2130706433", "1.2.3.4/path"] {
        assert_eq!(refusal(ip), "domain must be a domain, not an IP address", "{ip}");
    }
    for single in [
        "localhost",
        "com",
        "acme",
        "http://acme/path",
        "www",
        "app.localhost",
    ] {
        assert_eq!(
            refusal(single),
            "domain must be a full domain such as example.com",
            "{single}"
        );
    }
    for suffix in ["co.uk", "github.io", "https://github.io/a", "CO.UK."] {
        assert_eq!(refusal(suffix), "domain must not be a public suffix", "{suffix}");
    }
    for shape in [
        "",
        "  ",
        "a b.com",
        "a..com",
        ".com",
        "a!b.com",
        "-a.com",
        "http://",
        "http:example.com",
        "x_y.com",
        "xn--a.com",
        "example.com:99999",
        "999.1.1.1",
    ] {
        assert_eq!(
            refusal(shape),
            "domain must be a domain such as example.com or an http(s) URL",
            "{shape}"
        );
    }
    for scheme in ["ftp://example.com", "javascript://example.com", "example.com://x"] {
        assert_eq!(refusal(scheme), "domain must be an http(s) URL or a domain");
    }
    for user in ["https://a:b@example.com", "mailto:a@example.com", "a@example.com"] {
        assert_eq!(refusal(user), "domain must not contain a user name or password");
    }
    assert_eq!(refusal("example.com:8080"), "domain must not have a port");
    assert_eq!(
        refusal("exam\nple.com"),
        "domain must not contain control characters"
    );
}

#[test]
fn a_target_has_at_most_2048_characters() {
    let path = |n: usize, c: &str| format!("example.com/{}", c.repeat(n));
    assert!(Target::parse_domain("domain", &path(2_036, "a")).is_ok());
    assert_eq!(
        refusal(&path(2_037, "a")),
        "domain must be at most 2048 characters"
    );
    // The target is too long after its conversion to ASCII.
    assert_eq!(
        refusal(&path(500, "字")),
        "domain must be at most 2048 characters"
    );
    assert!(Target::parse_domain("domain", &format!("{}.com", "a".repeat(64))).is_err());
    assert!(Target::parse_domain("domain", &format!("{}com", "abcdefghi.".repeat(26))).is_err());
}

#[test]
fn an_individual_without_a_domain_is_its_name() {
    let target = Target::individual("name", " Will.I.Am  Ünal ").unwrap();
    assert_eq!(target.as_str(), "Will.I.Am  Ünal");
    assert_eq!(target.target_type(), TargetType::Individual);
    assert_eq!(target.uniqueness_key(), "@will.i.am ünal");
    assert_eq!((target.host(), target.registrable()), (None, None));
    assert_eq!(target.favicon_url(), None);
    assert!(Target::individual("name", "").is_err());
    assert!(Target::individual("name", "\u{200b}").is_err());
    assert!(Target::individual("name", &"a".repeat(121)).is_err());
}

#[test]
fn an_individual_with_a_domain_is_tracked_by_it() {
    let target = domain("https://www.jane.example/About").into_individual();
    assert_eq!(target.as_str(), "jane.example/About");
    assert_eq!(target.target_type(), TargetType::Individual);
    assert_eq!(target.registrable(), Some("jane.example"));
    assert_eq!(
        target.uniqueness_key(),
        domain("jane.example/About").uniqueness_key()
    );
}

#[test]
fn a_long_key_is_a_digest() {
    let long = |tail: &str| domain(&format!("example.com/{}{tail}", "a".repeat(1_000))).uniqueness_key();
    assert_eq!(long("").len(), 72);
    assert_ne!(long("b"), long("c"));
    let name = Target::individual("name", &"\u{fdfa}".repeat(120)).unwrap();
    assert_eq!(name.uniqueness_key().len(), 72);
}

#[test]
fn a_stored_target_that_contradicts_itself_is_an_error() {
    use TargetType::{Domain, Individual, Url};
    for (text, target_type, domain) in [
        ("example.com", Domain, None),
        ("example.com/a", Domain, Some("example.com")),
        ("example.com", Url, Some("example.com")),
        ("example.com/", Url, Some("example.com")),
        ("badexample.com", Domain, Some("example.com")),
        ("Example.com", Domain, Some("example.com")),
        ("example.com", Domain, Some("")),
        ("", Individual, None),
        ("a\u{0}", Individual, None),
    ] {
        assert!(Target::from_stored(text, target_type, domain).is_err(), "{text}");
    }
}

#[test]
fn a_stored_target_remains_valid_if_the_suffix_list_changes() {
    let target = Target::from_stored("a.github.io", TargetType::Domain, Some("github.io")).unwrap();
    assert_eq!(target.registrable(), Some("github.io"));
    assert!(Target::from_stored("co.uk", TargetType::Domain, Some("co.uk")).is_ok());
}

#[test]
fn types_are_written_in_lower_case() {
    let written = serde_json::to_string(&[TargetType::Domain, TargetType::Url, TargetType::Individual]);
    assert_eq!(written.unwrap(), r#"["domain","url","individual"]"#);
}

fn check(target: &Target) -> Result<(), TestCaseError> {
    let stored = Target::from_stored(target.as_str(), target.target_type(), target.registrable());
    prop_assert_eq!(stored.as_ref(), Ok(target));
    let key = target.uniqueness_key();
    prop_assert!(!key.is_empty() && key.len() <= MAX_KEY_BYTES && !key.chars().any(char::is_control));
    Ok(())
}

proptest! {
    #[test]
    fn no_text_panics_and_what_is_read_is_a_fixed_point(input in ".{0,60}") {
        if let Ok(target) = Target::parse_domain("domain", &input) {
            check(&target)?;
            prop_assert_eq!(domain(target.as_str()), target);
        }
        if let Ok(target) = Target::individual("name", &input) {
            check(&target)?;
        }
    }

    #[test]
    fn canonical_targets_are_fixed_points(
        scheme in "(|http://|https://|//)",
        host in "(www\\.){0,2}([a-zA-Z0-9äß字-]{1,6}\\.){1,3}(com|co\\.uk|github\\.io|test)\\.?",
        path in "(|[/\\\\])([a-zA-Z0-9./%~äß字 :@;=\\\\-]{0,20})",
        rest in "(|\\?[a-z=/]{0,9})(|#[a-z/]{0,5})",
    ) {
        let path = if path.starts_with(['/', '\\']) { path } else { format!("/{path}") };
        if let Ok(target) = Target::parse_domain("domain", &format!("{scheme}{host}{path}{rest}")) {
            check(&target)?;
            check(&target.clone().into_individual())?;
            prop_assert_eq!(domain(target.as_str()), target);
        }
    }
}

fn workspace(n: u128) -> WorkspaceId {
    WorkspaceId::from_random(Uuid::from_u128(n))
}

#[test]
fn a_domain_is_one_brand_in_every_workspace() {
    let a = domain("https://www.example.com/shop").brand_uuid(&workspace(1), "A");
    let b = domain("blog.example.com")
        .into_individual()
        .brand_uuid(&workspace(2), "B");
    assert_eq!(a, b);
    assert_eq!(a, uuid_of_domain("example.com"));
    assert_ne!(
        domain("a.github.io").brand_uuid(&workspace(1), "A"),
        domain("b.github.io").brand_uuid(&workspace(1), "A"),
    );
}

#[test]
fn an_individual_is_a_brand_of_its_workspace_by_its_folded_name() {
    let jane = Target::individual("name", "Jane Doe").unwrap();
    let a = jane.brand_uuid(&workspace(1), "Jane Doe");
    assert_eq!(a, uuid_of_individual(&workspace(1), " JANE  doe"));
    assert_ne!(a, uuid_of_individual(&workspace(2), "Jane Doe"));
    assert_ne!(
        uuid_of_individual(&workspace(1), "example.com"),
        uuid_of_domain("example.com")
    );
    assert_eq!(a.get_version_num(), 5);
}
