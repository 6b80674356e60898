//! Detects the language of an answer.
//!
//! The script decides where one language has it to itself. Among languages of one script, the most frequent
//! words of running text decide, each weighted by how few languages share it.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::Language;

/// The number of bytes of an answer that are read.
const MAX_BYTES: usize = 1_500;

/// The score at which the frequent words alone decide. It is about five words that only one language has.
const CLEAR_SCORE: f32 = 5.0;

/// The score that shows a language. A single word may be a name.
const MIN_SCORE: f32 = 1.0;

/// The number of words of a short text that are looked up in the lists of common words.
const MAX_LISTED_WORDS: usize = 100;

/// The frequent words of all languages with spaces, in lower case, and the languages that have them.
static FREQUENT_WORDS: LazyLock<HashMap<&'static str, Vec<Language>>> = LazyLock::new(|| {
    let mut words: HashMap<&'static str, Vec<Language>> = HashMap::new();
    for language in Language::all().filter(|language| !language.is_unspaced()) {
        for word in language.values("frequent") {
            let languages = words.entry(word).or_default();
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
    }
    words
});

/// Returns the language of `text`. Without any evidence, that is English.
pub(crate) fn detect(text: &str) -> Language {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    language_of_script(text).unwrap_or_else(|| language_of_words(text))
}

/// Returns the language that its script identifies. An answer may contain many names in Latin letters.
fn language_of_script(text: &str) -> Option<Language> {
    let [mut all, mut kana, mut han, mut hangul, mut thai] = [0usize; 5];
    let [mut hebrew, mut arabic, mut greek, mut devanagari] = [0usize; 4];
    for c in text.chars() {
        if c.is_ascii() || !c.is_alphabetic() {
            all += usize::from(c.is_ascii_alphabetic());
            continue;
        }
        all += 1;
        match u32::from(c) {
            0x3040..=0x30FF | 0xFF66..=0xFF9F => kana += 1,
            0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => han += 1,
            0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7FF => hangul += 1,
            0x0E00..=0x0E7F => thai += 1,
            0x0590..=0x05FF => hebrew += 1,
            0x0600..=0x06FF | 0xFB50..=0xFEFF => arabic += 1,
            0x0370..=0x03FF | 0x1F00..=0x1FFF => greek += 1,
            0x0900..=0x097F => devanagari += 1,
            _ => {}
        }
    }
    // A word of Chinese or Korean is as long as three letters.
    let wide = han + kana + hangul;
    let code_of_wide = match wide {
        _ if hangul * 2 > wide => "ko",
        _ if kana * 20 > wide => "ja",
        _ => "zh",
    };
    let (count, code) = [
        (3 * wide, code_of_wide),
        (thai, "th"),
        (hebrew, "he"),
        (arabic, "ar"),
        (greek, "el"),
        (devanagari, "hi"),
    ]
    .into_iter()
    .max_by_key(|(count, _)| *count)?;
    Language::of_code(code).filter(|_| count * 4 > all)
}

/// Returns the language whose frequent words the text has most of. A text with few of them, such as a table,
/// is compared with the lists of common words.
fn language_of_words(text: &str) -> Language {
    let words = || {
        let words = text.split(|c: char| !c.is_alphabetic());
        words.filter(|word| !word.is_empty())
    };
    let mut scores = Scores::default();
    let mut lower = String::new();
    for word in words() {
        lower.clear();
        if word.is_ascii() {
            lower.extend(word.chars().map(|c| c.to_ascii_lowercase()));
        } else {
            lower.push_str(&word.to_lowercase());
        }
        if let Some(languages) = FREQUENT_WORDS.get(lower.as_str()) {
            scores.add(languages);
        }
    }
    if scores.best().is_none_or(|(_, score)| score < CLEAR_SCORE) {
        let long_words = words().filter(|word| word.chars().count() > 2);
        for word in long_words.take(MAX_LISTED_WORDS).map(str::to_lowercase) {
            let has_word = |language: &Language| {
                !language.is_unspaced() && language.common_words().contains(word.as_str())
            };
            scores.add(&Language::all().filter(has_word).collect::<Vec<_>>());
        }
    }
    let is_shown = |&(_, score): &(Language, f32)| score > MIN_SCORE;
    scores
        .best()
        .filter(is_shown)
        .map_or(Language::ENGLISH, |(language, _)| language)
}

/// How much speaks for each language.
#[derive(Default)]
struct Scores(HashMap<Language, f32>);

impl Scores {
    /// Counts a word that all of `languages` have.
    fn add(&mut self, languages: &[Language]) {
        let weight = 1.0 / languages.len().max(1) as f32;
        for &language in languages {
            *self.0.entry(language).or_default() += weight;
        }
    }

    /// Returns the language with the highest score. Of equal ones, the first in the order of the languages
    /// counts.
    fn best(&self) -> Option<(Language, f32)> {
        let scores = self.0.iter().map(|(&language, &score)| (language, score));
        scores.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.0.cmp(&a.0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_sentences_show_their_language() {
        for (code, text) in [
            ("en", "Notion is a good tool for small teams."),
            ("de", "Für kleine Teams ist Notion eine gute Wahl."),
            ("fr", "Pour une petite équipe, Notion est un bon choix."),
            ("es", "Notion es una buena opción para equipos pequeños."),
            ("pt", "O Notion é uma boa opção para equipes pequenas."),
            ("sv", "Notion är ett bra val för små team."),
            ("da", "Notion er et godt valg til små teams, og det er ikke dyrt."),
            ("pl", "Notion to dobry wybór dla małych zespołów."),
            ("ru", "Для небольших команд подойдёт Notion."),
            ("uk", "Для невеликих команд підійде Notion, але це не дешево."),
            ("zh", "小团队可以使用Notion。"),
            ("ja", "小さなチームにはNotionがおすすめです。"),
            ("ko", "작은 팀에는 Notion이 좋습니다."),
            ("en", ""),
        ] {
            assert_eq!(detect(text).code(), code, "{text}");
        }
    }
}
