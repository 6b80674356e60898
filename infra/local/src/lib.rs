//! The whole service in one process: the stand-ins for what AWS does around the functions.
#![forbid(unsafe_code)]

pub mod bus;
pub mod clock;
pub mod gateway;
