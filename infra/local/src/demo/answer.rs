//! Composes answers.

use domain::answer::End;
use domain::time::Day;

use super::composed::{Action, Composed, Link, Passage};
use super::dice::{Dice, seed};
use super::market::{self, Brand, Market, Source};

/// Of 1,000 answers, how many are refusals, how many come from memory, and how many list brands cite each one.
const REFUSED: i32 = 10;
const FROM_MEMORY: i32 = 120;
const CITED: i32 = 720;
const OWN_SITE: i32 = 350;
/// Brands that an answer lists at least and at most.
const FEWEST: usize = 2;
const MOST: usize = 6;

/// One request, as far as the answer depends on it.
pub(super) struct Asked<'a> {
    pub model: &'a str,
    pub input: &'a str,
    pub day: Day,
    /// Whether the request offers a web search tool.
    pub search: bool,
}

/// The answer to a question: a refusal, or a market's brands in a list with citations.
pub(super) fn compose(asked: &Asked<'_>) -> Composed {
    let mut dice = Dice::new(asked.seed());
    if dice.chance(REFUSED) {
        return composed(asked, Vec::new(), Vec::new()).refused();
    }
    let market = market::of(asked.input);
    let searched = !dice.chance(FROM_MEMORY) && asked.search;
    let actions = if searched {
        actions(asked, market, &mut dice)
    } else {
        Vec::new()
    };
    let passages = passages(asked, market, searched, &mut dice);
    composed(asked, actions, passages)
}

/// An answer whose whole text is given.
pub(super) fn plain(asked: &Asked<'_>, text: String) -> Composed {
    let source = None;
    composed(asked, Vec::new(), vec![Passage { text, source }])
}

impl Asked<'_> {
    fn seed(&self) -> u64 {
        seed(&[self.model, self.input], i64::from(self.day.0))
    }
}

fn composed(asked: &Asked<'_>, actions: Vec<Action>, passages: Vec<Passage>) -> Composed {
    let length: usize = passages.iter().map(|passage| passage.text.chars().count()).sum();
    Composed {
        id: asked.seed(),
        model: asked.model.to_owned(),
        created: asked.day.start().as_millis() / 1_000,
        end: End::Complete,
        input_tokens: asked.input.chars().count() / 4 + 4_000 * actions.len(),
        output_tokens: length / 4,
        actions,
        passages,
    }
}

/// One to three searches, and now and then a page that is opened.
fn actions(asked: &Asked<'_>, market: &Market, dice: &mut Dice) -> Vec<Action> {
    let year = asked.day.to_string().chars().take(4).collect::<String>();
    let thing = market.thing;
    let mut actions = Vec::new();
    for _ in 0..=dice.below(3) {
        let query = match dice.below(6) {
            0 => format!("best {thing} {year}"),
            1 => format!("best {thing} for {}", dice.pick(market.buyers)),
            2 => format!("{thing} comparison {}", dice.pick(market.concerns)),
            3 => format!("{thing} reviews {year}"),
            4 => asked.input.trim_end_matches('?').to_lowercase(),
            _ => format!("{thing} {} forum", dice.pick(market.concerns)),
        };
        actions.push(Action::Search(query));
    }
    if dice.chance(250)
        && let Some(source) = source(market, dice)
    {
        actions.push(Action::Open(address(source.domain, source.path)));
    }
    actions
}

fn passages(asked: &Asked<'_>, market: &Market, cites: bool, dice: &mut Dice) -> Vec<Passage> {
    let mut text = Text::default();
    let thing = market.thing;
    text.push(&match dice.below(3) {
        0 => format!("When it comes to {thing}, these are the names that come up most often:\n\n"),
        1 => format!("There is no single best answer, but for {thing} I would look at these first:\n\n"),
        _ => format!("Here is a short list of {thing}, with what each is good at:\n\n"),
    });
    for (at, brand) in chosen(asked, market, dice).into_iter().enumerate() {
        text.push(&format!(
            "{}. **{}** {}.",
            at + 1,
            brand.name,
            dice.pick(brand.praise)
        ));
        if cites && dice.chance(CITED) {
            if dice.chance(OWN_SITE) && brand.has_page(asked.input) {
                text.cite(brand.domain, "/", &format!("{} – official site", brand.name));
            } else if let Some(source) = source(market, dice) {
                text.cite(source.domain, source.path, source.title);
            }
        }
        text.push("\n");
    }
    text.push(&format!(
        "\nFor {}, compare {} before you decide.",
        dice.pick(market.buyers),
        dice.pick(market.concerns)
    ));
    if cites && let Some(source) = source(market, dice) {
        text.cite(source.domain, source.path, source.title);
    }
    text.passages
}

/// The brands of one answer, the likeliest mostly first.
fn chosen(asked: &Asked<'_>, market: &Market, dice: &mut Dice) -> Vec<&'static Brand> {
    let mut ranked: Vec<(i32, bool, &'static Brand)> = market
        .brands
        .iter()
        .filter(|brand| brand.comes_up(asked.model, asked.input))
        .map(|brand| {
            let chance = brand.chance(asked.model, asked.input, asked.day.0);
            let chosen = dice.chance(chance);
            let luck = dice.below(400).cast_signed();
            (chance + luck, chosen, brand)
        })
        .collect();
    ranked.sort_by_key(|(rank, chosen, brand)| (!chosen, -rank, brand.name));
    let count = ranked.iter().filter(|(_, chosen, _)| *chosen).count();
    ranked.truncate(count.clamp(FEWEST, MOST));
    ranked.into_iter().map(|(_, _, brand)| brand).collect()
}

fn source(market: &Market, dice: &mut Dice) -> Option<&'static Source> {
    let sides = u32::try_from(market.sources.len()).unwrap_or(0);
    market.sources.get(dice.below(sides) as usize)
}

fn address(domain: &str, path: &str) -> String {
    format!("https://{domain}{path}")
}

/// A text while it is written.
#[derive(Default)]
struct Text {
    passages: Vec<Passage>,
}

impl Text {
    /// Goes on with the passage, or begins one behind a citation.
    fn push(&mut self, more: &str) {
        match self.passages.last_mut() {
            Some(passage) if passage.source.is_none() => passage.text.push_str(more),
            _ => self.passages.push(Passage {
                text: more.to_owned(),
                source: None,
            }),
        }
    }

    fn cite(&mut self, domain: &'static str, path: &str, title: &str) {
        if let Some(passage) = self.passages.last_mut() {
            passage.source = Some(Link {
                domain,
                url: address(domain, path),
                title: title.to_owned(),
            });
        }
    }
}
