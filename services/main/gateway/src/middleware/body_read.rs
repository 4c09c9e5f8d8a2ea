//! Limits the request bodies that are being read, in total and per network. An honest body arrives
//! within moments; a client that sends none keeps the reader waiting until the deadline. So at a limit
//! the read that began first ends, and the newest goes on: silent clients displace each other.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use bootstrap::caller;
use metrics::Counter;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::error::{ApiError, Reason};

/// A full set of bodies holds 64 MB.
const MAX_READS: usize = 1_024;
/// Bodies read for one /48 of IPv6.
const MAX_PER_SITE: usize = 512;
/// Bodies read for one IPv4 address or one /64 of IPv6; a school of a thousand phones may share one.
const MAX_PER_NETWORK: usize = 256;

pub(crate) struct BodyReadLimit {
    /// In the order in which they began.
    reads: Mutex<Vec<BodyRead>>,
    next_id: AtomicU64,
    displaced: Counter,
}

struct BodyRead {
    id: u64,
    network: IpAddr,
    site: IpAddr,
    displaced: CancellationToken,
}

impl BodyReadLimit {
    /// Runs `read`, a read of a body from `address`. Fails when newer reads displace it.
    pub(crate) async fn run<T>(
        &self,
        address: IpAddr,
        read: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        let running = self.begin(address);
        running
            .displaced
            .run_until_cancelled(read)
            .await
            .unwrap_or_else(|| Err(Reason::RequestTimeout.into()))
    }

    fn begin(&self, address: IpAddr) -> RunningRead<'_> {
        let read = BodyRead {
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            network: caller::network(address),
            site: caller::site(address),
            displaced: CancellationToken::new(),
        };
        let running = RunningRead {
            limit: self,
            id: read.id,
            displaced: read.displaced.clone(),
        };
        let mut reads = self.reads.lock();
        let full = first_if_full(&reads, MAX_PER_NETWORK, |other| {
            other.network == read.network
        })
        .or_else(|| first_if_full(&reads, MAX_PER_SITE, |other| other.site == read.site))
        .or_else(|| first_if_full(&reads, MAX_READS, |_| true));
        if let Some(index) = full {
            reads.remove(index).displaced.cancel();
            self.displaced.increment(1);
        }
        reads.push(read);
        running
    }
}

/// The index of the first of the reads that count, when there are `limit` of them.
fn first_if_full(
    reads: &[BodyRead],
    limit: usize,
    counts: impl Fn(&BodyRead) -> bool,
) -> Option<usize> {
    let mut counted = reads.iter().enumerate().filter(|(_, read)| counts(read));
    let (first, _) = counted.next()?;
    (1 + counted.count() >= limit).then_some(first)
}

impl Default for BodyReadLimit {
    fn default() -> Self {
        Self {
            reads: Mutex::default(),
            next_id: AtomicU64::default(),
            displaced: metrics::counter!("gateway_shed_total", "class" => "Body"),
        }
    }
}

/// Counts as a read until it is dropped.
struct RunningRead<'a> {
    limit: &'a BodyReadLimit,
    id: u64,
    displaced: CancellationToken,
}

impl Drop for RunningRead<'_> {
    fn drop(&mut self) {
        let mut reads = self.limit.reads.lock();
        if let Some(index) = reads.iter().position(|read| read.id == self.id) {
            reads.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(limit: &BodyReadLimit, address: [u16; 4]) -> RunningRead<'_> {
        let [a, b, c, d] = address;
        limit.begin(IpAddr::from([a, b, c, d, 0, 0, 0, 1]))
    }

    fn displaced(reads: &[RunningRead<'_>]) -> usize {
        let displaced = reads.iter().filter(|read| read.displaced.is_cancelled());
        displaced.count()
    }

    #[test]
    fn a_network_displaces_its_own_oldest_reads() {
        let limit = BodyReadLimit::default();
        let other = begin(&limit, [1, 1, 1, 1]);
        let reads: Vec<_> = (0..MAX_PER_NETWORK + 3)
            .map(|_| begin(&limit, [1, 1, 1, 2]))
            .collect();
        assert_eq!(displaced(&reads), 3);
        assert_eq!(displaced(&reads[..3]), 3);
        assert!(!other.displaced.is_cancelled());
    }

    #[test]
    fn a_site_of_many_networks_is_bounded() {
        let limit = BodyReadLimit::default();
        let other = begin(&limit, [1, 1, 2, 0]);
        let reads: Vec<_> = (0..MAX_PER_SITE + 3)
            .zip(0..)
            .map(|(_, network)| begin(&limit, [1, 1, 1, network]))
            .collect();
        assert_eq!(displaced(&reads[..3]), 3);
        assert_eq!(displaced(&reads), 3);
        assert!(!other.displaced.is_cancelled());
    }

    #[test]
    fn the_oldest_reads_of_all_make_room_and_a_finished_one_counts_no_more() {
        let limit = BodyReadLimit::default();
        let mut reads: Vec<_> = (0..MAX_READS)
            .zip(0..)
            .map(|(_, site)| begin(&limit, [1, 1, site, 0]))
            .collect();
        reads.pop();
        reads.push(begin(&limit, [2, 0, 0, 0]));
        assert_eq!(displaced(&reads), 0);
        reads.push(begin(&limit, [2, 0, 0, 1]));
        assert_eq!(displaced(&reads[..1]), 1);
        assert_eq!(displaced(&reads), 1);
        drop(reads);
        assert!(limit.reads.lock().is_empty());
    }

    #[actix_web::test]
    async fn a_displaced_read_is_told_that_its_body_is_late() {
        let limit = BodyReadLimit::default();
        let address = IpAddr::from([192, 0, 2, 1]);
        let silent = limit.run(address, std::future::pending::<Result<(), ApiError>>());
        let others = async {
            tokio::task::yield_now().await;
            let others: Vec<_> = (0..MAX_PER_NETWORK).map(|_| limit.begin(address)).collect();
            let honest = limit.run(address, std::future::ready(Ok(7))).await;
            assert_eq!(honest.unwrap(), 7);
            drop(others);
        };
        let (silent, ()) = tokio::join!(silent, others);
        assert_eq!(silent.unwrap_err().reason(), Reason::RequestTimeout);
    }
}
