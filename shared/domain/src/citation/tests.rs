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
            "https://x.com/?my_utm_a=1&gclid2=3&clid=4&mcq=5&ga=6",
            "https://x.com/?my_utm_a=1&gclid2=3&clid=4&mcq=5&ga=6",
        ),
        (
            "https://x.com/?q=it's%20\"%c3%A4\"+&&x=?/%",
            "https://x.com/?q=it's%20\"%C3%A4\"+&&x=?/%",
        ),
        (
            "https://x.com/?ref=main&source=gemini-review&referrer=news.example",
            "https://x.com/?ref=main&source=gemini-review&referrer=news.example",
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
fn the_parameters_of_each_tracking_family_are_removed() {
    for parameter in [
        "utm_source=openai",
        "UTM_CAMPAIGN=x",
        "gclid=1",
        "dclid=1",
        "ttclid=1",
        "twclid=1",
        "yclid=1",
        "msclkid=1",
        "gbraid=1",
        "wbraid=1",
        "srsltid=1",
        "msockid=1",
        "igshid=1",
        "mc_cid=1&mc_eid=2",
        "_ga=2.1",
        "_gl=1",
        "_hsenc=1&_hsmi=2",
        "ref=chatgpt",
        "ref=chatgpt.com",
        "ref=https%3A%2F%2Fchatgpt.com%2F",
        "referrer=grok.com",
        "source=perplexity",
        "source=chat.openai.com",
        "amp;utm_source=openai",
        "a=&amp;gclid=1&a=",
    ] {
        let removed = canonical(&format!("https://x.com/p?{parameter}"));
        let rest = if parameter.starts_with("a=") { "?a=&a=" } else { "" };
        assert_eq!(removed, format!("https://x.com/p{rest}"), "{parameter}");
    }
}

#[test]
fn equal_percent_encodings_are_one_page() {
    for (urls, expected) in [
        (
            [
                "https://x.com/caf%C3%A9",
                "https://x.com/caf%c3%a9",
                "https://x.com/café",
            ],
            "https://x.com/caf%C3%A9",
        ),
        (
            ["https://x.com/~a", "https://x.com/%7Ea", "https://x.com/%7e%61"],
            "https://x.com/~a",
        ),
        (
            [
                "https://x.com/a-b",
                "https://x.com/a%2Db",
                "https://x.com/%61%2d%62",
            ],
            "https://x.com/a-b",
        ),
        (
            [
                "https://x.com/?q=%c3%a9%2F%41",
                "https://x.com/?q=é%2fA",
                "https://x.com/?q=%C3%a9%2fA",
            ],
            "https://x.com/?q=%C3%A9%2FA",
        ),
        (
            ["https://x.com/%", "https://x.com/%#a", "https://x.com/%/"],
            "https://x.com/%",
        ),
    ] {
        for url in urls {
            assert_eq!(canonical(url), expected, "{url}");
        }
    }
    // Encoded delimiters are not what they stand for.
    for url in [
        "https://x.com/a%2Fb",
        "https://x.com/a%3Fb",
        "https://x.com/%2541",
        "https://x.com/%zz%4",
    ] {
        assert_eq!(canonical(url), url);
    }
}

#[test]
fn a_wrapped_address_is_the_page_inside() {
    let page = "https://shop.example/a-b/p?id=7";
    for url in [
        "https://www.google.com/url?sa=t&url=https%3A%2F%2Fshop.example%2Fa-b%2Fp%3Fid%3D7&usg=x",
        "https://www.google.co.uk/url?q=http://www.shop.example/a-b/p?id%3D7",
        "https://www.google.com/amp/s/shop.example/a-b/p?id=7",
        "https://shop-example.cdn.ampproject.org/c/s/shop.example/a-b/p?id=7&usqp=mq331&amp_js_v=0.1",
        "https://shop-example.cdn.ampproject.org/v/shop.example/a-b/p?amp_js_v=0.1&id=7",
        "https://translate.google.com/translate?sl=de&tl=en&u=https://shop.example/a-b/p?id%3D7",
        "https://shop-example.translate.goog/a-b/p?id=7&_x_tr_sl=de&_x_tr_tl=en",
        "https://www.bing.com/ck/a?!&&p=8&u=a1aHR0cHM6Ly9zaG9wLmV4YW1wbGUvYS1iL3A_aWQ9Nw&ntb=1",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2Fa-b%2Fp%3Fid%3D7%26fbclid%3DIw&h=AT",
        "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fshop.example%2Fa-b%2Fp%3Fid%3D7",
        "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fshop.example%2Fa-b%2Fp%3Fid%3D7",
        // A wrapper in a wrapper.
        "https://www.google.com/url?q=https://translate.google.com/translate?u%3Dhttps%253A%252F%252Fshop.example%252Fa-b%252Fp%253Fid%253D7",
    ] {
        assert_eq!(canonical(url), page, "{url}");
    }
    assert_eq!(
        canonical("https://my--shop-example.translate.goog/"),
        "https://my-shop.example"
    );
    for url in [
        "https://google.com/url?q=shop.example",
        "https://google.com/search?q=https://shop.example/",
        "https://google.evil.example/url?q=https://shop.example/",
        "https://bing.com/ck/a?u=a1%%%",
        "https://shop.example/amp/s/other.example",
        "https://l.facebook.com/l.php?u=javascript:alert(1)",
    ] {
        assert_eq!(canonical(url), url, "{url}");
    }
}

#[test]
fn a_page_that_its_site_shows_under_several_addresses_is_one() {
    for (url, expected) in [
        ("https://twitter.com/acme", "https://x.com/acme"),
        (
            "https://mobile.twitter.com/acme/status/12?s=20",
            "https://x.com/i/status/12?s=20",
        ),
        ("https://x.com/i/status/12", "https://x.com/i/status/12"),
        ("https://twitter.com/a/status/12", "https://x.com/i/status/12"),
        (
            "https://x.com/acme/status/12/photo/1",
            "https://x.com/acme/status/12/photo/1",
        ),
        ("https://youtu.be/dQw4?si=abc", "https://youtube.com/watch?v=dQw4"),
        (
            "https://youtu.be/dQw4?t=9",
            "https://youtube.com/watch?v=dQw4&t=9",
        ),
        (
            "https://m.youtube.com/watch?v=dQw4&feature=share",
            "https://youtube.com/watch?v=dQw4",
        ),
        ("https://youtu.be", "https://youtube.com"),
        ("https://youtu.be.example/dQw4", "https://youtu.be.example/dQw4"),
    ] {
        assert_eq!(canonical(url), expected, "{url}");
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
    fn a_canonical_url_of_a_wrapper_or_an_alias_is_a_fixed_point(
        wrapper in "(|https://google\\.de/url\\?q=|https://google\\.com/amp/s/|https://a-b\\.translate\\.goog/|https://x\\.cdn\\.ampproject\\.org/c/|https://l\\.facebook\\.com/l\\.php\\?u=){1,3}",
        host in "(https://|https%3A//|)(twitter\\.com|youtu\\.be|m\\.youtube\\.com|a\\.example)",
        path in "(/[a-z]{0,3}|/status/[0-9]{1,3}|%[0-9a-f]{2}){0,4}",
        query in "(|\\?[a-z_]{1,6}=[a-z0-9%]{0,6}(&(amp;)?[a-z_]{1,6}=[a-z.]{0,8}){0,2})",
    ) {
        check(&format!("{wrapper}{host}{path}{query}"))?;
    }

    #[test]
    fn a_canonical_url_is_a_fixed_point(
        scheme in "(https?|HTTP|ftp)",
        user in "(|a:b@|@)",
        host in "((www\\.){0,2}([a-zA-Z0-9äß字_.!-]{1,6}\\.){0,3}(com|co\\.uk|github\\.io|test|[0-9.]{1,9})\\.{0,2}|\\[::[0-9a-f]\\])",
        port in "(|:|:80|:443|:8080)",
        path in "(|[/\\\\][a-zA-Z0-9./\\\\%~äß字 :@;=|-]{0,20})",
        query in "(|\\?((utm_[a-z]|gclid|srsltid|(amp;)?ref|[a-zä%'\"/ ]{0,4})(=[a-z?/+% <'0-9A-F]{0,4}|=chatgpt)?&?){0,5})",
        fragment in "(|#[a-z/?#&]{0,5})",
    ) {
        check(&format!("{scheme}://{user}{host}{port}{path}{query}{fragment}"))?;
    }
}
