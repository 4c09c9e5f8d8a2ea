//! Judges a new alert by the price of the moment.

use rust_decimal::Decimal;

use super::AlertKind;

/// Above any price; the units of the watcher hold nine times as much.
const MAX_PRICE: i64 = 10_000_000_000;
/// A price this many times as high or as low as the one of the moment is not believed to come.
const FARTHEST: i64 = 100;
/// Where a day has no limit.
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
    /// How far a price may be from the previous close, in percent; `None` without such a limit.
    pub day_limit: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftFault {
    /// No price of the instrument, or one far beyond that of the moment.
    Price,
    /// Zero, more than a day allows, or with too many decimals.
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
            let is_price = value > Decimal::ZERO && value <= Decimal::from(MAX_PRICE);
            let farthest = Decimal::from(FARTHEST);
            // The products of a price do not overflow.
            let is_near = || value <= now.price * farthest && value * farthest >= now.price;
            if !is_price || scale > now.scale || !is_near() {
                return Err(DraftFault::Price);
            }
            match kind {
                AlertKind::Above => now.price >= value,
                AlertKind::Below | AlertKind::Percent => now.price <= value,
            }
        }
        AlertKind::Percent => {
            let (least, most) = match now.day_limit.map(i64::from) {
                Some(limit) => (LEAST_PERCENT.max(-limit), limit),
                None => (LEAST_PERCENT, MOST_PERCENT),
            };
            let bounds = Decimal::from(least)..=Decimal::from(most);
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

    const NOW: PriceNow = PriceNow {
        price: dec!(70_000),
        prev_close: dec!(68_000),
        scale: 0,
        day_limit: None,
    };

    fn fault(kind: AlertKind, value: Decimal) -> Option<DraftFault> {
        judge(Draft { kind, value }, NOW).err()
    }

    #[test]
    fn a_price_is_positive_on_the_scale_and_not_reached() {
        assert_eq!(fault(AlertKind::Above, dec!(70_001)), None);
        assert_eq!(fault(AlertKind::Above, dec!(70_001.00)), None);
        assert_eq!(fault(AlertKind::Below, dec!(69_999)), None);
        for value in [
            dec!(0),
            dec!(-1),
            dec!(70_000.5),
            dec!(10_000_000_001),
            Decimal::MAX,
        ] {
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
    fn a_price_is_at_most_a_hundred_times_away() {
        for (kind, value) in [
            (AlertKind::Above, dec!(7_000_000)),
            (AlertKind::Below, dec!(700)),
        ] {
            assert_eq!(fault(kind, value), None, "{value}");
        }
        for (kind, value) in [
            (AlertKind::Above, dec!(7_000_001)),
            (AlertKind::Below, dec!(699)),
        ] {
            assert_eq!(fault(kind, value), Some(DraftFault::Price), "{value}");
        }
    }

    #[test]
    fn a_percentage_is_one_that_a_day_allows() {
        let fault = |value: Decimal| {
            let now = PriceNow {
                day_limit: Some(30),
                ..NOW
            };
            let kind = AlertKind::Percent;
            judge(Draft { kind, value }, now).err()
        };
        for value in [dec!(30), dec!(-30), dec!(3)] {
            assert_eq!(fault(value), None, "{value}");
        }
        for value in [dec!(30.01), dec!(-30.01), dec!(1000)] {
            assert_eq!(fault(value), Some(DraftFault::Percent), "{value}");
        }
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
