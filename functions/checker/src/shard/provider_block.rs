//! Why a provider does not accept questions.

/// Why a provider does not accept questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProviderBlock {
    /// The provider is busy. The model gets no questions for `delay` real milliseconds.
    Busy { delay: i64, reason: String },
    /// The provider refuses the account: the quota is used up or the key is invalid. None of its models gets questions.
    Refused { reason: String },
}

impl ProviderBlock {
    /// Whether this block takes precedence over another one of the same round.
    pub(super) fn outweighs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Busy { delay: a, .. }, Self::Busy { delay: b, .. }) => a > b,
            (Self::Refused { .. }, Self::Busy { .. }) => true,
            (_, Self::Refused { .. }) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_account_outweighs_every_delay_and_a_longer_delay_a_shorter_one() {
        let busy = |delay| ProviderBlock::Busy {
            delay,
            reason: String::new(),
        };
        let refused = ProviderBlock::Refused {
            reason: String::new(),
        };
        assert!(busy(2).outweighs(&busy(1)) && !busy(1).outweighs(&busy(2)));
        assert!(refused.outweighs(&busy(i64::MAX)) && !busy(i64::MAX).outweighs(&refused));
        assert!(!refused.outweighs(&refused));
    }
}
