//! The books once more, from the receipts alone: what every fill must have cost, what every
//! account must have and every holding must be. The rules are written down here a second time, in
//! other words than the service's, so that a mistake of one shows against the other.

mod divided;

use std::collections::{BTreeMap, VecDeque};

use futures_util::TryStreamExt;
use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use self::divided::{Divided, Holding};
use crate::splits::Splits;

const FILLS: &str = "
    select f.account_id, f.id, f.order_id, f.instrument_code, f.side, f.trading_day, f.quantity,
           f.price, f.fx_rate, f.amount_won, f.fee_won, f.tax_won, f.cost_won,
           o.market, o.price as limit_price, o.quantity as ordered
    from fill f join trade_order o on o.id = f.order_id
    where f.member_id = any($1) order by f.account_id, f.id";

/// What an order has filled so far.
#[derive(Clone, Default)]
struct Filled {
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
    orders: BTreeMap<i64, Filled>,
    /// By code.
    holdings: BTreeMap<String, Holding>,
    /// Those that are not booked yet, oldest first.
    splits: VecDeque<Divided>,
}

/// Fee, and of sales: tax, the SEC's share, FINRA's dollars a share; and the exchange spread.
struct Rates {
    fee: Decimal,
    tax: Decimal,
    taf_usd: Decimal,
    spread: Decimal,
}

/// Every difference, as a sentence. `snapshot` is one moment of the database, as orders fill
/// meanwhile; `ordered` are splits that must have been, whatever the table of them says.
pub(crate) async fn check(
    snapshot: &mut PgConnection,
    members: &[i64],
    ordered: &Splits,
) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut accounts: BTreeMap<i64, Account> = BTreeMap::new();
    let mut told = ordered.0.clone();
    let divided = divided::read(snapshot, members).await?;
    let divisions = divided.len();
    for (account_id, row) in divided {
        if !told.contains(&row.split) {
            told.push(row.split.clone());
        }
        accounts
            .entry(account_id)
            .or_default()
            .splits
            .push_back(row);
    }
    let mut fills = 0_u64;
    let mut rows = sqlx::query(FILLS).bind(members).fetch(&mut *snapshot);
    while let Some(row) = rows.try_next().await? {
        fills += 1;
        let account = accounts.entry(row.try_get("account_id")?).or_default();
        let id: i64 = row.try_get("id")?;
        faults.extend(account.divide_before(id));
        let code: String = row.try_get("instrument_code")?;
        if let Some(holding) = account.holdings.get(&code) {
            faults.extend(holding.missed(&told, &code, row.try_get("trading_day")?));
        }
        if let Some(fault) = account.book(&row)? {
            faults.push(format!("fill {id}: {fault}"));
        }
    }
    drop(rows);
    for (id, account) in &mut accounts {
        faults.extend(account.divide_before(i64::MAX));
        for (code, holding) in &account.holdings {
            let missed = holding.missed(&told, code, i32::MAX);
            faults.extend(missed.map(|fault| format!("account {id}: {fault}")));
        }
    }
    faults.extend(balances(snapshot, members, &accounts).await?);
    faults.extend(holdings(snapshot, members, &accounts).await?);
    println!(
        "checked: {fills} fills and {divisions} divided holdings of {} accounts reckoned again, {} differences",
        accounts.len(),
        faults.len()
    );
    Ok(faults)
}

impl Account {
    /// Books the splits that came before a receipt; what is wrong with them.
    fn divide_before(&mut self, id: i64) -> Vec<String> {
        let mut faults = Vec::new();
        while let Some(row) = self.splits.pop_front_if(|row| row.id < id) {
            let holding = self.holdings.entry(row.split.code.clone()).or_default();
            faults.extend(holding.divide(&row));
        }
        faults
    }

    /// Books a receipt; the sentence of what is wrong with it.
    fn book(&mut self, row: &PgRow) -> anyhow::Result<Option<String>> {
        let buys = row.try_get::<&str, _>("side")? == "BUY";
        let quantity: Decimal = row.try_get("quantity")?;
        let price: Decimal = row.try_get("price")?;
        let limit: Option<Decimal> = row.try_get("limit_price")?;
        let ordered: Decimal = row.try_get("ordered")?;
        let fx_rate: Option<Decimal> = row.try_get("fx_rate")?;
        let told: [i64; 3] = [
            row.try_get("amount_won")?,
            row.try_get("fee_won")?,
            row.try_get("tax_won")?,
        ];
        let rates = rates(row.try_get("market")?, row.try_get("trading_day")?);
        let order = self.orders.entry(row.try_get("order_id")?).or_default();
        order.quantity += quantity;
        order.quote += price * quantity;
        order.won += price * quantity * fx_rate.unwrap_or(Decimal::ONE);
        let reckoned = order.charge(buys, &rates);
        let over = order.quantity > ordered;

        let code: String = row.try_get("instrument_code")?;
        let [amount, fee, tax] = told;
        let holding = self.holdings.entry(code).or_default();
        holding.filled_on = row.try_get("trading_day")?;
        let mut sold_for = 0;
        if buys {
            self.flow_won -= amount + fee;
            holding.quantity += quantity;
            holding.cost_won += amount;
        } else {
            self.flow_won += amount - fee - tax;
            sold_for = part_of(holding.cost_won, quantity, holding.quantity);
            holding.quantity -= quantity;
            holding.cost_won -= sold_for;
        }
        let beyond = limit.is_some_and(|limit| if buys { price > limit } else { price < limit });
        let cost_told: i64 = row.try_get("cost_won")?;
        Ok(if reckoned != told {
            Some(format!("booked {told:?}, reckoned {reckoned:?}"))
        } else if beyond || over || holding.quantity < Decimal::ZERO {
            Some(format!(
                "{quantity} at {price} is more than was ordered or owned"
            ))
        } else if cost_told != sold_for {
            Some(format!(
                "what was sold had cost {sold_for}, not {cost_told}"
            ))
        } else {
            None
        })
    }
}

impl Filled {
    /// Amount, fee and tax of the newest fill: what the whole order costs by now, less what it
    /// cost before.
    fn charge(&mut self, buys: bool, rates: &Rates) -> [i64; 3] {
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

/// Deposits: what came in at the beginning, what fills moved, and what nobody ordered (dividends,
/// the paid-out rests of splits).
async fn balances(
    snapshot: &mut PgConnection,
    members: &[i64],
    accounts: &BTreeMap<i64, Account>,
) -> anyhow::Result<Vec<String>> {
    let rows = sqlx::query(
        "select a.id, a.balance_won, a.initial_deposit_won, coalesce((select sum(e.amount)::bigint \
           from entry e join journal j on j.id = e.journal_id \
           where e.account_id = a.id and e.asset = 'KRW' \
             and j.kind not in ('ACCOUNT_OPENED', 'ORDER_FILLED')), 0) as other_won \
         from account a where a.member_id = any($1)",
    )
    .bind(members)
    .fetch_all(snapshot)
    .await?;
    let mut faults = Vec::new();
    for row in rows {
        let id: i64 = row.try_get("id")?;
        let balance: i64 = row.try_get("balance_won")?;
        let first: i64 = row.try_get("initial_deposit_won")?;
        let other: i64 = row.try_get("other_won")?;
        let flow = accounts.get(&id).map_or(0, |account| account.flow_won);
        if balance != first + flow + other {
            faults.push(format!(
                "account {id}: has {balance}, reckoned {}",
                first + flow + other
            ));
        }
    }
    Ok(faults)
}

/// Holdings: what fills and splits have left.
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
                    "holding {account_id}/{code}: {has:?}, reckoned {} for {}",
                    holding.quantity, holding.cost_won
                ));
            }
        }
    }
    Ok(faults)
}

/// The costs of 2026 and 2027.
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

/// The part of a cost that leaves with a part of a holding; everything with the last of it.
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
