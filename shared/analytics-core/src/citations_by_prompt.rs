//! The citations of some domains, by prompt.

use api::ApiError;
use domain::facts::StringId;

use crate::scope::Scope;

/// How much larger the links may be that are read instead of citations. Of links, only the URLs of the domains are decoded, which takes
/// less than half of the time.
const MAX_LINKS_PER_CITATION: usize = 2;

impl Scope<'_> {
    /// Counts the citations of some domains in the selected responses, by the ordinal of the prompt. Prompts with ordinals from `prompts`
    /// on are not counted.
    ///
    /// A response cites each URL once, so that the URLs of a domain, which are links, give the same counts as the cited domains. Links
    /// are read unless they are much larger, as they are for many domains.
    pub async fn citations_by_prompt(&self, domains: &[&str], prompts: usize) -> Result<Vec<u64>, ApiError> {
        let mut counts = vec![0; prompts];
        let citations_kb = self.reader().unread_kb(&self.cache.citations)?;
        if self.unread_links_kb(domains)? <= MAX_LINKS_PER_CITATION * citations_kb {
            self.query_links(domains, |_, segments| {
                for cached in segments {
                    cached.segment.count_by_prompt(cached.selection, &mut counts);
                }
            })
            .await?;
        } else {
            self.query_citations(|texts, segments| {
                let ids = domains.iter().filter_map(|domain| texts.find(domain));
                let ids: Vec<StringId> = ids.collect();
                for cached in segments {
                    cached
                        .segment
                        .count_by_prompt(cached.selection, &ids, &mut counts);
                }
            })
            .await?;
        }
        Ok(counts)
    }
}
