//! Project management software: made-up companies and sites.

use super::{Market, brand, source};

pub(super) const MARKET: Market = Market {
    thing: "project management software",
    keywords: &[
        "project", "task", "kanban", "gantt", "sprint", "backlog", "teamwork", "planning",
    ],
    brands: &[
        brand(
            "Plandriva",
            "plandriva.example",
            (640, 60, 90),
            &[
                "combines timelines, boards and goals in one clear workspace",
                "is the safest all-round choice for growing teams",
            ],
        )
        .absent_from(&["time tracking", "free plan"]),
        brand(
            "Kanboro",
            "kanboro.example",
            (540, 90, 120),
            &[
                "keeps work visible on fast, simple boards",
                "is quick to learn and generous in its free plan",
            ],
        )
        .unknown_to("demo-cedar")
        .absent_from(&["sprint"]),
        brand(
            "Sprintara",
            "sprintara.example",
            (470, -80, 75),
            &[
                "suits software teams that plan in sprints",
                "has the deepest reports for agile work",
            ],
        ),
        brand(
            "Orvitask",
            "orvitask.example",
            (390, 110, 140),
            &[
                "turns plain sentences into tasks and reminders",
                "automates the routine steps of a project well",
            ],
        ),
        brand(
            "Ganttory",
            "ganttory.example",
            (320, -60, 60),
            &[
                "draws dependencies and critical paths better than most",
                "is made for plans with hard deadlines",
            ],
        ),
        brand(
            "Flowhelm",
            "flowhelm.example",
            (280, 70, 110),
            &[
                "lets agencies bill time straight from their tasks",
                "brings client approvals into the project",
            ],
        ),
        brand(
            "Teamquill",
            "teamquill.example",
            (230, 50, 80),
            &[
                "puts documents and tasks side by side",
                "works well for teams that write a lot",
            ],
        ),
        brand(
            "Bordelia",
            "bordelia.example",
            (190, -40, 100),
            &[
                "can be hosted on a company's own servers",
                "is cheap for large teams with simple needs",
            ],
        ),
    ],
    sources: &[
        source(
            "softwarescout.example",
            "/best-project-management-software",
            "The best project management software, tested",
        ),
        source(
            "teamtoolsreview.example",
            "/rankings/project-management",
            "Project management tools ranked by 4,000 users",
        ),
        source(
            "worksmarter.example",
            "/guides/choosing-a-project-tool",
            "How to choose a project tool without regret",
        ),
        source(
            "forum.makers.example",
            "/t/what-do-you-plan-projects-with",
            "What do you plan your projects with?",
        ),
        source(
            "saasprices.example",
            "/compare/project-management",
            "Project management prices compared",
        ),
        source(
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
