//! Computes the counts of `/trends/compare` from the scanned responses.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use acceptance::SeededRng;
use domain::limits::{MAX_COMPARED_RIVALS, MIN_COMPARED_ANSWERS};
use domain::ordinal::BrandOrdinal;
use domain::time::Day;
use serde_json::{Value, json};

use super::random_workspace::{RecordedData, RecordedResponse};
use super::scan::{ResponseScan, urls};
use super::scanned_responses::percent;
use super::{Comparison, Question};

/// The id of a prompt and the UUID of a model.
type Pair = (String, String);
type Answers<'a> = BTreeMap<Pair, Vec<&'a RecordedResponse>>;

/// The answers of both windows, the base first.
struct ScannedWindows<'a> {
    scans: [ResponseScan<'a>; 2],
    answers: [Answers<'a>; 2],
    compared: BTreeSet<Pair>,
}

/// A count, and what it is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts(u64, u64);

impl<'a> ScannedWindows<'a> {
    fn new(data: &'a RecordedData, windows: &'a [Question; 2]) -> Self {
        let scans = windows.each_ref().map(|window| ResponseScan::new(data, window));
        let answers = scans.each_ref().map(|scan| {
            let mut answers = Answers::new();
            for recorded in scan.answered() {
                let pair = (scan.prompt_id(recorded), scan.model(recorded));
                answers.entry(pair).or_default().push(recorded);
            }
            answers
        });
        let [base, window] = &answers;
        let compared = base.keys().filter(|pair| window.contains_key(pair)).cloned();
        Self {
            compared: compared.collect(),
            scans,
            answers,
        }
    }

    /// Returns the compared answers of a window.
    fn answers(&self, side: usize, is_wanted: &dyn Fn(&Pair) -> bool) -> Vec<&'a RecordedResponse> {
        let compared = self.compared.iter().filter(|pair| is_wanted(pair));
        compared
            .flat_map(|pair| self.answers[side][pair].iter().copied())
            .collect()
    }

    fn is_own(&self, recorded: &RecordedResponse) -> bool {
        self.scans[0].position(recorded).is_some()
    }

    /// Returns the rows of the other brands that an answer mentions, by the first ordinal of each row.
    fn others(&self, recorded: &RecordedResponse) -> BTreeSet<String> {
        let (scan, own) = (&self.scans[0], self.scans[0].own());
        let others = recorded
            .response
            .brands
            .iter()
            .filter(|brand| !own.contains(brand));
        others.map(|brand| row(scan, *brand)).collect()
    }

    fn visibility(&self, recorded: &RecordedResponse) -> Counts {
        Counts(u64::from(self.is_own(recorded)), 1)
    }

    fn voice(&self, recorded: &RecordedResponse) -> Counts {
        let own = u64::from(self.is_own(recorded));
        Counts(own, own + self.others(recorded).len() as u64)
    }

    /// Returns whether a window names nobody else while the workspace tracks nobody else: a share of voice
    /// would be 100 % of nothing.
    fn is_alone(&self) -> bool {
        let names_others = |side| {
            let answers = self.answers(side, &|_| true);
            answers.iter().any(|recorded| !self.others(recorded).is_empty())
        };
        let has_rivals = self.scans[0].has_other_trackings() || names_others(0) && names_others(1);
        !has_rivals
    }

    fn against(&self, recorded: &RecordedResponse, rival: &str) -> Counts {
        let own = u64::from(self.is_own(recorded));
        Counts(own, own + u64::from(self.others(recorded).contains(rival)))
    }

    fn citations(&self, recorded: &RecordedResponse) -> Counts {
        let scan = &self.scans[0];
        let own = scan.own();
        let own: BTreeSet<&str> = (scan.data.brands.values())
            .filter(|brand| own.contains(&brand.ordinal))
            .filter_map(|brand| brand.domain.as_deref())
            .collect();
        let cited = urls(recorded);
        let is_own = |url: &&domain::citation::CanonicalUrl| own.contains(url.registrable());
        Counts(cited.iter().filter(is_own).count() as u64, cited.len() as u64)
    }

    /// Returns what has answers and is not compared, each with the reason.
    fn left_out(&self) -> Value {
        let reason =
            |is_it: &dyn Fn(&Pair) -> bool| match self.answers.each_ref().map(|of| of.keys().any(is_it)) {
                [true, true] => "no_common_answers",
                [true, false] => "no_answers_in_window",
                _ => "no_answers_in_base",
            };
        let all: BTreeSet<&Pair> = self.answers.iter().flat_map(BTreeMap::keys).collect();
        let compared_prompts: BTreeSet<&String> = self.compared.iter().map(|(prompt, _)| prompt).collect();
        let compared_models: BTreeSet<&String> = self.compared.iter().map(|(_, model)| model).collect();
        let prompts: BTreeSet<&String> = all.iter().map(|(prompt, _)| prompt).collect();
        let models: BTreeSet<&String> = all.iter().map(|(_, model)| model).collect();
        let prompts = prompts
            .difference(&compared_prompts)
            .map(|prompt| json!({"promptId": prompt, "reason": reason(&|(of, _)| of == *prompt)}));
        let models = models
            .difference(&compared_models)
            .map(|model| json!({"modelId": model, "reason": reason(&|(_, of)| of == *model)}));
        let pairs = all.iter().filter(|pair| {
            compared_prompts.contains(&pair.0)
                && compared_models.contains(&pair.1)
                && !self.compared.contains(**pair)
        });
        let pairs = pairs
            .map(|pair| json!({"promptId": pair.0, "modelId": pair.1, "reason": reason(&|of| of == *pair)}));
        let lists = [prompts.collect::<Vec<_>>(), models.collect(), pairs.collect()];
        let [prompts, models, pairs] = lists.map(sorted);
        json!({"prompts": prompts, "models": models, "pairs": pairs})
    }
}

/// Returns the UUID of the row as which a brand is shown.
fn row(scan: &ResponseScan<'_>, brand: BrandOrdinal) -> String {
    let known = scan.data.brands.iter().find(|(_, known)| known.ordinal == brand);
    known.map_or_else(
        || brand.to_string(),
        |(uuid, known)| scan.shown(*uuid, known.domain.as_deref()).uuid,
    )
}

fn sorted(mut rows: Vec<Value>) -> Vec<Value> {
    rows.sort_by_key(ToString::to_string);
    rows
}

/// The names of the two counts of a figure.
type Fields = [&'static str; 2];
const VISIBILITY: Fields = ["mentions", "responses"];
const VOICE: Fields = ["mentions", "totalMentions"];
const CITATIONS: Fields = ["ownCitations", "totalCitations"];

impl Comparison<'_> {
    /// Compares `/trends/compare` with the scan, for a random base.
    pub(super) async fn windows(&self, data: &RecordedData, question: &Question, rng: &mut SeededRng) {
        let days = question.last.0 - question.first.0;
        let mut base = Question {
            first: question.first.plus_days(-1 - days),
            last: question.first.plus_days(-1),
            ..question.clone()
        };
        let mut more = String::new();
        if rng.chance(50) {
            base.last = base.last.plus_days(-i32::try_from(rng.below(5)).unwrap());
            base.first = base.last.plus_days(-i32::try_from(rng.below(40)).unwrap());
            more = format!("&baseStartDate={}&baseEndDate={}", base.first, base.last);
        }
        let windows = [base, question.clone()];
        let scanned = ScannedWindows::new(data, &windows);
        let found = self.get("/trends/compare", &more).await;
        let found = &found["data"];
        let shown =
            |first: Day, last: Day| json!({"startDate": first.to_string(), "endDate": last.to_string()});
        for (name, window) in ["base", "window"].into_iter().zip(&windows) {
            assert_eq!(found[name], shown(window.first, window.last), "{}", self.shown);
        }
        let visibility = |recorded: &RecordedResponse| scanned.visibility(recorded);
        for (side, name) in ["base", "window"].into_iter().enumerate() {
            let all = &found["allAnswers"][name];
            let answers: Vec<&RecordedResponse> = scanned.scans[side].answered().collect();
            let mentions = answers.iter().filter(|recorded| scanned.is_own(recorded)).count();
            let counts = (&all["mentions"], &all["responses"]);
            assert_eq!(
                counts,
                (&json!(mentions), &json!(answers.len())),
                "{}",
                self.shown
            );
        }
        self.slices(found, &scanned, VISIBILITY, &visibility);
        let voice = |recorded: &RecordedResponse| scanned.voice(recorded);
        self.slices(&found["shareOfVoice"], &scanned, VOICE, &voice);
        let citations = |recorded: &RecordedResponse| scanned.citations(recorded);
        self.slices(&found["citations"], &scanned, CITATIONS, &citations);
        self.rivals(&found["shareOfVoice"]["byRival"], &scanned);
        let mut left_out = found["leftOut"].clone();
        for (_, rows) in left_out.as_object_mut().unwrap() {
            *rows = sorted(rows.as_array().unwrap().clone()).into();
        }
        assert_eq!(left_out, scanned.left_out(), "{} {more}", self.shown);
    }

    /// Compares a figure in all answers and in each slice.
    fn slices(
        &self,
        found: &Value,
        scanned: &ScannedWindows<'_>,
        fields: Fields,
        count: &dyn Fn(&RecordedResponse) -> Counts,
    ) {
        self.counts(&found["comparison"], scanned, fields, count, &|_| true);
        let rows = |name: &str| found[name].as_array().unwrap().clone();
        let prompts: BTreeSet<&str> = scanned
            .compared
            .iter()
            .map(|(prompt, _)| prompt.as_str())
            .collect();
        let models: BTreeSet<&str> = scanned.compared.iter().map(|(_, model)| model.as_str()).collect();
        assert_eq!(rows("byPrompt").len(), prompts.len(), "{}", self.shown);
        for row in rows("byPrompt") {
            let id = row["promptId"].as_str().unwrap();
            assert!(prompts.contains(id), "{}", self.shown);
            self.counts(&row, scanned, fields, count, &|(prompt, _)| prompt == id);
        }
        assert_eq!(rows("byModel").len(), models.len(), "{}", self.shown);
        for row in rows("byModel") {
            let id = row["modelId"].as_str().unwrap();
            assert!(models.contains(id), "{}", self.shown);
            self.counts(&row, scanned, fields, count, &|(_, model)| model == id);
        }
        let mut tagged: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for recorded in scanned.answers(1, &|_| true) {
            let scan = &scanned.scans[1];
            for tag in &scan.prompt(recorded).tags {
                tagged
                    .entry(tag.to_string())
                    .or_default()
                    .insert(scan.prompt_id(recorded));
            }
        }
        assert_eq!(rows("byTag").len(), tagged.len(), "{}", self.shown);
        for row in rows("byTag") {
            let prompts = &tagged[row["tagId"].as_str().unwrap()];
            self.counts(&row, scanned, fields, count, &|(prompt, _)| {
                prompts.contains(prompt)
            });
        }
    }

    /// Compares the counts of both windows, and whether there are enough for a verdict.
    fn counts(
        &self,
        found: &Value,
        scanned: &ScannedWindows<'_>,
        fields: Fields,
        count: &dyn Fn(&RecordedResponse) -> Counts,
        is_wanted: &dyn Fn(&Pair) -> bool,
    ) {
        let mut has_enough = true;
        for (side, name) in ["base", "window"].into_iter().enumerate() {
            let answers = scanned.answers(side, is_wanted);
            let sum = answers.iter().fold(Counts::default(), |sum, recorded| {
                let counts = count(recorded);
                Counts(sum.0 + counts.0, sum.1 + counts.1)
            });
            let seen = fields.map(|field| found[name][field].as_u64().unwrap());
            assert_eq!(seen, [sum.0, sum.1], "{name} of {found} {}", self.shown);
            if fields == VOICE {
                let share = percent(sum.0, sum.1).filter(|_| !scanned.is_alone());
                assert_eq!(found[name]["shareOfVoice"], json!(share), "{name} {}", self.shown);
            }
            has_enough &= sum.1 >= MIN_COMPARED_ANSWERS;
        }
        let (verdict, reason) = (&found["verdict"], &found["reason"]);
        if fields == VOICE && scanned.is_alone() {
            assert_eq!((verdict, reason), (&json!("not_comparable"), &json!("no_rivals")));
        } else if !has_enough {
            assert_eq!(verdict, "too_few_answers", "{found} {}", self.shown);
        }
        let is_compared = verdict != "too_few_answers" && reason != "no_rivals";
        for field in ["change", "changeInterval", "pValue"] {
            assert_eq!(found[field].is_null(), !is_compared, "{field} {}", self.shown);
        }
        assert!(reason.is_null() || verdict == "not_comparable", "{}", self.shown);
    }

    fn rivals(&self, found: &Value, scanned: &ScannedWindows<'_>) {
        let mut mentions: BTreeMap<String, u64> = BTreeMap::new();
        for recorded in [0, 1]
            .into_iter()
            .flat_map(|side| scanned.answers(side, &|_| true))
        {
            for rival in scanned.others(recorded) {
                *mentions.entry(rival).or_default() += 1;
            }
        }
        let found = found.as_array().unwrap();
        let seen = found
            .iter()
            .map(|row| mentions[row["entityUuid"].as_str().unwrap()]);
        let seen: Vec<u64> = seen.collect();
        let mut expected: Vec<u64> = mentions.values().copied().collect();
        expected.sort_by_key(|mentions| Reverse(*mentions));
        expected.truncate(MAX_COMPARED_RIVALS);
        assert_eq!(seen, expected, "the most mentioned come first, {}", self.shown);
        for row in found {
            let rival = row["entityUuid"].as_str().unwrap();
            self.counts(
                row,
                scanned,
                VOICE,
                &|recorded| scanned.against(recorded, rival),
                &|_| true,
            );
        }
    }
}
