//! 256-bit secrets: as text for the client, as the stored hash, and as a key from which others are
//! derived.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// `Debug` hides the bits.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// SHA-256 of the bytes. A 256-bit random value needs no salt.
pub type SecretHash = [u8; 32];

impl Secret {
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses the output of [`Secret::to_text`].
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

    /// HMAC-SHA-256 of the concatenated `parts` with this secret as the key.
    #[must_use]
    pub fn make(&self, parts: &[&[u8]]) -> Self {
        // HMAC pads shorter keys with zeros to the block size.
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

    /// For deriving another secret.
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
