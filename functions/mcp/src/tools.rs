//! The tools, in the order in which an assistant sees them.

use api::Method::{Get, Post};
use domain::board::{ActionableStatus, TaskStatus};
use domain::limits::{DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, MAX_TOP_DOMAINS};
use domain::period::PERIODS;

use crate::tool::{Argument, Effect, Function, Kind, TakenBy, TextOrigin, Tool};

const ENTITY: Argument = Argument::required(
    "entityId",
    Kind::Text,
    "The id of the entity (a brand that is tracked), from list_entities",
);
const LIMIT: Argument = Argument::optional(
    "limit",
    Kind::Whole {
        min: 1,
        max: MAX_PAGE_LIMIT as u64,
        default: Some(DEFAULT_PAGE_LIMIT as u64),
    },
    "The most rows to return; 20 without it. If there are more, the result has nextOffset",
);
const OFFSET: Argument = Argument::optional(
    "offset",
    Kind::Whole {
        min: 0,
        max: (1 << 53) - 1,
        default: None,
    },
    "The number of rows to skip: nextOffset of the page before",
);
/// The page of a result whose endpoint returns all rows.
const LIMIT_OF_ALL: Argument = Argument {
    taken_by: TakenBy::Page,
    ..LIMIT
};
const OFFSET_IN_ALL: Argument = Argument {
    taken_by: TakenBy::Page,
    ..OFFSET
};

const PERIOD: Argument = Argument::optional(
    "period",
    Kind::Choice(&[PERIODS[0].0, PERIODS[1].0, PERIODS[2].0]),
    "The last days up to today; 30d without it",
);
const START_DATE: Argument = Argument::optional(
    "startDate",
    Kind::Text,
    "The first UTC day, as 2026-01-31; replaces period",
);
const END_DATE: Argument = Argument::optional("endDate", Kind::Text, "The last UTC day; replaces period");

/// The arguments that select the answers of the entity itself, with further ones.
macro_rules! filtered {
    ($($more:expr),* $(,)?) => {
        &[
            ENTITY,
            PERIOD,
            START_DATE,
            END_DATE,
            Argument::optional("models", Kind::Texts, "Only answers of these models, by uuid from list_models"),
            Argument::optional("promptIds", Kind::Texts, "Only answers to these prompts, by id from list_prompts"),
            Argument::optional("tags", Kind::Texts, "Only answers to prompts with one of these tags, by id from list_tags"),
            $($more,)*
        ]
    };
}

const UNION: Argument = Argument::optional(
    "union",
    Kind::Flag { default: None },
    "Whether the answers of the other entities of its domain group count; true without it",
);

pub static TOOLS: &[Tool] = &[
    Tool {
        name: "whoami",
        title: "Who am I",
        description: "Which workspace and plan does the API key belong to, may it write, and which entities does it reach? \
                      Gives the credits and limits that are left.",
        method: Get,
        path: "/workspace",
        function: Function::Workspace,
        arguments: &[],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Workspace,
    },
    Tool {
        name: "list_entities",
        title: "List entities",
        description: "Which brands are tracked? Gives the ids that the other tools take as entityId.",
        method: Get,
        path: "/entities",
        function: Function::Entities,
        arguments: &[LIMIT_OF_ALL, OFFSET_IN_ALL],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Workspace,
    },
    Tool {
        name: "list_models",
        title: "List models",
        description: "Which language models can be asked? Gives the uuids for the argument models.",
        method: Get,
        path: "/models",
        function: Function::Workspace,
        arguments: &[LIMIT_OF_ALL, OFFSET_IN_ALL],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Service,
    },
    Tool {
        name: "list_tags",
        title: "List tags",
        description: "Which tags group the prompts? Gives the ids for the argument tags.",
        method: Get,
        path: "/tags",
        function: Function::Prompts,
        arguments: &[LIMIT_OF_ALL, OFFSET_IN_ALL],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Workspace,
    },
    Tool {
        name: "list_prompts",
        title: "List prompts",
        description: "Which questions are asked about a brand, and how visible is it in the answers to each? Every rate has the number \
                      of responses and the ends of its 95 % interval.",
        method: Get,
        path: "/entities/prompts",
        function: Function::Prompts,
        arguments: filtered![LIMIT, OFFSET],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Workspace,
    },
    Tool {
        name: "overview",
        title: "Overview of all brands",
        description: "How are all tracked brands doing? Gives the state of the checks, the visibility with its 95 % interval, whether it \
                      has changed from the days before (the verdict), the share of voice, and the number of active recommendations of each. \
                      If shareOfVoiceReason is no_rivals, there is no share of voice, because nothing is known to compare the brand with.",
        method: Get,
        path: "/entities/overview",
        function: Function::Analytics,
        arguments: &[PERIOD, START_DATE, END_DATE, LIMIT, OFFSET],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "visibility",
        title: "Visibility by day",
        description: "How visible is a brand, day by day? The score is the percentage of responses that mention it, with the number of \
                      responses and the ends of its 95 % interval. To find out whether it has changed, use compare.",
        method: Get,
        path: "/trends/visibility",
        function: Function::Analytics,
        arguments: filtered![UNION],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Service,
    },
    Tool {
        name: "compare",
        title: "Compare two windows",
        description: "Did visibility, share of voice or citations really change between two windows of days? The verdict allows for \
                      chance, for changed prompts and models, and for the number of slices: up, down, no_clear_change, too_few_answers or \
                      not_comparable, whose reason is stated. Do not call a difference a change if the verdict does not.",
        method: Get,
        path: "/trends/compare",
        function: Function::Analytics,
        arguments: filtered![
            UNION,
            Argument::optional(
                "baseStartDate",
                Kind::Text,
                "The first UTC day of the earlier window; the days right before without it"
            ),
            Argument::optional(
                "baseEndDate",
                Kind::Text,
                "The last UTC day of the earlier window"
            ),
            Argument::optional(
                "metrics",
                Kind::Text,
                "What to compare: visibility, shareOfVoice and citations, separated by commas; all without it",
            ),
            LIMIT_OF_ALL,
            OFFSET_IN_ALL,
        ],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "cited_domains",
        title: "Cited domains",
        description: "Which domains do the answers cite, the most cited first? entityUuid is what cited_urls takes.",
        method: Get,
        path: "/entities/citations",
        function: Function::Analytics,
        arguments: filtered![UNION, LIMIT, OFFSET],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "cited_urls",
        title: "Cited URLs of a domain",
        description: "Which pages of a cited domain do the answers cite, the most cited first?",
        method: Get,
        path: "/entities/citations/details",
        function: Function::Analytics,
        arguments: filtered![
            UNION,
            Argument::required(
                "citedEntityUuid",
                Kind::Text,
                "The entityUuid of the domain, from cited_domains"
            ),
            LIMIT,
            OFFSET,
        ],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "citation_trend",
        title: "Citations by day",
        description: "How often are the most cited domains cited, day by day?",
        method: Get,
        path: "/trends/citations",
        function: Function::Analytics,
        arguments: filtered![
            UNION,
            Argument::optional(
                "topN",
                Kind::Whole {
                    min: 1,
                    max: MAX_TOP_DOMAINS,
                    default: None,
                },
                "The number of domains; 10 without it",
            )
        ],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "rivals",
        title: "Rivals",
        description: "Which brands do the answers mention beside this one, and what is each one's share of voice? The brand itself has \
                      a row, also without any mention. If shareOfVoiceReason is no_rivals, nothing is known to compare it with: there \
                      is no share and no rank, and a rival should be tracked first. cited_domains has the sites that are cited.",
        method: Get,
        path: "/entities/competitors",
        function: Function::Analytics,
        arguments: filtered![UNION, LIMIT, OFFSET],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "searches",
        title: "Searches of the models",
        description: "Which web searches (query fanouts) do the models run before they answer, the most frequent first?",
        method: Get,
        path: "/query-fanouts",
        function: Function::Analytics,
        arguments: filtered![
            UNION,
            Argument::optional("search", Kind::Text, "Only searches that contain this text"),
            LIMIT,
            OFFSET,
        ],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "list_answers",
        title: "List answers",
        description: "Which answers were recorded, the latest first, and does each mention the brand? read_answer gives the text of one.",
        method: Get,
        path: "/responses",
        function: Function::Analytics,
        arguments: filtered![UNION, LIMIT, OFFSET],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "read_answer",
        title: "Read an answer",
        description: "What did a model answer, word by word, with its citations and searches, and why did a name count or not?",
        method: Get,
        path: "/responses/details",
        function: Function::Analytics,
        arguments: &[Argument::required(
            "responseId",
            Kind::Text,
            "The responseId, from list_answers",
        )],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "recommendations",
        title: "Recommendations and tasks",
        description: "What should be done about a brand's visibility, on which evidence, and what is on its task board? Rows of kind \
                      actionable are recommendations, and rows of kind task are tasks. The argument evidence adds the evidence.",
        method: Get,
        path: "/entities/actions",
        function: Function::Actions,
        arguments: &[
            ENTITY,
            Argument::optional(
                "status",
                Kind::Choice(&[
                    ActionableStatus::Active.into_str(),
                    ActionableStatus::Dismissed.into_str(),
                    ActionableStatus::InTask.into_str(),
                ]),
                "Only recommendations with this status",
            ),
            Argument {
                description: "The most recommendations, and the most tasks, to return; 20 without it. If there are more, the result \
                              has nextOffset",
                ..LIMIT
            },
            OFFSET,
            Argument {
                taken_by: TakenBy::Column("metadata"),
                ..Argument::optional(
                    "evidence",
                    Kind::Flag { default: Some(false) },
                    "Whether each row has its evidence and outcome (metadata), which is long; false without it",
                )
            },
        ],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "tracking_status",
        title: "Tracking status",
        description: "Is a check running, how far is it, when is the next one, and what is wrong?",
        method: Get,
        path: "/entities/tracking-status",
        function: Function::Entities,
        arguments: &[ENTITY],
        effect: Effect::Nothing,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "create_task",
        title: "Create a task",
        description: "Puts a recommendation on the task board.",
        method: Post,
        path: "/entities/actions/create-task",
        function: Function::Actions,
        arguments: &[
            Argument::required(
                "actionableId",
                Kind::Text,
                "The id of the recommendation, from recommendations",
            ),
            Argument::optional(
                "assignees",
                Kind::Texts,
                "The user ids of the members who work on it; nobody without it",
            ),
        ],
        effect: Effect::AddsOnce,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "move_task",
        title: "Move a task",
        description: "Moves a task to another column of the board.",
        method: Post,
        path: "/entities/actions/update-status",
        function: Function::Actions,
        arguments: &[
            Argument::required("taskId", Kind::Text, "The id of the task, from recommendations"),
            Argument::required(
                "status",
                Kind::Choice(&[
                    TaskStatus::NotStarted.into_str(),
                    TaskStatus::InProgress.into_str(),
                    TaskStatus::InReview.into_str(),
                    TaskStatus::Done.into_str(),
                ]),
                "The column of the board",
            ),
        ],
        effect: Effect::Replaces,
        texts_from: TextOrigin::Service,
    },
    Tool {
        name: "run_check",
        title: "Run a check",
        description: "Asks all models all active questions about a brand now. It uses credits, one for each question and model, and \
                      tracking_status tells when it has ended.",
        method: Post,
        path: "/entities/run-check",
        function: Function::Entities,
        arguments: &[ENTITY],
        effect: Effect::Adds,
        texts_from: TextOrigin::Outside,
    },
    Tool {
        name: "add_prompts",
        title: "Add prompts",
        description: "Adds questions to a brand. Each later check asks them, which uses credits.",
        method: Post,
        path: "/entities/addprompt",
        function: Function::Prompts,
        arguments: &[
            ENTITY,
            Argument::required("prompts", Kind::Texts, "The questions"),
            Argument::optional(
                "language",
                Kind::Text,
                "Their language, as en or pt-BR; the entity's without it",
            ),
            Argument::optional(
                "geolocation",
                Kind::Text,
                "Their country, as us, or global; the entity's without it",
            ),
            Argument::optional("tags", Kind::Texts, "The ids of their tags, from list_tags"),
        ],
        effect: Effect::Adds,
        texts_from: TextOrigin::Outside,
    },
];
