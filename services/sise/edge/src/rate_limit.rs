//! Rate limits per address for joins, logins and handshakes, and per member for private channels;
//! the size limit of a request body.

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
use crate::fills::CHANNELS_PER_MINUTE;
use crate::problem::Problem;

/// The routes need no body: the token is in the head.
const MAX_BODY_BYTES: usize = 64 * 1024;
const EVICT_INTERVAL: Duration = Duration::from_secs(60);

/// Each pod counts for itself.
pub(crate) struct RateLimits {
    per_address: DefaultKeyedRateLimiter<IpAddr>,
    handshakes: DefaultKeyedRateLimiter<IpAddr>,
    channels: DefaultKeyedRateLimiter<i64>,
    trusted_proxies: usize,
}

impl RateLimits {
    /// A setting of zero counts as one.
    pub(crate) fn new(config: &Config) -> Self {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let calls = Quota::per_minute(at_least_one(config.sise_logins_per_minute));
        let handshakes = Quota::per_second(at_least_one(config.ws_handshakes_per_address_per_s));
        Self {
            per_address: RateLimiter::keyed(calls),
            handshakes: RateLimiter::keyed(handshakes),
            channels: RateLimiter::keyed(Quota::per_minute(CHANNELS_PER_MINUTE)),
            trusted_proxies: config.trusted_proxies,
        }
    }

    /// Counts a join or login.
    pub(crate) fn check(
        &self,
        peer: Option<SocketAddr>,
        headers: &HeaderMap,
    ) -> Result<(), Problem> {
        let network = self.network(peer, headers);
        check(&self.per_address, network).inspect_err(|_rejected| {
            metrics::counter!("edge_calls_limited_total").increment(1);
        })
    }

    pub(crate) fn check_handshake(&self, network: IpAddr) -> Result<(), Problem> {
        check(&self.handshakes, network)
    }

    /// Counts a new private channel of a member; false above the rate.
    pub(crate) fn allow_channel(&self, member_id: i64) -> bool {
        self.channels.check_key(&member_id).is_ok()
    }

    /// The network by which a caller is check; an IPv6 address counts as its /64.
    pub(crate) fn network(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> IpAddr {
        let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip());
        let forwarded = headers.get_all("x-forwarded-for");
        let entries = forwarded.filter_map(|value| value.to_str().ok());
        caller::network(caller::address(peer, entries, self.trusted_proxies))
    }

    /// Evicts the idle addresses and members every minute until `shutdown`.
    pub(crate) async fn evict_idle(&self, shutdown: CancellationToken) {
        let mut ticks = tokio::time::interval(EVICT_INTERVAL);
        while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
            self.per_address.retain_recent();
            self.handshakes.retain_recent();
            self.channels.retain_recent();
        }
    }
}

fn check(limit: &DefaultKeyedRateLimiter<IpAddr>, network: IpAddr) -> Result<(), Problem> {
    limit.check_key(&network).map_err(|rejected| {
        let wait = rejected.wait_time_from(DefaultClock::default().now());
        Problem::RateLimited {
            wait_s: wait.as_secs() + 1,
        }
    })
}

/// Reads and discards a body within the deadline of the call.
pub(crate) async fn discard_body(headers: &HeaderMap, mut body: Payload) -> Result<(), Problem> {
    let content_length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if content_length.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(Problem::PayloadTooLarge);
    }
    let discarding = async {
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
    tokio::time::timeout(limit, discarding)
        .await
        .map_err(|_elapsed| Problem::RequestTimeout)?
}
