//! The domain of the service: its types, rules and metrics.
//!
//! The crate is pure. It uses neither AWS nor HTTP, and reads neither the clock nor the environment.
#![forbid(unsafe_code)]

pub mod admission;
pub mod answer;
pub mod api_key;
pub mod backoff;
pub mod board;
pub mod brand;
pub mod catalogue;
pub mod cell;
pub mod check;
pub mod check_key;
pub mod citation;
pub mod clock;
pub mod entity;
pub mod error;
pub mod family;
pub mod group;
pub mod id;
pub mod key_scope;
pub mod limits;
pub mod locale;
pub mod member;
pub mod metrics;
pub mod name_request;
pub mod number;
pub mod ordinal;
pub mod ordinal_set;
pub mod page;
pub mod pause;
pub mod period;
pub mod period_label;
pub mod prompt;
pub mod provider_rate;
pub mod reading;
pub mod revision;
pub mod schema;
pub mod tag;
pub mod target;
pub mod text;
pub mod time;
pub mod webhook;
pub mod workspace;
