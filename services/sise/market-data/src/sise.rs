//! Membership of the quote service: who may come in, and the tokens it signs.
//!
//! A member shows the main access token once; its signature is checked with the auth service's
//! public keys, without a shared secret and without a call per request. What is answered is a
//! token of this service's own, with its own key and audience.

mod access;
mod keys;

pub use access::{AccessVerifier, VerifiedMember};
pub use keys::{SISE_TOKEN_S, SiseSigner};
