//! Under which names members reach the product, and where live prices are for each of them.

use actix_web::http::header::{HOST, HeaderMap};
use anyhow::ensure;

use crate::config::Config;

/// A name of the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Scheme, host and port of the client.
    pub(crate) public: String,
    /// The same of live prices, as a client that came by this name reaches them.
    pub(crate) sise: String,
}

/// All names there are, at least one.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    first: Origin,
    others: Vec<Origin>,
}

impl Origins {
    /// The names of `config`.
    ///
    /// # Errors
    /// When there is none, or not one place of live prices for each or for all.
    pub(crate) fn of(config: &Config) -> anyhow::Result<Self> {
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

    /// The name that a request came by; the first where its Host is none of them.
    pub(crate) fn asked(&self, headers: &HeaderMap) -> &Origin {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let found = host.and_then(|host| self.iter().find(|origin| origin.is_at(host)));
        found.unwrap_or(&self.first)
    }

    /// Whether a page of `origin` is ours.
    pub(crate) fn allow(&self, origin: &str) -> bool {
        self.iter().any(|known| known.public == origin)
    }

    /// Each of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Origin> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl Origin {
    /// What a page may connect to, as sources of a content security policy. Those cannot name an
    /// address of IPv6; there the port is what bounds them.
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
    use crate::config::Cli;

    fn origins(public: &str, sise: &str) -> anyhow::Result<Origins> {
        let line = [
            "gateway".to_owned(),
            format!("--public-origin={public}"),
            format!("--sise-origin={sise}"),
        ];
        Origins::of(&Cli::parse_from(line).config)
    }

    #[test]
    fn live_prices_are_where_the_client_came_from() {
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
            let origin = origins.asked(&headers);
            assert_eq!(
                (origin.sise.as_str(), origin.live_sources().as_str()),
                (sise, sources)
            );
        }
        assert!(origins.allow("http://192.168.0.7:8080"));
        assert!(!origins.allow("http://192.168.0.8:8080"));
    }

    #[test]
    fn one_place_of_prices_is_for_all_and_two_are_not_for_three() {
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
