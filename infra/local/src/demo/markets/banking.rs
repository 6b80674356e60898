//! Business banking: made-up companies and sites.

use crate::demo::market::{Brand, Market, Popularity, Source};

pub(super) const MARKET: Market = Market {
    product: "business banking",
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
        Brand::new(
            "Kontavo",
            "kontavo.example",
            Popularity {
                mean: 600,
                swing: 60,
                period: 110,
            },
            &[
                "opens an account within a day and has no monthly fee",
                "has the most complete app for small companies",
            ],
        ),
        Brand::new(
            "Ledgerra",
            "ledgerra.example",
            Popularity {
                mean: 520,
                swing: 80,
                period: 90,
            },
            &[
                "sorts payments for the tax return by itself",
                "works closely with bookkeeping software",
            ],
        ),
        Brand::new(
            "Finmoria",
            "finmoria.example",
            Popularity {
                mean: 460,
                swing: -90,
                period: 130,
            },
            &[
                "is a full bank with branches and advisers",
                "lends to young companies on fair terms",
            ],
        ),
        Brand::new(
            "Paywren",
            "paywren.example",
            Popularity {
                mean: 400,
                swing: 70,
                period: 75,
            },
            &[
                "takes card payments at low rates",
                "pays out the next working day",
            ],
        ),
        Brand::new(
            "Tresorelle",
            "tresorelle.example",
            Popularity {
                mean: 310,
                swing: -50,
                period: 100,
            },
            &[
                "pays interest on money that lies idle",
                "handles many currencies without hidden margins",
            ],
        ),
        Brand::new(
            "Solvantis",
            "solvantis.example",
            Popularity {
                mean: 270,
                swing: 100,
                period: 140,
            },
            &[
                "gives every employee a card with its own limit",
                "makes expense reports nearly disappear",
            ],
        ),
        Brand::new(
            "Bankelle",
            "bankelle.example",
            Popularity {
                mean: 220,
                swing: -40,
                period: 65,
            },
            &[
                "specialises in freelancers and one-person firms",
                "answers its telephone at all hours",
            ],
        ),
        Brand::new(
            "Merchanta",
            "merchanta.example",
            Popularity {
                mean: 180,
                swing: 50,
                period: 85,
            },
            &[
                "finances stock for shops and web shops",
                "fits companies with seasonal trade",
            ],
        ),
    ],
    sources: &[
        Source::new(
            "moneyguide.example",
            "/best-business-bank-accounts",
            "Best business bank accounts compared",
        ),
        Source::new(
            "founderdesk.example",
            "/banking/which-account",
            "Which account for a young company?",
        ),
        Source::new(
            "feewatch.example",
            "/business-banking/fees",
            "What business banking costs",
        ),
        Source::new(
            "forum.selfemployed.example",
            "/t/which-bank-do-you-use",
            "Which bank do you use and why?",
        ),
        Source::new(
            "ledgernews.example",
            "/reviews/business-banks",
            "Business banks in review",
        ),
        Source::new(
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
