use std::str::FromStr;

use lettre::Address;
use unicode_normalization::UnicodeNormalization;

const MAX_CHARS: usize = 254;

/// An address of the shape `non-space@non-space.non-space`, in lower case and in Unicode's
/// composed form, so that one mailbox is one member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidEmail;

impl Email {
    /// Trims spaces, which phone keyboards append.
    ///
    /// # Errors
    /// [`InvalidEmail`] for another shape, more than 254 characters, or a character that is
    /// white space, a control (line breaks and NUL among them) or invisible.
    pub fn parse(text: &str) -> Result<Self, InvalidEmail> {
        let text = text.trim_matches(' ');
        // Case folding cannot make an address four times shorter, so no valid one is rejected here.
        if text.len() > 16 * MAX_CHARS || text.chars().any(is_refused) {
            return Err(InvalidEmail);
        }
        let folded: String = text.nfc().flat_map(char::to_lowercase).nfc().collect();
        if folded.chars().count() > MAX_CHARS || !has_shape(&folded) {
            return Err(InvalidEmail);
        }
        Ok(Self(folded))
    }

    /// Whether mail can be delivered: the mailer can parse the address, its local part is not quoted
    /// and its domain is a name. Members who joined with another address can still log in.
    #[must_use]
    pub fn is_mailable(&self) -> bool {
        let is_part = |symbol: char| symbol.is_alphanumeric() || matches!(symbol, '-' | '.');
        let is_name = |domain: &str| {
            domain.chars().all(is_part) && !domain.rsplit('.').next().is_some_and(is_number)
        };
        !self.0.contains(is_special)
            && Address::from_str(&self.0).is_ok_and(|address| is_name(address.domain()))
    }

    /// The folded address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the last `@`.
    #[must_use]
    pub fn local_part(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(local, _)| local)
    }
}

/// `^\S+@\S+\.\S+$`; the caller has rejected white space.
fn has_shape(text: &str) -> bool {
    let Some((local, rest)) = text.split_once('@') else {
        return false;
    };
    let dot_inside = rest
        .char_indices()
        .any(|(at, symbol)| symbol == '.' && at > 0 && at + 1 < rest.len());
    !local.is_empty() && dot_inside
}

/// Occur only in quoted local parts and address literals.
fn is_special(symbol: char) -> bool {
    matches!(
        symbol,
        ',' | ';' | ':' | '"' | '\\' | '<' | '>' | '(' | ')' | '[' | ']'
    )
}

/// A domain that ends with a number is an IPv4 address.
fn is_number(label: &str) -> bool {
    label.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_refused(symbol: char) -> bool {
    symbol.is_whitespace() || symbol.is_control() || is_invisible(symbol)
}

/// Invisible characters and changes of the writing direction: two addresses that differ only in
/// these look the same.
fn is_invisible(symbol: char) -> bool {
    matches!(symbol,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("a@b.c", "a@b.c")]
    #[case(" Min.Su+Tag@Example.COM ", "min.su+tag@example.com")]
    #[case("한글@예시.한국", "한글@예시.한국")]
    #[case("\u{1112}\u{1161}\u{11ab}@a.kr", "한@a.kr")]
    #[case("a'b--@x.y.z", "a'b--@x.y.z")]
    fn an_address_is_folded(#[case] text: &str, #[case] folded: &str) {
        assert_eq!(Email::parse(text).unwrap().as_str(), folded);
    }

    #[rstest]
    #[case("")]
    #[case("@b.c")]
    #[case("a@.c")]
    #[case("a@b.")]
    #[case("a@bc")]
    #[case("ab.c")]
    #[case("a b@c.d")]
    #[case("a@b.c\r\nBcc: d@e.f")]
    #[case("a@b.c\n")]
    #[case("a\0@b.c")]
    #[case("a\u{7f}@b.c")]
    #[case("a\u{200b}@b.c")]
    #[case("a\u{202e}@b.c")]
    #[case("a\u{3000}b@c.d")]
    fn what_is_no_address_is_refused(#[case] text: &str) {
        assert_eq!(Email::parse(text), Err(InvalidEmail));
    }

    #[rstest]
    #[case("a@b.co", true)]
    #[case("min.su+tag@example.com", true)]
    #[case("o'neil_x-1@mail.example.co.kr", true)]
    #[case("a@xn--9n2bp8q.kr", true)]
    #[case("한글@예시.한국", true)]
    #[case("a,b@c.kr", false)]
    #[case("a@b.kr,c@d.kr", false)]
    #[case("<a@b.kr>", false)]
    #[case("kim<a@b.kr", false)]
    #[case("a@b.kr>", false)]
    #[case("\"a\"@b.kr", false)]
    #[case("a(b)@c.kr", false)]
    #[case("a;b@c.kr", false)]
    #[case("a:b@c.kr", false)]
    #[case("a\\b@c.kr", false)]
    #[case("a@b@c.kr", false)]
    #[case(".a@b.kr", false)]
    #[case("a.@b.kr", false)]
    #[case("a..b@c.kr", false)]
    #[case("a@b..kr", false)]
    #[case("a@-b.kr", false)]
    #[case("a@b_c.kr", false)]
    #[case("a@b!c.kr", false)]
    #[case("a@[1.2.3.4]", false)]
    #[case("a@1.2.3.4", false)]
    fn only_what_a_mail_can_be_sent_to_is_mailable(#[case] text: &str, #[case] mailable: bool) {
        assert_eq!(Email::parse(text).unwrap().is_mailable(), mailable);
    }

    #[test]
    fn a_local_part_has_at_most_64_bytes() {
        let of = |length: usize| Email::parse(&format!("{}@b.kr", "a".repeat(length))).unwrap();
        assert!(of(64).is_mailable());
        assert!(!of(65).is_mailable());
    }

    #[test]
    fn an_address_has_at_most_254_characters() {
        let of = |length: usize| format!("{}@b.c", "a".repeat(length - 4));
        assert!(Email::parse(&of(254)).is_ok());
        assert_eq!(Email::parse(&of(255)), Err(InvalidEmail));
        assert_eq!(Email::parse(&"a".repeat(10_000_000)), Err(InvalidEmail));
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{1,20}@\\PC{1,20}\\.\\PC{1,5}") {
            if let Ok(email) = Email::parse(&text) {
                prop_assert_eq!(Email::parse(email.as_str()), Ok(email.clone()));
                prop_assert!(!email.as_str().chars().any(is_refused));
            }
        }

        #[test]
        fn any_text_is_judged_without_a_panic(text in any::<String>()) {
            let _ = Email::parse(&text);
        }
    }
}
