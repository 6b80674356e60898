//! Reads for many entities with few connections.

use std::future::Future;

use futures::stream::{self, StreamExt, TryStreamExt};

/// The number of entities that are read for at the same time.
const MAX_CONCURRENT_READS: usize = 16;

/// Runs reads, of which a limited number at the same time. Returns their results in their order, or the first
/// error.
pub async fn try_join_bounded<F, T, E>(reads: impl IntoIterator<Item = F>) -> Result<Vec<T>, E>
where
    F: Future<Output = Result<T, E>>,
{
    let reads: Vec<F> = reads.into_iter().collect();
    stream::iter(reads)
        .buffered(MAX_CONCURRENT_READS)
        .try_collect()
        .await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_limited_number_of_reads_runs_at_the_same_time_and_the_results_keep_their_order() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let read = async |number: usize| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            running.fetch_sub(1, Ordering::SeqCst);
            if number < 1_000 { Ok(number) } else { Err(number) }
        };
        let results = try_join_bounded((0..100).map(read)).await;
        assert_eq!(results, Ok((0..100).collect()));
        assert_eq!(most.load(Ordering::SeqCst), MAX_CONCURRENT_READS);
        assert_eq!(try_join_bounded((990..1_010).map(read)).await, Err(1_000));
    }
}
