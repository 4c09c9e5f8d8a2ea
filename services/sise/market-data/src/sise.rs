//! Members of the quote service and the tokens it signs.
//!
//! A member exchanges a main access token for a token of this service, which has its own key and
//! audience. The main token is verified with the public keys of auth, without a shared secret and
//! without a call per request.

mod access;
mod keys;

pub use access::{AccessVerifier, VerifiedMember};
pub use keys::{SISE_TOKEN_S, SiseSigner};
