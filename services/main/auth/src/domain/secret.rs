//! 256 bits that nobody can guess: as the text that somebody holds, as the hash that is stored, and
//! as a key of the server from which others are made.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// The bits. Their `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// What is stored of a secret: SHA-256 of its bytes. A 256-bit random value needs no salt.
pub type SecretHash = [u8; 32];

impl Secret {
    /// A secret of these bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads what [`Secret::to_text`] wrote; `None` for any other text.
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

    /// The hash by which it is found.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        Sha256::digest(self.0).into()
    }

    /// The first bytes as a number.
    #[must_use]
    pub fn number(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    /// The secret that this one, as a key, makes of `parts` one after the other (HMAC-SHA-256).
    #[must_use]
    pub fn make(&self, parts: &[&[u8]]) -> Self {
        // A block-sized key is what HMAC itself makes of a shorter one: zeros appended.
        let mut block = [0_u8; 64];
        for (slot, byte) in block.iter_mut().zip(self.0) {
            *slot = byte;
        }
        let mut mac: Hmac<Sha256> = Mac::new(&block.into());
        for part in parts {
            mac.update(part);
        }
        Self(mac.finalize().into_bytes().into())
    }

    /// The bytes, to make another secret of.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_secret_does_not_print_itself() {
        let secret = Secret::new([65; 32]);
        assert!(!format!("{secret:?}").contains(&secret.to_text()));
    }

    #[test]
    fn other_texts_are_no_secrets() {
        for text in [
            "",
            "x",
            &"A".repeat(42),
            &"A".repeat(44),
            &"=".repeat(43),
            &"é".repeat(43),
            &"A".repeat(16_384),
        ] {
            assert_eq!(Secret::parse(text), None);
        }
    }

    #[test]
    fn what_is_made_depends_on_the_key_and_on_every_part() {
        let key = Secret::new([1; 32]);
        let made = key.make(&[b"one", b"two"]);
        assert_eq!(made, key.make(&[b"one", b"two"]));
        assert_ne!(made, key.make(&[b"one"]));
        assert_ne!(made, Secret::new([2; 32]).make(&[b"one", b"two"]));
    }

    proptest! {
        #[test]
        fn a_secret_survives_its_text(bytes in any::<[u8; 32]>()) {
            let secret = Secret::new(bytes);
            prop_assert_eq!(Secret::parse(&secret.to_text()), Some(secret));
        }
    }
}
