//! What mails carry: tokens of links and codes. Both are keyed functions of the mail's id, so the
//! database holds nothing that opens an account, and a mail that is sent twice says the same.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The server's key for mailed secrets; it never leaves the process and does not print itself.
#[derive(Clone)]
pub struct MailedSecret([u8; 32]);

/// The token of a link that sets a new password.
#[derive(Clone, PartialEq, Eq)]
pub struct ResetToken([u8; 32]);

impl MailedSecret {
    /// Derives the key from the secret half of the signing key.
    #[must_use]
    pub fn derive(signing_seed: &[u8; 32]) -> Self {
        let derived = Self(*signing_seed).mac(b"seedup mailed secrets v1", &[]);
        Self(derived)
    }

    /// The token of the link in this mail.
    #[must_use]
    pub fn reset_token(&self, mail: Uuid) -> ResetToken {
        ResetToken(self.mac(b"reset token", mail.as_bytes()))
    }

    /// The six digits in this mail.
    #[must_use]
    pub fn code(&self, mail: Uuid) -> String {
        let [a, b, c, d, e, f, g, h, ..] = self.mac(b"address code", mail.as_bytes());
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]) % 1_000_000;
        format!("{number:06}")
    }

    fn mac(&self, purpose: &[u8], of: &[u8]) -> [u8; 32] {
        // A block-sized key is what HMAC itself makes of a shorter one: zeros appended.
        let mut block = [0_u8; 64];
        for (slot, byte) in block.iter_mut().zip(self.0) {
            *slot = byte;
        }
        let mut mac: Hmac<Sha256> = Mac::new(&block.into());
        mac.update(purpose);
        mac.update(of);
        mac.finalize().into_bytes().into()
    }
}

impl ResetToken {
    /// Reads what [`ResetToken::to_text`] wrote; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 43 {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// 43 characters of unpadded base64url.
    #[must_use]
    pub fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The hash by which the link is found.
    #[must_use]
    pub fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }
}

impl std::fmt::Debug for MailedSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MailedSecret(…)")
    }
}

impl std::fmt::Debug for ResetToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ResetToken(…)")
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

    #[test]
    fn a_token_survives_its_text_and_nothing_else_is_one() {
        let token = MailedSecret::derive(&[1; 32]).reset_token(Uuid::from_u128(1));
        assert_eq!(ResetToken::parse(&token.to_text()), Some(token.clone()));
        assert!(!format!("{token:?}").contains(&token.to_text()));
        for text in ["", "x", &"A".repeat(44), &"=".repeat(43), &"é".repeat(43)] {
            assert_eq!(ResetToken::parse(text), None);
        }
    }
}
