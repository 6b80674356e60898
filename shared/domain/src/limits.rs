//! The limits and durations of the service.

use std::time::Duration;

use crate::backoff::Backoff;
use crate::time::DAY;

/// The default limits of a workspace.
pub const PLAN_ENTITIES: u32 = 25;
pub const PLAN_PROMPTS: u32 = 500;
pub const PLAN_MEMBERS: u32 = 5;
pub const PLAN_CREDITS: i64 = 10_000;

/// The default rate limits, of reads and writes per API key, and of entity creations per workspace.
pub const READS_PER_MINUTE: u32 = 100;
pub const WRITES_PER_MINUTE: u32 = 20;
pub const CREATES_PER_HOUR: u32 = 10;

/// The most entities that an API key can be bound to.
pub const MAX_KEY_ENTITIES: usize = 100;

/// The maximum lengths of texts, in characters.
pub const MAX_NAME_CHARS: usize = 120;
pub const MAX_DESCRIPTION_CHARS: usize = 2_000;
pub const MAX_PROMPT_CHARS: usize = 1_000;
/// The maximum length of a domain or URL in characters, and of a stored target in bytes.
pub const MAX_TARGET_CHARS: usize = 2_048;
/// The maximum length of the reason for a name request, and of the operator's note about it.
pub const MAX_REASON_CHARS: usize = 2_000;
/// The maximum number of aliases that a client can give an entity.
pub const MAX_ALIASES: usize = 20;
/// The maximum number of aliases that a response suggests.
pub const MAX_SUGGESTED_ALIASES: usize = 5;

/// The maximum number of prompts in one request. One transaction can write them.
pub const MAX_PROMPTS_PER_REQUEST: usize = 90;
pub const MAX_PROMPT_BYTES_PER_REQUEST: usize = 200 * 1024;
/// The number of prompts that are generated if a request has none.
pub const GENERATED_PROMPTS: u32 = 10;
/// The maximum number of prompts that one request can update. Each is one action of a transaction.
pub const MAX_PROMPT_UPDATES_PER_REQUEST: usize = 100;
pub const MAX_TAGS_PER_WORKSPACE: u32 = 200;
pub const MAX_TAGS_PER_PROMPT: usize = 20;
pub const MAX_TAG_CHARS: usize = 60;
/// The maximum size of a request body in bytes.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

/// The maximum number of webhooks of a workspace. One transaction passes an event on to all of them.
pub const MAX_WEBHOOKS: u32 = 10;
/// The maximum number of entities that a webhook can be restricted to.
pub const MAX_WEBHOOK_ENTITIES: usize = 100;
/// The time for which the last secret of a webhook stays valid after a rotation.
pub const SECRET_OVERLAP: Duration = DAY;
/// The time for which deliveries and events that were not passed on are kept. It is longer than a delivery is
/// tried.
pub const DELIVERY_RETENTION: Duration = Duration::from_hours(7 * 24);
/// The time after which a receiver that has accepted nothing is not sent to any more.
pub const DISABLED_AFTER: Duration = Duration::from_hours(5 * 24);
/// The timeout of an attempt at a delivery.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// The duration of a sender's lease on the queue of a webhook, and the time after which a sender begins no
/// further attempt.
pub const SEND_LEASE: Duration = Duration::from_mins(2);
pub const SEND_STEP: Duration = Duration::from_mins(1);
/// The number of attempts in a row that a receiver can let fail before the sender leaves the other deliveries
/// for later.
pub const SEND_FAILURES_IN_A_ROW: u32 = 3;
/// The number of days of checks below which a balance of credits is low.
pub const CREDITS_LOW_DAYS: i64 = 7;

/// The time for which a request with the same `Idempotency-Key` gets the recorded response.
pub const IDEMPOTENCY_WINDOW: Duration = DAY;
/// The maximum length of an `Idempotency-Key`, in characters.
pub const MAX_IDEMPOTENCY_KEY_CHARS: usize = 255;

/// The number of domains in a citation trend.
pub const DEFAULT_TOP_DOMAINS: usize = 10;
pub const MAX_TOP_DOMAINS: usize = 20;

/// The number of rows on a page.
pub const DEFAULT_PAGE_LIMIT: usize = 20;
pub const MAX_PAGE_LIMIT: usize = 100;
/// The maximum number of rows of a CSV table.
pub const MAX_TABLE_ROWS: usize = 50_000;
/// The longest date range of an analytics request, in days.
pub const MAX_RANGE_DAYS: i32 = 366;

/// The limits of the number of members of a domain group. One transaction can replace all members of a full
/// group.
pub const MIN_GROUP_MEMBERS: usize = 2;
pub const MAX_GROUP_MEMBERS: usize = 45;
/// The maximum number of groups and members with the same scope. One transaction can delete them with the
/// entity.
pub const MAX_SCOPED_GROUP_ITEMS: usize = 50;

/// The hours between the checks of an entity.
pub const DEFAULT_FREQUENCY_HOURS: u32 = 24;
pub const MAX_FREQUENCY_HOURS: u32 = 720;

/// The maximum size in bytes of the JSON of a plan that is stored uncompressed, and of any plan.
pub const MAX_PLAIN_PLAN_BYTES: usize = 64 * 1024;
pub const MAX_PLAN_BYTES: usize = 16 * 1024 * 1024;
/// The maximum size of a compressed plan in bytes. It fits into an item, and the item into a transaction with
/// those of its check.
pub const MAX_STORED_PLAN_BYTES: usize = 384 * 1024;

/// The number of checks of an entity in a UTC day from which requests for further checks are refused. The
/// checks of a month fit into one index item.
pub const MAX_CHECKS_PER_DAY: u32 = 64;

/// The time from the first question of a check's latest shard to the check's deadline.
pub const CHECK_DEADLINE: Duration = Duration::from_mins(120);
/// The time after the first question of a check at which what has been answered is folded into facts.
pub const INTERIM_FOLD_AFTER: Duration = Duration::from_mins(10);
/// The number of workspaces whose first due check an admission compares.
pub const MAX_ADMITTED_WORKSPACES: usize = 100;
/// The time from the claim of a check to its first reconciliation.
pub const FIRST_RECONCILIATION: Duration = Duration::from_mins(5);
/// The maximum time between two reconciliations of a check.
pub const MAX_RECONCILIATION_INTERVAL: Duration = Duration::from_mins(20);
/// The time after which a reconciliation publishes a shard again that was published and that nobody has taken
/// up, although workers are idle.
pub const SHARD_REPUBLICATION: Duration = Duration::from_mins(5);
/// The time after which a published shard counts as lost even if all workers are busy. The queue is short,
/// and a worker works on a shard for at most 15 minutes.
pub const MAX_QUEUE_WAIT: Duration = Duration::from_mins(40);
/// The time after which a due check slot, reconciliation or deadline counts as overdue.
pub const OVERDUE_AFTER: Duration = Duration::from_mins(10);
/// The duration of a shard's lease, and the time after which its worker renews it.
pub const LEASE: Duration = Duration::from_secs(150);
pub const LEASE_RENEWAL: Duration = Duration::from_secs(40);
/// The duration of a worker's lease on the rereading of an entity's answers.
pub const REREADING_LEASE: Duration = Duration::from_mins(5);
/// The time and the number of answers after which a step of a rereading ends. A step reads at least one
/// check.
pub const REREADING_STEP: Duration = Duration::from_mins(1);
pub const MAX_ANSWERS_PER_REREADING_STEP: usize = 5_000;
/// The time after which a tick publishes a rereading again that was published and that nobody has taken up.
pub const REREADING_REPUBLICATION: Duration = Duration::from_mins(5);
/// The time after which a rereading looks again whether the entity's running check has ended.
pub const REREADING_RETRY: Duration = Duration::from_mins(1);
/// The maximum number of other checks of its day that the finish of a check reads again.
pub const MAX_CHECKS_REREAD_BY_FINISH: usize = 24;
/// The timeout of a question to a provider.
pub const PROVIDER_TIMEOUT: Duration = Duration::from_secs(120);
/// The timeout of the generation of prompts.
pub const GENERATION_TIMEOUT: Duration = Duration::from_secs(20);
/// The maximum time that a worker sleeps. For a longer delay it releases its shard and sets the instant to
/// continue at.
pub const MAX_SLEEP: Duration = Duration::from_secs(20);
/// The rate of requests per minute to a model of a provider that throttles and whose limit is unknown, and
/// the lowest limit.
pub const FIRST_PROVIDER_RATE: f64 = 30.0;
pub const MIN_PROVIDER_RATE: f64 = 1.0;
/// The time for which a throttled request holds all requests to its model back if the provider does not say
/// how long to wait, and the bounds of that time.
pub const PROVIDER_HOLD: Duration = Duration::from_secs(5);
pub const MIN_PROVIDER_HOLD: Duration = Duration::from_secs(3);
pub const MAX_PROVIDER_HOLD: Duration = Duration::from_mins(5);
/// The time without a throttled request after which the rate of requests to a model is not limited any more.
pub const RATE_RECOVERY: Duration = Duration::from_mins(10);
/// The maximum random delay of a shard for which no request can be reserved, so that shards do not all
/// continue at once.
pub const RATE_JITTER: Duration = Duration::from_secs(20);
/// How far the clock of another instance may be ahead. A rate window that was stored by a clock further ahead
/// does not count.
pub const MAX_CLOCK_LEAD: Duration = Duration::from_mins(2);
/// The time for which what was learnt about a provider's limit is kept.
pub const PROVIDER_RATE_RETENTION: Duration = DAY;
/// The duration of the pause of a provider whose quota is exhausted or that rejects the key.
pub const PROVIDER_PAUSE: Duration = Duration::from_mins(15);
/// The shortest time between two probes of a provider that is not paused.
pub const PROBE_INTERVAL: Duration = Duration::from_mins(15);
/// The time after which a shard retries while another shard probes its provider.
pub const PROBE_RETRY: Duration = Duration::from_secs(30);
/// The maximum random delay of shards after the end of a pause, so that they do not all start at once.
pub const PAUSE_JITTER: Duration = Duration::from_secs(30);
/// The maximum time from asking a question to recording its response.
pub const MAX_QUESTION_DURATION: Duration = PROVIDER_TIMEOUT.saturating_add(Duration::from_secs(30));
/// The delays before lost questions are asked again.
pub const LOST_QUESTION_BACKOFF: Backoff =
    Backoff::new(Duration::from_secs(4), Duration::from_secs(32)).with_jitter(0.5);
/// The maximum sizes in bytes of the stored parts of an answer. Ten such answers fit into one transaction.
pub const MAX_ANSWER_BYTES: usize = 128 * 1024;
pub const MAX_CITATION_BYTES: usize = 128 * 1024;
pub const MAX_QUERY_BYTES: usize = 32 * 1024;
pub const MAX_NARRATION_BYTES: usize = 32 * 1024;
/// The maximum length of a model's version in bytes. Longer ones are cut.
pub const MAX_MODEL_VERSION_BYTES: usize = 100;
pub const MAX_PROMPTS_PER_SHARD: usize = 25;
pub const MAX_ASKS_PER_QUESTION: u32 = 3;
/// The number of times that a question is asked to which the provider answers without a word.
pub const MAX_ASKS_OF_EMPTY_ANSWER: u32 = 2;
/// The maximum number of answers that one transaction writes.
pub const MAX_ANSWERS_PER_WRITE: usize = 10;

/// The number of shards that are worked on at a time. The operator can set it, within the bounds of SQS.
pub const DEFAULT_SHARD_CONCURRENCY: u32 = 2;
pub const MIN_SHARD_CONCURRENCY: u32 = 2;
pub const MAX_SHARD_CONCURRENCY: u32 = 1_000;

/// The number of days for which responses and checks are kept. The operator can set it.
pub const DEFAULT_RESPONSE_RETENTION_DAYS: u32 = 90;
pub const MIN_RESPONSE_RETENTION_DAYS: u32 = 30;
pub const MAX_RESPONSE_RETENTION_DAYS: u32 = 400;
/// The time for which facts and their index entries are kept.
pub const FACT_RETENTION: Duration = Duration::from_hours(400 * 24);
/// The time for which interim facts are kept. They are replaced when their check ends, and this is long
/// enough for a check that can only be finished after an outage.
pub const INTERIM_FACT_RETENTION: Duration = Duration::from_hours(7 * 24);
/// The maximum number of items that one step of an erasure ends.
pub const MAX_ITEMS_PER_ERASURE_STEP: usize = 5_000;
/// The time after which an erasure is repeated, until it finds nothing. It is longer than any step can take,
/// so that whatever a step has written that began before the deletion is found.
pub const ERASURE_REPETITION: Duration = Duration::from_mins(16);
/// The minimum time for which a cited domain can be found by its UUID. It covers the longest date range.
pub const MIN_SEEN_RETENTION: Duration = Duration::from_hours(MAX_RANGE_DAYS as u64 * 24);

/// The maximum number of active recommendations on an entity's board.
pub const MAX_ACTIVE_ACTIONABLES: usize = 30;
/// The maximum number of tasks on an entity's board.
pub const MAX_TASKS: usize = 500;
/// The time for which dismissed recommendations and done tasks are kept.
pub const CLOSED_ACTIONABLE_RETENTION: Duration = Duration::from_hours(90 * 24);
/// The maximum time after a task is done in which its cause is not recommended again.
pub const DONE_TASK_SUPPRESSION: Duration = Duration::from_hours(30 * 24);
/// The number of consecutive complete checks without its cause after which a recommendation is dismissed
/// automatically.
pub const RETIRED_AFTER: u32 = 3;
/// The maximum number of outcomes that one check records. They fit into one transaction together with a full
/// board.
pub const MAX_OUTCOMES_PER_CHECK: usize = 30;
/// The number of days that recommendations are computed from.
pub const RECOMMENDATION_DAYS: i32 = 30;
/// The number of latest days that are compared with the days before them.
pub const RECENT_DAYS: i32 = 7;
/// The minimum number of answers on each side of a comparison of two shares.
pub const MIN_COMPARED_ANSWERS: u64 = 20;
/// The maximum number of rivals with which a share of voice is compared.
pub const MAX_COMPARED_RIVALS: usize = 10;
/// The maximum number of prompts in the evidence of a recommendation. Their ids fit into a URL.
pub const MAX_EVIDENCE_PROMPTS: usize = 100;
/// The maximum number of URLs in the evidence of a recommendation, and the maximum length of each in
/// characters.
pub const MAX_EVIDENCE_URLS: usize = 5;
pub const MAX_EVIDENCE_URL_CHARS: usize = 1_000;
/// The maximum length in characters of a web search in the evidence of a recommendation. It fits into a URL.
pub const MAX_EVIDENCE_QUERY_CHARS: usize = 300;
