//! Words and shapes that several of these routes share.

use std::collections::BTreeMap;

use proto::convert::InvalidField;
use proto::education::v1 as education;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::wire::code::text_parameter;
use crate::wire::variants::from_proto;

/// How hard something is: 입문, 기본, 심화.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Level {
    Easy,
    Normal,
    Hard,
}

from_proto!(education::Level => Level { Easy, Normal, Hard }, "level");

/// Display name, as in the titles of quizzes.
impl std::fmt::Display for Level {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Easy => "입문",
            Self::Normal => "기본",
            Self::Hard => "심화",
        })
    }
}

/// The text of each option by its key.
pub(super) fn option_map(options: Vec<education::QuizOption>) -> BTreeMap<String, String> {
    let pair = |option: education::QuizOption| (option.key, option.text);
    options.into_iter().map(pair).collect()
}

/// The data of a picture, which the client draws; `None` without one.
pub(super) fn figure(json: String) -> Result<Option<Box<RawValue>>, InvalidField> {
    if json.is_empty() {
        return Ok(None);
    }
    let invalid = |_shape| InvalidField("figure_json");
    RawValue::from_string(json).map(Some).map_err(invalid)
}

/// `None` for an empty text.
pub(super) fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// A word of the service as one of the contract's; `None` for an empty text.
pub(super) fn word<T: DeserializeOwned>(
    text: &str,
    field: &'static str,
) -> Result<Option<T>, InvalidField> {
    if text.is_empty() {
        return Ok(None);
    }
    let word: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(word)
        .map(Some)
        .map_err(|_unknown| InvalidField(field))
}

text_parameter!(
    /// An article, for example `deposits-4`.
    ArticleSid(pattern = "^[a-z]+-[0-9]+$", max_length = 40),
    "글 번호가 올바르지 않아요",
    |text| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let parts = text.split_once('-');
        text.len() <= 40 && parts.is_some_and(|(theme, number)| is_word(theme) && is_number(number))
    }
);

text_parameter!(
    /// A theme, for example `deposits`.
    ThemeSid(pattern = "^[a-z]+$", max_length = 40),
    "주제가 올바르지 않아요",
    |text| text.len() <= 40 && is_word(text)
);

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// `None` for 0.
pub(super) fn weekday(number: i32) -> Option<i32> {
    (number != 0).then_some(number)
}
