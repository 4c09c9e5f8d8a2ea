//! Checks of share splits over all holders: one ratio, nobody left out, one price of fractions.

use sqlx::PgConnection;

use super::Finding;
use super::check::{Check, OfHolders, finding};
use super::history::Slice;

const ONE_RATIO: Check = Check {
    name: "a split has one ratio for everybody",
    sql: "select 'holding split ' || s.id as row, s.numerator || ':' || s.denominator || \
            ', the first of the day ' || e.numerator || ':' || e.denominator as detail \
          from holding_split s join audit_split e using (instrument_code, trading_day) \
          where s.id > $1 and s.id <= $2 \
            and (s.numerator, s.denominator) <> (e.numerator, e.denominator)",
};

pub(super) const REACHED: &str = "a split reaches everybody who owned the share";
pub(super) const NAMES: [&str; 1] = [ONE_RATIO.name];

const NOTE: &str = "
    insert into audit_split (instrument_code, trading_day, numerator, denominator, first_id)
    select distinct on (instrument_code, trading_day)
        instrument_code, trading_day, numerator, denominator, id
    from holding_split where id > $1 and id <= $2
    order by instrument_code, trading_day, id
    on conflict do nothing";
/// Passes over an instrument are sequential, so a fill after the first row of a split comes after the
/// whole split.
const IS_OVER: &str = "
    update audit_split s set is_over = true where not is_over and exists (
        select 1 from fill f where f.id > $1 and f.id <= $2 and f.id > s.first_id
            and f.instrument_code = s.instrument_code)";
/// The payment is the value of a fraction of a new share, rounded down to a won. Therefore the price of
/// a whole share lies between the prices implied by that won and by the next.
const WORTH: &str = "
    with part as (
        select instrument_code, trading_day, paid_won, trunc(quantity_before * numerator / denominator, 8)
            - quantity_after as left_over
        from holding_split where id > $1 and id <= $2),
    worth as (
        select instrument_code, trading_day, max(paid_won / left_over) as at_least,
            min((paid_won + 1) / left_over) as below
        from part where left_over > 0 group by instrument_code, trading_day)
    update audit_split s set worth_from = greatest(s.worth_from, w.at_least),
        worth_below = least(s.worth_below, w.below)
    from worth w
    where w.instrument_code = s.instrument_code and w.trading_day = s.trading_day
    returning case when s.worth_from >= s.worth_below then 'split of ' || s.instrument_code || ' on '
            || s.trading_day end as row,
        'parts of a share were paid by at least ' || round(s.worth_from, 2) ||
            ' and by less than ' || round(s.worth_below, 2) || ' for a whole one' as detail";

pub(super) async fn check(
    connection: &mut PgConnection,
    slice: Slice,
) -> Result<Vec<Finding>, sqlx::Error> {
    for statement in [NOTE, IS_OVER] {
        sqlx::query(statement)
            .bind(slice.from)
            .bind(slice.to)
            .execute(&mut *connection)
            .await?;
    }
    let mut findings = ONE_RATIO.of_slice(connection, slice).await?;
    let rows = sqlx::query(WORTH)
        .bind(slice.from)
        .bind(slice.to)
        .fetch_all(connection)
        .await?;
    for row in &rows {
        if sqlx::Row::try_get::<Option<&str>, _>(row, "row")?.is_some() {
            findings.push(finding(super::holdings::PART_PRICED, row)?);
        }
    }
    Ok(findings)
}

/// A finished split whose holders are not all checked.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Due {
    instrument_code: String,
    trading_day: i32,
    first_id: i64,
}

/// Splits whose holders are to be checked. `market_day` is the newest trading day in the database.
pub(super) async fn due(
    connection: &mut PgConnection,
    market_day: i32,
) -> Result<Vec<Due>, sqlx::Error> {
    let due = "select instrument_code, trading_day, first_id from audit_split s \
               where (is_over or trading_day < $1) and not exists (select 1 from audit_progress p \
                 where p.part = 'split of ' || s.instrument_code || ' on ' || s.trading_day \
                   and p.checked_to = 9223372036854775807) \
               order by trading_day, instrument_code";
    sqlx::query_as(due)
        .bind(market_day)
        .fetch_all(connection)
        .await
}

/// Accounts per transaction.
pub(super) const AT_ONCE: i64 = 10_000;

const LAST_OF: &str = "
    select max(account_id), count(*) from (select account_id from holding
        where instrument_code = $1 and account_id > $2 order by account_id limit $3) h";
/// Owners of shares by the fills and splits before the first row of this split. Who began again since
/// owns none of them.
const LEFT_OUT: &str = "
    select 'holding ' || h.account_id || '/' || h.instrument_code as row,
        'owned ' || o.quantity || ' before the split of ' || $4::int as detail
    from holding h
    left join lateral (
        select b.id, b.quantity_after from holding_start b
        where b.account_id = h.account_id and b.instrument_code = h.instrument_code
            and (b.id < $5 or b.trading_day = 0) order by b.id desc limit 1) before on true
    cross join lateral (
        select coalesce(before.quantity_after, 0) + coalesce(sum(
            case f.side when 'BUY' then f.quantity else -f.quantity end), 0) as quantity
        from fill f where f.account_id = h.account_id and f.instrument_code = h.instrument_code
            and f.id > coalesce(before.id, 0) and f.id < $5) o
    where h.instrument_code = $1 and h.account_id > $2 and h.account_id <= $3 and o.quantity > 0
        and not exists (select 1 from holding_split s where s.account_id = h.account_id
            and s.instrument_code = h.instrument_code and s.trading_day = $4::int)";

impl OfHolders for Due {
    fn part(&self) -> String {
        format!("split of {} on {}", self.instrument_code, self.trading_day)
    }

    async fn slice_after(
        &self,
        connection: &mut PgConnection,
        from: i64,
        most: i64,
    ) -> Result<Option<(i64, i64)>, sqlx::Error> {
        let (last, count): (Option<i64>, i64) = sqlx::query_as(LAST_OF)
            .bind(&self.instrument_code)
            .bind(from)
            .bind(most)
            .fetch_one(connection)
            .await?;
        Ok(last.map(|last| (last, count)))
    }

    async fn check(
        &self,
        connection: &mut PgConnection,
        (from, to): (i64, i64),
    ) -> Result<Vec<Finding>, sqlx::Error> {
        let rows = sqlx::query(LEFT_OUT)
            .bind(&self.instrument_code)
            .bind(from)
            .bind(to)
            .bind(self.trading_day)
            .bind(self.first_id)
            .fetch_all(connection)
            .await?;
        rows.iter().map(|row| finding(REACHED, row)).collect()
    }

    fn is_lasting(&self) -> bool {
        true
    }

    fn is_settled(
        &self,
        _connection: &mut PgConnection,
    ) -> impl Future<Output = Result<bool, sqlx::Error>> + Send {
        std::future::ready(Ok(true))
    }
}
