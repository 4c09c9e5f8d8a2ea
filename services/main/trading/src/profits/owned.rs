//! What accounts own, at its present value.

use kernel::{AccountCode, AccountId, MemberId, Won};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, Value,
};

use super::filter::{PRODUCT, ProfitFilter};
use crate::entity::{account, holding};
use crate::error::TradingError;
use crate::seasons::holdings::NO_SEASON;
use crate::store::{Store, sql};

/// Unrealized gains as columns: the parameters 6 to 15 of the statements.
#[derive(Default)]
pub(super) struct Owned {
    codes: Vec<String>,
    names: Vec<String>,
    markets: Vec<String>,
    /// Empty without an instrument.
    currencies: Vec<String>,
    /// 0 without an instrument.
    quantities: Vec<Decimal>,
    basis: Vec<i64>,
    basis_quote: Vec<Decimal>,
    /// Value in the currency; 0 when no price is known.
    quotes: Vec<Decimal>,
    gains: Vec<i64>,
    price_parts: Vec<i64>,
}

impl Owned {
    pub(super) fn values(&self) -> [Value; 10] {
        [
            self.codes.clone().into(),
            self.names.clone().into(),
            self.markets.clone().into(),
            self.currencies.clone().into(),
            self.quantities.clone().into(),
            self.basis.clone().into(),
            self.basis_quote.clone().into(),
            self.quotes.clone().into(),
            self.gains.clone().into(),
            self.price_parts.clone().into(),
        ]
    }

    pub(super) fn codes(&self) -> &[String] {
        &self.codes
    }

    /// What those that are asked for gained, and what was paid for them.
    pub(super) fn sums(&self, filter: &ProfitFilter) -> (i64, i64) {
        let markets = filter.scope.markets();
        let labels = self.codes.iter().zip(&self.markets);
        let won = self.gains.iter().zip(&self.basis);
        let (mut gain, mut basis) = (0, 0);
        for ((code, market), (gained, paid)) in labels.zip(won) {
            let is_in = markets
                .as_ref()
                .is_none_or(|all| all.iter().any(|one| one == market));
            let asked = filter.instrument_code.as_ref();
            if is_in && asked.is_none_or(|asked| asked == code) {
                gain += gained;
                basis += paid;
            }
        }
        (gain, basis)
    }

    fn add_holding(&mut self, row: holding::Model, value: Won, quote: Option<(Decimal, Decimal)>) {
        let gain = value.0 - row.cost_won.0;
        let (worth, price_part) = match quote {
            None => (Decimal::ZERO, gain),
            Some((worth, fx_rate)) => {
                let part = (worth - row.cost_quote).checked_mul(fx_rate);
                let part = part.and_then(|part| part.trunc().to_i64());
                (worth, part.unwrap_or(gain))
            }
        };
        let price_part = if row.currency == "KRW" {
            gain
        } else {
            price_part
        };
        self.codes.push(row.instrument_code);
        self.names.push(row.instrument_name);
        self.markets.push(row.market);
        self.currencies.push(row.currency);
        self.quantities.push(row.quantity.0);
        self.basis.push(row.cost_won.0);
        self.basis_quote.push(row.cost_quote);
        self.quotes.push(worth);
        self.gains.push(gain);
        self.price_parts.push(price_part);
    }

    async fn add_ended(
        &mut self,
        connection: &impl ConnectionTrait,
        accounts: &[account::Model],
        season: i32,
    ) -> Result<(), DbErr> {
        let ids: Vec<i64> = accounts.iter().map(|row| row.id.0).collect();
        let read = sql(
            "select e.account_id, e.instrument_code, e.member_id, h.instrument_name, h.market, \
                h.currency, e.quantity, 0::numeric as held_quantity, e.cost_won, e.cost_quote, \
                e.value_won, e.price * e.quantity as worth, coalesce(e.fx_rate, 1) as fx_rate \
             from ended_holding e join holding h \
                on h.account_id = e.account_id and h.instrument_code = e.instrument_code \
             where e.account_id = any($1) and e.season = $2",
            [ids.into(), season.into()],
        );
        for row in connection.query_all_raw(read).await? {
            let worth: Option<Decimal> = row.try_get("", "worth")?;
            let fx_rate: Decimal = row.try_get("", "fx_rate")?;
            self.add_holding(
                holding::Model::from_query_result(&row, "")?,
                row.try_get("", "value_won")?,
                worth.map(|worth| (worth, fx_rate)),
            );
        }
        Ok(())
    }

    fn add_contract(&mut self, account: &account::Model, accrued: Won) {
        self.codes.push(account.account_no.clone());
        self.names.push(account.display_name().to_owned());
        self.markets.push(PRODUCT.to_owned());
        self.currencies.push(String::new());
        self.quantities.push(Decimal::ZERO);
        self.basis.push(0);
        self.basis_quote.push(Decimal::ZERO);
        self.quotes.push(Decimal::ZERO);
        self.gains.push(accrued.0);
        self.price_parts.push(accrued.0);
    }
}

impl Store {
    /// What these accounts of a member own: holdings, and the interest before tax that open contracts
    /// would earn if they were closed now.
    pub(super) async fn owned(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
        accounts: &[account::Model],
    ) -> Result<Owned, TradingError> {
        let mut owned = Owned::default();
        // What accounts of competitions ended with.
        let competing = accounts
            .iter()
            .filter(|row| row.is(AccountCode::Competition));
        let competing: Vec<account::Model> = competing.cloned().collect();
        if !competing.is_empty() {
            owned.add_ended(connection, &competing, NO_SEASON).await?;
        }
        let held = holdings(connection, accounts).await?;
        let values = self.values_of(connection, &held).await?;
        for (row, value) in held.into_iter().zip(values) {
            let quote = value.price.and_then(|(price, fx_rate)| {
                let worth = price.0.checked_mul(row.quantity.0)?;
                Some((worth, fx_rate.unwrap_or(Decimal::ONE)))
            });
            owned.add_holding(row, value.won, quote);
        }
        let accrued = self.accrued_interest(connection, member_id).await?;
        for account in accounts {
            let earned = accrued.get(&account.id).copied().unwrap_or_default();
            if earned != Won::ZERO {
                owned.add_contract(account, earned);
            }
        }
        Ok(owned)
    }
}

/// What these accounts owned when a season ended, at the prices of then.
pub(super) async fn owned_at_end(
    connection: &impl ConnectionTrait,
    accounts: &[account::Model],
    season: i32,
) -> Result<Owned, DbErr> {
    let mut owned = Owned::default();
    owned.add_ended(connection, accounts, season).await?;
    Ok(owned)
}

async fn holdings(
    connection: &impl ConnectionTrait,
    accounts: &[account::Model],
) -> Result<Vec<holding::Model>, DbErr> {
    let ids: Vec<AccountId> = accounts.iter().map(|row| row.id).collect();
    holding::Entity::find()
        .filter(holding::Column::AccountId.eq_any(ids.iter().map(|id| id.0)))
        .filter(holding::Column::Quantity.gt(Decimal::ZERO))
        .all(connection)
        .await
}
