//! Running shoes: made-up companies and sites.

use crate::demo::market::{Brand, Market, Popularity, Source};

pub(super) const MARKET: Market = Market {
    product: "running shoes",
    keywords: &[
        "running", "runner", "shoe", "marathon", "trail", "jog", "sneaker", "footwear",
    ],
    brands: &[
        Brand::new(
            "Stridara",
            "stridara.example",
            Popularity {
                mean: 800,
                swing: 20,
                period: 100,
            },
            &[
                "has a soft, stable ride that suits most runners",
                "is the pair that testers kept reaching for",
            ],
        )
        .absent_from(&["trail", "flat feet"]),
        Brand::new(
            "Pacefell",
            "pacefell.example",
            Popularity {
                mean: 560,
                swing: -70,
                period: 85,
            },
            &[
                "returns a lot of energy on fast days",
                "is light enough for races and tough enough for training",
            ],
        ),
        Brand::new(
            "Trailmora",
            "trailmora.example",
            Popularity {
                mean: 430,
                swing: 90,
                period: 130,
            },
            &[
                "grips wet rock and mud with confidence",
                "protects the foot on rough ground",
            ],
        ),
        Brand::new(
            "Kilomira",
            "kilomira.example",
            Popularity {
                mean: 400,
                swing: -60,
                period: 70,
            },
            &[
                "offers several widths and a roomy toe box",
                "is kind to wide feet on long distances",
            ],
        ),
        Brand::new(
            "Zephyrun",
            "zephyrun.example",
            Popularity {
                mean: 330,
                swing: 120,
                period: 150,
            },
            &[
                "weighs next to nothing and breathes well",
                "is a bargain for its foam",
            ],
        ),
        Brand::new(
            "Solefox",
            "solefox.example",
            Popularity {
                mean: 290,
                swing: 50,
                period: 95,
            },
            &[
                "is made largely of recycled material",
                "can be sent back to be recycled at its end",
            ],
        ),
        Brand::new(
            "Runestra",
            "runestra.example",
            Popularity {
                mean: 220,
                swing: -50,
                period: 110,
            },
            &[
                "guides the foot gently for runners who overpronate",
                "supports heavier runners well",
            ],
        ),
        Brand::new(
            "Velorra",
            "velorra.example",
            Popularity {
                mean: 180,
                swing: 40,
                period: 60,
            },
            &[
                "costs little and lasts for a first season",
                "is a sensible first pair",
            ],
        ),
    ],
    sources: &[
        Source::new(
            "runlab.example",
            "/best-running-shoes",
            "Best running shoes: 62 pairs on the treadmill",
        ),
        Source::new(
            "milesandmud.example",
            "/reviews/road-and-trail",
            "Road and trail shoes of the season",
        ),
        Source::new(
            "footclinic.example",
            "/advice/choosing-running-shoes",
            "How to choose running shoes, by a podiatrist",
        ),
        Source::new(
            "forum.runners.example",
            "/t/what-are-you-running-in",
            "What are you running in this year?",
        ),
        Source::new(
            "gearcompare.example",
            "/running-shoes",
            "Running shoes compared by weight, drop and price",
        ),
        Source::new(
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
