//! A complete answer, as models write them.

use mentions::{BrandNames, Matcher, RejectionReason};

const ANSWER: &str = include_str!("answer.md");

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
fn a_complete_answer_mentions_what_a_reader_sees_recommended() {
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
    let rejected: Vec<(&str, RejectionReason)> =
        found.rejected.iter().map(|r| (name(r.brand), r.reason)).collect();
    assert_eq!(
        rejected,
        [
            ("Best Buy", RejectionReason::CommonWord),
            ("Acme Desk", RejectionReason::NothingFound),
            ("Kustomer", RejectionReason::NothingFound),
            ("Crisp", RejectionReason::LinkOnly),
            ("Zoho Desk", RejectionReason::LinkOnly),
            ("G2", RejectionReason::LinkOnly),
        ]
    );
}

#[test]
fn a_mention_has_its_offset_in_the_answer() {
    let found = Matcher::new(&brands()).find(ANSWER);
    let excerpts: Vec<&str> = found
        .mentioned
        .iter()
        .take(4)
        .map(|m| &ANSWER[m.offset..m.offset + 7])
        .collect();
    assert_eq!(excerpts, ["Help Sc", "Gorgias", "Shopify", "Fresh**"]);
}
