//! Pushes: where they go, how often they are tried, and by which key a phone replaces an earlier one.

pub mod public_host;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Url;
use sha2::{Digest, Sha256};
use web_push_native::p256;

/// Subscriptions of a member; the oldest makes room.
pub const MAX_SUBSCRIPTIONS: i64 = 10;
/// Refused pushes in a row after which a subscription is dropped.
pub const MAX_FAILURES: i32 = 10;

/// Bytes; unique addresses are indexed, and an index has no room for more.
const MAX_ADDRESS: usize = 2_048;
/// The push services of Chrome, Firefox, Edge and Safari.
pub const SERVICES: [&str; 4] = [
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "notify.windows.com",
    "push.apple.com",
];
const OTHER_SERVICES: &str = "other";

/// An uncompressed point of P-256.
const PUBLIC_KEY_BYTES: usize = 65;
const AUTH_BYTES: usize = 16;

const FIRST_WAIT: TimeDelta = TimeDelta::seconds(5);
/// Also of what a push service asks for.
pub const LONGEST_WAIT: TimeDelta = TimeDelta::hours(1);
const LONGEST_OWN_WAIT: TimeDelta = TimeDelta::minutes(15);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PushKind {
    /// A browser's push service.
    Web,
    /// Firebase, for Android.
    Fcm,
    /// Apple's, for iOS.
    Apns,
    /// The page on which a local installation shows every push.
    Sink,
}

impl PushKind {
    /// What members can subscribe with.
    pub const OF_MEMBERS: [Self; 3] = [Self::Web, Self::Fcm, Self::Apns];

    /// The value in columns, on the wire and in metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Web => "WEB",
            Self::Fcm => "FCM",
            Self::Apns => "APNS",
            Self::Sink => "SINK",
        }
    }

    /// `None` for what no member can subscribe with.
    #[must_use]
    pub fn of_member(text: &str) -> Option<Self> {
        Self::OF_MEMBERS
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// Where the pushes of a subscription go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    pub kind: PushKind,
    /// The endpoint of a browser or the token of an app.
    pub address: String,
    /// Who shares the room of one service: its name for those of browsers that many have, one word for
    /// all others, and the kind for apps.
    pub host: String,
    pub keys: Option<BrowserKeys>,
}

/// The keys by which only one browser can read a push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserKeys {
    /// An uncompressed point of P-256.
    pub p256dh: Vec<u8>,
    /// 16 bytes.
    pub auth: Vec<u8>,
}

/// What a client sends.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubscriptionRequest<'a> {
    pub kind: &'a str,
    pub address: &'a str,
    pub p256dh: &'a str,
    pub auth: &'a str,
}

/// The field that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidSubscription {
    Kind,
    Address,
    Keys,
}

impl Subscription {
    /// `allow_private` accepts endpoints that only tests and local installations have.
    ///
    /// # Errors
    /// [`InvalidSubscription`].
    pub fn parse(
        request: SubscriptionRequest<'_>,
        allow_private: bool,
    ) -> Result<Self, InvalidSubscription> {
        let kind = PushKind::of_member(request.kind).ok_or(InvalidSubscription::Kind)?;
        let address = request.address;
        if address.is_empty() || address.len() > MAX_ADDRESS {
            return Err(InvalidSubscription::Address);
        }
        let (host, keys) = match kind {
            PushKind::Web => {
                let host = endpoint_host(address, allow_private)?;
                (host, Some(BrowserKeys::parse(request)?))
            }
            PushKind::Fcm | PushKind::Apns | PushKind::Sink => {
                let is_token = match kind {
                    PushKind::Apns => is_apple_token(address),
                    PushKind::Web | PushKind::Fcm | PushKind::Sink => is_firebase_token(address),
                };
                if !is_token {
                    return Err(InvalidSubscription::Address);
                }
                if !request.p256dh.is_empty() || !request.auth.is_empty() {
                    return Err(InvalidSubscription::Keys);
                }
                (kind.as_str().to_owned(), None)
            }
        };
        Ok(Self {
            kind,
            address: address.to_owned(),
            host,
            keys,
        })
    }
}

impl BrowserKeys {
    fn parse(request: SubscriptionRequest<'_>) -> Result<Self, InvalidSubscription> {
        let decode = |text: &str, bytes: usize| {
            let text = text.trim_end_matches('=');
            let decoded = URL_SAFE_NO_PAD.decode(text).ok();
            decoded
                .filter(|decoded| decoded.len() == bytes)
                .ok_or(InvalidSubscription::Keys)
        };
        let p256dh = decode(request.p256dh, PUBLIC_KEY_BYTES)?;
        p256::PublicKey::from_sec1_bytes(&p256dh).map_err(|_no_point| InvalidSubscription::Keys)?;
        Ok(Self {
            p256dh,
            auth: decode(request.auth, AUTH_BYTES)?,
        })
    }
}

/// The host of an https endpoint that everybody can reach.
fn endpoint_host(endpoint: &str, allow_private: bool) -> Result<String, InvalidSubscription> {
    let url = Url::parse(endpoint).map_err(|_no_url| InvalidSubscription::Address)?;
    let host = url.host_str().ok_or(InvalidSubscription::Address)?;
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    // The parser drops spaces and control characters, which a later reader might not.
    let is_plain = endpoint.bytes().all(|byte| byte.is_ascii_graphic());
    if has_credentials || url.fragment().is_some() || !is_plain {
        return Err(InvalidSubscription::Address);
    }
    let is_public =
        url.scheme() == "https" && url.port().is_none() && public_host::is_public_name(host);
    let is_local = allow_private && matches!(url.scheme(), "http" | "https");
    if is_public {
        // Whoever has a domain has as many hosts as he likes.
        let service = SERVICES.into_iter().find(|service| {
            let before = host.strip_suffix(service);
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        });
        Ok(service.unwrap_or(OTHER_SERVICES).to_owned())
    } else if is_local {
        let port = url.port_or_known_default().unwrap_or_default();
        Ok(format!("{host}:{port}"))
    } else {
        Err(InvalidSubscription::Address)
    }
}

/// 32 to 100 bytes as hexadecimal digits.
fn is_apple_token(token: &str) -> bool {
    (64..=200).contains(&token.len())
        && token.len().is_multiple_of(2)
        && token.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_firebase_token(token: &str) -> bool {
    let is_of_token =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.');
    token.len() >= 20 && token.bytes().all(is_of_token)
}

/// The key by which push services and phones replace an earlier push: 32 characters, all of them
/// allowed in the `Topic` of RFC 8030.
#[must_use]
pub fn topic(collapse_key: &str) -> String {
    let mut topic = URL_SAFE_NO_PAD.encode(Sha256::digest(collapse_key.as_bytes()));
    topic.truncate(32);
    topic
}

/// When to try again after the `tries`th failed try, counted from 1. `asked` is what the push service
/// asked for. `None` when the push is worth nothing by then: an outage of a night takes no push of a day.
#[must_use]
pub fn next_try(
    tries: i32,
    asked: Option<TimeDelta>,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or_default();
    let own = TimeDelta::seconds(FIRST_WAIT.num_seconds() << doublings.min(20));
    let own = own.min(LONGEST_OWN_WAIT);
    let wait = asked.map_or(own, |asked| asked.min(LONGEST_WAIT).max(own));
    Some(now + wait).filter(|next| *next < expires_at)
}

/// `text` of at most `max` characters, the last of which says that something is missing.
#[must_use]
pub fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    fn web(address: &str) -> SubscriptionRequest<'_> {
        SubscriptionRequest {
            kind: "WEB",
            address,
            p256dh: P256DH,
            auth: AUTH,
        }
    }

    #[rstest]
    #[case("https://fcm.googleapis.com/fcm/send/abc:def")]
    #[case("https://updates.push.services.mozilla.com/wpush/v2/gAAA")]
    #[case("https://web.push.apple.com/QGuQ?x=1")]
    #[case("https://wns2-par02p.notify.windows.com/w/?token=BQ%3d")]
    fn endpoints_of_browsers_are_taken(#[case] endpoint: &str) {
        let parsed = Subscription::parse(web(endpoint), false).unwrap();
        assert_eq!(parsed.address, endpoint);
        assert_eq!(parsed.keys.unwrap().auth.len(), 16);
        assert_ne!(parsed.host, OTHER_SERVICES);
    }

    #[rstest]
    #[case("https://a.example.com/x")]
    #[case("https://b.example.com/x")]
    #[case("https://notfcm.googleapis.com.example.com/x")]
    #[case("https://evilfcm.googleapis.com/x")]
    fn whoever_has_many_hosts_has_the_room_of_one(#[case] endpoint: &str) {
        let parsed = Subscription::parse(web(endpoint), false).unwrap();
        assert_eq!(parsed.host, OTHER_SERVICES);
    }

    #[rstest]
    #[case("")]
    #[case("fcm.googleapis.com/x")]
    #[case("http://fcm.googleapis.com/x")]
    #[case("ftp://fcm.googleapis.com/x")]
    #[case("https://fcm.googleapis.com:8443/x")]
    #[case("https://user:word@fcm.googleapis.com/x")]
    #[case("https://fcm.googleapis.com/x#part")]
    #[case("https://fcm.googleapis.com/a b")]
    #[case("https://fcm.goo\tgleapis.com/x")]
    #[case("https://a,b.example.com/x")]
    #[case("https://127.0.0.1/x")]
    #[case("https://127.1/x")]
    #[case("https://2130706433/x")]
    #[case("https://0x7f.0.0.1/x")]
    #[case("https://0177.0.0.1/x")]
    #[case("https://10.0.0.1/x")]
    #[case("https://169.254.169.254/latest/meta-data")]
    #[case("https://8.8.8.8/x")]
    #[case("https://[::1]/x")]
    #[case("https://[::ffff:127.0.0.1]/x")]
    #[case("https://[2606:4700::1111]/x")]
    #[case("https://localhost/x")]
    #[case("https://LOCALHOST./x")]
    #[case("https://push.localhost/x")]
    #[case("https://redis/x")]
    #[case("https://auth.seedup.svc/x")]
    #[case("https://auth.seedup.svc.cluster.local/x")]
    #[case("https://metadata.google.internal/x")]
    #[case("https://printer.lan/x")]
    #[case("https://router.home.arpa/x")]
    #[case("https://hidden.onion/x")]
    #[case("https://1.0.0.127.in-addr.arpa/x")]
    #[case("https://①②⑦.⓪.⓪.①/x")]
    fn endpoints_elsewhere_are_refused(#[case] endpoint: &str) {
        let parsed = Subscription::parse(web(endpoint), false);
        assert_eq!(parsed, Err(InvalidSubscription::Address));
    }

    #[test]
    fn an_endpoint_is_bounded() {
        let of = |bytes: usize| format!("https://push.example.com/{}", "x".repeat(bytes - 25));
        assert!(Subscription::parse(web(&of(2_048)), false).is_ok());
        let too_long = of(2_049);
        let parsed = Subscription::parse(web(&too_long), false);
        assert_eq!(parsed, Err(InvalidSubscription::Address));
    }

    #[test]
    fn a_local_installation_may_have_local_endpoints() {
        let parsed = Subscription::parse(web("http://127.0.0.1:9/x"), true).unwrap();
        assert_eq!(parsed.host, "127.0.0.1:9");
        assert!(Subscription::parse(web("file:///etc/passwd"), true).is_err());
    }

    #[rstest]
    #[case("", AUTH)]
    #[case(P256DH, "")]
    #[case(&P256DH[1..], AUTH)]
    #[case(&format!("{P256DH}AA"), AUTH)]
    #[case(P256DH, &AUTH[2..])]
    #[case(P256DH, &format!("{AUTH}AA"))]
    #[case("not base64!", AUTH)]
    // 65 bytes that are no point of the curve.
    #[case(&format!("BA{}", "A".repeat(85)), AUTH)]
    fn keys_have_their_exact_length(#[case] p256dh: &str, #[case] auth: &str) {
        let request = SubscriptionRequest {
            p256dh,
            auth,
            ..web("https://push.example.com/x")
        };
        let parsed = Subscription::parse(request, false);
        assert_eq!(parsed, Err(InvalidSubscription::Keys));
    }

    #[test]
    fn an_app_has_a_token_and_no_keys() {
        let apple = "0a".repeat(32);
        let request = SubscriptionRequest {
            kind: "APNS",
            address: &apple,
            ..SubscriptionRequest::default()
        };
        let parsed = Subscription::parse(request, false).unwrap();
        assert_eq!((parsed.host.as_str(), parsed.keys), ("APNS", None));
        let firebase = SubscriptionRequest {
            kind: "FCM",
            address: "dGhpcyBpcyBh:APA91b-token_of.firebase",
            ..SubscriptionRequest::default()
        };
        assert!(Subscription::parse(firebase, false).is_ok());
        for (kind, address, wrong) in [
            ("APNS", "zz", InvalidSubscription::Address),
            ("APNS", "../../3/device/x", InvalidSubscription::Address),
            ("FCM", "short", InvalidSubscription::Address),
            (
                "FCM",
                "a token with spaces in it",
                InvalidSubscription::Address,
            ),
            ("SINK", &apple, InvalidSubscription::Kind),
            ("web", &apple, InvalidSubscription::Kind),
        ] {
            let request = SubscriptionRequest {
                kind,
                address,
                ..SubscriptionRequest::default()
            };
            assert_eq!(Subscription::parse(request, false), Err(wrong), "{kind}");
        }
        let with_keys = SubscriptionRequest {
            p256dh: P256DH,
            ..request
        };
        let parsed = Subscription::parse(with_keys, false);
        assert_eq!(parsed, Err(InvalidSubscription::Keys));
    }

    #[test]
    fn a_topic_is_short_and_its_own() {
        let one = topic("order:7001");
        assert_eq!(one.len(), 32);
        assert_eq!(one, topic("order:7001"));
        assert_ne!(one, topic("order:7002"));
    }

    #[test]
    fn the_waits_grow_follow_the_service_and_end() {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let far = now + TimeDelta::days(1);
        let wait = |tries, asked: Option<i64>, until| {
            let asked = asked.map(TimeDelta::seconds);
            next_try(tries, asked, now, until).map(|next| (next - now).num_seconds())
        };
        assert_eq!(wait(1, None, far), Some(5));
        assert_eq!(wait(3, None, far), Some(20));
        assert_eq!(wait(9, None, far), Some(900));
        assert_eq!(
            wait(50, None, far),
            Some(900),
            "as long as it is worth something"
        );
        assert_eq!(wait(1, Some(120), far), Some(120));
        // Nobody is asked earlier than without the header.
        assert_eq!(wait(3, Some(0), far), Some(20));
        assert_eq!(wait(1, Some(i64::from(u32::MAX)), far), Some(3_600));
        assert_eq!(wait(1, Some(120), now + TimeDelta::seconds(120)), None);
    }

    #[test]
    fn a_long_text_is_shortened_between_characters() {
        assert_eq!(shortened("체결", 2), "체결");
        assert_eq!(shortened("체결됐어요", 3), "체결…");
        assert_eq!(shortened("가 나", 3), "가 나");
    }
}
