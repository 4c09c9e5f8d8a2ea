//! The price model of the built-in market.
