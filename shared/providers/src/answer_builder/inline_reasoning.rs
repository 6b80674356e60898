//! Finds reasoning that a model writes into its text before the answer, between tags.

/// The tags that models put around their reasoning: the beginning and the end.
const TAGS: [(&str, &str); 8] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("[think]", "[/think]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"),
];

/// Returns how many bytes at the beginning of a text are reasoning, tags included. Reasoning without an end
/// is the whole text. One without a beginning, which some templates leave out, ends with a line that has
/// nothing but the end.
pub(super) fn length(text: &str) -> usize {
    let mut length = 0;
    while let Some(end) = block(&text[length..]) {
        length += end;
    }
    if length > 0 {
        return length;
    }
    without_beginning(text)
}

fn block(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let (open, close) = TAGS.iter().find(|(open, _)| begins(rest, open))?;
    let inside = start + open.len();
    let end = find(&text[inside..], close).map_or(text.len(), |at| inside + at + close.len());
    Some(end)
}

fn without_beginning(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim_start().starts_with("```") {
            return 0;
        }
        if TAGS
            .iter()
            .any(|(_, close)| line.trim().eq_ignore_ascii_case(close))
        {
            return at;
        }
    }
    0
}

/// Returns a block of reasoning without its tags.
pub(super) fn without_tags(block: &str) -> String {
    let mut text = block.trim();
    for (open, close) in TAGS {
        if begins(text, open) {
            text = &text[open.len()..];
        }
        let start = text.len().saturating_sub(close.len());
        if text
            .get(start..)
            .is_some_and(|end| end.eq_ignore_ascii_case(close))
        {
            text = &text[..start];
        }
    }
    text.trim().to_owned()
}

fn begins(text: &str, tag: &str) -> bool {
    text.get(..tag.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

fn find(text: &str, tag: &str) -> Option<usize> {
    text.char_indices()
        .map(|(at, _)| at)
        .find(|at| begins(&text[*at..], tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (String, &str) {
        let length = length(text);
        (without_tags(&text[..length]), text[length..].trim_start())
    }

    #[test]
    fn reasoning_at_the_beginning_is_found_in_the_tags_of_all_models() {
        for (open, close) in TAGS {
            for text in [
                format!("{open}Acme?{close}Beta."),
                format!("\n {open}\nAcme?\n\n{close}\n\nBeta."),
                format!("{}Acme?{}Beta.", open.to_uppercase(), close.to_uppercase()),
                format!("Acme?\n{close}\n\nBeta."),
            ] {
                assert_eq!(split(&text), ("Acme?".to_owned(), "Beta."), "{text}");
            }
            // Cut off while it reasoned.
            let text = format!("{open}\nAcme or B");
            assert_eq!(split(&text), ("Acme or B".to_owned(), ""), "{text}");
        }
        let twice = "<think>a</think>\n<think>b</think>\nBeta.";
        assert_eq!(split(twice).1, "Beta.");
    }

    #[test]
    fn tags_that_a_text_speaks_about_are_no_reasoning() {
        for text in [
            "",
            "Beta.",
            "Models write <think> and </think> around it.",
            "Use `<think>`:\n\n```\n</think>\n```\n",
            "1. <think>\n2. Beta",
            "<thinker>Beta</thinker>",
            "< think >Beta",
            "ß<think>",
        ] {
            assert_eq!(split(text), (String::new(), text), "{text}");
        }
    }
}
