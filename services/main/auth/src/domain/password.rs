//! Passwords: a minimum length, any characters, and not guessable.

mod guessable;
mod hangul_keys;
mod keyboard;

use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

use super::{Email, Nickname};

/// Unicode code points of the composed text.
const CHARS: std::ops::RangeInclusive<usize> = 10..=128;

/// Shorter parts of an email address may occur in a password.
const LOCAL_PART_CHARS: usize = 3;

/// In Unicode's composed form, so that the same Hangul typed on another system is the same password.
/// Never truncated; `Debug` hides it.
#[derive(Clone, Debug)]
pub struct Password(SecretString);

#[derive(Clone, Debug)]
pub struct NewPassword(Password);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidPassword {
    /// Not 10 to 128 characters.
    Length,
    /// Contains the member's email address or nickname.
    Personal,
    Guessable,
}

impl Password {
    /// For a login; `None` if no member can have this password.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        // Composition shortens a text at most threefold, and a code point has at most 4 bytes.
        if text.len() > 12 * CHARS.end() {
            return None;
        }
        let composed: String = text.nfc().collect();
        CHARS
            .contains(&composed.chars().count())
            .then(|| Self(composed.into()))
    }

    #[must_use]
    pub fn expose(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

impl NewPassword {
    /// Validates a new password of the member with this address and nickname. There are no rules
    /// about kinds of characters.
    ///
    /// # Errors
    /// [`InvalidPassword`].
    pub fn parse(text: &str, email: &Email, nickname: &Nickname) -> Result<Self, InvalidPassword> {
        let password = Password::parse(text).ok_or(InvalidPassword::Length)?;
        let text = password.0.expose_secret();
        let keys = hangul_keys::keystrokes(text);
        let local_part = hangul_keys::keystrokes(email.local_part());
        if local_part.len() >= LOCAL_PART_CHARS && holds(&keys, &local_part)
            || holds(&keys, &hangul_keys::keystrokes(nickname.as_str()))
        {
            return Err(InvalidPassword::Personal);
        }
        if guessable::is_guessable(text) {
            return Err(InvalidPassword::Guessable);
        }
        Ok(Self(password))
    }

    #[must_use]
    pub fn password(&self) -> &Password {
        &self.0
    }
}

fn holds(text: &[char], part: &[char]) -> bool {
    text.windows(part.len().max(1)).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn choose(text: &str) -> Result<NewPassword, InvalidPassword> {
        let email = Email::parse("minsu.kim@example.com").unwrap();
        NewPassword::parse(text, &email, &Nickname::parse("개미왕").unwrap())
    }

    #[rstest]
    #[case("correct horse battery")]
    #[case("오늘 점심은 김치찌개")]
    #[case("🐜🦋🌸🍀🎈🎁🧩🪁🛶🧭")]
    #[case("8362917405")]
    #[case("x9$Lq2!vTz")]
    #[case("  a space apart  ")]
    fn any_characters_will_do(#[case] text: &str) {
        assert!(choose(text).is_ok());
    }

    #[test]
    fn ten_to_128_characters_are_needed() {
        let of = |length: usize| "q7 z한".chars().cycle().take(length).collect::<String>();
        let long: String = (0..128_u32)
            .filter_map(|step| char::from_u32(0xAC00 + step * 37))
            .collect();
        assert_eq!(choose("q7z한9x2lw").err(), Some(InvalidPassword::Length));
        assert!(choose("q7z한9x2lwé").is_ok());
        assert!(choose(&long).is_ok());
        assert!(choose(&long.nfd().collect::<String>()).is_ok());
        assert_eq!(choose(&of(129)).err(), Some(InvalidPassword::Length));
        assert_eq!(choose("").err(), Some(InvalidPassword::Length));
        assert!(Password::parse(&"a".repeat(10_000_000)).is_none());
    }

    #[test]
    fn nothing_is_cut_off_and_forms_do_not_matter() {
        let base: String = "긴 비밀번호의 끝까지 ".chars().cycle().take(127).collect();
        let one = Password::parse(&format!("{base}a")).unwrap();
        let two = Password::parse(&format!("{base}b")).unwrap();
        assert_ne!(one.expose(), two.expose());
        let decomposed: String = format!("{base}a").nfd().collect();
        assert_eq!(Password::parse(&decomposed).unwrap().expose(), one.expose());
    }

    #[rstest]
    #[case("xx minsu.kim 77")]
    #[case("XX MINSU.KIM@example.com")]
    #[case("나는야 개미왕 최고다")]
    // 개미왕, typed on the English layout.
    #[case("roaldhkd!82zq")]
    fn neither_address_nor_nickname_may_stand_in_it(#[case] text: &str) {
        assert_eq!(choose(text).err(), Some(InvalidPassword::Personal));
    }

    #[test]
    fn a_password_does_not_print_itself() {
        let password = Password::parse("planted canary 77").unwrap();
        assert!(!format!("{password:?}").contains("canary"));
    }

    proptest! {
        #[test]
        fn any_text_is_judged_without_a_panic(text in any::<String>()) {
            let _ = choose(&text);
        }

        #[test]
        fn random_passwords_are_accepted(text in "[a-z0-9]{4}[!-~][가-힣]{3}[A-Z]{2}[!-~]{4}") {
            prop_assert!(choose(&text).is_ok(), "{}", text);
        }
    }
}
