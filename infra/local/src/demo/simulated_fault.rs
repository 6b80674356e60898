//! Faults that tests request by the last part of a model's name.

/// A fault of a model, by the last part of the model's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SimulatedFault {
    /// `-429`: responds with this status.
    Status(u16),
    /// `-wait30`: responds with a rate limit and a retry hint of this number of seconds.
    RateLimit(u32),
    /// `-stall`: never responds.
    Stall,
    /// `-truncated`: cuts the answer off.
    Truncated,
    /// `-refused`: refuses to answer.
    Refused,
    /// `-nonsense`: responds with a body that is not JSON.
    InvalidJson,
}

/// Splits the name of a model into the name proper and the fault.
pub(super) fn split_model(model: &str) -> (&str, Option<SimulatedFault>) {
    model
        .rsplit_once('-')
        .and_then(|(name, last)| Some((name, Some(fault(last)?))))
        .unwrap_or((model, None))
}

fn fault(word: &str) -> Option<SimulatedFault> {
    match word {
        "stall" => Some(SimulatedFault::Stall),
        "truncated" => Some(SimulatedFault::Truncated),
        "refused" => Some(SimulatedFault::Refused),
        "nonsense" => Some(SimulatedFault::InvalidJson),
        _ => match word.strip_prefix("wait") {
            Some(seconds) => seconds.parse().ok().map(SimulatedFault::RateLimit),
            None => word
                .parse()
                .ok()
                .filter(|status| (400..600).contains(status))
                .map(SimulatedFault::Status),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_a_name_decides_the_fault() {
        assert_eq!(
            split_model("demo-atlas-429"),
            ("demo-atlas", Some(SimulatedFault::Status(429)))
        );
        assert_eq!(
            split_model("demo-atlas-wait30"),
            ("demo-atlas", Some(SimulatedFault::RateLimit(30)))
        );
        assert_eq!(
            split_model("perplexity/sonar-stall"),
            ("perplexity/sonar", Some(SimulatedFault::Stall))
        );
        for name in [
            "demo-atlas",
            "grok",
            "claude-haiku-5-5",
            "gpt-5-200",
            "x-600",
            "x-wait",
            "",
        ] {
            assert_eq!(split_model(name), (name, None));
        }
    }
}
