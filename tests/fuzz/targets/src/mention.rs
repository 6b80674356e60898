//! Mentions in arbitrary text. The first line is a name, the second is a domain, and the rest is the answer.

use std::cell::RefCell;
use std::collections::BTreeSet;

use domain::prompt::names_brand;
use mentions::{BrandNames, Matcher, Mentions};

/// Returns brands that any answer can mention.
fn brands(name: &str, domain: &str) -> Vec<BrandNames> {
    let brand = |brand, name: &str, alias: &str, domain: Option<&str>| BrandNames {
        brand,
        name: name.to_owned(),
        aliases: vec![alias.to_owned()],
        domain: domain.map(str::to_owned),
    };
    vec![
        brand(0, name, "Acme Cloud", Some(domain)),
        brand(1, "Acme", "", Some("acme.com")),
        brand(2, "C&A", ".NET", None),
        brand(3, "楽天", "กรุง", None),
        brand(4, "X", "Notion", Some("x.com")),
        brand(5, "Größe", "PayPal", Some("xn--gre-8ka6i.de")),
    ]
}

/// The matcher of the brands and that of the reversed brands. They are cached because creating them takes
/// longer than reading most answers.
struct Prepared {
    of: (String, String),
    matchers: [Matcher; 2],
}

thread_local! {
    static PREPARED: RefCell<Option<Prepared>> = const { RefCell::new(None) };
}

impl Prepared {
    fn find(name: &str, domain: &str, answer: &str) -> (Mentions, Mentions) {
        PREPARED.with_borrow_mut(|last| {
            let is_same = |last: &Self| (&*last.of.0, &*last.of.1) == (name, domain);
            let prepared = match last.take().filter(is_same) {
                Some(same) => same,
                None => Self::new(name, domain),
            };
            let [matcher, reversed] = &last.insert(prepared).matchers;
            (matcher.find(answer), reversed.find(answer))
        })
    }

    fn new(name: &str, domain: &str) -> Self {
        let brands = brands(name, domain);
        let reversed: Vec<BrandNames> = brands.iter().rev().cloned().collect();
        Self {
            of: (name.to_owned(), domain.to_owned()),
            matchers: [Matcher::new(&brands), Matcher::new(&reversed)],
        }
    }
}

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.splitn(3, '\n');
    let (name, domain) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let answer = lines.next().unwrap_or_default();
    let (found, reversed) = Prepared::find(name, domain, answer);

    let mut known = BTreeSet::new();
    for mention in &found.mentioned {
        assert!(answer.is_char_boundary(mention.offset) && mention.offset < answer.len());
        assert!(known.insert(mention.brand), "a brand is mentioned twice");
    }
    assert!(
        found
            .mentioned
            .is_sorted_by_key(|mention| (mention.offset, mention.brand))
    );
    for rejected in &found.rejected {
        assert!(known.insert(rejected.brand), "a brand is mentioned and rejected");
    }
    assert!(known.iter().all(|brand| *brand < 6));
    assert_eq!(reversed, found, "the order in which brands are given shows");
    // An empty answer mentions no brand, and a name without a letter is never mentioned.
    if !name.chars().any(char::is_alphanumeric) {
        assert!(!names_brand(answer, name) || name.contains(['+', '#', '&']));
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<String> = [
        "**Acme** and [Acme Cloud](https://acme.com/x \"t\"), not <b>C&amp;A</b>",
        "# X\n\n| a | Notion |\n|---|---|\n| `x.com` | notion |\n\n> no information on Gorgias was found.",
        "1. 楽天は\n2. กรุง\n- [ ] größe[^1]\n\n[^1]: https://x.com/Acme",
        "```js\nAcme\n```\n<!-- Acme --> <sup>1</sup>Pay\u{ad}Pal @Acme a@acme.com",
        "[[a](((![*_~~ \u{fdfa}e\u{301}\u{301}\u{200b}&#x41;cme",
    ]
    .iter()
    .map(|answer| format!("Gorgias\ngorgias.com\n{answer}"))
    .collect();
    seeds.extend(crate::provider::texts().map(|text| format!("Nimbra 24\nnimbra.example\n{text}")));
    seeds.into_iter().map(String::into_bytes).collect()
}
