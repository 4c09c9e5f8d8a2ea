//! Refresh tokens: opaque 256-bit values of which only the hash is stored.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// A token as the client holds it. Its `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken([u8; 32]);

/// What is stored of a token: SHA-256 of its bytes. A 256-bit random value needs no salt.
pub type TokenHash = [u8; 32];

/// The server's key for successors.
///
/// A repeat of the last rotation must get the *same* successor although only hashes are stored,
/// so the successor is a keyed function of the token before it and of its place in the session.
/// The key never leaves the process: who steals a token or reads the database cannot compute the
/// next one.
#[derive(Clone)]
pub struct SuccessorSecret([u8; 32]);

/// The key in use and, for the grace after a change of keys, the one before it.
#[derive(Clone, Debug)]
pub struct SuccessorSecrets {
    /// Makes successors.
    pub current: SuccessorSecret,
    /// May have made the last one.
    pub previous: Option<SuccessorSecret>,
}

impl RefreshToken {
    /// The first token of a session, from 256 random bits.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads what [`RefreshToken::to_text`] wrote; `None` for any other text.
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

    /// The hash by which the token is found.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0).into()
    }

    /// The one token that may follow this one, which is number `generation` of `session`.
    #[must_use]
    pub fn successor(&self, secret: &SuccessorSecret, session: Uuid, generation: i32) -> Self {
        let mut mac = secret.mac();
        mac.update(b"refresh successor");
        mac.update(session.as_bytes());
        mac.update(&generation.to_be_bytes());
        mac.update(&self.0);
        Self(mac.finalize().into_bytes().into())
    }
}

impl SuccessorSecret {
    /// Derives the key from the secret half of the signing key.
    #[must_use]
    pub fn derive(signing_seed: &[u8; 32]) -> Self {
        let mut mac = Self(*signing_seed).mac();
        mac.update(b"seedup refresh token successor v1");
        Self(mac.finalize().into_bytes().into())
    }

    fn mac(&self) -> Hmac<Sha256> {
        // A block-sized key is what HMAC itself makes of a shorter one: zeros appended.
        let mut block = [0_u8; 64];
        for (slot, byte) in block.iter_mut().zip(self.0) {
            *slot = byte;
        }
        Mac::new(&block.into())
    }
}

impl std::fmt::Debug for RefreshToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("RefreshToken(…)")
    }
}

impl std::fmt::Debug for SuccessorSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SuccessorSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SESSION: Uuid = Uuid::from_u128(7);

    #[test]
    fn the_successor_depends_on_everything() {
        let secret = SuccessorSecret::derive(&[1; 32]);
        let token = RefreshToken::from_random([2; 32]);
        let next = token.successor(&secret, SESSION, 0);
        assert_eq!(next, token.successor(&secret, SESSION, 0));
        let other = [
            token.successor(&SuccessorSecret::derive(&[9; 32]), SESSION, 0),
            token.successor(&secret, Uuid::from_u128(8), 0),
            token.successor(&secret, SESSION, 1),
            RefreshToken::from_random([3; 32]).successor(&secret, SESSION, 0),
            token,
        ];
        assert!(other.iter().all(|token| *token != next));
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        let token = RefreshToken::from_random([65; 32]);
        assert!(!format!("{token:?}").contains(&token.to_text()));
    }

    #[test]
    fn other_texts_are_no_tokens() {
        for text in [
            "",
            "x",
            &"A".repeat(42),
            &"A".repeat(44),
            &"=".repeat(43),
            &"é".repeat(43),
            &"A".repeat(16_384),
        ] {
            assert_eq!(RefreshToken::parse(text), None);
        }
    }

    proptest! {
        #[test]
        fn a_token_survives_its_text(bytes in any::<[u8; 32]>()) {
            let token = RefreshToken::from_random(bytes);
            prop_assert_eq!(RefreshToken::parse(&token.to_text()), Some(token));
        }
    }
}
