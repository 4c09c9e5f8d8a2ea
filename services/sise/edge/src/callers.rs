//! How often one address may join, log in and open a socket here, and how much it may send with it.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::http::header::{self, HeaderMap};
use actix_web::web::Payload;
use bootstrap::{caller, deadline};
use futures_util::StreamExt;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::problem::Problem;

/// Bytes a body may have. Nobody needs one: what counts is the token in the head.
const MAX_BODY_BYTES: usize = 64 * 1024;
const TIDY_EVERY: Duration = Duration::from_secs(60);

/// The counters. A pod counts by itself: it has nothing that others must know.
pub(crate) struct Callers {
    per_address: DefaultKeyedRateLimiter<IpAddr>,
    handshakes: DefaultKeyedRateLimiter<IpAddr>,
    trusted_proxies: usize,
}

impl Callers {
    /// Zero counts as one.
    pub(crate) fn new(config: &Config) -> Self {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let calls = Quota::per_minute(at_least_one(config.sise_logins_per_minute));
        let handshakes = Quota::per_second(at_least_one(config.ws_handshakes_per_address_per_s));
        Self {
            per_address: RateLimiter::keyed(calls),
            handshakes: RateLimiter::keyed(handshakes),
            trusted_proxies: config.trusted_proxies,
        }
    }

    /// Counts a call, or refuses it and says when to come back.
    pub(crate) fn check(
        &self,
        peer: Option<SocketAddr>,
        headers: &HeaderMap,
    ) -> Result<(), Problem> {
        let network = self.network(peer, headers);
        counted(&self.per_address, network).inspect_err(|_early| {
            metrics::counter!("edge_calls_limited_total").increment(1);
        })
    }

    /// Counts a handshake from `network`, or refuses it and says when to come back.
    pub(crate) fn check_handshake(&self, network: IpAddr) -> Result<(), Problem> {
        counted(&self.handshakes, network)
    }

    /// The address that a caller is counted by.
    pub(crate) fn network(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> IpAddr {
        let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip());
        let forwarded = headers.get_all("x-forwarded-for");
        let entries = forwarded.filter_map(|value| value.to_str().ok());
        caller::network(caller::address(peer, entries, self.trusted_proxies))
    }

    /// Forgets addresses that may call as often as any, until `shutdown`.
    pub(crate) async fn tidy(&self, shutdown: CancellationToken) {
        let mut ticks = tokio::time::interval(TIDY_EVERY);
        while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
            self.per_address.retain_recent();
            self.handshakes.retain_recent();
        }
    }
}

fn counted(limit: &DefaultKeyedRateLimiter<IpAddr>, network: IpAddr) -> Result<(), Problem> {
    limit.check_key(&network).map_err(|early| {
        let wait = early.wait_time_from(DefaultClock::default().now());
        Problem::RateLimited {
            wait_s: wait.as_secs() + 1,
        }
    })
}

/// Reads past a body that says nothing, within the time that the call has.
pub(crate) async fn skip_body(headers: &HeaderMap, mut body: Payload) -> Result<(), Problem> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(Problem::PayloadTooLarge);
    }
    let skipping = async {
        let mut length = 0;
        while let Some(Ok(chunk)) = body.next().await {
            length += chunk.len();
            if length > MAX_BODY_BYTES {
                return Err(Problem::PayloadTooLarge);
            }
        }
        Ok(())
    };
    let limit = deadline::remaining().unwrap_or_default();
    tokio::time::timeout(limit, skipping)
        .await
        .map_err(|_elapsed| Problem::RequestTimeout)?
}
