//! Path and query parameters; a value that does not parse gives 400 with `path` or `query` as its
//! field.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::error::QueryPayloadError;
use actix_web::{FromRequest, HttpRequest, web};
use chrono::{Datelike, NaiveDate};
use futures_util::FutureExt;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer};

use super::json::message;
use crate::error::ApiError;
use crate::wire::time::YEARS;

pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + 'static> FromRequest for Path<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let parsed = web::Path::<T>::from_request(request, payload).now_or_never();
        ready(match parsed {
            Some(Ok(parameters)) => Ok(Self(parameters.into_inner())),
            Some(Err(error)) => {
                let text = error.to_string();
                let text = text.strip_prefix("Path deserialize error: ");
                Err(ApiError::field("path", message(text.unwrap_or_default())))
            }
            None => Err(ApiError::field("path", message(""))),
        })
    }
}

pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let text = match web::Query::<T>::from_query(request.query_string()) {
            Ok(parameters) => return ready(Ok(Self(parameters.into_inner()))),
            Err(QueryPayloadError::Deserialize(error)) => error.to_string(),
            Err(_unknown) => String::new(),
        };
        ready(Err(ApiError::field("query", message(&text))))
    }
}

/// The Korean day in `text`, as `2026-11-21` or `20261121`; what follows a `T` does not count. `None`
/// without a text.
pub(crate) fn korean_day(field: &str, text: Option<&str>) -> Result<Option<NaiveDate>, ApiError> {
    let day = match text.and_then(|text| text.split('T').next()).map(str::trim) {
        None | Some("") => return Ok(None),
        Some(day) => day,
    };
    let parse = |format| NaiveDate::parse_from_str(day, format).ok();
    parse("%Y-%m-%d")
        .or_else(|| parse("%Y%m%d"))
        .filter(|date| YEARS.contains(&date.year()))
        .map(Some)
        .ok_or_else(|| ApiError::field(field, "날짜가 올바르지 않아요"))
}

/// For an optional parameter that may also be empty.
pub(crate) fn empty_is_absent<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    T::deserialize(text.into_deserializer()).map(Some)
}

/// For an optional field of a body that may also be null or empty.
pub(crate) fn blank_is_absent<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    match Option::<String>::deserialize(deserializer)? {
        Some(text) if !text.is_empty() => T::deserialize(text.into_deserializer()).map(Some),
        _ => Ok(None),
    }
}
