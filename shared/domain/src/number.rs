//! Conversions between the sizes of numbers. Every machine that the service runs on has 64-bit addresses, so
//! that a count in memory and a 64-bit number are converted without loss.
#![expect(
    clippy::expect_used,
    reason = "addresses have 64 bits, and no list is too long"
)]

/// Returns a count as a number of 64 bits.
pub fn to_u64(count: usize) -> u64 {
    u64::try_from(count).expect("an address has at most 64 bits")
}

/// Returns a number as a count.
pub fn to_usize(number: impl Into<u64>) -> usize {
    usize::try_from(number.into()).expect("an address has 64 bits")
}

/// Returns the length of a list, or an index in it, as a number of 32 bits. No list of a request has four
/// billion elements: it would not fit into the memory of a function.
pub fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("a list has fewer than four billion elements")
}
