//! Lookups in the Public Suffix List, including its private suffixes.
//!
//! Every crate that calls `psl` compiles the code of the list again, which takes 0.2 MB of a function. Only
//! this file calls it.

/// Returns the registrable domain of a host in lower-case ASCII. A last label that is not listed counts as a
/// suffix.
pub fn registrable_domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// Returns whether a host in lower case ends in a suffix that is listed.
pub fn has_listed_suffix(host: &str) -> bool {
    psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known())
}
