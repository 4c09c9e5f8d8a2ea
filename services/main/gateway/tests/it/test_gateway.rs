//! A gateway before fake services, and requests to it.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use clap::Parser;
use gateway::config::Config;
use kernel::FixedClock;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;
use testkit::{Served, TempFolder};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::fakes::{self, MEMBER, Scenario};

/// 2026-11-21 09:03:00 in Korea.
const START: &str = "2026-11-21T00:03:00Z";

pub(crate) struct TestGateway {
    pub(crate) scenario: Arc<Scenario>,
    pub(crate) clock: FixedClock,
    pub(crate) address: SocketAddr,
    client: reqwest::Client,
    _services: Served,
    stop: CancellationToken,
    _stop: DropGuard,
}

/// Options and their values, besides the defaults.
pub(crate) type Settings<'a> = &'a [(&'a str, &'a str)];

impl TestGateway {
    pub(crate) async fn open() -> Self {
        Self::with(&[]).await
    }

    pub(crate) async fn with(settings: Settings<'_>) -> Self {
        let scenario = Arc::<Scenario>::default();
        let services = testkit::serve(fakes::routes(&scenario)).await;
        Self::before(scenario, services, settings)
    }

    /// Its services are of a newer release and send unknown fields.
    pub(crate) async fn among_newer() -> Self {
        let scenario = Arc::<Scenario>::default();
        let services = testkit::newer::serve(fakes::routes(&scenario)).await;
        Self::before(scenario, services, &[])
    }

    fn before(scenario: Arc<Scenario>, services: Served, settings: Settings<'_>) -> Self {
        let clock = FixedClock::at(START.parse().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let serving = gateway::run(
            config(&services.url, settings),
            listener,
            Arc::new(clock.clone()),
            stop.clone(),
        );
        tokio::spawn(async move { serving.await.expect("the gateway serves") });
        // Fails when a provider is installed already.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        Self {
            scenario,
            clock,
            address,
            client: reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
            _services: services,
            _stop: stop.clone().drop_guard(),
            stop,
        }
    }

    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        kernel::Clock::now(&self.clock)
    }

    /// A valid token of `member`.
    pub(crate) fn token(&self, member: i64) -> String {
        testkit::keys::access_token(member, self.now())
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://{}{path}", self.address);
        self.client.request(method, url)
    }

    /// A GET by the member of the tests.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        let token = self.token(MEMBER);
        answer(self.request(Method::GET, path).bearer_auth(token)).await
    }

    /// A GET without a token.
    pub(crate) async fn get_anonymously(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    /// A POST of JSON by the member of the tests.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, body).await
    }

    /// JSON by the member of the tests.
    pub(crate) async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        let token = self.token(MEMBER);
        answer(self.request(method, path).bearer_auth(token).json(body)).await
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The status and the public code, for example `(401, 1205)`; the code of a success is 0.
    pub(crate) fn status_and_code(&self) -> (u16, u64) {
        let code = serde_json::from_str::<Value>(&self.text)
            .ok()
            .and_then(|body| body["code"].as_u64());
        (self.status.as_u16(), code.unwrap_or(0))
    }

    /// Asserts an error with a complete problem body.
    #[track_caller]
    pub(crate) fn assert_problem(&self, status: u16, code: u64) {
        assert_eq!(self.status_and_code(), (status, code), "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        let body = self.json();
        assert!(!body["message"].as_str().unwrap().is_empty(), "{self:?}");
        assert_eq!(body["traceId"].as_str().unwrap().len(), 32, "{self:?}");
        assert_eq!(body["traceId"], self.header("x-trace-id"));
    }
}

/// Sends the request and reads the whole response.
pub(crate) async fn answer(request: RequestBuilder) -> Answer {
    let response: Response = request.send().await.expect("the gateway answers");
    Answer {
        status: response.status(),
        headers: response.headers().clone(),
        text: response.text().await.unwrap(),
    }
}

/// The body of a 200, pretty-printed; numbers keep every digit.
pub(crate) fn shown(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    let mut text = String::new();
    let mut depth = 0;
    let mut in_string = false;
    let mut letters = answer.text.chars().peekable();
    while let Some(letter) = letters.next() {
        in_string ^= letter == '"';
        let next_closes = matches!(letters.peek(), Some('}' | ']'));
        match letter {
            _ if in_string => text.push(letter),
            '{' | '[' if next_closes => text.push(letter),
            '{' | '[' => {
                depth += 1;
                text.push(letter);
                text.push_str(&new_line(depth));
            }
            '}' | ']' if text.ends_with(['{', '[']) => text.push(letter),
            '}' | ']' => {
                depth -= 1;
                text.push_str(&new_line(depth));
                text.push(letter);
            }
            ',' => {
                text.push(letter);
                text.push_str(&new_line(depth));
            }
            ':' => text.push_str(": "),
            other => text.push(other),
        }
    }
    text
}

fn new_line(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}

fn config(services: &str, settings: Settings<'_>) -> Config {
    let mut arguments = vec!["gateway".to_owned()];
    let usual = [
        ("auth-url", services),
        ("trading-url", services),
        ("market-url", services),
        ("education-url", services),
        ("community-url", services),
        ("admin-addr", "127.0.0.1:0"),
        // Nothing listens there: the gateway must work without Redis.
        ("redis-url", "redis://127.0.0.1:1/"),
        ("rate-limit-per-second", "10000"),
        ("rate-limit-per-minute", "100000"),
        ("hashes-per-minute", "100000"),
    ];
    let given = |name: &str| settings.iter().any(|(other, _)| *other == name);
    let kept = usual.iter().filter(|(name, _)| !given(name));
    for (name, value) in kept.chain(settings) {
        arguments.push(format!("--{name}={value}"));
    }
    Config::parse_from(arguments)
}

const PAGE: &str = r#"<!doctype html><title>시드업</title><script type="application/json" id="runtime-config"></script><script type="application/json" id="first-prices"></script>"#;

/// A folder with a small built client; removed when dropped.
pub(crate) struct ClientFolder(TempFolder);

impl ClientFolder {
    pub(crate) fn new() -> Self {
        let folder = TempFolder::new("client");
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        for (name, content) in [
            ("index.html", PAGE),
            ("favicon.svg", "<svg/>"),
            (".secret", "hidden"),
            ("assets/main.0123456789.js", "plain"),
            ("assets/main.0123456789.js.br", "brotli"),
            ("assets/main.0123456789.js.gz", "gzip"),
        ] {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}
