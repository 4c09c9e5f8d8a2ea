//! What mails carry: tokens of links and codes. Both are keyed functions of the mail's id, so the
//! database holds nothing that opens an account, and a mail that is sent twice says the same.

use uuid::Uuid;

use super::secret::{Secret, SecretHash};

/// The server's key for mailed secrets; it never leaves the process and does not print itself.
#[derive(Clone, Debug)]
pub struct MailedSecret(Secret);

/// The token of a link that sets a new password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetToken(Secret);

impl MailedSecret {
    /// Derives the key from the secret half of the signing key.
    #[must_use]
    pub fn derive(signing_seed: &[u8; 32]) -> Self {
        Self(Secret::new(*signing_seed).make(&[b"seedup mailed secrets v1"]))
    }

    /// The token of the link in this mail.
    #[must_use]
    pub fn reset_token(&self, mail: Uuid) -> ResetToken {
        ResetToken(self.0.make(&[b"reset token", mail.as_bytes()]))
    }

    /// The six digits in this mail.
    #[must_use]
    pub fn code(&self, mail: Uuid) -> String {
        let made = self.0.make(&[b"address code", mail.as_bytes()]);
        format!("{:06}", made.number() % 1_000_000)
    }
}

impl ResetToken {
    /// Reads what [`ResetToken::to_text`] wrote; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Secret::parse(text).map(Self)
    }

    /// The text in the link.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// The hash by which the link is found.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        self.0.hash()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_and_keys_make_different_secrets_and_repeat_their_own() {
        let (key, other) = (
            MailedSecret::derive(&[1; 32]),
            MailedSecret::derive(&[2; 32]),
        );
        let (mail, next) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert_eq!(key.reset_token(mail), key.reset_token(mail));
        assert_ne!(key.reset_token(mail), key.reset_token(next));
        assert_ne!(key.reset_token(mail), other.reset_token(mail));
        assert_eq!(key.code(mail), key.code(mail));
        assert_eq!(key.code(mail).len(), 6);
    }
}
