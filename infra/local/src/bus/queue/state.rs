//! The messages of a queue by state.

use std::collections::VecDeque;

use tokio::time::Instant;

use super::settings::{DeadLetter, Depth};
use crate::bus::message::Message;

/// The messages of a queue. Each message is in exactly one of the states.
#[derive(Default)]
pub(super) struct QueueState {
    pub(super) visible: VecDeque<Message>,
    /// Failed messages, each with the instant at which it becomes visible again, in that order.
    pub(super) delayed: VecDeque<(Instant, Message)>,
    pub(super) in_flight: usize,
    pub(super) running: usize,
    pub(super) dead_letters: VecDeque<DeadLetter>,
    pub(super) dead_letter_count: usize,
    pub(super) is_closing: bool,
}

impl QueueState {
    pub(super) fn is_idle(&self) -> bool {
        self.visible.is_empty() && self.delayed.is_empty() && self.in_flight == 0
    }

    pub(super) fn depth(&self) -> Depth {
        Depth {
            visible: self.visible.len(),
            delayed: self.delayed.len(),
            in_flight: self.in_flight,
            dead_letters: self.dead_letter_count,
        }
    }

    /// Makes messages visible whose delay has ended.
    pub(super) fn return_delayed(&mut self, now: Instant) {
        while self.delayed.front().is_some_and(|(at, _)| *at <= now) {
            self.visible
                .extend(self.delayed.pop_front().map(|(_, message)| message));
        }
    }

    pub(super) fn add_dead_letter(&mut self, message: Message, reason: &str) {
        self.dead_letter_count += 1;
        self.dead_letters.push_back(DeadLetter {
            message_id: message.id,
            body: message.body,
            receives: message.receives,
            reason: reason.to_owned(),
        });
    }
}
