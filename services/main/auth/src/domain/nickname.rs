//! What a nickname may be, when two count as the same, and how often it may change.

use chrono::{DateTime, TimeDelta, Utc};
use unicode_normalization::UnicodeNormalization;

const CHARS: std::ops::RangeInclusive<usize> = 2..=12;

/// Names that impersonate the operator, in the form of [`skeleton`].
const RESERVED: [&str; 11] = [
    "운영자",
    "운영진",
    "운영팀",
    "관리자",
    "어드민",
    "시드업",
    "탈퇴한사용자",
    "admin",
    "operator",
    "moderator",
    "seedup",
];

/// Minimum time between two changes.
const KEPT: TimeDelta = TimeDelta::days(30);

/// Two to twelve Hangul syllables, Latin letters and digits, composed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nickname(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidNickname {
    /// Not 2 to 12 characters of 한글, 영문 and 숫자.
    Shape,
    /// Impersonates the operator or the product.
    Reserved,
}

impl Nickname {
    /// Trims spaces.
    ///
    /// Only whole Hangul syllables, `A-Z a-z` and `0-9` are allowed, which excludes look-alikes of
    /// other scripts, invisible characters and changes of the writing direction.
    ///
    /// # Errors
    /// [`InvalidNickname`].
    pub fn parse(text: &str) -> Result<Self, InvalidNickname> {
        let text = text.trim_matches(' ');
        // A decomposed syllable is nine bytes at most.
        if text.len() > 9 * CHARS.end() {
            return Err(InvalidNickname::Shape);
        }
        let composed: String = text.nfc().collect();
        let length = composed.chars().count();
        if !CHARS.contains(&length) || !composed.chars().all(is_allowed) {
            return Err(InvalidNickname::Shape);
        }
        if is_reserved(&composed) {
            return Err(InvalidNickname::Reserved);
        }
        Ok(Self(composed))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The case-folded name, which must be unique.
    #[must_use]
    pub fn unique_key(&self) -> String {
        self.0.to_lowercase()
    }
}

/// When a nickname may be changed again; `None` if now. The first change is always allowed.
#[must_use]
pub fn changeable_at(
    changed_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    changed_at
        .map(|changed_at| changed_at + KEPT)
        .filter(|changeable_at| *changeable_at > now)
}

fn is_allowed(symbol: char) -> bool {
    symbol.is_ascii_alphanumeric() || ('가'..='힣').contains(&symbol)
}

fn is_reserved(name: &str) -> bool {
    let folded = skeleton(name).replace(&skeleton("badminton"), "");
    RESERVED
        .iter()
        .any(|reserved| folded.contains(&skeleton(reserved)))
}

/// Folds look-alikes: `1` and `l` to `i`, `0` to `o`, and so on.
fn skeleton(name: &str) -> String {
    let fold = |symbol: char| match symbol.to_ascii_lowercase() {
        '1' | 'l' => 'i',
        '0' => 'o',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '9' => 'q',
        other => other,
    };
    // "rn" looks like "m".
    name.chars()
        .map(fold)
        .collect::<String>()
        .replace("rn", "m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("개미")]
    #[case("Ant2026")]
    #[case("badminton")]
    #[case("열두글자까지는괜찮아요네")]
    #[case("12")]
    #[case(" 개미 ")]
    fn a_plain_name_is_accepted(#[case] text: &str) {
        assert_eq!(
            Nickname::parse(text).unwrap().as_str(),
            text.trim_matches(' ')
        );
    }

    #[rstest]
    #[case("")]
    #[case("가")]
    #[case("열세글자는너무길어서안돼요네")]
    #[case("개 미")]
    #[case("개미!")]
    #[case("ㅋㅋㅋ")]
    #[case("개미\u{200b}왕")]
    #[case("\u{202e}개미")]
    #[case("аdmin")]
    #[case("ａｄｍｉｎ")]
    #[case("①②③")]
    #[case("개미😀")]
    #[case("<b>개미")]
    #[case("개미\0")]
    fn other_characters_and_lengths_are_refused(#[case] text: &str) {
        assert_eq!(Nickname::parse(text), Err(InvalidNickname::Shape));
    }

    #[rstest]
    #[case("운영자")]
    #[case("시드업운영자")]
    #[case("운영자1")]
    #[case("admin")]
    #[case("ADMIN")]
    #[case("Adm1n")]
    #[case("adrnin")]
    #[case("4DMlN")]
    #[case("theAdmin99")]
    #[case("0perat0r")]
    #[case("5eedup")]
    #[case("관리자")]
    #[case("\u{110b}\u{116e}\u{11ab}\u{110b}\u{1167}\u{11bc}\u{110c}\u{1161}")]
    fn names_of_the_operator_are_reserved(#[case] text: &str) {
        assert_eq!(Nickname::parse(text), Err(InvalidNickname::Reserved));
    }

    #[test]
    fn one_name_in_two_forms_is_one_name() {
        let composed = Nickname::parse("한글Ant").unwrap();
        let decomposed: String = "한글aNT".nfd().collect();
        let decomposed = Nickname::parse(&decomposed).unwrap();
        assert_eq!(composed.unique_key(), decomposed.unique_key());
    }

    proptest! {
        #[test]
        fn what_is_accepted_holds_only_what_is_allowed(text in "\\PC{0,14}") {
            if let Ok(name) = Nickname::parse(&text) {
                prop_assert!(name.as_str().chars().all(is_allowed));
                prop_assert_eq!(Nickname::parse(name.as_str()), Ok(name));
            }
        }
    }
}
