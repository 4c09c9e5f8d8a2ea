//! Recomputes the books from the fills alone: the cost of each fill, the cash of each account and
//! each holding. Implements the fee and rounding rules a second time, independent of the service,
//! so that a mistake in one of the two is a difference.

mod holding_end;
mod holding_split;

use std::collections::{BTreeMap, VecDeque};

use futures_util::TryStreamExt;
use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use self::holding_end::HoldingEnd;
use self::holding_split::{Holding, HoldingSplit};
use crate::splits::Splits;

const FILLS: &str = "
    select f.account_id, f.id, f.order_id, f.instrument_code, f.side, f.trading_day, f.quantity,
           f.price, f.fx_rate, f.amount_won, f.fee_won, f.tax_won, f.cost_won,
           o.market, o.price as limit_price, o.quantity as ordered, o.order_amount_won
    from fill f join trade_order o on o.id = f.order_id
    where f.member_id = any($1) order by f.account_id, f.id";

/// Running totals of an order's fills.
#[derive(Clone, Default)]
struct FilledTotal {
    quantity: Decimal,
    quote: Decimal,
    won: Decimal,
    amount: i64,
    fee: i64,
    tax: i64,
}

#[derive(Default)]
struct Account {
    flow_won: i64,
    orders: BTreeMap<i64, FilledTotal>,
    /// By code.
    holdings: BTreeMap<String, Holding>,
    /// Splits not applied yet, oldest first.
    splits: VecDeque<HoldingSplit>,
    /// The same of holdings that ended with a season or a competition.
    ends: VecDeque<HoldingEnd>,
}

struct Rates {
    fee: Decimal,
    /// On sales: transaction tax, or the SEC fee.
    tax: Decimal,
    /// On sales: FINRA's trading activity fee per share.
    taf_usd: Decimal,
    /// On currency exchange.
    spread: Decimal,
}

/// Returns each difference as a sentence. `snapshot` is one point in time, as orders fill
/// meanwhile; `ordered` are the splits of the run, which must have been applied.
pub(crate) async fn check(
    snapshot: &mut PgConnection,
    members: &[i64],
    ordered: &Splits,
) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut accounts: BTreeMap<i64, Account> = BTreeMap::new();
    let mut recorded = ordered.0.clone();
    let split_rows = holding_split::read(snapshot, members).await?;
    let splits = split_rows.len();
    for (account_id, row) in split_rows {
        if !recorded.contains(&row.split) {
            recorded.push(row.split.clone());
        }
        accounts
            .entry(account_id)
            .or_default()
            .splits
            .push_back(row);
    }
    let end_rows = holding_end::read(snapshot, members).await?;
    let ends = end_rows.len();
    for (account_id, row) in end_rows {
        accounts.entry(account_id).or_default().ends.push_back(row);
    }
    let mut fills = 0_u64;
    let mut rows = sqlx::query(FILLS).bind(members).fetch(&mut *snapshot);
    while let Some(row) = rows.try_next().await? {
        fills += 1;
        let account = accounts.entry(row.try_get("account_id")?).or_default();
        let id: i64 = row.try_get("id")?;
        faults.extend(account.apply_before(id));
        let code: String = row.try_get("instrument_code")?;
        if let Some(holding) = account.holdings.get(&code) {
            faults.extend(holding.missed(&recorded, &code, row.try_get("trading_day")?));
        }
        if let Some(fault) = account.apply_fill(&row)? {
            faults.push(format!("fill {id}: {fault}"));
        }
    }
    drop(rows);
    for (id, account) in &mut accounts {
        faults.extend(account.apply_before(i64::MAX));
        for (code, holding) in &account.holdings {
            let missed = holding.missed(&recorded, code, i32::MAX);
            faults.extend(missed.map(|fault| format!("account {id}: {fault}")));
        }
    }
    faults.extend(balances(snapshot, members, &accounts).await?);
    faults.extend(holdings(snapshot, members, &accounts).await?);
    println!(
        "checked: {fills} fills, {splits} splits and {ends} ends of holdings recomputed for {} accounts, {} differences",
        accounts.len(),
        faults.len()
    );
    Ok(faults)
}

impl Account {
    /// Applies splits and ends before the fill `id`; returns their faults.
    fn apply_before(&mut self, id: i64) -> Vec<String> {
        let mut faults = Vec::new();
        loop {
            let end = self.ends.front().map_or(i64::MAX, |row| row.id);
            let split = self.splits.front().map_or(i64::MAX, |row| row.id);
            if end.min(split) >= id {
                return faults;
            }
            if let Some(row) = self.splits.pop_front_if(|_| split < end) {
                let holding = self.holdings.entry(row.split.code.clone()).or_default();
                faults.extend(holding.apply_split(&row));
            } else if let Some(row) = self.ends.pop_front() {
                let holding = self.holdings.entry(row.code.clone()).or_default();
                faults.extend(holding.end(&row));
            }
        }
    }

    /// Applies a fill; returns its fault as a sentence.
    fn apply_fill(&mut self, row: &PgRow) -> anyhow::Result<Option<String>> {
        let buys = row.try_get::<&str, _>("side")? == "BUY";
        let quantity: Decimal = row.try_get("quantity")?;
        let price: Decimal = row.try_get("price")?;
        let limit: Option<Decimal> = row.try_get("limit_price")?;
        let ordered: Decimal = row.try_get("ordered")?;
        let fx_rate: Option<Decimal> = row.try_get("fx_rate")?;
        let recorded: [i64; 3] = [
            row.try_get("amount_won")?,
            row.try_get("fee_won")?,
            row.try_get("tax_won")?,
        ];
        let rates = rates(row.try_get("market")?, row.try_get("trading_day")?);
        let order = self.orders.entry(row.try_get("order_id")?).or_default();
        order.quantity += quantity;
        order.quote += price * quantity;
        order.won += price * quantity * fx_rate.unwrap_or(Decimal::ONE);
        let expected = order.add_charge(buys, &rates);
        let most: Option<i64> = row.try_get("order_amount_won")?;
        let over =
            order.quantity > ordered || most.is_some_and(|most| order.amount + order.fee > most);

        let code: String = row.try_get("instrument_code")?;
        let [amount, fee, tax] = recorded;
        let holding = self.holdings.entry(code).or_default();
        holding.filled_on = row.try_get("trading_day")?;
        let mut sold_cost = 0;
        if buys {
            self.flow_won -= amount + fee;
            holding.quantity += quantity;
            holding.cost_won += amount;
        } else {
            self.flow_won += amount - fee - tax;
            sold_cost = part_of(holding.cost_won, quantity, holding.quantity);
            holding.quantity -= quantity;
            holding.cost_won -= sold_cost;
        }
        let beyond = limit.is_some_and(|limit| if buys { price > limit } else { price < limit });
        let recorded_cost: i64 = row.try_get("cost_won")?;
        Ok(if expected != recorded {
            Some(format!("recorded {recorded:?}, expected {expected:?}"))
        } else if beyond || over || holding.quantity < Decimal::ZERO {
            Some(format!(
                "{quantity} at {price} exceeds the order, its amount or the holding"
            ))
        } else if recorded_cost != sold_cost {
            Some(format!(
                "the cost of the sold quantity is {sold_cost}, recorded {recorded_cost}"
            ))
        } else {
            None
        })
    }
}

impl FilledTotal {
    /// Amount, fee and tax of the newest fill: the rounded totals of the order so far, less those
    /// before the fill.
    fn add_charge(&mut self, buys: bool, rates: &Rates) -> [i64; 3] {
        let (amount, tax) = if buys {
            (up(self.won * (Decimal::ONE + rates.spread)), 0)
        } else {
            let taf_usd = (self.quantity * rates.taf_usd).min(Decimal::new(979, 2));
            let per_dollar = self.won.checked_div(self.quote).unwrap_or(Decimal::ZERO);
            (
                down(self.won * (Decimal::ONE - rates.spread)),
                down(self.won * rates.tax + taf_usd * per_dollar),
            )
        };
        let fee = down(self.won * rates.fee);
        let amount_now = (amount - self.amount).max(0);
        let mut fee_now = (fee - self.fee).max(0);
        let mut tax_now = (tax - self.tax).max(0);
        if !buys {
            fee_now = fee_now.min(amount_now);
            tax_now = tax_now.min(amount_now - fee_now);
        }
        self.amount += amount_now;
        self.fee += fee_now;
        self.tax += tax_now;
        [amount_now, fee_now, tax_now]
    }
}

/// A balance is the initial deposit, plus the fills, plus other journals (dividends, cash in lieu
/// of fractional shares).
async fn balances(
    snapshot: &mut PgConnection,
    members: &[i64],
    accounts: &BTreeMap<i64, Account>,
) -> anyhow::Result<Vec<String>> {
    let rows = sqlx::query(
        "select a.id, b.amount, a.initial_deposit_won, coalesce((select sum(e.amount)::bigint \
           from entry e join journal j on j.id = e.journal_id \
           where e.account_id = a.id and e.asset = 'KRW' \
             and j.kind not in ('ACCOUNT_OPENED', 'ORDER_FILLED')), 0) as other_won \
         from account a join balance b on b.account_id = a.id and b.asset = 'KRW' \
         where a.member_id = any($1)",
    )
    .bind(members)
    .fetch_all(snapshot)
    .await?;
    let mut faults = Vec::new();
    for row in rows {
        let id: i64 = row.try_get("id")?;
        let balance: i64 = row.try_get("amount")?;
        let first: i64 = row.try_get("initial_deposit_won")?;
        let other: i64 = row.try_get("other_won")?;
        let flow = accounts.get(&id).map_or(0, |account| account.flow_won);
        if balance != first + flow + other {
            faults.push(format!(
                "account {id}: has {balance}, expected {}",
                first + flow + other
            ));
        }
    }
    Ok(faults)
}

/// A holding is the result of its fills and splits.
async fn holdings(
    snapshot: &mut PgConnection,
    members: &[i64],
    accounts: &BTreeMap<i64, Account>,
) -> anyhow::Result<Vec<String>> {
    let rows = sqlx::query(
        "select account_id, instrument_code, quantity, cost_won from holding \
         where member_id = any($1)",
    )
    .bind(members)
    .fetch_all(snapshot)
    .await?;
    let mut faults = Vec::new();
    let mut found: BTreeMap<(i64, String), (Decimal, i64)> = BTreeMap::new();
    for row in rows {
        let key = (row.try_get("account_id")?, row.try_get("instrument_code")?);
        let value = (row.try_get("quantity")?, row.try_get("cost_won")?);
        found.insert(key, value);
    }
    for (account_id, account) in accounts {
        for (code, holding) in &account.holdings {
            let has = found.get(&(*account_id, code.clone()));
            if has != Some(&(holding.quantity, holding.cost_won)) {
                faults.push(format!(
                    "holding {account_id}/{code}: {has:?}, expected {} for {}",
                    holding.quantity, holding.cost_won
                ));
            }
        }
    }
    Ok(faults)
}

/// Fees and taxes of 2026 and 2027.
fn rates(market: &str, trading_day: i32) -> Rates {
    let free = |fee| Rates {
        fee,
        tax: Decimal::ZERO,
        taf_usd: Decimal::ZERO,
        spread: Decimal::ZERO,
    };
    let taf_units = if trading_day >= 20_270_101 { 232 } else { 195 };
    match market {
        "KOSPI" | "KOSDAQ" => Rates {
            tax: Decimal::new(20, 4),
            ..free(Decimal::new(15, 5))
        },
        "ETF" => free(Decimal::new(15, 5)),
        "COIN" => free(Decimal::new(5, 4)),
        "GOLD" => free(Decimal::new(30, 4)),
        _ => Rates {
            fee: Decimal::new(10, 4),
            tax: Decimal::new(206, 7),
            taf_usd: Decimal::new(taf_units, 6),
            spread: Decimal::new(10, 4),
        },
    }
}

/// Cost of the sold part of a holding, in proportion; selling everything removes the whole cost.
fn part_of(cost: i64, quantity: Decimal, owned: Decimal) -> i64 {
    if quantity == owned {
        return cost;
    }
    let part = (Decimal::from(cost) * quantity).checked_div(owned);
    part.map_or(0, down)
}

fn up(exact: Decimal) -> i64 {
    whole(exact, RoundingStrategy::ToPositiveInfinity)
}

fn down(exact: Decimal) -> i64 {
    whole(exact, RoundingStrategy::ToZero)
}

fn whole(exact: Decimal, how: RoundingStrategy) -> i64 {
    exact
        .round_dp_with_strategy(0, how)
        .to_i64()
        .unwrap_or(i64::MAX)
}
