//! The service as its users meet it.

mod first_check;
