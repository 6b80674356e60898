//! The tools, in the order in which an assistant sees them.

use api::Method::{Get, Post};
use api::parameters::{OPTIONAL_LIMIT, OPTIONAL_OFFSET};
use api::{Input, Kind};

use crate::tool::{Argument, Effect, Function, TakenBy, TextOrigin, Tool};

/// The page of a result whose endpoint returns all rows.
const PAGE: [Argument; 2] = [
    Argument {
        input: OPTIONAL_LIMIT,
        taken_by: TakenBy::Page,
    },
    Argument {
        input: OPTIONAL_OFFSET,
        taken_by: TakenBy::Page,
    },
];

const EVIDENCE: Argument = Argument {
    input: Input::optional("evidence", Kind::Flag, ""),
    taken_by: TakenBy::Column("metadata"),
};

/// What most tools are: questions about answers.
const QUESTION: Tool = Tool {
    name: "",
    title: "",
    description: "",
    method: Get,
    path: "",
    function: Function::Analytics,
    own: &[],
    without: &[],
    requires: &[],
    texts: &[],
    effect: Effect::Nothing,
    texts_from: TextOrigin::Outside,
};

pub static TOOLS: &[Tool] = &[
    Tool {
        name: "whoami",
        title: "Who am I",
        description: "Which workspace and plan does the API key belong to, may it write, and which entities does it reach? \
                      Gives the credits and limits that are left.",
        path: "/workspace",
        function: Function::Workspace,
        texts_from: TextOrigin::Workspace,
        ..QUESTION
    },
    Tool {
        name: "list_entities",
        title: "List entities",
        description: "Which brands are tracked? Gives the ids that the other tools take as entityId.",
        path: "/entities",
        function: Function::Entities,
        own: &PAGE,
        texts_from: TextOrigin::Workspace,
        ..QUESTION
    },
    Tool {
        name: "list_models",
        title: "List models",
        description: "Which language models can be asked? Gives the uuids for the argument models.",
        path: "/models",
        function: Function::Workspace,
        own: &PAGE,
        texts_from: TextOrigin::Service,
        ..QUESTION
    },
    Tool {
        name: "list_tags",
        title: "List tags",
        description: "Which tags group the prompts? Gives the ids for the argument tags.",
        path: "/tags",
        function: Function::Prompts,
        own: &PAGE,
        texts_from: TextOrigin::Workspace,
        ..QUESTION
    },
    Tool {
        name: "list_prompts",
        title: "List prompts",
        description: "Which questions are asked about a brand, and how visible is it in the answers to each? Every rate has the number \
                      of responses and the ends of its 95 % interval.",
        path: "/entities/prompts",
        function: Function::Prompts,
        without: &["union"],
        texts_from: TextOrigin::Workspace,
        ..QUESTION
    },
    Tool {
        name: "overview",
        title: "Overview of all brands",
        description: "How are all tracked brands doing? Gives the state of the checks, the visibility with its 95 % interval, whether it \
                      has changed from the days before (the verdict), the share of voice, and the number of active recommendations of each. \
                      If shareOfVoiceReason is no_rivals, there is no share of voice, because nothing is known to compare the brand with.",
        path: "/entities/overview",
        ..QUESTION
    },
    Tool {
        name: "visibility",
        title: "Visibility by day",
        description: "How visible is a brand, day by day? The score is the percentage of responses that mention it, with the number of \
                      responses and the ends of its 95 % interval. To find out whether it has changed, use compare.",
        path: "/trends/visibility",
        texts_from: TextOrigin::Service,
        ..QUESTION
    },
    Tool {
        name: "compare",
        title: "Compare two windows",
        description: "Did visibility, share of voice or citations really change between two windows of days? The verdict allows for \
                      chance, for changed prompts and models, and for the number of slices: up, down, no_clear_change, too_few_answers or \
                      not_comparable, whose reason is stated. Do not call a difference a change if the verdict does not.",
        path: "/trends/compare",
        own: &PAGE,
        ..QUESTION
    },
    Tool {
        name: "cited_domains",
        title: "Cited domains",
        description: "Which domains do the answers cite, the most cited first? entityUuid is what cited_urls takes.",
        path: "/entities/citations",
        ..QUESTION
    },
    Tool {
        name: "cited_urls",
        title: "Cited URLs of a domain",
        description: "Which pages of a cited domain do the answers cite, the most cited first?",
        path: "/entities/citations/details",
        ..QUESTION
    },
    Tool {
        name: "citation_trend",
        title: "Citations by day",
        description: "How often are the most cited domains cited, day by day?",
        path: "/trends/citations",
        ..QUESTION
    },
    Tool {
        name: "rivals",
        title: "Rivals",
        description: "Which brands do the answers mention beside this one, and what is each one's share of voice? The brand itself has \
                      a row, also without any mention. If shareOfVoiceReason is no_rivals, nothing is known to compare it with: there \
                      is no share and no rank, and a rival should be tracked first. cited_domains has the sites that are cited.",
        path: "/entities/competitors",
        ..QUESTION
    },
    Tool {
        name: "searches",
        title: "Searches of the models",
        description: "Which web searches (query fanouts) do the models run before they answer, the most frequent first?",
        path: "/query-fanouts",
        ..QUESTION
    },
    Tool {
        name: "list_answers",
        title: "List answers",
        description: "Which answers were recorded, the latest first, and does each mention the brand? read_answer gives the text of one.",
        path: "/responses",
        ..QUESTION
    },
    Tool {
        name: "read_answer",
        title: "Read an answer",
        description: "What did a model answer, word by word, with its citations and searches, and why did a name count or not?",
        path: "/responses/details",
        ..QUESTION
    },
    Tool {
        name: "recommendations",
        title: "Recommendations and tasks",
        description: "What should be done about a brand's visibility, on which evidence, and what is on its task board? Rows of kind \
                      actionable are recommendations, and rows of kind task are tasks. The argument evidence adds the evidence.",
        path: "/entities/actions",
        function: Function::Actions,
        own: &[EVIDENCE],
        texts: &[(
            "limit",
            "The most recommendations, and the most tasks, to return; 20 without it. If there are more, the result has nextOffset",
        )],
        ..QUESTION
    },
    Tool {
        name: "tracking_status",
        title: "Tracking status",
        description: "Is a check running, how far is it, when is the next one, and what is wrong?",
        path: "/entities/tracking-status",
        function: Function::Entities,
        ..QUESTION
    },
    Tool {
        name: "create_task",
        title: "Create a task",
        description: "Puts a recommendation on the task board.",
        method: Post,
        path: "/entities/actions/create-task",
        function: Function::Actions,
        effect: Effect::AddsOnce,
        ..QUESTION
    },
    Tool {
        name: "move_task",
        title: "Move a task",
        description: "Moves a task to another column of the board.",
        method: Post,
        path: "/entities/actions/update-status",
        function: Function::Actions,
        requires: &["status"],
        texts: &[("status", "The column of the board")],
        effect: Effect::Replaces,
        texts_from: TextOrigin::Service,
        ..QUESTION
    },
    Tool {
        name: "run_check",
        title: "Run a check",
        description: "Asks all models all active questions about a brand now. It uses credits, one for each question and model, and \
                      tracking_status tells when it has ended.",
        method: Post,
        path: "/entities/run-check",
        function: Function::Entities,
        effect: Effect::Adds,
        ..QUESTION
    },
    Tool {
        name: "add_prompts",
        title: "Add prompts",
        description: "Adds questions to a brand. Each later check asks them, which uses credits.",
        method: Post,
        path: "/entities/addprompt",
        function: Function::Prompts,
        texts: &[("tags", "The ids of their tags, from list_tags")],
        effect: Effect::Adds,
        ..QUESTION
    },
];
