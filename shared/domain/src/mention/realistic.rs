//! A whole answer, as models write them.

use super::{BrandNames, Matcher, Reason};

const ANSWER: &str = include_str!("fixture.md");

fn brands() -> Vec<BrandNames> {
    let known = [
        ("Help Scout", "helpscout.com"),
        ("Gorgias", "gorgias.com"),
        ("Freshdesk", "freshdesk.com"),
        ("Shopify", "shopify.com"),
        ("Shopify Plus", "plus.shopify.com"),
        ("Slack", "slack.com"),
        ("HubSpot", "hubspot.com"),
        ("Tidio Live Chat", "tidio.com"),
        ("Wix", "wix.com"),
        ("Notion", "notion.so"),
        ("Best Buy", "bestbuy.com"),
        ("Acme Desk", "acmedesk.com"),
        ("Kustomer", "kustomer.com"),
        ("Zendesk", "zendesk.com"),
        ("Intercom", "intercom.com"),
        ("Crisp", "crisp.chat"),
        ("Zoho Desk", "zoho.com"),
        ("Re:amaze", "re-amaze.com"),
        ("G2", "g2.com"),
        ("Front", "front.com"),
    ];
    let brand = |(i, (name, domain)): (usize, &(&str, &str))| BrandNames {
        brand: u32::try_from(i).unwrap(),
        name: (*name).to_owned(),
        aliases: Vec::new(),
        domain: Some((*domain).to_owned()),
    };
    known.iter().enumerate().map(brand).collect()
}

#[test]
fn a_whole_answer_mentions_what_a_reader_sees_recommended() {
    let brands = brands();
    let found = Matcher::new(&brands).find(ANSWER);
    let name = |brand: u32| brands[brand as usize].name.as_str();
    let mentioned: Vec<&str> = found.mentioned.iter().map(|m| name(m.brand)).collect();
    assert_eq!(
        mentioned,
        [
            "Help Scout",
            "Gorgias",
            "Shopify",
            "Freshdesk",
            "Slack",
            "HubSpot",
            "Shopify Plus",
            "Tidio Live Chat",
            "Wix",
            "Notion",
            "Zendesk"
        ]
    );
    let rejected: Vec<(&str, Reason)> = found.rejected.iter().map(|r| (name(r.brand), r.reason)).collect();
    assert_eq!(
        rejected,
        [
            ("Best Buy", Reason::CommonWord),
            ("Acme Desk", Reason::NothingFound),
            ("Kustomer", Reason::NothingFound),
            ("Crisp", Reason::LinkOnly),
            ("Zoho Desk", Reason::LinkOnly),
            ("G2", Reason::LinkOnly),
        ]
    );
}

#[test]
fn a_mention_leads_to_its_place_in_the_answer() {
    let found = Matcher::new(&brands()).find(ANSWER);
    let places: Vec<&str> = found
        .mentioned
        .iter()
        .take(4)
        .map(|m| &ANSWER[m.at..m.at + 7])
        .collect();
    assert_eq!(places, ["Help Sc", "Gorgias", "Shopify", "Fresh**"]);
}

#[test]
fn a_long_hostile_answer_takes_no_more_than_linear_time() {
    let matcher = Matcher::new(&brands());
    let start = std::time::Instant::now();
    for part in [
        "Gorgias ",
        "no information on Gorgias ",
        "[",
        "https://",
        "a@",
        "x.com/",
        "X.com/X",
        "/",
        "a/",
        "<sup>",
        "Gorgias, ",
        "**",
        "<!--",
        "-",
        "| a ",
        "e\u{301}\u{301}",
    ] {
        matcher.find(&part.repeat(200_000 / part.len()));
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
