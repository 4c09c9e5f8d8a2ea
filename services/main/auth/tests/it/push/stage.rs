//! A member with subscriptions, and what they are told.

use std::sync::atomic::{AtomicU32, Ordering};

use auth::config::PushConfig;
use auth::domain::push::topic;
use auth::store::HostShare;
use chrono::TimeDelta;
use kernel::Clock;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use testkit::TempFolder;
use tonic::Status;
use web_push_native::p256::SecretKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;
use web_push_native::p256::pkcs8::{EncodePrivateKey, LineEnding};

use super::browser::{Browser, secret_key};
use super::double::Double;
use crate::world::{Setup, World, person, push_config, session_id};

/// The key of the first delivery; others have keys of their own.
pub(crate) const COLLAPSE_KEY: &str = "order:7001";

pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) session: wire::Session,
    pub(crate) key: Vec<u8>,
    told: AtomicU32,
    _folder: TempFolder,
}

impl Stage {
    /// With a key for browsers.
    pub(crate) async fn new(pool: PgPool) -> Self {
        Self::with(pool, |config, _folder| config).await
    }

    pub(crate) async fn with(
        pool: PgPool,
        change: impl FnOnce(PushConfig, &TempFolder) -> PushConfig,
    ) -> Self {
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let folder = TempFolder::new("push");
        let (key, file) = (secret_key(), folder.path().join("vapid.pem"));
        std::fs::write(&file, pem(&key)).unwrap();
        let config = PushConfig {
            push_vapid_key_file: Some(file),
            ..push_config()
        };
        let setup = Setup {
            push: change(config, &folder),
            ..Setup::default()
        };
        let world = World::with(pool, setup).await;
        let session = world.join(person("a@b.kr", "개미왕")).await.unwrap();
        Self {
            world,
            session,
            key: key.public_key().to_encoded_point(false).as_bytes().to_vec(),
            told: AtomicU32::default(),
            _folder: folder,
        }
    }

    pub(crate) async fn subscribe(&self, double: &Double, path: &str) -> Browser {
        let browser = Browser::new();
        let request = self.web(&format!("{}{path}", double.url), &browser);
        self.subscribe_with(request).await.unwrap();
        browser
    }

    pub(crate) fn web(&self, endpoint: &str, browser: &Browser) -> wire::SubscribeRequest {
        wire::SubscribeRequest {
            member_id: self.session.member_id,
            session_id: session_id(&self.session),
            kind: "WEB".to_owned(),
            address: endpoint.to_owned(),
            p256dh: browser.p256dh(),
            auth: browser.auth(),
        }
    }

    pub(crate) fn app(&self, kind: &str, token: &str) -> wire::SubscribeRequest {
        wire::SubscribeRequest {
            kind: kind.to_owned(),
            address: token.to_owned(),
            p256dh: String::new(),
            auth: String::new(),
            ..self.web("", &Browser::new())
        }
    }

    pub(crate) async fn subscribe_with(
        &self,
        request: wire::SubscribeRequest,
    ) -> Result<(), Status> {
        self.world.push.clone().subscribe(request).await?;
        Ok(())
    }

    /// A delivery that is due now and expires in an hour; returns its id.
    pub(crate) async fn tell(&self, title: &str, urgent: bool) -> i64 {
        self.tell_at(title, urgent, TimeDelta::zero(), TimeDelta::hours(1))
            .await
    }

    pub(crate) async fn tell_at(
        &self,
        title: &str,
        urgent: bool,
        due: TimeDelta,
        lives: TimeDelta,
    ) -> i64 {
        let now = self.world.clock.now();
        let key = match self.told.fetch_add(1, Ordering::Relaxed) {
            0 => COLLAPSE_KEY.to_owned(),
            number => format!("{COLLAPSE_KEY}-{number}"),
        };
        sqlx::query_scalar(
            "insert into push_delivery (member_id, type, title, body, link, collapse_key, urgent, \
             not_before, expires_at, created_at) \
             values ($1, 'FILL', $2, '삼성전자 3주를 샀어요', '/my/orders', $3, $4, $5, $6, $7) \
             returning id",
        )
        .bind(self.session.member_id)
        .bind(title)
        .bind(key)
        .bind(urgent)
        .bind(now + due)
        .bind(now + lives)
        .bind(now)
        .fetch_one(&self.world.pool)
        .await
        .unwrap()
    }

    /// Until nothing is due: a host that has its share is left for the next time.
    pub(crate) async fn send_due(&self) -> usize {
        let mut sent = 0;
        loop {
            match self.world.push_sender().send_due().await.unwrap() {
                0 => return sent,
                more => sent += more,
            }
        }
    }

    pub(crate) async fn waiting(&self) -> i64 {
        self.world.count("push_send").await
    }

    pub(crate) async fn subscriptions(&self) -> i64 {
        self.world.count("push_subscription").await
    }
}

pub(crate) fn pem(key: &SecretKey) -> String {
    key.to_pkcs8_pem(LineEnding::LF).unwrap().to_string()
}

pub(crate) fn expected_topic() -> String {
    topic(COLLAPSE_KEY)
}

/// The same for every host.
pub(crate) fn share(count: usize) -> HostShare {
    HostShare {
        service: count,
        other: count,
    }
}
