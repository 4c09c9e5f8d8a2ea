//! Bounds of a fill: how much of a tick an account may take, and how far a market order's price may be
//! from its reference. Trading's fill model applies them, and the lessons of education quote them.

use rust_decimal::Decimal;

/// Largest share of a tick's volume that an account may take.
pub const BASIC_SHARE: Decimal = Decimal::from_parts(25, 0, 0, false, 2);
/// The same for a competition account.
pub const COMPETITION_SHARE: Decimal = Decimal::from_parts(10, 0, 0, false, 2);
/// Largest adverse distance of a market order's price from its reference, as a share of it.
pub const SLIPPAGE_SHARE: Decimal = Decimal::from_parts(5, 0, 0, false, 2);
/// Ticks by which a market order fills worse than the tick without a quote.
pub const TICKS_WORSE: u32 = 1;
