//! The service as its users meet it.

mod checker;
mod docs;
mod first_check;
mod store;
