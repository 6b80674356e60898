//! The entities of the demo workspace: two competitors in one market and a brand in another. In the last two
//! weeks Plandriva has lost visibility, Kanboro has not changed, and one of the models that are asked about
//! Stridara has a new version.

/// A brand to track, and what to ask about it.
#[derive(Debug, Clone, Copy)]
pub struct DemoEntity {
    pub name: &'static str,
    pub domain: &'static str,
    pub description: &'static str,
    pub prompts: &'static [&'static str],
}

/// The rivals that the demo workspace knows and asks nothing about. Their mentions are read in the answers
/// about the others.
pub const RIVALS: &[DemoEntity] = &[
    DemoEntity {
        name: "Pacefell",
        domain: "pacefell.example",
        description: "Light running shoes for races and fast days.",
        prompts: &[],
    },
    DemoEntity {
        name: "Trailmora",
        domain: "trailmora.example",
        description: "Running shoes for trails and rough ground.",
        prompts: &[],
    },
];

/// The entities of the demo workspace. All of them use English and the geolocation `global`.
pub const ENTITIES: &[DemoEntity] = &[
    DemoEntity {
        name: "Plandriva",
        domain: "plandriva.example",
        description: "Project management software with timelines, boards and goals in one workspace.",
        prompts: &[
            "What is the best project management software for small teams?",
            "Which project management tool should a marketing agency use?",
            "What are good project management tools with Gantt charts?",
            "Which project management software has the best free plan?",
            "How do remote teams plan projects together?",
            "Which task management app works for a growing startup?",
            "What should I look for when choosing project planning software?",
            "Which project management tools integrate time tracking?",
        ],
    },
    DemoEntity {
        name: "Kanboro",
        domain: "kanboro.example",
        description: "Kanban boards for teams: simple, fast, free for small projects.",
        prompts: &[
            "What is the best kanban board tool?",
            "Which kanban software is free for small teams?",
            "What is the easiest task board for a new team?",
            "Which tools are good for sprint planning and backlog management?",
            "How can a software team keep track of its tasks?",
            "Which project boards do developers recommend?",
            "What is a simple alternative to complex project management software?",
            "Which project management software is best for non-profits?",
        ],
    },
    DemoEntity {
        name: "Stridara",
        domain: "stridara.example",
        description: "Running shoes for road and trail, from first miles to marathon.",
        prompts: &[
            "What are the best running shoes for beginners?",
            "Which running shoes are best for a marathon?",
            "What running shoes do podiatrists recommend for flat feet?",
            "Which running shoes last the longest?",
            "What are good running shoes for wide feet?",
            "Which shoes are best for daily running on the road?",
            "What are the most comfortable running shoes for heavy runners?",
            "Which trail running shoes have the best grip in the rain?",
        ],
    },
];
