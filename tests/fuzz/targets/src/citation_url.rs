//! Cited URLs, whose canonical form is stable.

use domain::citation::CanonicalUrl;
use facts::families::{CitationRow, LinkRow, bucket_of};

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let urls: Vec<CanonicalUrl> = text.split('\n').filter_map(CanonicalUrl::parse).collect();
    for url in &urls {
        let shown = url.as_str();
        assert!(shown.len() <= 8_192 && shown.starts_with("https://") && !shown.contains('#'));
        assert!(shown.bytes().all(|byte| byte.is_ascii_graphic()));
        assert_eq!(CanonicalUrl::parse(shown).as_ref(), Some(url));
        let (host, domain) = (url.host(), url.registrable());
        assert!(!domain.is_empty() && host.ends_with(domain));
        let of_domain = CanonicalUrl::parse(&format!("https://{domain}")).unwrap();
        assert_eq!(of_domain.registrable(), domain);
        assert!(bucket_of(domain, 64) < 64 && bucket_of(domain, 0) == 0);
    }
    // Each URL of a response is one citation of one domain.
    let row = LinkRow {
        prompt: 1.into(),
        model: 2.into(),
        urls: urls.clone(),
    };
    let domains = CitationRow::from(&row).domains;
    let citations: u32 = domains.iter().map(|(_, count)| count).sum();
    let distinct: std::collections::BTreeSet<_> = urls.iter().collect();
    assert_eq!(usize::try_from(citations), Ok(distinct.len()));
    assert!(domains.is_sorted_by(|a, b| a.0 < b.0));
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        "HTTP://WWW.X.COM:80/?utm_source=a&gclid=1&b=%20\n https://x.\ncom/\t",
        "https://user:secret@x.com/a//b/../c/?q=a b&p=ä#frag",
        "http://[2001:db8::1]:8080/a\nhttp://127.1/a\nhttps://localhost:3000",
        "https://www.Bücher.example/ä?u=http://y.com/?utm_source=a",
        "https:\\\\x.com\\a\nhttps://a..com\nhttps://x.com../",
    ]
    .map(|seed| seed.as_bytes().to_vec())
    .into();
    seeds.extend(crate::provider::cited().map(String::into_bytes));
    seeds
}
