//! Running shoes: made-up companies and sites.

use super::{Market, brand, source};

pub(super) const MARKET: Market = Market {
    thing: "running shoes",
    keywords: &[
        "running", "runner", "shoe", "marathon", "trail", "jog", "sneaker", "footwear",
    ],
    brands: &[
        brand(
            "Stridara",
            "stridara.example",
            (620, 70, 100),
            &[
                "has a soft, stable ride that suits most runners",
                "is the pair that testers kept reaching for",
            ],
        )
        .absent_from(&["trail", "flat feet"]),
        brand(
            "Pacefell",
            "pacefell.example",
            (560, -70, 85),
            &[
                "returns a lot of energy on fast days",
                "is light enough for races and tough enough for training",
            ],
        ),
        brand(
            "Trailmora",
            "trailmora.example",
            (430, 90, 130),
            &[
                "grips wet rock and mud with confidence",
                "protects the foot on rough ground",
            ],
        ),
        brand(
            "Kilomira",
            "kilomira.example",
            (400, -60, 70),
            &[
                "offers several widths and a roomy toe box",
                "is kind to wide feet on long distances",
            ],
        ),
        brand(
            "Zephyrun",
            "zephyrun.example",
            (330, 120, 150),
            &[
                "weighs next to nothing and breathes well",
                "is a bargain for its foam",
            ],
        ),
        brand(
            "Solefox",
            "solefox.example",
            (290, 50, 95),
            &[
                "is made largely of recycled material",
                "can be sent back to be recycled at its end",
            ],
        ),
        brand(
            "Runestra",
            "runestra.example",
            (220, -50, 110),
            &[
                "guides the foot gently for runners who overpronate",
                "supports heavier runners well",
            ],
        ),
        brand(
            "Velorra",
            "velorra.example",
            (180, 40, 60),
            &[
                "costs little and lasts for a first season",
                "is a sensible first pair",
            ],
        ),
    ],
    sources: &[
        source(
            "runlab.example",
            "/best-running-shoes",
            "Best running shoes: 62 pairs on the treadmill",
        ),
        source(
            "milesandmud.example",
            "/reviews/road-and-trail",
            "Road and trail shoes of the season",
        ),
        source(
            "footclinic.example",
            "/advice/choosing-running-shoes",
            "How to choose running shoes, by a podiatrist",
        ),
        source(
            "forum.runners.example",
            "/t/what-are-you-running-in",
            "What are you running in this year?",
        ),
        source(
            "gearcompare.example",
            "/running-shoes",
            "Running shoes compared by weight, drop and price",
        ),
        source(
            "marathonpost.example",
            "/gear/shoes-for-26-miles",
            "Shoes for 26 miles",
        ),
    ],
    buyers: &[
        "beginners",
        "marathon runners",
        "wide feet",
        "heavy runners",
        "trail running",
        "flat feet",
        "daily training",
        "runners with knee pain",
    ],
    concerns: &[
        "cushioning",
        "durability",
        "weight",
        "price",
        "grip in the rain",
        "heel drop",
    ],
};
