//! Replays fills and splits of holdings from the last checked state, and compares the result with
//! what was recorded.

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use kernel::{MarketCode, Quantity, Won};
use market_rules::QuantityRule;
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::Finding;
use super::history::Slice;
use crate::accounts::holding::Holding;
use crate::domain::split::SplitRatio;

pub(super) const REPLAYED: &str = "a holding is what its fills made of it";
pub(super) const DIVIDED: &str = "a split divides what a holding had by its ratio";
pub(super) const PART_PRICED: &str = "cash paid for a part of a share is its price";
pub(super) const ENDED: &str = "a season ended with what its fills had made of a holding";
pub(super) const CAPPED: &str = "an account takes no more of a trade than its share";

/// Changes of holdings in a slice, in order, with their last checked state.
const LINES: &str = "
    select l.*, c.quantity as known_quantity, c.cost_won as known_won, c.cost_quote as known_quote,
        c.tick_seq as known_tick, c.tick_quantity as known_taken
    from (
        select account_id, instrument_code, id, side as kind, quantity, price, amount_won, cost_won,
            cost_quote, tick_seq, cap_quantity, 0::bigint as numerator, 1::bigint as denominator,
            0::numeric as quantity_before, 0::bigint as paid_won
        from fill where id > $1 and id <= $2
        union all
        select account_id, instrument_code, id, 'SPLIT', quantity_after, 0, 0, cost_won, cost_quote,
            0, null, numerator, denominator, quantity_before, paid_won
        from holding_split where id > $1 and id <= $2
        union all
        select account_id, instrument_code, id, 'SEASON', quantity, 0, 0, cost_won, cost_quote,
            0, null, 0, 1, 0, 0
        from ended_holding where id > $1 and id <= $2) l
    left join audit_holding c on c.account_id = l.account_id
        and c.instrument_code = l.instrument_code and c.generation = $3
    order by l.account_id, l.instrument_code, l.id";

const KEEP: &str = "
    insert into audit_holding (account_id, instrument_code, generation, quantity, cost_won,
        cost_quote, tick_seq, tick_quantity)
    select d.account_id, d.instrument_code, $1, d.quantity, d.cost_won, d.cost_quote, d.tick_seq,
        d.tick_quantity
    from unnest($2::bigint[], $3::text[], $4::numeric[], $5::bigint[], $6::numeric[], $7::bigint[],
        $8::numeric[]) d(account_id, instrument_code, quantity, cost_won, cost_quote, tick_seq,
        tick_quantity)
    on conflict (account_id, instrument_code) do update set
        generation = excluded.generation, quantity = excluded.quantity,
        cost_won = excluded.cost_won, cost_quote = excluded.cost_quote,
        tick_seq = excluded.tick_seq, tick_quantity = excluded.tick_quantity";

/// A holding during the replay.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Replay {
    pub(super) holding: Holding,
    /// Its newest trade, and the quantity of its fills from it.
    tick_seq: i64,
    taken: Decimal,
}

/// By account and instrument.
type Replays = BTreeMap<(i64, String), Replay>;

/// A fill, a split's row, or the end of a season.
pub(super) struct Line {
    account_id: i64,
    code: String,
    id: i64,
    kind: String,
    quantity: Quantity,
    price: Decimal,
    amount: Won,
    cost: (Won, Decimal),
    tick_seq: i64,
    cap: Option<Decimal>,
    ratio: SplitRatio,
    before: Quantity,
    paid: Won,
}

/// Findings in a slice, and its accounts.
pub(super) async fn check(
    connection: &mut PgConnection,
    slice: Slice,
) -> Result<(Vec<Finding>, Vec<i64>), sqlx::Error> {
    let mut findings = Vec::new();
    let mut replays = Replays::new();
    let query = sqlx::query(LINES)
        .bind(slice.from)
        .bind(slice.to)
        .bind(slice.generation);
    let mut rows = query.fetch(&mut *connection);
    while let Some(row) = rows.try_next().await? {
        let line = Line::read(&row)?;
        let key = (line.account_id, line.code.clone());
        let replay = match replays.entry(key) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => new.insert(Replay::known(&row)?),
        };
        replay.play(&line, &mut findings);
    }
    drop(rows);
    keep(connection, slice.generation, &replays).await?;
    let accounts = replays.into_keys().map(|(account_id, _)| account_id);
    Ok((findings, accounts.collect()))
}

async fn keep(
    connection: &mut PgConnection,
    generation: i64,
    replays: &Replays,
) -> Result<(), sqlx::Error> {
    let accounts: Vec<i64> = replays.keys().map(|(account, _)| *account).collect();
    let codes: Vec<&str> = replays.keys().map(|(_, code)| code.as_str()).collect();
    let of = |field: fn(&Replay) -> Decimal| replays.values().map(field).collect::<Vec<_>>();
    let won: Vec<i64> = replays
        .values()
        .map(|replay| replay.holding.cost_won.0)
        .collect();
    let ticks: Vec<i64> = replays.values().map(|replay| replay.tick_seq).collect();
    sqlx::query(KEEP)
        .bind(generation)
        .bind(accounts)
        .bind(codes)
        .bind(of(|replay| replay.holding.quantity.0))
        .bind(won)
        .bind(of(|replay| replay.holding.cost_quote))
        .bind(ticks)
        .bind(of(|replay| replay.taken))
        .execute(connection)
        .await?;
    Ok(())
}

impl Line {
    pub(super) fn read(row: &sqlx::postgres::PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            account_id: row.try_get("account_id")?,
            code: row.try_get("instrument_code")?,
            id: row.try_get("id")?,
            kind: row.try_get("kind")?,
            quantity: Quantity(row.try_get("quantity")?),
            price: row.try_get("price")?,
            amount: Won(row.try_get("amount_won")?),
            cost: (Won(row.try_get("cost_won")?), row.try_get("cost_quote")?),
            tick_seq: row.try_get("tick_seq")?,
            cap: row.try_get("cap_quantity")?,
            ratio: SplitRatio {
                numerator: row.try_get("numerator")?,
                denominator: row.try_get("denominator")?,
            },
            before: Quantity(row.try_get("quantity_before")?),
            paid: Won(row.try_get("paid_won")?),
        })
    }

    fn finding(&self, check: &'static str, detail: String) -> Finding {
        let kind = match self.kind.as_str() {
            "SPLIT" => "holding split",
            "SEASON" => "ended holding",
            _ => "fill",
        };
        Finding {
            check,
            row: format!("{kind} {}", self.id),
            detail,
        }
    }
}

impl Replay {
    /// The last checked state of the holding.
    pub(super) fn known(row: &sqlx::postgres::PgRow) -> Result<Self, sqlx::Error> {
        let quantity: Option<Decimal> = row.try_get("known_quantity")?;
        let Some(quantity) = quantity else {
            return Ok(Self {
                holding: Holding::EMPTY,
                tick_seq: 0,
                taken: Decimal::ZERO,
            });
        };
        Ok(Self {
            holding: Holding {
                quantity: Quantity(quantity),
                held: Quantity::ZERO,
                cost_won: Won(row.try_get("known_won")?),
                cost_quote: row.try_get("known_quote")?,
            },
            tick_seq: row.try_get("known_tick")?,
            taken: row.try_get("known_taken")?,
        })
    }

    /// Applies one line and adds a finding where it contradicts the state. The replay continues from
    /// the recorded result, so that one wrong row is one finding.
    pub(super) fn play(&mut self, line: &Line, findings: &mut Vec<Finding>) {
        if line.kind == "SPLIT" {
            findings.extend(self.split(line));
            return;
        }
        if line.kind == "SEASON" {
            findings.extend(self.end(line));
            return;
        }
        findings.extend(self.take(line));
        let holding = &mut self.holding;
        if line.kind == "BUY" {
            let quote = line.price.saturating_mul(line.quantity.0).round_dp(16);
            holding.buy(line.quantity, line.amount, quote);
            return;
        }
        holding.held = holding.quantity;
        match holding.sell(line.quantity) {
            Ok(cost) if (cost.won, cost.quote) == line.cost => {}
            Ok(cost) => {
                let (recorded, of) = (line.cost.0.0, line.quantity);
                let detail = format!("cost {recorded} of {of}, replayed {}", cost.won.0);
                findings.push(line.finding(REPLAYED, detail));
            }
            Err(error) => findings.push(line.finding(REPLAYED, error.to_string())),
        }
    }

    /// Adds to the quantity that the account filled from one trade.
    fn take(&mut self, line: &Line) -> Option<Finding> {
        if self.tick_seq != line.tick_seq {
            self.tick_seq = line.tick_seq;
            self.taken = Decimal::ZERO;
        }
        self.taken = self.taken.saturating_add(line.quantity.0);
        let cap = line.cap.filter(|cap| self.taken > *cap)?;
        let detail = format!(
            "took {} of trade {}, share {cap}",
            self.taken, line.tick_seq
        );
        Some(line.finding(CAPPED, detail))
    }

    fn end(&mut self, line: &Line) -> Option<Finding> {
        let ended = std::mem::replace(&mut self.holding, Holding::EMPTY);
        let had = (ended.quantity, (ended.cost_won, ended.cost_quote));
        (had != (line.quantity, line.cost)).then(|| {
            let (quantity, cost) = (line.quantity, line.cost.0.0);
            let detail = format!(
                "ended with {quantity} for {cost}, replayed {} for {}",
                had.0, had.1.0.0
            );
            line.finding(ENDED, detail)
        })
    }

    fn split(&mut self, line: &Line) -> Option<Finding> {
        let owned = self.holding.quantity;
        let divided = divide(&self.holding, line);
        self.holding.quantity = line.quantity;
        self.holding.cost_won.0 = self.holding.cost_won.0.saturating_sub(line.cost.0.0);
        self.holding.cost_quote = self.holding.cost_quote.saturating_sub(line.cost.1);
        if line.before != owned {
            let detail = format!("divided {}, owned {owned}", line.before);
            return Some(line.finding(DIVIDED, detail));
        }
        let Some((after, cost, left_over)) = divided else {
            return Some(line.finding(DIVIDED, "the ratio is out of range".to_owned()));
        };
        let recorded = (line.quantity, line.cost);
        if recorded != (after, cost) {
            let detail = format!("became {recorded:?}, computed {:?}", (after, cost));
            return Some(line.finding(DIVIDED, detail));
        }
        let for_nothing = left_over.is_zero() && line.paid != Won::ZERO;
        for_nothing.then(|| {
            let detail = format!("paid {} though nothing was left over", line.paid.0);
            line.finding(PART_PRICED, detail)
        })
    }
}

/// Result of a split: new shares, the cost of the fractional share, and the fraction.
fn divide(holding: &Holding, line: &Line) -> Option<(Quantity, (Won, Decimal), Decimal)> {
    let numerator = Decimal::from(line.ratio.numerator);
    holding.quantity.0.checked_mul(numerator)?;
    // Only whole shares are split; coins and gold have no splits.
    let rule = QuantityRule::for_market(MarketCode::Kospi);
    let exact = line.ratio.quantity(holding.quantity);
    let mut after = holding.clone();
    let split = line.ratio.apply(&mut after, &rule, Decimal::ZERO);
    let cost = (split.cost.won, split.cost.quote);
    Some((split.after, cost, exact.0 - split.after.0))
}
