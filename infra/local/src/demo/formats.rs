//! The formats of the vendors' APIs: decoding requests, and encoding answers and errors.

mod anthropic;
mod format;
mod gemini;
mod mistral;
mod request;
mod responses;

pub(super) use anthropic::ANTHROPIC;
pub(super) use format::{ErrorResponse, Format};
pub(super) use gemini::GEMINI;
pub(super) use mistral::MISTRAL;
pub(super) use request::Request;
pub(super) use responses::{OPENAI, PERPLEXITY, XAI};
