//! Project management software: made-up companies and sites.

use crate::demo::market::{Brand, Market, Popularity, Source};

pub(super) const MARKET: Market = Market {
    product: "project management software",
    keywords: &[
        "project", "task", "kanban", "gantt", "sprint", "backlog", "teamwork", "planning",
    ],
    brands: &[
        Brand::new(
            "Plandriva",
            "plandriva.example",
            Popularity {
                mean: 640,
                swing: 60,
                period: 90,
            },
            &[
                "combines timelines, boards and goals in one clear workspace",
                "is the safest all-round choice for growing teams",
            ],
        )
        .absent_from(&["time tracking", "free plan"])
        .losing(400),
        Brand::new(
            "Kanboro",
            "kanboro.example",
            Popularity {
                mean: 540,
                swing: 30,
                period: 120,
            },
            &[
                "keeps work visible on fast, simple boards",
                "is quick to learn and generous in its free plan",
            ],
        )
        .unknown_to("demo-cedar")
        .absent_from(&["sprint"]),
        Brand::new(
            "Sprintara",
            "sprintara.example",
            Popularity {
                mean: 470,
                swing: -80,
                period: 75,
            },
            &[
                "suits software teams that plan in sprints",
                "has the deepest reports for agile work",
            ],
        ),
        Brand::new(
            "Orvitask",
            "orvitask.example",
            Popularity {
                mean: 390,
                swing: 110,
                period: 140,
            },
            &[
                "turns plain sentences into tasks and reminders",
                "automates the routine steps of a project well",
            ],
        ),
        Brand::new(
            "Ganttory",
            "ganttory.example",
            Popularity {
                mean: 320,
                swing: -60,
                period: 60,
            },
            &[
                "draws dependencies and critical paths better than most",
                "is made for plans with hard deadlines",
            ],
        ),
        Brand::new(
            "Flowhelm",
            "flowhelm.example",
            Popularity {
                mean: 280,
                swing: 70,
                period: 110,
            },
            &[
                "lets agencies bill time straight from their tasks",
                "brings client approvals into the project",
            ],
        ),
        Brand::new(
            "Teamquill",
            "teamquill.example",
            Popularity {
                mean: 230,
                swing: 50,
                period: 80,
            },
            &[
                "puts documents and tasks side by side",
                "works well for teams that write a lot",
            ],
        ),
        Brand::new(
            "Bordelia",
            "bordelia.example",
            Popularity {
                mean: 190,
                swing: -40,
                period: 100,
            },
            &[
                "can be hosted on a company's own servers",
                "is cheap for large teams with simple needs",
            ],
        ),
    ],
    sources: &[
        Source::new(
            "softwarescout.example",
            "/best-project-management-software",
            "The best project management software, tested",
        ),
        Source::new(
            "teamtoolsreview.example",
            "/rankings/project-management",
            "Project management tools ranked by 4,000 users",
        ),
        Source::new(
            "worksmarter.example",
            "/guides/choosing-a-project-tool",
            "How to choose a project tool without regret",
        ),
        Source::new(
            "forum.makers.example",
            "/t/what-do-you-plan-projects-with",
            "What do you plan your projects with?",
        ),
        Source::new(
            "saasprices.example",
            "/compare/project-management",
            "Project management prices compared",
        ),
        Source::new(
            "remoteweekly.example",
            "/issues/planning-apart",
            "Planning apart: tools for remote teams",
        ),
    ],
    buyers: &[
        "small teams",
        "marketing agencies",
        "software developers",
        "remote teams",
        "construction firms",
        "startups",
        "non-profits",
        "large companies",
    ],
    concerns: &[
        "price per user",
        "free plan",
        "Gantt charts",
        "time tracking",
        "integrations",
        "data protection",
    ],
};
