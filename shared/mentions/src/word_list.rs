//! Sorted lists of words.

mod format;

pub(crate) use format::MAX_LETTERS;

/// Words that are sorted by byte and can be looked up. Words of more than `MAX_LETTERS` are missing, unless
/// they are brands.
pub(crate) struct WordList {
    /// One word per line.
    lines: String,
}

impl WordList {
    /// Decodes a list that `build.rs` has front-coded.
    pub(crate) fn decode(coded: &[u8]) -> Self {
        let mut lines = String::with_capacity(coded.len() * 3);
        let (mut word, mut rest) = (Vec::new(), coded);
        while let [shared, tail @ ..] = rest {
            let end = tail
                .iter()
                .position(|&b| b <= format::MAX_SHARED_BYTES)
                .unwrap_or(tail.len());
            word.truncate(usize::from(*shared));
            word.extend_from_slice(&tail[..end]);
            lines.push_str(&String::from_utf8_lossy(&word));
            lines.push('\n');
            rest = &tail[end..];
        }
        Self { lines }
    }

    /// Returns the words, sorted by byte.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.lines.lines()
    }

    /// Returns whether a word starts with `prefix`.
    pub(crate) fn contains_prefix(&self, prefix: &str) -> bool {
        let at = self.lower_bound(prefix);
        self.lines.get(at..).is_some_and(|rest| rest.starts_with(prefix))
    }

    /// Returns whether the list contains `word`.
    pub(crate) fn contains(&self, word: &str) -> bool {
        let at = self.lower_bound(word);
        let rest = self.lines.get(at..).and_then(|rest| rest.strip_prefix(word));
        !word.is_empty() && rest.is_some_and(|rest| rest.starts_with('\n'))
    }

    /// Returns where the first line starts that is not before `word`.
    ///
    /// Searches the list by bisecting its bytes. Each probe moves back to the start of the line that it falls
    /// into.
    fn lower_bound(&self, word: &str) -> usize {
        let lines = self.lines.as_bytes();
        let (mut low, mut high) = (0, lines.len());
        while low < high {
            let probe = low + (high - low) / 2;
            let start = lines[low..probe]
                .iter()
                .rposition(|&b| b == b'\n')
                .map_or(low, |i| low + i + 1);
            let end = lines[probe..]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(lines.len(), |i| probe + i);
            if &lines[start..end] < word.as_bytes() {
                low = end + 1;
            } else {
                high = start;
            }
        }
        low
    }
}
