//! A list of common English words. It distinguishes a brand's name from the common words that the name consists of.

/// One word per line, sorted by byte. See `common_words.copyright.txt` for the source and the licence.
static WORD_LIST: &str = include_str!("common_words.txt");

/// Returns the common English words in lower case, sorted by byte.
pub fn common_words() -> impl Iterator<Item = &'static str> {
    WORD_LIST.lines()
}

/// Returns whether `word` (folded) is a common English word, a single ASCII letter or a plain number.
pub(crate) fn is_common(word: &str) -> bool {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        return false;
    }
    word.len() == 1 || word.bytes().all(|b| b.is_ascii_digit()) || is_listed(word)
}

/// Searches the list by bisecting its bytes. Each probe moves back to the start of the line that it falls into.
fn is_listed(word: &str) -> bool {
    let lines = WORD_LIST.as_bytes();
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
        match lines[start..end].cmp(word.as_bytes()) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_word_is_found_and_the_list_is_sorted() {
        let mut last = "";
        for word in WORD_LIST.lines() {
            assert!(last < word, "{last} before {word}");
            assert!(is_common(word), "{word}");
            last = word;
        }
        assert!((30_000..60_000).contains(&WORD_LIST.lines().count()));
    }

    #[test]
    fn what_is_not_listed_is_not_common() {
        for word in [
            "", "aaaa", "zzzzz", "hubspot", "notio", "notions!", "Notion", "best buy", "über", "\n",
        ] {
            assert!(!is_common(word), "{word}");
        }
        for word in ["notion", "best", "buy", "apple", "monday", "x", "365"] {
            assert!(is_common(word), "{word}");
        }
    }
}
