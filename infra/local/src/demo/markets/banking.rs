//! Business banking: made-up companies and sites.

use super::{Market, brand, source};

pub(super) const MARKET: Market = Market {
    thing: "business banking",
    keywords: &[
        "bank",
        "account",
        "invoice",
        "freelance",
        "payment",
        "loan",
        "expense",
        "credit card",
    ],
    brands: &[
        brand(
            "Kontavo",
            "kontavo.example",
            (600, 60, 110),
            &[
                "opens an account within a day and has no monthly fee",
                "has the most complete app for small companies",
            ],
        ),
        brand(
            "Ledgerra",
            "ledgerra.example",
            (520, 80, 90),
            &[
                "sorts payments for the tax return by itself",
                "works closely with bookkeeping software",
            ],
        ),
        brand(
            "Finmoria",
            "finmoria.example",
            (460, -90, 130),
            &[
                "is a full bank with branches and advisers",
                "lends to young companies on fair terms",
            ],
        ),
        brand(
            "Paywren",
            "paywren.example",
            (400, 70, 75),
            &[
                "takes card payments at low rates",
                "pays out the next working day",
            ],
        ),
        brand(
            "Tresorelle",
            "tresorelle.example",
            (310, -50, 100),
            &[
                "pays interest on money that lies idle",
                "handles many currencies without hidden margins",
            ],
        ),
        brand(
            "Solvantis",
            "solvantis.example",
            (270, 100, 140),
            &[
                "gives every employee a card with its own limit",
                "makes expense reports nearly disappear",
            ],
        ),
        brand(
            "Bankelle",
            "bankelle.example",
            (220, -40, 65),
            &[
                "specialises in freelancers and one-person firms",
                "answers its telephone at all hours",
            ],
        ),
        brand(
            "Merchanta",
            "merchanta.example",
            (180, 50, 85),
            &[
                "finances stock for shops and web shops",
                "fits companies with seasonal trade",
            ],
        ),
    ],
    sources: &[
        source(
            "moneyguide.example",
            "/best-business-bank-accounts",
            "Best business bank accounts compared",
        ),
        source(
            "founderdesk.example",
            "/banking/which-account",
            "Which account for a young company?",
        ),
        source(
            "feewatch.example",
            "/business-banking/fees",
            "What business banking costs",
        ),
        source(
            "forum.selfemployed.example",
            "/t/which-bank-do-you-use",
            "Which bank do you use and why?",
        ),
        source(
            "ledgernews.example",
            "/reviews/business-banks",
            "Business banks in review",
        ),
        source(
            "shopkeepersunion.example",
            "/advice/banks",
            "Banks for shops: our members' experience",
        ),
    ],
    buyers: &[
        "freelancers",
        "startups",
        "small companies",
        "web shops",
        "restaurants",
        "exporters",
        "landlords",
        "associations",
    ],
    concerns: &[
        "monthly fees",
        "card payments",
        "foreign currencies",
        "overdrafts",
        "customer service",
        "bookkeeping export",
    ],
};
