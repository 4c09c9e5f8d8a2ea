//! Parameters of the fill model. Every receipt names their version.

use chrono::TimeDelta;
use kernel::{AccountCode, AssetKind, MarketCode, Price, Quantity};
use market_rules::{QuantityRule, fill};
use rust_decimal::{Decimal, RoundingStrategy};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillModel {
    pub version: &'static str,
    /// Largest share of a tick's volume that an account may take.
    pub basic_share: Decimal,
    /// The same for a competition account.
    pub competition_share: Decimal,
    /// A coin order may take at least this much of a tick, in won.
    pub least_coin_won: Decimal,
    /// Largest adverse distance of a market order's price from its reference, as a share of it.
    pub slippage_share: Decimal,
    /// How long a market order waits once its instrument's price is stale.
    pub stale_wait: TimeDelta,
}

impl FillModel {
    pub const V1: Self = Self {
        version: "v1",
        basic_share: fill::BASIC_SHARE,
        competition_share: fill::COMPETITION_SHARE,
        least_coin_won: Decimal::from_parts(5_000, 0, 0, false, 0),
        slippage_share: fill::SLIPPAGE_SHARE,
        stale_wait: TimeDelta::minutes(5),
    };

    /// The largest quantity an account may take of a tick: its share of `volume`, and at least one
    /// share, one gram, or 5,000원 of a coin at `price`.
    #[must_use]
    pub fn cap(
        &self,
        code: AccountCode,
        market: MarketCode,
        volume: Quantity,
        price: Price,
    ) -> Quantity {
        let share = match code {
            AccountCode::Competition => self.competition_share,
            AccountCode::Basic
            | AccountCode::Stock
            | AccountCode::Coin
            | AccountCode::Deposit
            | AccountCode::Save
            | AccountCode::Cma
            | AccountCode::Commodity => self.basic_share,
        };
        let step = QuantityRule::for_market(market).step.0;
        let part = volume.0.saturating_mul(share);
        let whole = part - part % step;
        let least = match market.asset_kind() {
            AssetKind::Stock | AssetKind::Etf | AssetKind::Gold => Decimal::ONE,
            AssetKind::Coin => self
                .least_coin_won
                .checked_div(price.0)
                .unwrap_or(Decimal::ZERO)
                .round_dp_with_strategy(8, RoundingStrategy::ToPositiveInfinity),
        };
        Quantity(whole.max(least))
    }

    /// Whether `price` is further from `reference` than allowed, in either direction.
    #[must_use]
    pub fn exceeds_slippage(&self, price: Price, reference: Price) -> bool {
        (price.0 - reference.0).abs() > reference.0.saturating_mul(self.slippage_share)
    }

    /// Time without a tick after which a price counts as stale.
    #[must_use]
    pub fn stale_after(&self, market: MarketCode) -> TimeDelta {
        match market {
            MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf | MarketCode::Global => {
                TimeDelta::seconds(60)
            }
            MarketCode::Coin => TimeDelta::seconds(30),
            MarketCode::Gold => TimeDelta::seconds(300),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use rust_decimal_macros::dec;

    use super::*;

    #[rstest]
    #[case(AccountCode::Basic, MarketCode::Kospi, dec!(10), dec!(2))]
    #[case(AccountCode::Competition, MarketCode::Kospi, dec!(10), dec!(1))]
    #[case(AccountCode::Basic, MarketCode::Kospi, dec!(1), dec!(1))]
    #[case(AccountCode::Basic, MarketCode::Gold, dec!(3), dec!(1))]
    #[case(AccountCode::Basic, MarketCode::Coin, dec!(100), dec!(25))]
    #[case(AccountCode::Basic, MarketCode::Coin, dec!(0.1), dec!(1.66666667))]
    fn an_account_takes_its_share_of_a_tick(
        #[case] code: AccountCode,
        #[case] market: MarketCode,
        #[case] volume: Decimal,
        #[case] expected: Decimal,
    ) {
        let cap = FillModel::V1.cap(code, market, Quantity(volume), Price(dec!(3_000)));
        assert_eq!(cap, Quantity(expected));
    }
}
