//! What may be written: one judgement with its reason. A text is published, held for a decision, or
//! refused, in which case nothing is stored.

mod characters;
mod contacts;
mod folding;
mod links;
mod phones;
mod rates;
mod solicitation;
mod text;

use chrono::{DateTime, Utc};
use unicode_segmentation::UnicodeSegmentation;

use super::post::Publication;

use contacts::has_contact;
use folding::condense;
use links::{Links, is_shortened, links_of};
use rates::{check_rates, is_first_day};
use solicitation::{Suspicion, suspicion_of};

pub use rates::{Limits, record_edit};
pub use text::clean;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Post,
    /// Or a reply.
    Comment,
}

/// What a member has written before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// `None` for a member of old.
    pub joined_at: Option<DateTime<Utc>>,
    /// When texts of the same kind were written in the last day, newest first, also deleted ones.
    pub written_at: Vec<DateTime<Utc>>,
    /// The last few other texts of the same kind, also those deleted within a day.
    pub recent_texts: Vec<String>,
}

/// A text as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub text: String,
    pub publication: Publication,
}

/// Why a text is not taken; its `Display` is what its writer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("한 글자에서 {max}자까지 쓸 수 있어요")]
    TextLength { max: usize },
    /// In seconds.
    #[error("너무 빨리 쓰고 있어요. {retry_after}초 뒤에 다시 써 주세요")]
    Rate { retry_after: i64 },
    #[error("가입한 지 하루가 지나면 더 쓸 수 있어요")]
    FirstDayLimit,
    #[error("올릴 수 없는 링크가 있어요")]
    LinkNotAllowed,
    #[error("전화번호나 메신저 아이디는 올릴 수 없어요")]
    ContactDetails,
    #[error("수익을 약속하거나 대화방으로 부르는 글은 올릴 수 없어요")]
    Solicitation,
    #[error("방금 쓴 글과 같아요")]
    RepeatedText,
}

/// Judges a new text by what its author has written before.
///
/// # Errors
/// [`Refusal`], the first reason of them.
pub fn judge_new(
    kind: Kind,
    raw: &str,
    history: &History,
    limits: &Limits,
    now: DateTime<Utc>,
) -> Result<Judged, Refusal> {
    check_rates(kind, history, limits, now)?;
    judge_change(kind, raw, history, now)
}

/// Judges the new text of what was written already, whatever the rates of new texts.
///
/// # Errors
/// [`Refusal`], the first reason of them.
pub fn judge_change(
    kind: Kind,
    raw: &str,
    history: &History,
    now: DateTime<Utc>,
) -> Result<Judged, Refusal> {
    let text = clean(raw);
    check_length(kind, &text)?;
    if has_contact(&text) {
        return Err(Refusal::ContactDetails);
    }
    match links_of(&text) {
        Links::None => {}
        Links::Safe if !is_first_day(history.joined_at, now) => {}
        Links::Safe | Links::Unsafe => return Err(Refusal::LinkNotAllowed),
    }
    let publication = match suspicion_of(&text) {
        Suspicion::None if is_shortened(&text) => Publication::Held,
        Suspicion::None => Publication::Published,
        Suspicion::Doubtful => Publication::Held,
        Suspicion::Certain => return Err(Refusal::Solicitation),
    };
    if is_repeated(kind, &text, &history.recent_texts) {
        return Err(Refusal::RepeatedText);
    }
    Ok(Judged { text, publication })
}

/// Apart from spaces, marks and case; texts without letters have to be equal. Everybody thanks more
/// than once in a few words, so that short comments may be the same.
fn is_repeated(kind: Kind, text: &str, recent_texts: &[String]) -> bool {
    let condensed = condense(text);
    let is_long = || condensed.chars().nth(SHORT_COMMENT).is_some();
    let is_same =
        |before: &String| before == text || !condensed.is_empty() && condense(before) == condensed;
    (kind == Kind::Post || is_long()) && recent_texts.iter().any(is_same)
}

/// What somebody adds to a report, which only moderators read and which may be empty.
///
/// # Errors
/// [`Refusal::TextLength`].
pub fn check_report(raw: &str) -> Result<String, Refusal> {
    let text = clean(raw);
    if is_short(&text, LONGEST_REPORT) {
        Ok(text)
    } else {
        Err(Refusal::TextLength {
            max: LONGEST_REPORT,
        })
    }
}

/// What an author says against hiding.
///
/// # Errors
/// [`Refusal::TextLength`].
pub fn check_appeal(raw: &str) -> Result<String, Refusal> {
    let text = clean(raw);
    if !text.is_empty() && is_short(&text, LONGEST_APPEAL) {
        Ok(text)
    } else {
        Err(Refusal::TextLength {
            max: LONGEST_APPEAL,
        })
    }
}

fn check_length(kind: Kind, text: &str) -> Result<(), Refusal> {
    let max = match kind {
        Kind::Post => 2_000,
        Kind::Comment => 500,
    };
    if text.is_empty() || !is_short(text, max) {
        return Err(Refusal::TextLength { max });
    }
    Ok(())
}

fn is_short(text: &str, max: usize) -> bool {
    // What a reader counts as one may be a long sequence, and is stored as one.
    text.chars().count() <= max * MOST_PER_CHARACTER
        && text.graphemes(true).take(max + 1).count() <= max
}

/// Code points of a character, on average over a text.
const MOST_PER_CHARACTER: usize = 8;
const LONGEST_REPORT: usize = 300;
const LONGEST_APPEAL: usize = 500;
/// In letters and digits.
const SHORT_COMMENT: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    fn changed(kind: Kind, raw: &str) -> Result<Judged, Refusal> {
        judge_change(kind, raw, &History::default(), at(0))
    }

    #[test]
    fn length_is_counted_as_readers_see_it() {
        for (kind, max) in [(Kind::Post, 2_000), (Kind::Comment, 500)] {
            for unit in ["가", "a", "👨‍👩‍👧‍👦", "\u{1112}\u{1161}\u{11ab}"] {
                let longest = changed(kind, &format!(" {}\n", unit.repeat(max)));
                assert!(longest.is_ok(), "{unit} {longest:?}");
                let longer = changed(kind, &unit.repeat(max + 1));
                assert_eq!(longer, Err(Refusal::TextLength { max }), "{unit}");
            }
            for empty in ["", " \n\t", "\u{200b}\u{3164}\u{feff}"] {
                assert_eq!(changed(kind, empty), Err(Refusal::TextLength { max }));
            }
        }
    }

    #[test]
    fn appeals_say_something() {
        let refused = Err(Refusal::TextLength { max: 500 });
        for odd in ["", " \u{200b}", &"가".repeat(501)] {
            assert_eq!(check_appeal(odd), refused);
        }
        assert_eq!(check_appeal(" 억울해요\n").as_deref(), Ok("억울해요"));
    }

    #[test]
    fn links_of_new_members_and_without_encryption_are_refused() {
        let link = |raw: &str, joined: Option<i64>| {
            let history = History {
                joined_at: joined.map(|hours| at(-3_600 * hours)),
                ..History::default()
            };
            judge_change(Kind::Comment, raw, &history, at(0)).map(|judged| judged.publication)
        };
        let refused = Err(Refusal::LinkNotAllowed);
        let safe = "https://dart.fss.or.kr 를 봐요";
        assert_eq!(link(safe, None), Ok(Publication::Published));
        assert_eq!(link(safe, Some(24)), Ok(Publication::Published));
        assert_eq!(link(safe, Some(23)), refused);
        assert_eq!(link("http://dart.fss.or.kr 를 봐요", None), refused);
        assert_eq!(link("공시를 봐요", Some(1)), Ok(Publication::Published));
    }

    #[test]
    fn the_same_text_is_written_once() {
        let history = |before: &str| History {
            recent_texts: vec!["다른 글".to_owned(), before.to_owned()],
            ..History::default()
        };
        let post = |before: &str, raw: &str| {
            let changed = judge_change(Kind::Post, raw, &history(before), at(0));
            let new = judge_new(Kind::Post, raw, &history(before), &Limits::default(), at(0));
            assert_eq!(new, changed);
            new
        };
        let comment = |before: &str, raw: &str| {
            judge_change(Kind::Comment, raw, &history(before), at(0)).map(|judged| judged.text)
        };
        for (before, raw) in [
            ("오늘의 매매 일지", "오늘의  매매일지!!"),
            ("Buy LOW", "buy low"),
            ("👍", "👍"),
        ] {
            assert_eq!(post(before, raw), Err(Refusal::RepeatedText), "{raw}");
        }
        for (before, raw) in [("1일차 기록", "2일차 기록"), ("👍", "🎉")] {
            assert!(post(before, raw).is_ok(), "{raw}");
        }
        for text in ["감사합니다", "👍", "저도요! ㅋㅋㅋㅋ"] {
            assert_eq!(comment(text, text).as_deref(), Ok(text));
        }
        assert_eq!(
            comment(
                "제 글에도 와서 배당주 이야기 봐 주세요",
                "제 글에도 와서 배당주 이야기 봐주세요~~"
            ),
            Err(Refusal::RepeatedText)
        );
    }
}
