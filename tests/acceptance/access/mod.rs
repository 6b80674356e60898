//! Who may come in, how often, and in which form.

mod bodies;
mod keys;
mod order;
mod rates;
