//! Pseudo-random numbers, which depend only on their seed and are identical on every machine.

/// Hashes texts and a number to a seed (FNV-1a). Texts are separated, so that `("ab", "c")` differs from
/// `("a", "bc")`.
pub(super) fn seed(texts: &[&str], number: i64) -> u64 {
    let bytes = texts
        .iter()
        .flat_map(|text| text.bytes().chain([0xff]))
        .chain(number.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mix(hash)
}

/// Spreads every bit over all others, as the finalizer of SplitMix64 does.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A sequence of pseudo-random numbers.
pub(super) struct SeededRandom(u64);

impl SeededRandom {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number from 0 to `bound - 1`, or 0 if `bound` is 0.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        // The upper half of the product with the bound is evenly distributed and below the bound.
        (((mix(self.0) >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Returns true with a probability of `permille` in 1,000.
    pub(super) fn chance(&mut self, permille: i32) -> bool {
        i64::from(self.below(1_000)) < i64::from(permille)
    }

    /// Returns one of `items`, of which there are fewer than a `u32` counts, or `None` if there are none.
    pub(super) fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Returns one of `texts`, or an empty text if there are none.
    pub(super) fn pick<'a>(&mut self, texts: &'a [String]) -> &'a str {
        self.choose(texts).map_or("", String::as_str)
    }
}
