//! Pages of a listing.
