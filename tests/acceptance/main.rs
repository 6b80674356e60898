//! The service as its users meet it.

mod docs;
mod first_check;
mod store;
