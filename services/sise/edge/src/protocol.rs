//! The messages and close codes of `/ws2`. `asyncapi.json` in this crate documents them for
//! clients.

use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use kernel::MarketCode;
use kernel::clock::KST;
use serde::{Deserialize, Serialize};

use crate::json;

pub const MAX_FRAME_BYTES: usize = 4_096;
pub const MAX_CODES_PER_FRAME: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Destination {
    /// KOSPI, KOSDAQ and ETF.
    Stock,
    /// US stocks.
    GlobalStock,
    Coin,
    /// Gold and world commodities.
    Commodity,
}

impl Destination {
    pub const ALL: [Self; 4] = [Self::Stock, Self::GlobalStock, Self::Coin, Self::Commodity];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stock => "/stock/realData",
            Self::GlobalStock => "/globalStock/realData",
            Self::Coin => "/coin/realData",
            Self::Commodity => "/commodity/realData",
        }
    }

    /// Index in [`Destination::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::Stock => 0,
            Self::GlobalStock => 1,
            Self::Coin => 2,
            Self::Commodity => 3,
        }
    }

    #[must_use]
    pub fn of(market: MarketCode) -> Self {
        match market {
            MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => Self::Stock,
            MarketCode::Global => Self::GlobalStock,
            MarketCode::Coin => Self::Coin,
            MarketCode::Gold => Self::Commodity,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|destination| destination.as_str() == text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientMessage {
    Ping,
    Subscribe(Destination, Vec<String>),
    Unsubscribe(Destination, Vec<String>),
    Auth {
        /// A sise token.
        token: String,
        /// Sequence number of the newest fill that the client has.
        last_fill_seq: Option<i64>,
    },
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Wire {
    #[serde(rename = "ping")]
    Ping {},
    #[serde(rename = "SUBSCRIBE")]
    Subscribe {
        destination: String,
        codes: Vec<String>,
    },
    #[serde(rename = "UNSUBSCRIBE")]
    Unsubscribe {
        destination: String,
        codes: Vec<String>,
    },
    #[serde(rename = "AUTH")]
    #[serde(rename_all = "camelCase")]
    Auth {
        token: String,
        #[serde(default)]
        last_fill_seq: Option<i64>,
    },
}

impl ClientMessage {
    /// # Errors
    /// [`Close::InvalidMessage`] for anything that is not a message of the protocol,
    /// [`Close::TooManyCodes`] above [`MAX_CODES_PER_FRAME`].
    pub fn parse(text: &str) -> Result<Self, Close> {
        // The specification also allows the bare word.
        if text == "ping" {
            return Ok(Self::Ping);
        }
        let wire: Wire = serde_json::from_str(text).map_err(|_garbage| Close::InvalidMessage)?;
        match wire {
            Wire::Ping {} => Ok(Self::Ping),
            Wire::Subscribe { destination, codes } => {
                let (destination, codes) = validated(&destination, codes)?;
                Ok(Self::Subscribe(destination, codes))
            }
            Wire::Unsubscribe { destination, codes } => {
                let (destination, codes) = validated(&destination, codes)?;
                Ok(Self::Unsubscribe(destination, codes))
            }
            Wire::Auth {
                token,
                last_fill_seq,
            } => Ok(Self::Auth {
                token,
                last_fill_seq: last_fill_seq.filter(|seq| *seq >= 0),
            }),
        }
    }
}

fn validated(destination: &str, codes: Vec<String>) -> Result<(Destination, Vec<String>), Close> {
    let destination = Destination::parse(destination).ok_or(Close::InvalidMessage)?;
    if codes.len() > MAX_CODES_PER_FRAME {
        return Err(Close::TooManyCodes);
    }
    Ok((destination, codes))
}

/// Why the server closes a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// The process is shutting down.
    GoingAway,
    /// The client sent no frame for too long.
    Idle,
    Protocol,
    Binary,
    /// Text that is not UTF-8 or not a message of the protocol.
    InvalidMessage,
    TooManyCodes,
    TooFast,
    TooManyAuths,
    /// The client does not read its messages.
    TooSlow,
    /// A frame above [`MAX_FRAME_BYTES`].
    TooBig,
}

impl Close {
    /// The close code of RFC 6455.
    #[must_use]
    pub fn code(self) -> u16 {
        match self {
            Self::GoingAway | Self::Idle => 1001,
            Self::Protocol => 1002,
            Self::Binary => 1003,
            Self::InvalidMessage => 1007,
            Self::TooManyCodes | Self::TooFast | Self::TooManyAuths | Self::TooSlow => 1008,
            Self::TooBig => 1009,
        }
    }

    /// Sent with the close frame; at most 123 bytes.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::GoingAway => "server restarts",
            Self::Idle => "no frame for too long",
            Self::Protocol => "protocol error",
            Self::Binary => "text frames only",
            Self::InvalidMessage => "not a message of this protocol",
            Self::TooManyCodes => "at most 100 codes a frame and 300 a socket",
            Self::TooFast => "at most 5 frames a second",
            Self::TooManyAuths => "at most one AUTH in 10 seconds",
            Self::TooSlow => "frames are not taken",
            Self::TooBig => "frames are at most 4 KB",
        }
    }
}

/// Why `AUTH` was rejected, or why the private channel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthFailure {
    Expired,
    /// The token is not valid, or its session has ended.
    Invalid,
    /// The keys or the state of the session cannot be fetched at the moment, or the member has
    /// reached a limit of private channels.
    Unavailable,
}

/// The trading state of all venues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenVenues {
    /// Venues in continuous trading.
    pub open: VenueFlags,
    /// Venues in a call auction.
    pub auction: VenueFlags,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct VenueFlags {
    /// Korean stocks and ETFs.
    pub krx: bool,
    pub us: bool,
    pub coin: bool,
    pub gold: bool,
}

/// What the server sends beside frames.
#[derive(Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
enum ServerMessage {
    #[serde(rename = "pong")]
    Pong {
        server_time: String,
        open: VenueFlags,
        auction: VenueFlags,
        stale: bool,
    },
    #[serde(rename = "AUTH_OK")]
    AuthOk { expires_at: String },
    #[serde(rename = "AUTH_ERROR")]
    AuthError { code: u16, reason: &'static str },
    #[serde(rename = "STALE")]
    Stale { stale: bool },
    #[serde(rename = "GAP")]
    Gap {
        destination: &'static str,
        from: i64,
        to: i64,
    },
}

#[must_use]
pub fn pong(now: DateTime<Utc>, open: OpenVenues, stale: bool) -> String {
    json::text(&ServerMessage::Pong {
        server_time: korean_time(now),
        open: open.open,
        auction: open.auction,
        stale,
    })
}

#[must_use]
pub fn auth_ok(expires_at: DateTime<Utc>) -> String {
    let expires_at = korean_time(expires_at);
    json::text(&ServerMessage::AuthOk { expires_at })
}

/// Price subscriptions continue after it.
#[must_use]
pub fn auth_error(failure: AuthFailure) -> String {
    let (code, reason) = match failure {
        AuthFailure::Expired => (1203, "Authentication is expired"),
        AuthFailure::Invalid => (1205, "Authentication is invalid"),
        AuthFailure::Unavailable => (9007, "UNAVAILABLE"),
    };
    json::text(&ServerMessage::AuthError { code, reason })
}

#[must_use]
pub fn stale(stale: bool) -> String {
    json::text(&ServerMessage::Stale { stale })
}

/// Fills `from` to `to` exist and are too many to be sent.
#[must_use]
pub fn gap(from: i64, to: i64) -> String {
    json::text(&ServerMessage::Gap {
        destination: FILLS,
        from,
        to,
    })
}

/// The destination of a member's fills.
pub const FILLS: &str = "/member/fills";
/// The destination of what else a member is told.
pub const NOTICES: &str = "/member/notice";

/// The payload is serialised already.
#[must_use]
pub fn frame(destination: &str, seq: u64, snapshot: bool, payload: &[Arc<str>]) -> String {
    let payload = payload.join(",");
    format!(
        r#"{{"destination":"{destination}","seq":{seq},"snapshot":{snapshot},"payload":[{payload}]}}"#
    )
}

/// As `2026-11-21T09:03:00+09:00`.
#[must_use]
pub fn korean_time(instant: DateTime<Utc>) -> String {
    instant
        .with_timezone(&KST)
        .to_rfc3339_opts(SecondsFormat::Secs, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_of_the_protocol_is_read() {
        let parse = |text: &str| ClientMessage::parse(text).unwrap();
        assert_eq!(parse("ping"), ClientMessage::Ping);
        assert_eq!(parse(r#"{"type":"ping"}"#), ClientMessage::Ping);
        assert_eq!(parse(r#"{"type":"ping","extra":[1]}"#), ClientMessage::Ping);
        assert_eq!(
            parse(r#"{"type":"SUBSCRIBE","destination":"/coin/realData","codes":["BTC"]}"#),
            ClientMessage::Subscribe(Destination::Coin, vec!["BTC".to_owned()])
        );
        assert_eq!(
            parse(r#"{"type":"UNSUBSCRIBE","destination":"/commodity/realData","codes":[]}"#),
            ClientMessage::Unsubscribe(Destination::Commodity, vec![])
        );
        assert_eq!(
            parse(r#"{"type":"AUTH","token":"t","lastFillSeq":7}"#),
            ClientMessage::Auth {
                token: "t".to_owned(),
                last_fill_seq: Some(7)
            }
        );
        assert_eq!(
            parse(r#"{"type":"AUTH","token":"t","lastFillSeq":null}"#),
            ClientMessage::Auth {
                token: "t".to_owned(),
                last_fill_seq: None
            }
        );
    }

    #[test]
    fn everything_else_closes_the_socket() {
        let deep = "[".repeat(4_000);
        for text in [
            "",
            "PING",
            "null",
            "[]",
            "{}",
            "{\"type\":\"PONG\"}",
            r#"{"type":"SUBSCRIBE"}"#,
            r#"{"type":"SUBSCRIBE","destination":"/etc/passwd","codes":[]}"#,
            r#"{"type":"SUBSCRIBE","destination":"/member/fills","codes":[]}"#,
            r#"{"type":"SUBSCRIBE","destination":"/coin/realData","codes":"BTC"}"#,
            r#"{"type":"SUBSCRIBE","destination":"/coin/realData","codes":[1]}"#,
            r#"{"type":"AUTH"}"#,
            r#"{"type":"AUTH","token":"t","lastFillSeq":1e400}"#,
            r#"{"type":"ping"} {"type":"ping"}"#,
            deep.as_str(),
        ] {
            assert_eq!(
                ClientMessage::parse(text),
                Err(Close::InvalidMessage),
                "{text:.40}"
            );
        }
        let codes = vec!["A"; MAX_CODES_PER_FRAME + 1];
        let many =
            serde_json::json!({"type":"SUBSCRIBE","destination":"/coin/realData","codes":codes});
        assert_eq!(
            ClientMessage::parse(&many.to_string()),
            Err(Close::TooManyCodes)
        );
    }

    #[test]
    fn responses_have_the_documented_form() {
        let now = "2026-11-21T00:03:00Z".parse().unwrap();
        let open = OpenVenues {
            open: VenueFlags {
                krx: true,
                ..VenueFlags::default()
            },
            auction: VenueFlags {
                gold: true,
                ..VenueFlags::default()
            },
        };
        assert_eq!(
            pong(now, open, false),
            r#"{"type":"pong","serverTime":"2026-11-21T09:03:00+09:00","open":{"KRX":true,"US":false,"COIN":false,"GOLD":false},"auction":{"KRX":false,"US":false,"COIN":false,"GOLD":true},"stale":false}"#
        );
        assert_eq!(
            auth_ok(now),
            r#"{"type":"AUTH_OK","expiresAt":"2026-11-21T09:03:00+09:00"}"#
        );
        assert_eq!(
            frame("/coin/realData", 3, true, &["{}".into(), "{}".into()]),
            r#"{"destination":"/coin/realData","seq":3,"snapshot":true,"payload":[{},{}]}"#
        );
        assert_eq!(
            gap(3, 9),
            r#"{"type":"GAP","destination":"/member/fills","from":3,"to":9}"#
        );
    }
}
