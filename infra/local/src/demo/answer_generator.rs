//! Generating answers.

use domain::time::Day;

use super::market::{self, Brand, Market, Source};
use super::random::{SeededRandom, seed};

/// The share of refusals, in permille.
const REFUSALS: i32 = 10;
/// The share of answers without a web search, in permille.
const WITHOUT_SEARCH: i32 = 120;
/// The share of brands with a citation, in permille.
const CITED: i32 = 720;
/// The share of citations that are the brand's own site, in permille.
const OWN_SITE: i32 = 350;
/// The minimum number of brands in an answer.
const MIN_BRANDS: usize = 2;
/// The maximum number of brands in an answer.
const MAX_BRANDS: usize = 6;
/// The model whose vendor replaces it by a new version.
const REPLACED_MODEL: &str = "demo-cedar";
/// The site that is cited for a question about none of the demo's markets. The question is its title and, as
/// it is, part of its URL, so that texts of a user's own reach every place of an answer.
const QUESTION_SITE: &str = "questions.example";
/// The number of latest days of the demo's history in which the replaced model has its new version, and some
/// brands are less popular.
pub(super) const RECENT_DAYS: i32 = 14;

/// An answer, independent of how it is encoded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GeneratedAnswer {
    /// The number from which ids are built.
    pub id: u64,
    pub model: String,
    /// Unix seconds.
    pub created: i64,
    pub is_refused: bool,
    pub actions: Vec<Action>,
    /// The text. Empty if the answer was refused.
    pub passages: Vec<Passage>,
    pub input_tokens: usize,
    pub output_tokens: usize,
}

/// A use of the search tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// A search with this query.
    Search(String),
    /// A page that is opened.
    Open(String),
}

/// A part of the text, and the source that is cited at its end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Passage {
    pub text: String,
    pub source: Option<Link>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    pub domain: String,
    pub url: String,
    pub title: String,
}

impl GeneratedAnswer {
    /// Turns the answer into a refusal.
    pub(super) fn refused(self) -> Self {
        Self {
            is_refused: true,
            actions: Vec::new(),
            passages: Vec::new(),
            output_tokens: 12,
            ..self
        }
    }
}

/// The parts of a request on which the answer depends.
pub(super) struct AnswerRequest<'a> {
    pub model: &'a str,
    pub input: &'a str,
    pub day: Day,
    /// The real day on which the demo starts. What changes over time does so in the days before it.
    pub today: Day,
    /// Whether the request offers a web search tool.
    pub search: bool,
}

/// Generates the answer to a question, which is a refusal or a list of brands with citations.
pub(super) fn generate(request: &AnswerRequest<'_>) -> GeneratedAnswer {
    let mut random = SeededRandom::new(request.seed());
    if random.chance(REFUSALS) {
        return build(request, Vec::new(), Vec::new()).refused();
    }
    let market = market::find(request.input);
    let searched = !random.chance(WITHOUT_SEARCH) && request.search;
    let actions = if searched {
        actions(request, market, &mut random)
    } else {
        Vec::new()
    };
    let passages = passages(request, market, searched, &mut random);
    build(request, actions, passages)
}

/// Creates an answer with this text.
pub(super) fn with_text(request: &AnswerRequest<'_>, text: String) -> GeneratedAnswer {
    let source = None;
    build(request, Vec::new(), vec![Passage { text, source }])
}

impl AnswerRequest<'_> {
    fn seed(&self) -> u64 {
        seed(&[self.model, self.input], i64::from(self.day.0))
    }

    fn is_recent(&self) -> bool {
        self.day > self.today.plus_days(-RECENT_DAYS)
    }

    /// Returns whether the new version of the replaced model answers, which names a single brand.
    fn is_of_new_version(&self) -> bool {
        self.model == REPLACED_MODEL && self.is_recent()
    }

    fn version(&self) -> String {
        match (self.model == REPLACED_MODEL, self.is_recent()) {
            (false, _) => self.model.to_owned(),
            (true, false) => format!("{}-1", self.model),
            (true, true) => format!("{}-2", self.model),
        }
    }
}

fn build(request: &AnswerRequest<'_>, actions: Vec<Action>, passages: Vec<Passage>) -> GeneratedAnswer {
    let length: usize = passages.iter().map(|passage| passage.text.chars().count()).sum();
    GeneratedAnswer {
        id: request.seed(),
        model: request.version(),
        created: request.day.start().as_millis() / 1_000,
        is_refused: false,
        input_tokens: request.input.chars().count() / 4 + 4_000 * actions.len(),
        output_tokens: length / 4,
        actions,
        passages,
    }
}

/// Generates one to three searches, and sometimes a page that is opened.
fn actions(request: &AnswerRequest<'_>, market: &Market, random: &mut SeededRandom) -> Vec<Action> {
    let year = request.day.to_string().chars().take(4).collect::<String>();
    let product = &market.product;
    let mut actions = Vec::new();
    for _ in 0..=random.below(3) {
        let query = match random.below(6) {
            0 => format!("best {product} {year}"),
            1 => format!("best {product} for {}", random.pick(&market.buyers)),
            2 => format!("{product} comparison {}", random.pick(&market.concerns)),
            3 => format!("{product} reviews {year}"),
            4 => request.input.trim_end_matches('?').to_lowercase(),
            _ => format!("{product} {} forum", random.pick(&market.concerns)),
        };
        actions.push(Action::Search(query));
    }
    if random.chance(250)
        && let Some(source) = source(market, random)
    {
        actions.push(Action::Open(address(&source.domain, &source.path)));
    }
    actions
}

fn passages(
    request: &AnswerRequest<'_>,
    market: &'static Market,
    cites: bool,
    random: &mut SeededRandom,
) -> Vec<Passage> {
    let mut text = Text::default();
    let product = &market.product;
    let opening = random.below(3);
    if !market::is_known(request.input) {
        text.push(&format!("You asked: {}\n\n", request.input));
        if cites {
            let path = format!("/?q={}", request.input.replace(' ', "+"));
            text.cite(QUESTION_SITE, &path, request.input);
        }
    }
    text.push(&match opening {
        0 => format!("When it comes to {product}, these are the names that come up most often:\n\n"),
        1 => format!("There is no single best answer, but for {product} I would look at these first:\n\n"),
        _ => format!("Here is a short list of {product}, with what each is good at:\n\n"),
    });
    for (at, brand) in choose_brands(request, market, random).into_iter().enumerate() {
        text.push(&format!(
            "{}. **{}** {}.",
            at + 1,
            brand.name,
            random.pick(&brand.praise)
        ));
        if cites && random.chance(CITED) {
            if random.chance(OWN_SITE) && brand.has_page(request.input) {
                text.cite(&brand.domain, "/", &format!("{} – official site", brand.name));
            } else if let Some(source) = source(market, random) {
                text.cite(&source.domain, &source.path, &source.title);
            }
        }
        text.push("\n");
    }
    text.push(&format!(
        "\nFor {}, compare {} before you decide.",
        random.pick(&market.buyers),
        random.pick(&market.concerns)
    ));
    if cites && let Some(source) = source(market, random) {
        text.cite(&source.domain, &source.path, &source.title);
    }
    text.passages
}

/// A brand that can be in an answer.
struct RankedBrand {
    /// The brand's rank. Brands with higher ranks come first.
    rank: i32,
    chosen: bool,
    brand: &'static Brand,
}

/// Chooses the brands of an answer. Brands with a higher chance tend to come first.
fn choose_brands(
    request: &AnswerRequest<'_>,
    market: &'static Market,
    random: &mut SeededRandom,
) -> Vec<&'static Brand> {
    let mut ranked: Vec<RankedBrand> = market
        .brands
        .iter()
        .filter(|brand| brand.is_known(request.model, request.input))
        .map(|brand| {
            let mut chance = brand.chance(request.model, request.input, request.day.0);
            if request.is_recent() {
                chance -= brand.recent_loss;
            }
            // The new version of the replaced model prefers no brand to another.
            let is_chosen = random.chance(chance);
            let (chosen, luck_range) = if request.is_of_new_version() {
                (false, 100_000)
            } else {
                (is_chosen, 400)
            };
            let luck = random.below(luck_range).cast_signed();
            RankedBrand {
                rank: chance + luck,
                chosen,
                brand,
            }
        })
        .collect();
    ranked.sort_by_key(|ranked| (!ranked.chosen, -ranked.rank, &ranked.brand.name));
    let count = ranked.iter().filter(|ranked| ranked.chosen).count();
    let count = if request.is_of_new_version() {
        1
    } else {
        count.clamp(MIN_BRANDS, MAX_BRANDS)
    };
    ranked.truncate(count);
    ranked.into_iter().map(|ranked| ranked.brand).collect()
}

fn source<'a>(market: &'a Market, random: &mut SeededRandom) -> Option<&'a Source> {
    random.choose(&market.sources)
}

fn address(domain: &str, path: &str) -> String {
    format!("https://{domain}{path}")
}

/// A text under construction.
#[derive(Default)]
struct Text {
    passages: Vec<Passage>,
}

impl Text {
    /// Continues the passage, or begins one after a citation.
    fn push(&mut self, more: &str) {
        match self.passages.last_mut() {
            Some(passage) if passage.source.is_none() => passage.text.push_str(more),
            _ => self.passages.push(Passage {
                text: more.to_owned(),
                source: None,
            }),
        }
    }

    fn cite(&mut self, domain: &str, path: &str, title: &str) {
        if let Some(passage) = self.passages.last_mut() {
            passage.source = Some(Link {
                domain: domain.to_owned(),
                url: address(domain, path),
                title: title.to_owned(),
            });
        }
    }
}
