//! Tracked targets, which are parsed from client input and written in canonical form.

use domain::brand::{display_domain, fold_name, uuid_of_domain};
use domain::error::InvalidField;
use domain::target::{Target, TargetType};

use crate::told;

/// The maximum length in bytes of a target, and of its uniqueness key.
const MOST: usize = 2_048;
const KEY: usize = 512;

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let refused = |error: InvalidField| {
        assert_eq!(error.field, "domain");
        told::nothing_of(&text, &error.to_string());
    };
    match Target::parse_domain("domain", &text) {
        Ok(target) => {
            of_a_domain(&target);
            of_a_domain(&target.into_individual());
        }
        Err(error) => refused(error),
    }
    match Target::individual("domain", &text) {
        Ok(person) => {
            assert_eq!(
                (person.host(), person.registrable(), person.favicon_url()),
                (None, None, None)
            );
            assert_eq!(
                Target::individual("domain", person.as_str()).as_ref(),
                Ok(&person)
            );
            stored(&person);
            let key = person.uniqueness_key();
            assert!(key.len() <= KEY && !key.contains(char::is_control));
            let folded = fold_name(person.as_str());
            assert_eq!(fold_name(&folded), folded);
        }
        Err(error) => refused(error),
    }
    // A stored target is either read completely or rejected.
    for kind in [TargetType::Domain, TargetType::Url, TargetType::Individual] {
        let (target, domain) = text.split_once('\n').unwrap_or((&text, "example.com"));
        for domain in [Some(domain), None] {
            if let Ok(read) = Target::from_stored(target, kind, domain) {
                assert_eq!(
                    (read.as_str(), read.target_type(), read.registrable()),
                    (target, kind, domain)
                );
                assert!(
                    read.host()
                        .is_none_or(|host| host.ends_with(domain.unwrap_or_default()))
                );
            }
        }
    }
}

fn of_a_domain(target: &Target) {
    let (text, host) = (target.as_str(), target.host().unwrap());
    let domain = target.registrable().unwrap();
    assert!(text.len() <= MOST && text.starts_with(host) && !text.ends_with('/'));
    assert!(text.bytes().all(|byte| byte.is_ascii_graphic()));
    assert_eq!(host, host.to_ascii_lowercase());
    assert!(host == domain || host.ends_with(&format!(".{domain}")));
    // The canonical form is a fixed point, with or without a scheme.
    for again in [
        text.to_owned(),
        format!("https://{text}"),
        format!("HTTP://{text}/"),
    ] {
        let again = Target::parse_domain("domain", &again).unwrap();
        assert_eq!((again.as_str(), again.registrable()), (text, Some(domain)));
    }
    let favicon = target.favicon_url().unwrap();
    assert_eq!(favicon, format!("https://{host}/favicon.ico"));
    assert!(target.uniqueness_key().len() <= KEY);
    assert_eq!(uuid_of_domain(domain).get_version_num(), 5);
    assert!(!display_domain(domain).is_empty());
    stored(target);
}

/// Asserts that the stored form of the target reads back as the target.
fn stored(target: &Target) {
    let read = Target::from_stored(target.as_str(), target.target_type(), target.registrable());
    assert_eq!(read.as_ref(), Ok(target));
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    [
        "example.com",
        " https://www.Example.co.uk:443/Shop/?a=b#c ",
        "//münchen.de/straße/",
        "foo.github.io/a/../b/%2e%2E/c",
        "user:pass@example.com",
        "192.168.1.1",
        "[::1]",
        "www.www.gov.uk",
        "http:\\\\example.com\\a",
        "a-secret-of-more-than-24-characters.co.uk:81",
        "Jane Doe\u{200b}",
        "example.com/a\nexample.com",
        "ftp://example.com",
        "xn--mnchen-3ya.de.",
    ]
    .map(|seed| seed.as_bytes().to_vec())
    .into()
}
