//! What a queue holds: every message is in one place at a time.

use std::collections::VecDeque;

use tokio::time::Instant;

use super::settings::{DeadLetter, Depth};
use crate::bus::message::Message;

#[derive(Default)]
pub(super) struct State {
    pub(super) visible: VecDeque<Message>,
    /// In the order in which they come back: all wait equally long.
    pub(super) delayed: VecDeque<(Instant, Message)>,
    pub(super) in_flight: usize,
    pub(super) running: usize,
    pub(super) dead: VecDeque<DeadLetter>,
    pub(super) dead_total: usize,
    pub(super) is_closing: bool,
}

impl State {
    pub(super) fn is_idle(&self) -> bool {
        self.visible.is_empty() && self.delayed.is_empty() && self.in_flight == 0
    }

    pub(super) fn depth(&self) -> Depth {
        Depth {
            visible: self.visible.len(),
            delayed: self.delayed.len(),
            in_flight: self.in_flight,
            dead: self.dead_total,
        }
    }

    /// Makes visible what has waited long enough.
    pub(super) fn show_again(&mut self, now: Instant) {
        while self.delayed.front().is_some_and(|(at, _)| *at <= now) {
            self.visible
                .extend(self.delayed.pop_front().map(|(_, message)| message));
        }
    }

    pub(super) fn bury(&mut self, message: Message, reason: &str) {
        self.dead_total += 1;
        self.dead.push_back(DeadLetter {
            message_id: message.id,
            body: message.body,
            receives: message.receives,
            reason: reason.to_owned(),
        });
    }
}
