//! HTTP as push services need it: bounded in time and size, without redirects, and for addresses that
//! members name only to the public internet.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, ClientBuilder, Response, StatusCode, redirect};
use serde::de::DeserializeOwned;

use super::PushOutcome;
use crate::domain::push::public_host::is_public_address;

/// Bounds a request with its answer.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Bytes of an answer that are read.
const MAX_ANSWER: usize = 16 * 1024;
/// Characters of an answer in an error.
const MAX_DETAIL: usize = 200;

/// For endpoints that members name. `allow_private` also connects to this machine and its network.
///
/// # Errors
/// When the system's certificates cannot be read.
pub(super) fn client(allow_private: bool) -> anyhow::Result<Client> {
    let mut builder = builder();
    if !allow_private {
        builder = builder.dns_resolver(Arc::new(PublicOnly));
    }
    builder.build().context("no client of push services")
}

/// For the addresses that an operator names.
pub(super) fn builder() -> ClientBuilder {
    Client::builder()
        .redirect(redirect::Policy::none())
        .referer(false)
        // A proxy would resolve names by itself.
        .no_proxy()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(TIMEOUT)
        .pool_max_idle_per_host(4)
}

/// Resolves names to public addresses alone, at every connection: a name may change its mind.
struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let resolved = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = resolved
                .filter(|address| is_public_address(address.ip()))
                .collect();
            if public.is_empty() {
                return Err("the host has no public address".into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

/// The answer's JSON, or its default where it has none.
pub(super) async fn json<T: DeserializeOwned + Default>(answer: Response) -> T {
    serde_json::from_slice(&bytes(answer).await).unwrap_or_default()
}

/// For an answer that says nothing else about the subscription.
pub(super) fn by_status(
    status: StatusCode,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> PushOutcome {
    let is_temporary = status.is_server_error()
        || matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY
        );
    if status.is_success() {
        PushOutcome::Accepted
    } else if is_temporary {
        PushOutcome::Failed {
            error: status.to_string(),
            retry_after: retry_after(headers, now),
        }
    } else {
        PushOutcome::refused(status)
    }
}

/// The error without its address, which is a secret of the subscriber.
pub(super) fn broken(error: reqwest::Error) -> PushOutcome {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    PushOutcome::failed(text.chars().take(MAX_DETAIL).collect::<String>())
}

async fn bytes(mut answer: Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        if bytes.len() + chunk.len() > MAX_ANSWER {
            break;
        }
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

/// Seconds, or a date.
fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<TimeDelta> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(TimeDelta::seconds(seconds.into()));
    }
    let at = DateTime::parse_from_rfc2822(text).ok()?;
    Some((at.with_timezone(&Utc) - now).max(TimeDelta::zero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = "2026-11-27T12:00:00Z".parse().unwrap();
        let of = |text: &'static str| {
            let value = HeaderValue::from_static(text);
            retry_after(&HeaderMap::from_iter([(RETRY_AFTER, value)]), now)
        };
        assert_eq!(of("120"), Some(TimeDelta::seconds(120)));
        let date = "Fri, 27 Nov 2026 12:02:00 GMT";
        assert_eq!(of(date), Some(TimeDelta::seconds(120)));
        let past = "Fri, 27 Nov 2026 11:00:00 GMT";
        assert_eq!(of(past), Some(TimeDelta::zero()));
        for text in ["", "-5", "soon", "99999999999"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_not_connected_to() {
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let error = client(false).unwrap().get("http://localhost:9/").send();
        let error = error.await.unwrap_err();
        let PushOutcome::Failed { error, .. } = broken(error) else {
            panic!("a failure");
        };
        assert!(error.contains("no public address"), "{error}");
    }
}
