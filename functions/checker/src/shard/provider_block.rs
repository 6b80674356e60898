//! The reasons for which a provider does not accept questions.

use std::time::Duration;

/// A reason for which a provider does not accept questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProviderBlock {
    /// The provider is busy. The model gets no questions for `delay`.
    Busy { delay: Duration, reason: String },
    /// The provider rejects the account: the quota is used up or the key is invalid. None of its models gets
    /// questions.
    AccountRejected { reason: String },
}

impl ProviderBlock {
    /// Returns whether this block takes precedence over another one of the same round.
    pub(super) fn outweighs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Busy { delay: a, .. }, Self::Busy { delay: b, .. }) => a > b,
            (Self::AccountRejected { .. }, Self::Busy { .. }) => true,
            (_, Self::AccountRejected { .. }) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_account_outweighs_every_delay_and_a_longer_delay_a_shorter_one() {
        let busy = |delay| ProviderBlock::Busy {
            delay,
            reason: String::new(),
        };
        let rejected = ProviderBlock::AccountRejected {
            reason: String::new(),
        };
        assert!(
            busy(Duration::from_secs(2)).outweighs(&busy(Duration::from_secs(1)))
                && !busy(Duration::from_secs(1)).outweighs(&busy(Duration::from_secs(2)))
        );
        assert!(rejected.outweighs(&busy(Duration::MAX)) && !busy(Duration::MAX).outweighs(&rejected));
        assert!(!rejected.outweighs(&rejected));
    }
}
