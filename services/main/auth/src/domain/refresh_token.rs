//! Refresh tokens: opaque 256-bit values; only their hash is stored.

use uuid::Uuid;

use super::secret::{Secret, SecretHash};

/// The client's token; `Debug` hides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshToken(Secret);

/// The server's key for successors.
///
/// A repeated rotation must return the *same* successor although only hashes are stored, so the
/// successor is derived with a key from the previous token and its number in the session. The key
/// never leaves the process: a stolen token or database does not reveal the next token.
#[derive(Clone, Debug)]
pub struct SuccessorSecret(Secret);

/// The current key and, within the grace period after a change of keys, the previous one.
#[derive(Clone, Debug)]
pub struct SuccessorSecrets {
    pub current: SuccessorSecret,
    /// May have derived the last successor.
    pub previous: Option<SuccessorSecret>,
}

impl RefreshToken {
    /// The first token of a session.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(Secret::new(bytes))
    }

    /// Parses the output of [`RefreshToken::to_text`].
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

    /// The successor of this token, which is number `generation` of `session`.
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
    /// Derived from the private signing key.
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
