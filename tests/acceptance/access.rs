//! Access to the API: keys, rate limits, CORS, request bodies and the order of checks.

mod bound_names;
mod cors;
mod keys;
mod order;
mod rates;
