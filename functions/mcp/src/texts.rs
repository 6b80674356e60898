//! What an assistant is told about the arguments of tools. The document describes the same parameters and
//! fields for programmers.

/// What an assistant is told about an argument.
pub(crate) const TEXTS: &[(&str, &str)] = &[
    ("entityId", "The id of the entity (a brand that is tracked), from list_entities"),
    ("period", "The last days up to today; 30d without it"),
    ("startDate", "The first UTC day, as 2026-01-31; replaces period"),
    ("endDate", "The last UTC day; replaces period"),
    ("models", "Only answers of these models, by uuid from list_models"),
    ("promptIds", "Only answers to these prompts, by id from list_prompts"),
    ("tags", "Only answers to prompts with one of these tags, by id from list_tags"),
    ("union", "Whether the answers of the other entities of its domain group count; true without it"),
    ("limit", "The most rows to return; 20 without it. If there are more, the result has nextOffset"),
    ("offset", "The number of rows to skip: nextOffset of the page before"),
    ("baseStartDate", "The first UTC day of the earlier window; the days right before without it"),
    ("baseEndDate", "The last UTC day of the earlier window"),
    ("metrics", "What to compare: visibility, shareOfVoice and citations, separated by commas; all without it"),
    ("citedEntityUuid", "The entityUuid of the domain, from cited_domains"),
    ("topN", "The number of domains; 10 without it"),
    ("search", "Only searches that contain this text"),
    ("responseId", "The responseId, from list_answers"),
    ("status", "Only recommendations with this status"),
    ("evidence", "Whether each row has its evidence and outcome (metadata), which is long; false without it"),
    ("actionableId", "The id of the recommendation, from recommendations"),
    ("assignees", "The user ids of the members who work on it; nobody without it"),
    ("taskId", "The id of the task, from recommendations"),
    ("prompts", "The questions"),
    ("language", "Their language, as en or pt-BR; the entity's without it"),
    ("geolocation", "Their country, as us, or global; the entity's without it"),
];
