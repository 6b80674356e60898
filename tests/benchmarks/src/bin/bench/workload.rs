//! The workloads, which differ in the numbers of prompts and models.

/// An entity's number of prompts and models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Workload {
    pub(crate) name: char,
    pub(crate) prompts: u32,
    pub(crate) models: u32,
}

impl Workload {
    pub(crate) const ALL: [Self; 3] = [
        Self::new('S', 25, 5),
        Self::new('M', 200, 5),
        Self::new('L', 1_000, 6),
    ];

    /// The workload of the checks with which the checker is measured.
    pub(crate) const CHECK: Self = Self::new('C', 100, 2);

    const fn new(name: char, prompts: u32, models: u32) -> Self {
        Self {
            name,
            prompts,
            models,
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let is_named = |known: &Self| name.eq_ignore_ascii_case(&known.name.to_string());
        Self::ALL.into_iter().find(is_named)
    }
}
