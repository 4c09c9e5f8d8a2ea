//! The origins under which clients reach the product, each with the origin of its live prices.

use actix_web::http::header::{HOST, HeaderMap};
use anyhow::ensure;

use crate::config::Config;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Scheme, host and port of the client.
    pub(crate) public: String,
    /// The same of the sise edge, for clients that came by this origin.
    pub(crate) sise: String,
}

/// At least one.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    first: Origin,
    others: Vec<Origin>,
}

impl Origins {
    /// # Errors
    /// When there is none, or neither one sise origin for all nor one for each.
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        let (public, sise) = (&config.public_origin, &config.sise_origin);
        ensure!(
            sise.len() == 1 || sise.len() == public.len(),
            "SISE_ORIGIN has {} addresses, PUBLIC_ORIGIN {}",
            sise.len(),
            public.len()
        );
        let mut origins = public
            .iter()
            .zip(sise.iter().cycle())
            .map(|(public, sise)| Origin {
                public: public.trim_end_matches('/').to_owned(),
                sise: sise.trim_end_matches('/').to_owned(),
            });
        let first = origins.next();
        Ok(Self {
            first: first.ok_or_else(|| anyhow::anyhow!("PUBLIC_ORIGIN names nothing"))?,
            others: origins.collect(),
        })
    }

    /// By the Host header; the first origin when none fits.
    pub(crate) fn of_request(&self, headers: &HeaderMap) -> &Origin {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let found = host.and_then(|host| self.iter().find(|origin| origin.is_at(host)));
        found.unwrap_or(&self.first)
    }

    pub(crate) fn allow(&self, origin: &str) -> bool {
        self.iter().any(|known| known.public == origin)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Origin> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl Origin {
    /// The `connect-src` of live prices. A policy cannot name an IPv6 address, so there it allows every
    /// host on the port.
    pub(crate) fn live_sources(&self) -> String {
        let http = match self.sise.split_once("://[") {
            Some((scheme, rest)) => {
                let port = rest.split_once("]:").map_or("*", |(_, port)| port);
                format!("{scheme}://*:{port}")
            }
            None => self.sise.clone(),
        };
        format!("{http} {}", http.replacen("http", "ws", 1))
    }

    fn is_at(&self, host: &str) -> bool {
        let authority = self
            .public
            .split_once("://")
            .map(|(_, authority)| authority);
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use clap::Parser;

    use super::*;
    use crate::config::Config;

    fn origins(public: &str, sise: &str) -> anyhow::Result<Origins> {
        let line = [
            "gateway".to_owned(),
            format!("--public-origin={public}"),
            format!("--sise-origin={sise}"),
        ];
        Origins::new(&Config::parse_from(line))
    }

    #[test]
    fn the_sise_origin_follows_the_host() {
        let origins = origins(
            "http://localhost:8080,http://[::1]:8080,http://192.168.0.7:8080/",
            "http://localhost:8081,http://[::1]:8081,http://192.168.0.7:8081/",
        )
        .unwrap();
        for (host, sise, sources) in [
            (
                "192.168.0.7:8080",
                "http://192.168.0.7:8081",
                "http://192.168.0.7:8081 ws://192.168.0.7:8081",
            ),
            (
                "[::1]:8080",
                "http://[::1]:8081",
                "http://*:8081 ws://*:8081",
            ),
            (
                "LOCALHOST:8080",
                "http://localhost:8081",
                "http://localhost:8081 ws://localhost:8081",
            ),
            (
                "evil.example",
                "http://localhost:8081",
                "http://localhost:8081 ws://localhost:8081",
            ),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_str(host).unwrap());
            let origin = origins.of_request(&headers);
            assert_eq!(
                (origin.sise.as_str(), origin.live_sources().as_str()),
                (sise, sources)
            );
        }
        assert!(origins.allow("http://192.168.0.7:8080"));
        assert!(!origins.allow("http://192.168.0.8:8080"));
    }

    #[test]
    fn there_is_one_sise_origin_for_all_or_one_for_each() {
        let both = origins(
            "https://a.example,https://b.example",
            "https://sise.example",
        )
        .unwrap();
        assert!(
            both.iter()
                .all(|origin| origin.sise == "https://sise.example")
        );
        assert!(origins("http://a,http://b,http://c", "http://d,http://e").is_err());
    }
}
