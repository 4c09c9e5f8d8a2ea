//! Words, ids and texts that several of these routes share.

use proto::community::v1 as community;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::routes::file::{Picture, id_of_url};
use crate::wire::code::text_parameter;
use crate::wire::variants::{from_proto, to_proto};

/// What a post is about: 자유, 주식, 코인, 예적금, 공부, 공지. The operator alone writes NOTICE.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum PostCategory {
    Free,
    Stock,
    Coin,
    Product,
    Study,
    Notice,
}

/// Which posts a list has.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum CategoryFilter {
    #[default]
    All,
    Free,
    Stock,
    Coin,
    Product,
    Study,
    Notice,
}

/// Whether others see it: HELD waits for a decision, HIDDEN was reported; only its author sees those.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum TextStatus {
    Published,
    Held,
    Hidden,
}

/// A number of a post, a comment or a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "i64")]
#[schema(value_type = i64, minimum = 1)]
pub(super) struct Sid(pub(super) i64);

text_parameter!(
    /// `cursor` of the page before.
    Cursor(pattern = "^[A-Za-z0-9_-]{0,100}$"),
    "이어 볼 자리가 올바르지 않아요",
    |text| text.len() <= 100
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
);

text_parameter!(
    /// What is written. A post has 2,000 characters at most, a comment 500.
    WrittenText(max_length = 10_000),
    "글이 너무 길어요",
    |text| text.chars().count() <= 10_000
);

text_parameter!(
    /// URLs of uploaded images with commas between them; empty for none.
    ImageUrls(max_length = 2_000),
    "사진 주소가 너무 길어요",
    |text| text.chars().count() <= 2_000
);

text_parameter!(
    /// What a picture shows: at most 200 characters; empty for nothing.
    ImageAlt(max_length = 1_000),
    "사진 설명이 너무 길어요",
    |text| text.chars().count() <= 1_000
);

#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
pub(super) struct ViewerQuery {
    /// The caller; 0 or absent is nobody.
    member_sid: Option<i64>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
pub(super) struct CallerQuery {
    /// The caller.
    member_sid: i64,
}

/// The id that a request names twice, or in either of two places.
pub(super) fn either(
    name: &'static str,
    one: Option<Sid>,
    other: Option<Sid>,
) -> Result<i64, ApiError> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => {
            Err(ApiError::field(name, "서로 다른 번호를 보냈어요"))
        }
        (Some(sid), _) | (None, Some(sid)) => Ok(sid.0),
        (None, None) => Err(ApiError::field(name, "꼭 필요한 값이에요")),
    }
}

/// Empty for the first page.
pub(super) fn cursor(cursor: Option<Cursor>) -> String {
    cursor.map(String::from).unwrap_or_default()
}

/// The ids of the pictures that the URLs name.
pub(super) fn images(urls: Option<ImageUrls>) -> Vec<String> {
    let urls = urls.map(String::from).unwrap_or_default();
    let url = urls.split(',').map(str::trim);
    url.filter(|url| !url.is_empty())
        .map(|url| id_of_url(url).to_owned())
        .collect()
}

/// Pictures of a text that is changed: without `contentImg` they stay, and nothing may be said of
/// others.
pub(super) struct ChangedImages {
    pub(super) images: Vec<String>,
    pub(super) image_alts: Vec<String>,
    pub(super) keeps_images: bool,
}

pub(super) fn changed_images(
    urls: Option<ImageUrls>,
    alts: Option<Vec<ImageAlt>>,
) -> Result<ChangedImages, ApiError> {
    let keeps_images = urls.is_none();
    let image_alts = image_alts(alts);
    if keeps_images && !image_alts.is_empty() {
        return Err(ApiError::field("contentImg", "꼭 필요한 값이에요"));
    }
    Ok(ChangedImages {
        images: images(urls),
        image_alts,
        keeps_images,
    })
}

/// What is shown of pictures, and their URLs with commas between them.
pub(super) fn pictures(pictures: Vec<community::Picture>) -> (Vec<Picture>, String) {
    let pictures: Vec<Picture> = pictures.into_iter().map(Picture::from).collect();
    let urls: Vec<&str> = pictures.iter().map(Picture::url).collect();
    let urls = urls.join(",");
    (pictures, urls)
}

pub(super) fn image_alts(alts: Option<Vec<ImageAlt>>) -> Vec<String> {
    let alts = alts.unwrap_or_default();
    alts.into_iter().map(String::from).collect()
}

impl TryFrom<i64> for Sid {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        if number > 0 {
            Ok(Self(number))
        } else {
            Err("번호가 올바르지 않아요")
        }
    }
}

to_proto!(pub(super) CategoryFilter => community::Category {
    Free, Stock, Coin, Product, Study, Notice; All = Unspecified
});

to_proto!(pub(super) PostCategory => community::Category {
    Free, Stock, Coin, Product, Study, Notice
});
from_proto!(community::Category => PostCategory {
    Free, Stock, Coin, Product, Study, Notice
}, "category");

from_proto!(community::Publication => TextStatus { Published, Held, Hidden }, "publication");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_may_come_twice_but_not_as_two() {
        let (one, two) = (Some(Sid(1)), Some(Sid(2)));
        assert_eq!(either("sid", one, None).unwrap(), 1);
        assert_eq!(either("sid", None, two).unwrap(), 2);
        assert_eq!(either("sid", one, one).unwrap(), 1);
        assert!(either("sid", one, two).is_err());
        assert!(either("sid", None, None).is_err());
    }

    #[test]
    fn urls_become_ids() {
        let split = |text: &str| images(ImageUrls::try_from(text.to_owned()).ok());
        assert_eq!(split("/files/a/1920, /files/b/446,"), ["a", "b"]);
        assert_eq!(
            split("https://a.example/x.png"),
            ["https://a.example/x.png"]
        );
        assert_eq!(split(""), Vec::<String>::new());
        assert_eq!(images(None), Vec::<String>::new());
    }
}
