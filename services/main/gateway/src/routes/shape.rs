//! The JSON shapes of the public contract and how they come from what the services answer. The
//! wire's own spellings (`isuSrtCd`, `juPrc`, `acno` …) exist here and nowhere further inside.

pub(crate) mod account;
pub(crate) mod candle;
pub(crate) mod dividend;
pub(crate) mod holding;
pub(crate) mod index_constituents;
pub(crate) mod instrument;
pub(crate) mod item;
pub(crate) mod member;
pub(crate) mod number;
pub(crate) mod order;
pub(crate) mod outline;
pub(crate) mod preview;
pub(crate) mod product;
pub(crate) mod receipt;
pub(crate) mod rows;
pub(crate) mod sparkline;
pub(crate) mod time;
pub(crate) mod trend;
pub(crate) mod words;
