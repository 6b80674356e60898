//! The encoding of a check's responses as segments of all families.

use std::slice::from_ref;

use domain::check::Response;
use domain::family::Family;

use super::citations::{CitationRow, Citations};
use super::fanouts::{Fanouts, fanout_row};
use super::links::{LinkRow, Links};
use super::responses::{Responses, response_row};
use super::visibility::{Visibility, VisibilityCell};

/// The segments of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedCheck {
    pub visibility: Vec<u8>,
    pub citations: Vec<u8>,
    /// By bucket.
    pub links: Vec<Vec<u8>>,
    pub fanouts: Vec<u8>,
    pub responses: Vec<u8>,
}

impl EncodedCheck {
    /// Returns the buckets of each family.
    pub fn buckets(&self) -> [(Family, &[Vec<u8>]); 5] {
        [
            (Family::Visibility, from_ref(&self.visibility)),
            (Family::Citations, from_ref(&self.citations)),
            (Family::Links, &self.links),
            (Family::Fanouts, from_ref(&self.fanouts)),
            (Family::Responses, from_ref(&self.responses)),
        ]
    }
}

/// Encodes the responses of a check, which can be in any order. Equal responses give equal bytes.
pub fn encode_check(responses: &[Response]) -> EncodedCheck {
    let links: Vec<LinkRow> = responses.iter().map(LinkRow::from_response).collect();
    let citations: Vec<CitationRow> = links.iter().map(CitationRow::from).collect();
    EncodedCheck {
        visibility: encode_visibility(responses),
        citations: Citations::encode(&citations),
        links: Links::encode(&links),
        fanouts: Fanouts::encode(responses.iter().map(fanout_row).collect()),
        responses: Responses::encode(responses.iter().map(response_row).collect()),
    }
}

/// Encodes the only family that depends on how the answers were read. The responses need no texts.
pub fn encode_visibility(responses: &[Response]) -> Vec<u8> {
    let cell = |r: &Response| VisibilityCell {
        prompt: r.prompt,
        model: r.model,
        state: r.state,
        brands: r.brands.clone(),
        model_version: r.usage.model_version.clone(),
    };
    Visibility::new(responses.iter().map(cell).collect()).encode()
}
