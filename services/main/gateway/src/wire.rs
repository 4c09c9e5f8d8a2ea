//! Types of the public contract that several routes share, and how they come from what the services
//! answer. The contract's own spellings (`isuSrtCd`, `juPrc`, `acno` …) exist here and in the routes,
//! nowhere else.

pub(crate) mod amount;
pub(crate) mod candle;
pub(crate) mod code;
pub(crate) mod fill;
pub(crate) mod gold_premium;
pub(crate) mod item;
pub(crate) mod likes;
pub(crate) mod market;
pub(crate) mod member;
pub(crate) mod number;
pub(crate) mod order;
pub(crate) mod order_enums;
pub(crate) mod page;
pub(crate) mod product;
pub(crate) mod request_id;
pub(crate) mod rows;
pub(crate) mod tick_band;
pub(crate) mod time;
pub(crate) mod variants;
pub(crate) mod won;
