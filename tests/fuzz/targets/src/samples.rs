//! The repository's own samples, which are the base of the seeds.

/// A recorded answer of each provider.
pub(crate) const FIXTURES: [(&str, &str); 6] = [
    (
        "openai",
        include_str!("../../../../shared/providers/fixtures/openai-search.json"),
    ),
    (
        "anthropic",
        include_str!("../../../../shared/providers/fixtures/anthropic-search.json"),
    ),
    (
        "gemini",
        include_str!("../../../../shared/providers/fixtures/gemini-search.json"),
    ),
    (
        "perplexity",
        include_str!("../../../../shared/providers/fixtures/perplexity-search.json"),
    ),
    (
        "xai",
        include_str!("../../../../shared/providers/fixtures/xai-search.json"),
    ),
    (
        "mistral",
        include_str!("../../../../shared/providers/fixtures/mistral-search.json"),
    ),
];

/// The recorded errors, by provider.
pub(crate) const ERRORS: &str = include_str!("../../../../shared/providers/fixtures/errors.json");

/// Events that API Gateway delivers.
pub(crate) const API_EVENTS: [&str; 2] = [
    include_str!("../../../../infra/events/api-get.json"),
    include_str!("../../../../infra/events/api-post.json"),
];

/// Events that the schedule and the queue deliver.
pub(crate) const CHECK_EVENTS: [&str; 7] = [
    include_str!("../../../../infra/events/tick.json"),
    include_str!("../../../../infra/events/check-claimed.json"),
    include_str!("../../../../infra/events/shard-ready.json"),
    include_str!("../../../../infra/events/check-answered.json"),
    include_str!("../../../../infra/events/check-wanted.json"),
    include_str!("../../../../infra/events/entity-deleted.json"),
    include_str!("../../../../infra/events/rereading-due.json"),
];

/// Request bodies.
pub(crate) const BODIES: [&str; 7] = [
    r#"{"name":"Demand IQ","domain":"demand-iq.com","models":["b45d1dea-2ffa-5a6d-824d-7b744e4660af"],"language":"en","geolocation":"us","prompts":["Which solar tools?",{"prompt":"Welche?","language":"de"}],"generatePrompts":false,"startTracking":true}"#,
    r#"{"entityId":"7Hq2bT9xKc4LmZ0p","target":"https://www.example.com/Shop/","description":"d","aliases":["A","Ａ"],"isActive":false,"frequencyHours":24}"#,
    r#"{"updates":[{"promptId":"7Hq2bT9xKc4LmZ0p-p1","prompt":"Which?","language":null,"tags":[]},{"promptId":"7Hq2bT9xKc4LmZ0p-p2","isActive":true}]}"#,
    r#"{"primaryEntity":"7Hq2bT9xKc4LmZ0p","entities":["7Hq2bT9xKc4LmZ0p","7dea88c1-f321-5f64-bd14-a25dfce7807a"],"name":"Group"}"#,
    r#"{"taskId":"7Hq2bT9xKc4LmZ0p-t1","status":"done"}"#,
    r#"{"actionableId":"7Hq2bT9xKc4LmZ0p-a1","assignees":["7dea88c1-f321-5f64-bd14-a25dfce7807a"]}"#,
    r#"{"entityId":"7Hq2bT9xKc4LmZ0p","suggestedName":"Other","reason":"Because"}"#,
];
