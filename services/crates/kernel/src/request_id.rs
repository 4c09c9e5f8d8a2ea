//! The idempotency key of a money request, chosen by the client (`reqSid`).

use serde::{Deserialize, Serialize};

use crate::text::checked_text;

/// Eight to sixty-four characters of `A-Z a-z 0-9 _ -`, unique per member.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RequestId(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("reqSid must be 8 to 64 characters of letters, digits, '_' or '-'")]
pub struct InvalidRequestId;

impl RequestId {
    /// # Errors
    /// [`InvalidRequestId`] for any other length or character.
    pub fn parse(text: &str) -> Result<Self, InvalidRequestId> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if (8..=64).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidRequestId)
        }
    }
}

checked_text!(RequestId, InvalidRequestId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_eight_to_sixty_four_plain_characters_are_a_request_id() {
        for good in ["abcd_12-", &"a".repeat(64)] {
            assert_eq!(RequestId::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "abcdefg",
            &"a".repeat(65),
            "abc defgh",
            "가나다라마바사아",
            "abcdefg\0",
        ] {
            assert_eq!(RequestId::parse(bad), Err(InvalidRequestId), "{bad:?}");
        }
    }
}
