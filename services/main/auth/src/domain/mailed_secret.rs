//! Tokens of links and codes in mails. Both are derived from the mail's id with a key, so the
//! database contains no secret, and a mail that is sent twice has the same content.

use uuid::Uuid;

use super::secret::{Secret, SecretHash};

/// The server's key for mailed secrets; never leaves the process, and `Debug` hides it.
#[derive(Clone, Debug)]
pub struct MailedSecret(Secret);

/// The token of a link that sets a new password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetToken(Secret);

impl MailedSecret {
    /// Derived from the private signing key.
    #[must_use]
    pub fn derive(signing_seed: &[u8; 32]) -> Self {
        Self(Secret::new(*signing_seed).make(&[b"seedup mailed secrets v1"]))
    }

    #[must_use]
    pub fn reset_token(&self, mail: Uuid) -> ResetToken {
        ResetToken(self.0.make(&[b"reset token", mail.as_bytes()]))
    }

    /// Six digits.
    #[must_use]
    pub fn code(&self, mail: Uuid) -> String {
        let made = self.0.make(&[b"address code", mail.as_bytes()]);
        format!("{:06}", made.number() % 1_000_000)
    }
}

impl ResetToken {
    /// Parses the output of [`ResetToken::to_text`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Secret::parse(text).map(Self)
    }

    #[must_use]
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

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
