//! What a model does instead of answering, for tests: its name's last part says it.

/// `demo-atlas-429` answers with that status, `-wait30` is a rate limit with a hint of 30 s, `-stall` never answers,
/// `-truncated` and `-refused` end so, and `-nonsense` is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Status(u16),
    Wait(u32),
    Stall,
    Truncated,
    Refused,
    Nonsense,
}

/// A model's name without the part that says what goes wrong.
pub(super) fn split(model: &str) -> (&str, Option<Fault>) {
    model
        .rsplit_once('-')
        .and_then(|(name, last)| Some((name, Some(fault(last)?))))
        .unwrap_or((model, None))
}

fn fault(word: &str) -> Option<Fault> {
    match word {
        "stall" => Some(Fault::Stall),
        "truncated" => Some(Fault::Truncated),
        "refused" => Some(Fault::Refused),
        "nonsense" => Some(Fault::Nonsense),
        _ => match word.strip_prefix("wait") {
            Some(seconds) => seconds.parse().ok().map(Fault::Wait),
            None => word
                .parse()
                .ok()
                .filter(|status| (400..600).contains(status))
                .map(Fault::Status),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_a_name_says_what_goes_wrong() {
        assert_eq!(split("demo-atlas-429"), ("demo-atlas", Some(Fault::Status(429))));
        assert_eq!(split("demo-atlas-wait30"), ("demo-atlas", Some(Fault::Wait(30))));
        assert_eq!(
            split("perplexity/sonar-stall"),
            ("perplexity/sonar", Some(Fault::Stall))
        );
        for sound in [
            "demo-atlas",
            "grok",
            "claude-haiku-5-5",
            "gpt-5-200",
            "x-600",
            "x-wait",
            "",
        ] {
            assert_eq!(split(sound), (sound, None));
        }
    }
}
