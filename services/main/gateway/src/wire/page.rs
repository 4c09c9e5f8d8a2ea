//! Page numbers, page sizes and cursors.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;

const MAX_PAGE_SIZE: i32 = 100;

/// A page from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "i64")]
#[schema(value_type = i32, minimum = 1, maximum = 10_000)]
pub(crate) struct Page(pub(crate) i32);

impl Default for Page {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<i64> for Page {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        match i32::try_from(number) {
            Ok(page) if (1..=10_000).contains(&page) => Ok(Self(page)),
            _ => Err("쪽 번호가 올바르지 않아요"),
        }
    }
}

/// 0 stands for the default size.
pub(crate) fn page_size(size: Option<i32>) -> Result<i32, ApiError> {
    match size {
        None => Ok(0),
        Some(size) if (1..=MAX_PAGE_SIZE).contains(&size) => Ok(size),
        Some(_) => Err(ApiError::field("size", "1에서 100 사이여야 해요")),
    }
}

/// 0 stands for the present season.
pub(crate) fn season(season: Option<i32>) -> Result<i32, ApiError> {
    match season {
        None => Ok(0),
        Some(season) if season >= 1 => Ok(season),
        Some(_) => Err(ApiError::field("season", "시즌은 1부터예요")),
    }
}

/// The id of the last row of the page before; 0 for the first page.
pub(crate) fn cursor(text: Option<&str>) -> Result<i64, ApiError> {
    let invalid = || ApiError::field("cursor", "이어 볼 자리가 올바르지 않아요");
    match text {
        None | Some("") => Ok(0),
        Some(text) if text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().ok().filter(|id| *id > 0).ok_or_else(invalid)
        }
        Some(_) => Err(invalid()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_the_id_of_a_row() {
        assert_eq!(cursor(None).unwrap(), 0);
        assert_eq!(cursor(Some("1234")).unwrap(), 1234);
        for wrong in ["0", "-1", "1e3", "9999999999999999999", "x"] {
            assert!(cursor(Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_page_has_at_most_100_rows() {
        assert_eq!(page_size(None).unwrap(), 0);
        assert_eq!(page_size(Some(100)).unwrap(), 100);
        for wrong in [-1, 0, 101] {
            assert!(page_size(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
