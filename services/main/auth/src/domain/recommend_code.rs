/// Eight capital letters and digits without the look-alikes `0 O 1 I`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecommendCode(String);

impl RecommendCode {
    const LENGTH: usize = 8;

    /// Ignores case. Any other text is `None`, so that a mistyped code does not prevent a join.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.trim_matches(' ').to_ascii_uppercase();
        let allowed = |byte: u8| match byte {
            b'O' | b'I' => false,
            b'A'..=b'Z' | b'2'..=b'9' => true,
            _ => false,
        };
        (code.len() == Self::LENGTH && code.bytes().all(allowed)).then_some(Self(code))
    }

    /// In capitals.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_eight_characters_that_cannot_be_confused() {
        assert_eq!(
            RecommendCode::parse(" abcd2345 ").unwrap().as_str(),
            "ABCD2345"
        );
        for text in [
            "",
            "ABCD234",
            "ABCD23456",
            "ABCD234O",
            "ABCD234I",
            "ABCD2340",
            "ABCD2341",
            "가나다라",
        ] {
            assert_eq!(RecommendCode::parse(text), None, "{text:?}");
        }
    }
}
