//! What a member owns, and what an order sheet needs.

use std::collections::BTreeMap;

use kernel::{AccountCode, AccountId, MemberId, Price, Quantity, Won};
use proto::common::v1::{Currency, Market};
use proto::convert::decimal;
use proto::trading::v1 as wire;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};

use crate::accounts::account::Sums;
use crate::accounts::open::AccountChoice;
use crate::accounts::profit;
use crate::domain::market::TradingSession;
use crate::entity::{account, holding};
use crate::error::TradingError;
use crate::market_cache::fx_of;
use crate::orders::validation::{OrderRejection, largest_buy};
use crate::orders::waiting::OrderFilter;
use crate::store::Store;

impl Store {
    /// Holdings at the latest prices this service knows.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub async fn holdings(
        &self,
        member_id: MemberId,
        filter: &OrderFilter,
    ) -> Result<Vec<wire::Holding>, TradingError> {
        let mut find = holding::Entity::find()
            .filter(holding::Column::MemberId.eq(member_id))
            .filter(holding::Column::Quantity.gt(rust_decimal::Decimal::ZERO));
        if let Some(choice) = &filter.account {
            let account = self.resolve(member_id, choice).await?;
            find = find.filter(holding::Column::AccountId.eq(account));
        }
        if let Some(markets) = filter.markets() {
            find = find.filter(holding::Column::Market.eq_any(markets));
        }
        if let Some(code) = &filter.instrument_code {
            find = find.filter(holding::Column::InstrumentCode.eq(code.as_str()));
        }
        let rows = find
            .order_by_asc(holding::Column::AccountId)
            .order_by_asc(holding::Column::InstrumentCode)
            .all(&self.db)
            .await?;
        let numbers = self.account_numbers(member_id).await?;
        let rows = rows.iter();
        Ok(rows
            .map(|row| self.holding_view(row, &numbers))
            .collect::<Result<_, _>>()?)
    }

    fn holding_view(
        &self,
        row: &holding::Model,
        numbers: &BTreeMap<AccountId, String>,
    ) -> Result<wire::Holding, DbErr> {
        let label = row.label()?;
        let held = row.to_holding();
        let quote = self.market_cache.quote(&row.instrument_code);
        let view = self.market_cache.view(&row.instrument_code);
        let value = self.value_of(row)?;
        Ok(wire::Holding {
            account_no: numbers.get(&row.account_id).cloned().unwrap_or_default(),
            instrument_code: row.instrument_code.clone(),
            instrument_name: row.instrument_name.clone(),
            market: Market::from(label.market).into(),
            currency: Currency::from(label.currency).into(),
            quantity: Some(held.quantity.into()),
            held_quantity: Some(held.held.into()),
            average_price: held.average_price().map(Into::into),
            cost_won: held.cost_won.0,
            last_price: quote.as_ref().map(|quote| quote.last.into()),
            value_won: value.0,
            profit_won: value.0 - held.cost_won.0,
            prev_close: quote.as_ref().map(|quote| quote.prev_close.into()),
            fx_rate: fx_of(quote.as_ref()).map(decimal),
            warning_code: view
                .map_or_else(String::new, |view| view.listing.warning.as_str().to_owned()),
        })
    }

    /// What a holding is worth; without a price, what it cost.
    fn value_of(&self, row: &holding::Model) -> Result<Won, DbErr> {
        let label = row.label()?;
        let quote = self.market_cache.quote(&row.instrument_code);
        let value = quote.and_then(|quote| {
            profit::value(quote.last, row.quantity, label.currency, quote.fx_rate)
        });
        Ok(value.unwrap_or(row.cost_won))
    }

    /// Accounts, totals and level. Opens the BASIC account if the member has none.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn account_summary(
        &self,
        member_id: MemberId,
    ) -> Result<wire::AccountSummary, TradingError> {
        self.open_basic_account(member_id).await?;
        let accounts = account::Entity::find()
            .filter(account::Column::MemberId.eq(member_id))
            .filter(account::Column::ClosedAt.is_null())
            .order_by_asc(account::Column::Code)
            .order_by_asc(account::Column::Id)
            .all(&self.db)
            .await?;
        let holdings = holding::Entity::find()
            .filter(holding::Column::MemberId.eq(member_id))
            .filter(holding::Column::Quantity.gt(rust_decimal::Decimal::ZERO))
            .all(&self.db)
            .await?;
        let mut worth: BTreeMap<AccountId, (i64, i64)> = BTreeMap::new();
        let mut owned = BTreeMap::new();
        for row in &holdings {
            let (value, cost) = worth.entry(row.account_id).or_default();
            *value += self.value_of(row)?.0;
            *cost += row.cost_won.0;
            owned.insert((row.account_id, row.instrument_code.clone()), row.quantity);
        }
        let mut sums = Sums::default();
        let mut list = Vec::with_capacity(accounts.len());
        let mut counted = Vec::with_capacity(accounts.len());
        for row in &accounts {
            let (value, cost) = worth.get(&row.id).copied().unwrap_or_default();
            let code = row.account_code()?;
            // A competition is measured on its own, not with the member's money.
            if code != AccountCode::Competition {
                counted.push(row.id);
                sums.deposits.0 += row.balance_won.0;
                sums.holdings.0 += value;
                sums.initial.0 += row.initial_deposit_won.0;
                sums.education.0 += row.education_deposit_won.0;
                sums.bought.0 += row.bought_deposit_won.0;
                sums.items.0 += row.purchased_items_won.0;
            }
            list.push(account_view(row, code, value, cost));
        }
        let totals = sums.totals();
        let level = totals.level;
        let to_next = level.until.map_or(0, |until| until.0 - totals.total.0);
        let day_traded = self.day_traded(member_id, &counted, &owned).await?;
        Ok(wire::AccountSummary {
            accounts: list,
            total_won: totals.total.0,
            base_won: totals.base.0,
            profit_rate: totals.profit_rate.map(decimal),
            level: i32::from(level.number),
            level_name: level.name.to_owned(),
            level_gauge_percent: Some(decimal(level.gauge_percent(totals.total).round_dp(2))),
            to_next_level_won: to_next,
            multiplier_tenths: i32::from(level.multiplier_tenths),
            day_traded_won: day_traded.as_ref().map(|traded| traded.won.0),
            day_traded_dollars: day_traded.map_or_else(Vec::new, |traded| traded.dollars),
        })
    }

    /// What an order sheet needs for one instrument.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, the instrument is unknown, or of the
    /// database.
    pub async fn order_capacity(
        &self,
        member_id: MemberId,
        choice: &AccountChoice,
        code: &str,
        price: Option<Price>,
    ) -> Result<wire::OrderCapacity, TradingError> {
        let account_id = self.resolve(member_id, choice).await?;
        let view = self.market_cache.view_to_trade(code)?;
        let row = account::Entity::find_by_id(account_id)
            .one(&self.db)
            .await?
            .ok_or(OrderRejection::AccountForbidden)?;
        let held = holding::Entity::find_by_id((account_id, code.to_owned()))
            .one(&self.db)
            .await?;
        let sellable = held.map_or(Quantity::ZERO, |row| row.to_holding().available());
        let listing = &view.listing;
        let quote = view.quote.as_ref();
        let available = row.to_cash()?.available();
        let day = quote.map_or(0, |quote| quote.trading_day);
        let rates = self.costs.on(listing.market, day);
        let most = quote.map_or(Quantity::ZERO, |quote| {
            largest_buy(listing, quote, price, available, &rates)
        });
        let band = quote.and_then(|quote| quote.band);
        let rule = listing.quantity_rule();
        let session = quote.map_or(TradingSession::Unknown, |quote| quote.session);
        let table = listing.tick_table();
        Ok(wire::OrderCapacity {
            account_no: row.account_no,
            instrument_code: listing.code.clone(),
            available_won: available.0,
            max_buy_quantity: Some(most.into()),
            sellable_quantity: Some(sellable.into()),
            fee_rate: Some(decimal(rates.fee_rate)),
            sell_tax_rate: Some(decimal(rates.sell_tax_rate + rates.sec_rate)),
            tick_table: table
                .bands()
                .iter()
                .map(|band| wire::TickBand {
                    from: Some(decimal(band.from)),
                    tick: Some(decimal(band.tick)),
                })
                .collect(),
            lower_limit: band.map(|band| band.lower.into()),
            upper_limit: band.map(|band| band.upper.into()),
            fx_rate: fx_of(quote).map(decimal),
            session: session.as_str().to_owned(),
            quantity_step: Some(rule.step.into()),
            minimum_amount_won: rule.least_amount.map_or(0, |least| least.0),
            warning_code: listing.warning.as_str().to_owned(),
            tradable: listing.tradable && quote.is_some() && session != TradingSession::Halted,
            last_price: quote.map(|quote| quote.last.into()),
            currency: Currency::from(listing.currency).into(),
        })
    }

    /// Education points and cash of a member.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn balances(&self, member_id: MemberId) -> Result<wire::Balances, TradingError> {
        let (id, _) = self.open_basic_account(member_id).await?;
        let row = account::Entity::find_by_id(id).one(&self.db).await?;
        Ok(
            row.map_or_else(wire::Balances::default, |row| wire::Balances {
                education_points: row.education_points,
                cash: row.cash,
            }),
        )
    }
}

fn account_view(row: &account::Model, code: AccountCode, value: i64, cost: i64) -> wire::Account {
    wire::Account {
        account_no: row.account_no.clone(),
        account_code: row.code.clone(),
        account_type: account_type(code).to_owned(),
        deposit_won: row.balance_won.0,
        held_won: row.held_won.0,
        available_won: row.balance_won.0 - row.held_won.0,
        initial_deposit_won: row.initial_deposit_won.0,
        education_deposit_won: row.education_deposit_won.0,
        bought_deposit_won: row.bought_deposit_won.0,
        purchased_items_won: row.purchased_items_won.0,
        holdings_value_won: value,
        holdings_cost_won: cost,
    }
}

fn account_type(code: AccountCode) -> &'static str {
    match code {
        AccountCode::Basic => "BASIC",
        AccountCode::Stock => "STOCK",
        AccountCode::Coin => "COIN",
        AccountCode::Deposit => "DEPOSIT",
        AccountCode::Save => "SAVE",
        AccountCode::Cma => "CMA",
        AccountCode::Competition => "COMPETITION",
    }
}
