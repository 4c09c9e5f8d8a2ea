//! Lists that are read page by page.

use crate::error::ApiError;

const LARGEST_PAGE: i32 = 100;

/// The size of a page that was asked for; 0 is the usual one.
pub(super) fn page_size(size: Option<i32>) -> Result<i32, ApiError> {
    match size {
        None => Ok(0),
        Some(size) if (1..=LARGEST_PAGE).contains(&size) => Ok(size),
        Some(_) => Err(ApiError::field("size", "1에서 100 사이여야 해요")),
    }
}

/// The number in a cursor: the row where the page before ended. 0 without one.
pub(super) fn cursor(text: Option<&str>) -> Result<i64, ApiError> {
    let wrong = || ApiError::field("cursor", "이어 볼 자리가 올바르지 않아요");
    match text {
        None | Some("") => Ok(0),
        Some(text) if text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().ok().filter(|id| *id > 0).ok_or_else(wrong)
        }
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_the_number_of_a_row() {
        assert_eq!(cursor(None).unwrap(), 0);
        assert_eq!(cursor(Some("1234")).unwrap(), 1234);
        for wrong in ["0", "-1", "1e3", "9999999999999999999", "x"] {
            assert!(cursor(Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_page_has_at_most_a_hundred_rows() {
        assert_eq!(page_size(None).unwrap(), 0);
        assert_eq!(page_size(Some(100)).unwrap(), 100);
        for wrong in [-1, 0, 101] {
            assert!(page_size(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
