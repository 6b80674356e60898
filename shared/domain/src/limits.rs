//! Every limit of the service that is not a workspace's own, in one place.

use crate::time::{DAY, MINUTE, SECOND};

/// A plan's defaults (entities, prompts, team members, credits).
pub const PLAN_ENTITIES: u32 = 25;
pub const PLAN_PROMPTS: u32 = 500;
pub const PLAN_MEMBERS: u32 = 5;
pub const PLAN_CREDITS: i64 = 10_000;

/// Rates: reads and writes per key and minute, entity creations per workspace and hour.
pub const READS_PER_MINUTE: u32 = 100;
pub const WRITES_PER_MINUTE: u32 = 20;
pub const CREATES_PER_HOUR: u32 = 10;

/// Texts, in characters.
pub const MAX_NAME_CHARS: usize = 120;
pub const MAX_DESCRIPTION_CHARS: usize = 2_000;
pub const MAX_PROMPT_CHARS: usize = 1_000;
/// A domain or URL; of a target as it is stored, in bytes.
pub const MAX_TARGET_CHARS: usize = 2_048;
/// Why a name is to change, and what the operator notes about it.
pub const MAX_REASON_CHARS: usize = 2_000;
/// Aliases that a client gives an entity.
pub const MAX_ALIASES: usize = 20;

/// Prompts of one request: what one transaction holds.
pub const MAX_PROMPTS_PER_REQUEST: usize = 90;
pub const MAX_PROMPT_BYTES_PER_REQUEST: usize = 200 * 1024;
/// Prompts that are generated when none are given.
pub const GENERATED_PROMPTS: u32 = 10;
/// Prompts that one request changes: one action of a transaction each.
pub const MAX_PROMPT_UPDATES_PER_REQUEST: usize = 100;
/// Tags of a workspace, tags of a prompt, characters of a tag's name.
pub const MAX_TAGS_PER_WORKSPACE: u32 = 200;
pub const MAX_TAGS_PER_PROMPT: usize = 20;
pub const MAX_TAG_CHARS: usize = 60;
/// A request body, in bytes.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

/// How long a repeated request gets the first one's answer, in real milliseconds.
pub const IDEMPOTENCY_WINDOW: i64 = DAY;
/// An `Idempotency-Key`, in characters.
pub const MAX_IDEMPOTENCY_KEY_CHARS: usize = 255;

/// Domains of a citation trend.
pub const DEFAULT_TOP_DOMAINS: u64 = 10;
pub const MAX_TOP_DOMAINS: u64 = 20;

/// Pages.
pub const DEFAULT_PAGE_LIMIT: u32 = 20;
pub const MAX_PAGE_LIMIT: u32 = 100;
/// The longest range of an analytics question, in days.
pub const MAX_RANGE_DAYS: i32 = 366;

/// Members of a domain group: what one transaction can replace by as many others.
pub const MIN_GROUP_MEMBERS: usize = 2;
pub const MAX_GROUP_MEMBERS: usize = 45;
/// Groups of one scope and their members together: what one transaction can take away with the tracking.
pub const MAX_SCOPED_GROUP_ITEMS: usize = 50;

/// Hours between checks.
pub const DEFAULT_FREQUENCY_HOURS: u32 = 24;
pub const MAX_FREQUENCY_HOURS: u32 = 720;

/// Checks of an entity in one UTC day before no more can be asked for: with the scheduled ones a month of them fits an
/// index.
pub const MAX_CHECKS_PER_DAY: u32 = 64;

/// Real milliseconds that a request may take before it is given up: a function is stopped after 29 seconds, and then
/// nobody would be told when to try again.
pub const REQUEST_TIMEOUT: i64 = 27 * SECOND;
/// … of which it may wait so many for the event bus.
pub const PUBLISH_TIMEOUT: i64 = 5 * SECOND;

/// A check: real milliseconds.
pub const CHECK_DEADLINE: i64 = 120 * MINUTE;
pub const FIRST_RECONCILIATION: i64 = 5 * MINUTE;
pub const MAX_RECONCILIATION_INTERVAL: i64 = 20 * MINUTE;
/// How long a tick may leave what is due before it counts as overdue: a slot, a look, or the deadline of a running check.
pub const OVERDUE_AFTER: i64 = 10 * MINUTE;
pub const LEASE: i64 = 150 * SECOND;
pub const LEASE_RENEWAL: i64 = 40 * SECOND;
pub const PROVIDER_TIMEOUT: i64 = 120 * SECOND;
pub const GENERATION_TIMEOUT: i64 = 20 * SECOND;
/// A wait longer than this is an instant in the table, not a sleep.
pub const MAX_SLEEP: i64 = 20 * SECOND;
/// How long a provider whose quota is used up or whose key is refused is left alone.
pub const PROVIDER_PAUSE: i64 = 15 * MINUTE;
/// … from this many times in a row on.
pub const LONG_PAUSE_AFTER: u32 = 3;
pub const LONG_PROVIDER_PAUSE: i64 = 60 * MINUTE;
/// How soon a shard looks again while another one probes its provider, and by how much all that wait for the end of a
/// pause are spread.
pub const PROBE_RETRY: i64 = 30 * SECOND;
pub const PAUSE_JITTER: i64 = 30 * SECOND;
/// Real milliseconds that a question may need from its asking to its record.
pub const MAX_QUESTION_DURATION: i64 = PROVIDER_TIMEOUT + 30 * SECOND;
/// Real milliseconds before a lost question is asked again: doubled each time, and up to as much again.
pub const RETRY_BASE_DELAY: i64 = 2 * SECOND;
/// What is kept of an answer, in bytes: ten of them fit one transaction.
pub const MAX_ANSWER_BYTES: usize = 128 * 1024;
pub const MAX_CITATION_BYTES: usize = 128 * 1024;
pub const MAX_QUERY_BYTES: usize = 32 * 1024;
pub const MAX_PROMPTS_PER_SHARD: usize = 25;
pub const MAX_ASKS_PER_QUESTION: u32 = 3;
/// Answers written in one transaction.
pub const MAX_ANSWERS_PER_WRITE: usize = 10;

/// Days that answers are kept, with their checks: a setting of the operator's.
pub const DEFAULT_RESPONSE_RETENTION_DAYS: u32 = 90;
pub const MIN_RESPONSE_RETENTION_DAYS: u32 = 30;
pub const MAX_RESPONSE_RETENTION_DAYS: u32 = 400;
/// How long facts are kept, in service milliseconds. No setting: the index names a segment for just as long.
pub const FACT_RETENTION: i64 = 400 * DAY;
/// How long a cited domain's uuid names it at least: as long as a range shows it.
pub const MIN_SEEN_RETENTION: i64 = MAX_RANGE_DAYS as i64 * DAY;

/// The board: recommendations that wait for a decision, and tasks, of one entity.
pub const MAX_ACTIVE_ACTIONABLES: usize = 30;
pub const MAX_TASKS: usize = 500;
/// What was dismissed or is done is kept so long, in service milliseconds.
pub const CLOSED_ACTIONABLE_RETENTION: i64 = 90 * DAY;
/// How long after a task was done its cause stays away, in service milliseconds.
pub const DONE_TASKS_HOLD: i64 = 30 * DAY;
/// Complete checks in a row without its cause after which a recommendation retires.
pub const RETIRED_AFTER: u32 = 3;
/// Outcomes that one check records: with a full board of recommendations they fit one transaction.
pub const MAX_OUTCOMES_PER_CHECK: usize = 30;
/// The days that recommendations are computed from, and the latest of them, which say what is new.
pub const RECOMMENDATION_DAYS: i32 = 30;
pub const RECENT_DAYS: i32 = 7;
/// Answers on each side before two shares are compared.
pub const MIN_COMPARED_ANSWERS: u64 = 20;
/// Prompts that a recommendation names: a URL holds their ids.
pub const MAX_EVIDENCE_PROMPTS: usize = 100;
/// URLs that a recommendation names, and the characters of the longest one.
pub const MAX_EVIDENCE_URLS: usize = 5;
pub const MAX_EVIDENCE_URL_CHARS: usize = 1_000;
/// The longest web search that a recommendation is about, in characters: a URL holds it.
pub const MAX_EVIDENCE_QUERY_CHARS: usize = 300;
