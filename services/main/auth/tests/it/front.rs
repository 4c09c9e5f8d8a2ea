//! A real gateway in front of the service, which checks members' tokens.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use clap::Parser;
use gateway::config::Config;
use proto::auth::v1 as wire;
use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::world::World;

/// Longer than a gateway caches the state of a session.
pub(crate) const FORGOTTEN: std::time::Duration = std::time::Duration::from_millis(300);

pub(crate) struct Front {
    address: SocketAddr,
    client: reqwest::Client,
    _stop: DropGuard,
}

impl Front {
    /// For the service at `auth_url`, with the clock of `world`.
    pub(crate) fn open(world: &World, auth_url: &str, redis_url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let arguments = [
            "gateway".to_owned(),
            format!("--auth-url={auth_url}"),
            format!("--redis-url={redis_url}"),
            "--admin-addr=127.0.0.1:0".to_owned(),
            "--rate-limit-per-second=10000".to_owned(),
            "--rate-limit-per-minute=100000".to_owned(),
        ];
        let config = Config::parse_from(arguments);
        let stop = CancellationToken::new();
        let clock = Arc::new(world.clock.clone());
        let serving = gateway::run(config, listener, clock, stop.clone());
        // Fails only if a provider is installed already.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        tokio::spawn(async move { serving.await.unwrap() });
        Self {
            address,
            client: reqwest::Client::new(),
            _stop: stop.drop_guard(),
        }
    }

    /// Reads the member's profile; returns the status and the public code (0 = success).
    pub(crate) async fn ask(&self, session: &wire::Session) -> (u16, u64) {
        let url = format!(
            "http://{}/api/v1/member/{}",
            self.address, session.member_id
        );
        let request = self.client.get(url).bearer_auth(&session.access_token);
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap();
        (status, body["code"].as_u64().unwrap_or(0))
    }
}
