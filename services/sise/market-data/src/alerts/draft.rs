//! Judges a new alert by the price of the moment.

use rust_decimal::Decimal;

use super::AlertKind;

/// Above any price; the units of the watcher hold nine times as much.
const MAX_PRICE: i64 = 10_000_000_000;
const LEAST_PERCENT: i64 = -99;
const MOST_PERCENT: i64 = 1_000;
const PERCENT_SCALE: u32 = 2;

/// What a member asks to hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    pub kind: AlertKind,
    pub value: Decimal,
}

/// The price of the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceNow {
    pub price: Decimal,
    pub prev_close: Decimal,
    /// The decimals of prices of the instrument.
    pub scale: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftFault {
    /// No price of the instrument.
    Price,
    /// Zero, out of range, or with too many decimals.
    Percent,
    /// It would fire at once.
    AlreadyTrue,
}

/// Whether an alert can be created now: its value is possible, and the price has yet to reach it.
///
/// # Errors
/// [`DraftFault`].
pub fn judge(draft: Draft, now: PriceNow) -> Result<(), DraftFault> {
    let Draft { kind, value } = draft;
    let scale = value.normalize().scale();
    let is_true = match kind {
        AlertKind::Above | AlertKind::Below => {
            if value <= Decimal::ZERO || value > Decimal::from(MAX_PRICE) || scale > now.scale {
                return Err(DraftFault::Price);
            }
            match kind {
                AlertKind::Above => now.price >= value,
                AlertKind::Below | AlertKind::Percent => now.price <= value,
            }
        }
        AlertKind::Percent => {
            let bounds = Decimal::from(LEAST_PERCENT)..=Decimal::from(MOST_PERCENT);
            let in_range = bounds.contains(&value);
            if value.is_zero() || !in_range || scale > PERCENT_SCALE {
                return Err(DraftFault::Percent);
            }
            let change = (now.price - now.prev_close) * Decimal::ONE_HUNDRED;
            let wanted = value * now.prev_close;
            match value.is_sign_negative() {
                true => change <= wanted,
                false => change >= wanted,
            }
        }
    };
    if is_true {
        return Err(DraftFault::AlreadyTrue);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    fn fault(kind: AlertKind, value: Decimal) -> Option<DraftFault> {
        let now = PriceNow {
            price: dec!(70_000),
            prev_close: dec!(68_000),
            scale: 0,
        };
        judge(Draft { kind, value }, now).err()
    }

    #[test]
    fn a_price_is_positive_on_the_scale_and_not_reached() {
        assert_eq!(fault(AlertKind::Above, dec!(70_001)), None);
        assert_eq!(fault(AlertKind::Above, dec!(70_001.00)), None);
        assert_eq!(fault(AlertKind::Below, dec!(69_999)), None);
        for value in [dec!(0), dec!(-1), dec!(70_000.5), dec!(10_000_000_001)] {
            assert_eq!(fault(AlertKind::Above, value), Some(DraftFault::Price));
            assert_eq!(fault(AlertKind::Below, value), Some(DraftFault::Price));
        }
        for kind in [AlertKind::Above, AlertKind::Below] {
            let equal = fault(kind, dec!(70_000));
            assert_eq!(equal, Some(DraftFault::AlreadyTrue));
        }
        let passed = fault(AlertKind::Above, dec!(69_000));
        assert_eq!(passed, Some(DraftFault::AlreadyTrue));
    }

    #[test]
    fn a_percentage_has_a_sign_and_bounds() {
        for value in [dec!(2.95), dec!(1000), dec!(-0.01), dec!(-99)] {
            assert_eq!(fault(AlertKind::Percent, value), None, "{value}");
        }
        for value in [dec!(0), dec!(1000.01), dec!(-99.01), dec!(3.001)] {
            let found = fault(AlertKind::Percent, value);
            assert_eq!(found, Some(DraftFault::Percent), "{value}");
        }
        // 2,000 of 68,000 is 2.941… %.
        let reached = fault(AlertKind::Percent, dec!(2.94));
        assert_eq!(reached, Some(DraftFault::AlreadyTrue));
    }
}
