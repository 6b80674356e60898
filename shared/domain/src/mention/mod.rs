//! Mentions of brands in an answer.
