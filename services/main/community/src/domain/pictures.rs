//! How many pictures a text has, and what may be said of them.

use chrono::DateTime;

use super::post::Publication;
use super::writing::{History, Kind, Refusal, clean, judge_change};

pub const MOST_OF_POST: usize = 5;
pub const MOST_OF_COMMENT: usize = 2;
/// Characters of an alternative text.
const LONGEST_ALT: usize = 200;

/// Judges an alternative text as what it stands beside is judged; nobody decides on a doubtful one.
///
/// # Errors
/// [`Refusal`].
pub fn check_alt_text(raw: &str) -> Result<String, Refusal> {
    let text = clean(raw);
    if text.is_empty() {
        return Ok(text);
    }
    if text.chars().count() > LONGEST_ALT {
        return Err(Refusal::TextLength { max: LONGEST_ALT });
    }
    let history = History::default();
    let judged = judge_change(Kind::Comment, &text, &history, DateTime::UNIX_EPOCH)?;
    if judged.publication == Publication::Published {
        Ok(judged.text)
    } else {
        Err(Refusal::Solicitation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternative_texts_are_judged_as_texts() {
        assert_eq!(check_alt_text(" 차트 사진 "), Ok("차트 사진".to_owned()));
        assert_eq!(check_alt_text(" \u{200b}"), Ok(String::new()));
        let longest = "가".repeat(LONGEST_ALT);
        assert_eq!(check_alt_text(&longest), Ok(longest.clone()));
        assert_eq!(
            check_alt_text(&format!("{longest}가")),
            Err(Refusal::TextLength { max: LONGEST_ALT })
        );
        assert_eq!(
            check_alt_text("010-1234-5678 로 전화 주세요"),
            Err(Refusal::ContactDetails)
        );
    }
}
