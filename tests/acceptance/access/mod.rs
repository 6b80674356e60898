//! Who may come in, how often, and in which form.

mod bodies;
mod cors;
mod keys;
mod order;
mod rates;
