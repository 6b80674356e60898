//! Facts: what analytics read.
