//! Refresh tokens: opaque 256-bit values of which only the hash is stored.

use uuid::Uuid;

use super::secret::{Secret, SecretHash};

/// A token as the client holds it. Its `Debug` shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshToken(Secret);

/// The server's key for successors.
///
/// A repeat of the last rotation must get the *same* successor although only hashes are stored,
/// so the successor is a keyed function of the token before it and of its place in the session.
/// The key never leaves the process: who steals a token or reads the database cannot compute the
/// next one.
#[derive(Clone, Debug)]
pub struct SuccessorSecret(Secret);

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
        Self(Secret::new(bytes))
    }

    /// Reads what [`RefreshToken::to_text`] wrote; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Secret::parse(text).map(Self)
    }

    /// The text that the client holds.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// The hash by which the token is found.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        self.0.hash()
    }

    /// The one token that may follow this one, which is number `generation` of `session`.
    #[must_use]
    pub fn successor(&self, secret: &SuccessorSecret, session: Uuid, generation: i32) -> Self {
        Self(secret.0.make(&[
            b"refresh successor",
            session.as_bytes(),
            &generation.to_be_bytes(),
            self.0.bytes(),
        ]))
    }
}

impl SuccessorSecret {
    /// Derives the key from the secret half of the signing key.
    #[must_use]
    pub fn derive(signing_seed: &[u8; 32]) -> Self {
        Self(Secret::new(*signing_seed).make(&[b"seedup refresh token successor v1"]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
