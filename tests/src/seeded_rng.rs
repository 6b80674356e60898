//! A pseudorandom number generator with a seed.

/// A SplitMix64 generator. The same seed produces the same numbers.
#[derive(Debug, Clone)]
pub struct SeededRng(u64);

impl SeededRng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Returns a number from 0 to below `end`, which must be at least 1.
    pub fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next_u64() % u64::from(end)).expect("below a small number")
    }

    /// Returns true with a probability of `percent`.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the choices, which must not be empty.
    pub fn choose<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        let end = u32::try_from(choices.len()).expect("a small number");
        &choices[self.below(end) as usize]
    }
}
