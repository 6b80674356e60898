use proptest::prelude::*;

use super::*;

fn canonical(url: &str) -> String {
    CanonicalUrl::parse(url).unwrap_or_else(|| panic!("{url}")).into()
}

fn domain(url: &str) -> String {
    CanonicalUrl::parse(url).unwrap().registrable().to_owned()
}

#[test]
fn spellings_of_a_page_are_one_url() {
    for url in [
        "https://x.com",
        "https://x.com/",
        "http://x.com//",
        "HTTP://WWW.X.COM:80/",
        "https://x.com:443/#top",
        "http://x.com:443",
        "https://x.com./",
        "https://user:secret@x.com/",
        "https://x.com/?",
        "https://x.com/?utm_source=openai",
        "https://x.com?UTM_Source=a&gclid=1&fbclid=2&msclkid=3&srsltid=4#b",
        " https://x.\ncom/\t",
        "https:\\\\x.com\\",
    ] {
        assert_eq!(canonical(url), "https://x.com", "{url}");
    }
}

#[test]
fn only_tracking_parameters_are_removed_from_a_query() {
    for (url, expected) in [
        ("http://x.com/a/?b=1", "https://x.com/a/?b=1"),
        ("https://x.com?b=1", "https://x.com/?b=1"),
        ("https://x.com/a/?utm_medium=x&", "https://x.com/a"),
        (
            "https://x.com/?z=1&utm_term=q&a=2&gclid",
            "https://x.com/?z=1&a=2",
        ),
        (
            "https://x.com/?my_utm_a=1&gclid2=3",
            "https://x.com/?my_utm_a=1&gclid2=3",
        ),
        (
            "https://x.com/?q=it's%20\"%c3%A4\"+&&x=?/",
            "https://x.com/?q=it's%20\"%c3%A4\"+&&x=?/",
        ),
        ("https://x.com/?q=a b&p=ä", "https://x.com/?q=a%20b&p=%C3%A4"),
        (
            "https://x.com/?u=http://y.com/?utm_source=a#c",
            "https://x.com/?u=http://y.com/?utm_source=a",
        ),
        ("https://x.com/#?a=1", "https://x.com"),
    ] {
        assert_eq!(canonical(url), expected);
    }
}

#[test]
fn a_path_keeps_its_case_and_inner_slashes() {
    for (url, expected) in [
        ("https://x.com/A//b/", "https://x.com/A//b"),
        ("https://x.com//a", "https://x.com//a"),
        ("https://x.com/a/../b/./c", "https://x.com/b/c"),
        ("https://x.com/ä ü", "https://x.com/%C3%A4%20%C3%BC"),
        ("https://x.com:8080/a/", "https://x.com:8080/a"),
    ] {
        assert_eq!(canonical(url), expected);
    }
}

#[test]
fn a_text_that_is_not_a_web_address_is_invalid() {
    for url in [
        "",
        "x.com",
        "//x.com",
        "ftp://x.com",
        "mailto:a@x.com",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "https://?a",
        "https://.",
        "https://a..com",
        "https://x.com../",
        "https://x.com:99999/",
        "https://999.1.1.1",
        "https://a b.com",
        "[1]",
    ] {
        assert_eq!(CanonicalUrl::parse(url), None, "{url}");
    }
    let long_label = format!("https://{}.com", "a".repeat(64));
    assert_eq!(CanonicalUrl::parse(&long_label), None);
}

#[test]
fn the_cited_domain_is_the_registrable_one() {
    for (url, expected) in [
        ("https://docs.foo.github.io/a", "foo.github.io"),
        ("https://a.b.shop.co.uk", "shop.co.uk"),
        ("https://www.Bücher.example/ä", "xn--bcher-kva.example"),
        ("https://www.gov.uk/tax", "www.gov.uk"),
        ("https://en.wikipedia.org:8080/wiki/X?y#z", "wikipedia.org"),
        ("https://github.io", "github.io"),
        ("https://localhost:3000/a", "localhost"),
        ("http://127.1/a", "127.0.0.1"),
        ("http://[::1]:8080/a", "[::1]"),
    ] {
        assert_eq!(domain(url), expected);
    }
}

#[test]
fn urls_up_to_the_maximum_length_are_accepted() {
    let long = format!("https://x.com/{}", "a".repeat(4_000));
    assert_eq!(canonical(&long), long);
    let longest = format!("https://x.com/{}", "a".repeat(MAX_LENGTH - 14));
    assert_eq!(canonical(&longest), longest);
    assert_eq!(CanonicalUrl::parse(&format!("{longest}a")), None);
    // The URL is too long after its conversion to ASCII.
    assert_eq!(
        CanonicalUrl::parse(&format!("https://x.com/{}", "字".repeat(1_000))),
        None
    );
}

fn check(url: &str) -> Result<(), TestCaseError> {
    let Some(read) = CanonicalUrl::parse(url) else {
        return Ok(());
    };
    prop_assert_eq!(CanonicalUrl::parse(read.as_str()), Some(read.clone()));
    let domain = read.registrable();
    prop_assert!(!domain.is_empty() && read.host().ends_with(domain));
    let of_domain = CanonicalUrl::parse(&format!("https://{domain}"));
    prop_assert_eq!(of_domain.as_ref().map(CanonicalUrl::registrable), Some(domain));
    prop_assert!(read.as_str().bytes().all(|b| b.is_ascii_graphic()));
    prop_assert!(!read.as_str().contains('#'));
    Ok(())
}

proptest! {
    #[test]
    fn no_text_panics(text in "(https?://)?.{0,60}") {
        check(&text)?;
    }

    #[test]
    fn a_canonical_url_is_a_fixed_point(
        scheme in "(https?|HTTP|ftp)",
        user in "(|a:b@|@)",
        host in "((www\\.){0,2}([a-zA-Z0-9äß字_.!-]{1,6}\\.){0,3}(com|co\\.uk|github\\.io|test|[0-9.]{1,9})\\.{0,2}|\\[::[0-9a-f]\\])",
        port in "(|:|:80|:443|:8080)",
        path in "(|[/\\\\][a-zA-Z0-9./\\\\%~äß字 :@;=|-]{0,20})",
        query in "(|\\?((utm_[a-z]|gclid|srsltid|[a-zä%'\"/ ]{0,4})(=[a-z?/+% <']{0,4})?&?){0,5})",
        fragment in "(|#[a-z/?#&]{0,5})",
    ) {
        check(&format!("{scheme}://{user}{host}{port}{path}{query}{fragment}"))?;
    }
}
