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
pub const NAME_CHARS: usize = 120;
pub const DESCRIPTION_CHARS: usize = 2_000;
pub const PROMPT_CHARS: usize = 1_000;
/// A domain or URL; of a target as it is stored, in bytes.
pub const TARGET_CHARS: usize = 2_048;
/// Why a name is to change, and what the operator notes about it.
pub const REASON_CHARS: usize = 2_000;
/// Aliases that a client gives an entity.
pub const ALIASES: usize = 20;

/// Prompts of one request: what one transaction holds.
pub const PROMPTS_PER_REQUEST: usize = 90;
pub const PROMPT_BYTES_PER_REQUEST: usize = 200 * 1024;
/// Prompts that are generated when none are given.
pub const GENERATED_PROMPTS: u32 = 10;
/// Prompts that one request changes: one action of a transaction each.
pub const PROMPT_UPDATES_PER_REQUEST: usize = 100;
/// Tags of a workspace, tags of a prompt, characters of a tag's name.
pub const TAGS_PER_WORKSPACE: u32 = 200;
pub const TAGS_PER_PROMPT: usize = 20;
pub const TAG_CHARS: usize = 60;
/// A request body, in bytes.
pub const BODY_BYTES: usize = 1024 * 1024;

/// How long a repeated request gets the first one's answer, in real milliseconds.
pub const ANSWER_REPEATED: i64 = DAY;
/// An `Idempotency-Key`, in characters.
pub const REQUEST_KEY_CHARS: usize = 255;

/// Domains of a citation trend.
pub const TOP_DOMAINS_DEFAULT: u64 = 10;
pub const TOP_DOMAINS_MOST: u64 = 20;

/// Pages.
pub const PAGE_LIMIT_DEFAULT: u32 = 20;
pub const PAGE_LIMIT_MOST: u32 = 100;
/// The longest range of an analytics question, in days.
pub const RANGE_DAYS: i32 = 366;

/// Members of a domain group: what one transaction can replace by as many others.
pub const GROUP_MEMBERS_LEAST: usize = 2;
pub const GROUP_MEMBERS_MOST: usize = 45;
/// Groups of one scope and their members together: what one transaction can take away with the tracking.
pub const SCOPED_GROUPS_MOST: usize = 50;

/// Hours between checks.
pub const FREQUENCY_HOURS_DEFAULT: u32 = 24;
pub const FREQUENCY_HOURS_MOST: u32 = 720;

/// Checks of an entity in one UTC day before no more can be asked for: with the scheduled ones a month of them fits an
/// index.
pub const CHECKS_PER_DAY: u32 = 64;

/// Real milliseconds that a request may take before it is given up: a function is stopped after 29 seconds, and then
/// nobody would be told when to try again.
pub const REQUEST_TIME: i64 = 27 * SECOND;
/// … of which it may wait so many for the event bus.
pub const PUBLISHING_TIME: i64 = 5 * SECOND;

/// A check: real milliseconds.
pub const CHECK_DEADLINE: i64 = 120 * MINUTE;
pub const FIRST_LOOK: i64 = 5 * MINUTE;
pub const LONGEST_LOOK: i64 = 20 * MINUTE;
/// How long a tick may leave what is due before it counts as overdue: a slot, a look, or the deadline of a running check.
pub const OVERDUE_AFTER: i64 = 10 * MINUTE;
pub const LEASE: i64 = 150 * SECOND;
pub const LEASE_RENEWAL: i64 = 40 * SECOND;
pub const PROVIDER_TIMEOUT: i64 = 120 * SECOND;
pub const GENERATION_TIMEOUT: i64 = 20 * SECOND;
/// A wait longer than this is an instant in the table, not a sleep.
pub const LONGEST_SLEEP: i64 = 20 * SECOND;
/// How long a provider whose quota is used up or whose key is refused is left alone.
pub const PROVIDER_PAUSE: i64 = 15 * MINUTE;
/// … from this many times in a row on.
pub const LONG_PAUSE_FROM: u32 = 3;
pub const LONG_PROVIDER_PAUSE: i64 = 60 * MINUTE;
/// How soon a shard looks again while another one probes its provider, and by how much all that wait for the end of a
/// pause are spread.
pub const PROBE_LOOK: i64 = 30 * SECOND;
pub const PAUSE_JITTER: i64 = 30 * SECOND;
/// Real milliseconds that a question may need from its asking to its record.
pub const QUESTION_TIME: i64 = PROVIDER_TIMEOUT + 30 * SECOND;
/// Real milliseconds before a lost question is asked again: doubled each time, and up to as much again.
pub const ASK_AGAIN: i64 = 2 * SECOND;
/// What is kept of an answer, in bytes: ten of them fit one transaction.
pub const ANSWER_BYTES: usize = 128 * 1024;
pub const CITATION_BYTES: usize = 128 * 1024;
pub const QUERY_BYTES: usize = 32 * 1024;
pub const SHARD_PROMPTS: usize = 25;
pub const ASKS_PER_QUESTION: u32 = 3;
/// Answers written in one transaction.
pub const ANSWERS_PER_WRITE: usize = 10;

/// Days that answers are kept, with their checks: a setting of the operator's.
pub const RESPONSE_DAYS_DEFAULT: u32 = 90;
pub const RESPONSE_DAYS_LEAST: u32 = 30;
pub const RESPONSE_DAYS_MOST: u32 = 400;
/// How long facts are kept, in service milliseconds. No setting: the index names a segment for just as long.
pub const FACTS_KEPT: i64 = 400 * DAY;
/// How long a cited domain's uuid names it at least: as long as a range shows it.
pub const SEEN_LEAST: i64 = RANGE_DAYS as i64 * DAY;

/// The board: recommendations that wait for a decision, and tasks, of one entity.
pub const ACTIVE_ACTIONABLES: usize = 30;
pub const TASKS: usize = 500;
/// What was dismissed or is done is kept so long, in service milliseconds.
pub const CLOSED_ACTIONABLES_KEPT: i64 = 90 * DAY;
/// How long after a task was done its cause stays away, in service milliseconds.
pub const DONE_TASKS_HOLD: i64 = 30 * DAY;
/// Complete checks in a row without its cause after which a recommendation retires.
pub const RETIRED_AFTER: u32 = 3;
/// Outcomes that one check records: with a full board of recommendations they fit one transaction.
pub const OUTCOMES_PER_CHECK: usize = 30;
/// The days that recommendations are computed from, and the latest of them, which say what is new.
pub const RECOMMENDATION_DAYS: i32 = 30;
pub const RECENT_DAYS: i32 = 7;
/// Answers on each side before two shares are compared.
pub const COMPARED_ANSWERS: u64 = 20;
/// Prompts that a recommendation names: a URL holds their ids.
pub const EVIDENCE_PROMPTS: usize = 100;
/// URLs that a recommendation names, and the characters of the longest one.
pub const EVIDENCE_URLS: usize = 5;
pub const EVIDENCE_URL_CHARS: usize = 1_000;
/// The longest web search that a recommendation is about, in characters: a URL holds it.
pub const EVIDENCE_QUERY_CHARS: usize = 300;
