//! Request bodies: one strict JSON object of at most 64 KB, read before any handler runs and checked
//! for what serde accepts: duplicate names, NUL characters, unlimited nesting.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::{Version, header};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use bootstrap::deadline;
use futures_util::StreamExt;
use kernel::MemberId;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::error::{ApiError, Reason};

const MAX_BODY_BYTES: usize = 64 * 1024;
const MAX_DEPTH: u32 = 16;

pub(crate) struct Body {
    bytes: Bytes,
}

impl Body {
    /// The member in the top-level field `name`; `None` without that field.
    pub(crate) fn member(&self, name: &str) -> Option<Result<MemberId, ApiError>> {
        let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(&self.bytes).ok()?;
        let id = fields.get(name)?.get().parse().map(MemberId);
        Some(id.map_err(|_shape| ApiError::field(name, "회원 번호가 올바르지 않아요")))
    }
}

/// An empty body reads as `{}`.
pub(crate) async fn read(request: &mut ServiceRequest) -> Result<Body, ApiError> {
    if is_empty(request.request()) {
        return Ok(Body {
            bytes: Bytes::from_static(b"{}"),
        });
    }
    check_headers(request.request())?;
    let mut payload = request.take_payload();
    let reading = async {
        let mut bytes = BytesMut::new();
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_broken| ApiError::from(Reason::Malformed))?;
            if bytes.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(ApiError::from(Reason::PayloadTooLarge));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.freeze())
    };
    let limit = deadline::remaining().unwrap_or_default();
    let bytes = tokio::time::timeout(limit, reading)
        .await
        .map_err(|_elapsed| ApiError::from(Reason::RequestTimeout))??;
    check(&bytes)?;
    Ok(Body { bytes })
}

pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = std::future::Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let parsed = match request.extensions().get::<Body>() {
            Some(body) => parse(&body.bytes),
            None => Err(Reason::Internal.into()),
        };
        std::future::ready(parsed.map(Self))
    }
}

/// The Korean message of one of our own types, or a general one, because serde's own messages repeat
/// the input.
pub(super) fn message(error: &str) -> String {
    let is_hangul = |letter: char| ('가'..='힣').contains(&letter);
    if error.starts_with(is_hangul) {
        let end = error.find(" at line").unwrap_or(error.len());
        error.get(..end).unwrap_or(error).to_owned()
    } else {
        "값의 형식이 올바르지 않아요".to_owned()
    }
}

fn is_empty(request: &HttpRequest) -> bool {
    let headers = request.headers();
    let announces = [
        header::CONTENT_TYPE,
        header::CONTENT_ENCODING,
        header::TRANSFER_ENCODING,
    ];
    // HTTP/2 sends bodies without announcing a length.
    let length = headers.get(header::CONTENT_LENGTH);
    request.version() < Version::HTTP_2
        && !announces.iter().any(|name| headers.contains_key(name))
        && length.is_none_or(|length| length.as_bytes() == b"0")
}

fn check_headers(request: &HttpRequest) -> Result<(), ApiError> {
    let headers = request.headers();
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let (media_type, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let parameters = parameters.trim();
    let utf8 = parameters.is_empty() || parameters.eq_ignore_ascii_case("charset=utf-8");
    let json = media_type.trim().eq_ignore_ascii_case("application/json");
    // A compressed body could expand to any size; no client sends one.
    if !json || !utf8 || headers.contains_key(header::CONTENT_ENCODING) {
        return Err(Reason::UnsupportedMediaType.into());
    }
    let length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if length.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(Reason::PayloadTooLarge.into());
    }
    Ok(())
}

fn check(bytes: &[u8]) -> Result<(), ApiError> {
    let malformed = |_error| ApiError::field("body", "JSON 형식이 올바르지 않아요");
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    Strict { depth: 0 }
        .deserialize(&mut deserializer)
        .map_err(malformed)?;
    deserializer.end().map_err(malformed)
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let text = error.inner().to_string();
        let missing = text
            .strip_prefix("missing field `")
            .and_then(|rest| rest.split('`').next());
        match missing {
            Some(field) => ApiError::field(field, "꼭 필요한 값이에요"),
            None => ApiError::field(error.path().to_string(), message(&text)),
        }
    })
}

/// Validates a document without building it. The outermost value must be an object.
#[derive(Clone, Copy)]
struct Strict {
    depth: u32,
}

impl Strict {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth >= MAX_DEPTH {
            return Err(E::custom("nested too deeply"));
        }
        Ok(Self {
            depth: self.depth + 1,
        })
    }

    fn scalar<E: serde::de::Error>(self) -> Result<(), E> {
        if self.depth == 0 {
            return Err(E::custom("not an object"));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("strict JSON")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.scalar()
    }

    fn visit_bool<E: serde::de::Error>(self, _value: bool) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i64<E: serde::de::Error>(self, _value: i64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_u64<E: serde::de::Error>(self, _value: u64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_f64<E: serde::de::Error>(self, _value: f64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        if text.contains('\0') {
            return Err(E::custom("a NUL character"));
        }
        self.scalar()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.scalar()?;
        let inner = self.deeper()?;
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        let mut names = BTreeSet::new();
        while let Some(name) = fields.next_key::<Name>()? {
            if !names.insert(name.0) {
                return Err(A::Error::custom("a name occurs twice"));
            }
            fields.next_value_seed(inner)?;
        }
        Ok(())
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Name(String);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::number::Exact;

    #[test]
    fn a_plain_object_is_accepted() {
        for good in ["{}", r#" {"a":1,"b":[{"a":null}],"c":"\ud55c\uae00"} "#] {
            assert!(check(good.as_bytes()).is_ok(), "{good}");
        }
    }

    #[test]
    fn what_serde_accepts_is_rejected() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(20), "]".repeat(20));
        let endless = "[".repeat(10_000);
        for bad in [
            "",
            "1",
            "null",
            "[]",
            "\"text\"",
            "{} {}",
            "\u{feff}{}",
            r#"{"a":1,"a":2}"#,
            r#"{"x":{"a":1,"\u0061":2}}"#,
            r#"{"a":"\u0000"}"#,
            r#"{"a":"\ud800"}"#,
            r#"{"a":1e400}"#,
            r#"{"a":NaN}"#,
            r#"{"a":1,}"#,
            "{\"a\":\"\u{1}\"}",
            &deep,
            &endless,
        ] {
            assert!(check(bad.as_bytes()).is_err(), "{bad:.80}");
        }
        assert!(check(b"{\"a\":\"\xff\"}").is_err());
    }

    #[test]
    fn the_wrong_field_is_named() {
        #[derive(Debug, Deserialize)]
        struct Draft {
            #[expect(dead_code, reason = "only its absence matters")]
            price: Exact,
        }
        for (body, field) in [
            (r#"{"price":"1"}"#, "price"),
            (r#"{"price":1e3}"#, "price"),
            ("{}", "price"),
        ] {
            let error = parse::<Draft>(body.as_bytes()).unwrap_err();
            assert!(
                format!("{error:?}").contains(&format!("field: \"{field}\"")),
                "{error:?}"
            );
        }
    }
}
