//! Numbers that look random and follow from their seed alone, the same on every machine.

/// A seed from texts and a number (FNV-1a). Texts are kept apart, so that `("ab", "c")` is not `("a", "bc")`.
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

/// The finalizer of SplitMix64: spreads every bit over all others.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A sequence of throws.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to `sides` - 1; 0 where there are no sides.
    pub(super) fn below(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        // The upper half times the sides: its upper half is as evenly spread and below `sides`.
        let product = (mix(self.0) >> 32) * u64::from(sides);
        u32::try_from(product >> 32).unwrap_or(0)
    }

    /// True in `permille` of 1,000 throws.
    pub(super) fn chance(&mut self, permille: i32) -> bool {
        i64::from(self.below(1_000)) < i64::from(permille)
    }

    /// One of `items`; the empty text where there are none.
    pub(super) fn pick(&mut self, items: &'static [&'static str]) -> &'static str {
        let at = self.below(u32::try_from(items.len()).unwrap_or(0));
        items.get(at as usize).copied().unwrap_or_default()
    }
}
