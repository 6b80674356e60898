//! Composes answers in OpenAI's wire format.

use domain::time::Day;
use serde_json::{Value, json};

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

/// The response to a question: a refusal, or a market's brands in a list with citations.
pub(super) fn response(asked: &Asked<'_>) -> Value {
    let seed = asked.seed();
    let mut dice = Dice::new(seed);
    if dice.chance(REFUSED) {
        let refusal = json!({"type": "refusal", "refusal": "I'm sorry, but I can't help with that."});
        return envelope(asked, Vec::new(), &refusal, 12);
    }
    let market = market::of(asked.input);
    let searched = !dice.chance(FROM_MEMORY) && asked.search;
    let calls = if searched {
        calls(asked, market, &mut dice)
    } else {
        Vec::new()
    };
    let mut text = Text::default();
    compose(&mut text, asked, market, searched, &mut dice);
    let tokens = text.length / 4;
    let content =
        json!({"type": "output_text", "text": text.text, "annotations": text.annotations, "logprobs": []});
    envelope(asked, calls, &content, tokens)
}

/// A response whose whole text is given.
pub(super) fn plain(asked: &Asked<'_>, text: &str) -> Value {
    let content = json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []});
    envelope(asked, Vec::new(), &content, text.len() / 4)
}

impl Asked<'_> {
    fn seed(&self) -> u64 {
        seed(&[self.model, self.input], i64::from(self.day.0))
    }
}

fn envelope(asked: &Asked<'_>, calls: Vec<Value>, content: &Value, output_tokens: usize) -> Value {
    let id = asked.seed();
    let input_tokens = asked.input.chars().count() / 4 + 4_000 * calls.len();
    let mut output = calls;
    output.insert(
        0,
        json!({"type": "reasoning", "id": format!("rs_demo{id:016x}"), "summary": []}),
    );
    output.push(json!({
        "type": "message", "id": format!("msg_demo{id:016x}"), "role": "assistant", "status": "completed",
        "content": [content],
    }));
    json!({
        "id": format!("resp_demo{id:016x}"),
        "object": "response",
        "created_at": asked.day.start().0 / 1_000,
        "status": "completed",
        "model": asked.model,
        "error": null,
        "incomplete_details": null,
        "output": output,
        "usage": {
            "input_tokens": input_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": input_tokens + output_tokens,
        },
    })
}

/// One to three searches, and now and then a page that is opened.
fn calls(asked: &Asked<'_>, market: &Market, dice: &mut Dice) -> Vec<Value> {
    let year = asked.day.to_string().chars().take(4).collect::<String>();
    let thing = market.thing;
    let mut calls = Vec::new();
    let mut call = |action: Value| {
        let id = format!("ws_demo{:016x}{}", asked.seed(), calls.len());
        calls.push(json!({"type": "web_search_call", "id": id, "status": "completed", "action": action}));
    };
    for _ in 0..=dice.below(3) {
        let query = match dice.below(5) {
            0 => format!("best {thing} {year}"),
            1 => format!("best {thing} for {}", dice.pick(market.buyers)),
            2 => format!("{thing} comparison {}", dice.pick(market.concerns)),
            3 => format!("{thing} reviews {year}"),
            _ => format!("{thing} {} forum", dice.pick(market.concerns)),
        };
        call(json!({"type": "search", "query": query, "queries": [query]}));
    }
    if dice.chance(250)
        && let Some(source) = source(market, dice)
    {
        call(json!({"type": "open_page", "url": address(source.domain, source.path)}));
    }
    calls
}

fn compose(text: &mut Text, asked: &Asked<'_>, market: &Market, cites: bool, dice: &mut Dice) {
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
            if dice.chance(OWN_SITE) {
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
}

/// The brands of one answer, the likeliest mostly first.
fn chosen(asked: &Asked<'_>, market: &Market, dice: &mut Dice) -> Vec<&'static Brand> {
    let mut ranked: Vec<(i32, bool, &'static Brand)> = market
        .brands
        .iter()
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

/// A text with its citations. Offsets count characters, as OpenAI's do.
#[derive(Default)]
struct Text {
    text: String,
    length: usize,
    annotations: Vec<Value>,
}

impl Text {
    fn push(&mut self, more: &str) {
        self.text.push_str(more);
        self.length += more.chars().count();
    }

    /// Adds a link in brackets, and the citation that spans it.
    fn cite(&mut self, domain: &str, path: &str, title: &str) {
        let url = format!("{}?utm_source=openai", address(domain, path));
        self.push(" ");
        let start = self.length;
        self.push(&format!("([{domain}]({url}))"));
        self.annotations.push(json!({
            "type": "url_citation", "start_index": start, "end_index": self.length, "url": url, "title": title,
        }));
    }
}
