//! Values a slice of the accounts at the end of a day.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, TransactionTrait};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::run::{self, Run};
use crate::contracts::midnight;
use crate::domain::day::yyyymmdd;
use crate::error::TradingError;
use crate::store::{Store, once, slice, sql};

/// Rows that are read for them: closed accounts stay, and most accounts are closed some day.
const ROWS_PER_TRANSACTION: i64 = 20_000;
/// Accounts are closed by the clocks of machines, which may be this slow.
const SLOWEST_CLOCK: TimeDelta = TimeDelta::days(7);

/// Everything is of one statement, so of one instant. What occurred after the day is taken from what
/// is there now: entries from the cash, fills from the holdings, and from the base what moves it. Fills
/// and splits count by market time, all else by the number of its journal. A
/// holding that was split since, or whose season ended, is taken back to what it was before; a base,
/// to that of the season of then.
const VALUE: &str = r"
with owner as (
    select a.id, b.amount as cash, coalesce(p.season, a.season) as season,
        coalesce(p.base_won, a.initial_deposit_won + a.education_deposit_won
            + a.bought_deposit_won + a.net_transfers_won - a.purchased_items_won) as base,
        coalesce(p.last_journal, 9223372036854775807) as last_journal
    from account a
    -- Bounded like the accounts, or the planner reads all balances for each slice.
    join balance b on b.account_id = a.id and b.asset = 'KRW'
        and b.account_id > $2 and b.account_id <= $3
    left join lateral (select season, last_journal, initial_deposit_won + education_deposit_won
            + bought_deposit_won + net_transfers_won - purchased_items_won as base_won
        from past_season where account_id = a.id
            and case when $12::bigint is null then ended_on > $1 else last_journal > $12 end
        order by season limit 1) p on true
    where a.id > $2 and a.id <= $3 and (a.closed_at is null or a.closed_at >= $13)
        -- The account of a competition that ended on the day or before has no worth at its end.
        and not exists (select from competition_entry c where c.account_id = a.id
            and c.account_id > $2 and c.account_id <= $3
            and case when $12::bigint is null then c.ended_on <= $1 else c.last_journal <= $12 end)
),
later as (
    select o.id, sum(e.amount) as cash, coalesce(sum(e.amount) filter (
        where j.id <= o.last_journal and j.kind in ('ACCOUNT_OPENED', 'POINTS_MOVED', 'CASH_EXCHANGED',
            'ITEM_BOUGHT', 'ITEM_REFUNDED', 'TRANSFERRED', 'CONTRACT_OPENED', 'CONTRACT_PAID',
            'CONTRACT_CLOSED')), 0) as base
    from owner o
    join entry e on e.account_id = o.id and e.journal_id > $6 and e.asset = 'KRW'
    join journal j on j.id = e.journal_id and case
        when j.source_type in ('FILL', 'HOLDING_SPLIT') then j.occurred_at >= $4
        when $12::bigint is null then j.occurred_at >= $5
        else j.id > $12 end
    group by o.id
),
held as (
    select h.account_id, h.instrument_code, h.currency, h.cost_won,
        coalesce(before.quantity, h.quantity) - f.quantity as quantity
    from owner o
    join holding h on h.account_id = o.id
    left join lateral (
        select s.id, s.quantity_before as quantity from holding_split s
        where s.account_id = h.account_id and s.instrument_code = h.instrument_code
            and s.trading_day > $8
        union all
        select e.id, e.quantity from ended_holding e
        join past_season p on p.member_id = e.member_id and p.season = e.season
        where e.account_id = h.account_id and e.instrument_code = h.instrument_code
            and case when $12::bigint is null then p.ended_on > $1 else p.last_journal > $12 end
        union all
        select e.id, e.quantity from ended_holding e
        where e.account_id = h.account_id and e.instrument_code = h.instrument_code
            and e.season = 0 -- Of a competition: ended after the day, or the account is not valued.
        order by 1 limit 1) before on true
    cross join lateral (
        select coalesce(sum(case side when 'BUY' then quantity else -quantity end), 0) as quantity
        from fill
        where account_id = h.account_id and instrument_code = h.instrument_code
            and id > $7 and id < coalesce(before.id, 9223372036854775807)
            and event_time >= $4) f
),
worth as (
    select h.account_id, sum(coalesce(
        floor(h.quantity * p.price * case h.currency when 'USD' then $9::numeric else 1 end),
        h.cost_won)) as won
    from held h
    left join equity_price p on p.day = $1 and p.instrument_code = h.instrument_code
    where h.quantity > 0
    group by h.account_id
),
valued as (
    select o.id, o.season, o.cash - coalesce(l.cash, 0) as cash,
        coalesce(w.won, 0) + coalesce(c.won, 0) as holdings, o.base - coalesce(l.base, 0) as base
    from owner o
    left join later l on l.id = o.id
    left join worth w on w.account_id = o.id
    left join unnest($10::bigint[], $11::bigint[]) as c (account_id, won) on c.account_id = o.id
)
insert into equity_day (account_id, day, season, cash_won, holdings_won, base_won, flow_won)
select v.id, $1, v.season, v.cash, v.holdings, v.base,
    v.base - case when n.season = v.season then n.base_won else 0 end
from valued v
left join lateral (select season, cash_won, holdings_won, base_won from equity_day
    where account_id = v.id and day < $1 order by day desc limit 1) n on true
where (n.season, n.cash_won, n.holdings_won, n.base_won)
        is distinct from (v.season, v.cash::bigint, v.holdings::bigint, v.base::bigint)
    -- An account that was opened since had nothing.
    and (n.season is not null or (v.cash, v.holdings, v.base) <> (0, 0, 0))";

/// What a step of a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slice {
    Closed,
    /// The last accounts are valued, or the day was closed before.
    Finished,
    /// Another process closes days.
    Busy,
}

impl Store {
    /// Values the next `most` accounts of a day that is begun, beside those that had closed before.
    ///
    /// # Errors
    /// [`TradingError`] of the database: nothing was stored.
    pub(super) async fn close_equity_slice(
        &self,
        day: NaiveDate,
        most: i64,
    ) -> Result<Slice, TradingError> {
        let transaction = self.db.begin().await?;
        let closed = self.close_in(&transaction, day, most).await;
        once::end(transaction, closed).await
    }

    async fn close_in(
        &self,
        transaction: &DatabaseTransaction,
        day: NaiveDate,
        most: i64,
    ) -> Result<Slice, TradingError> {
        slice::take_time(transaction, most).await?;
        let Some(run) = run::lock(transaction, day).await? else {
            return Ok(Slice::Busy);
        };
        let Some(last) = last_of_slice(transaction, &run, most).await? else {
            let finish = sql(
                "update equity_run set finished_at = $2 where day = $1",
                [day.into(), self.clock.now().into()],
            );
            transaction.execute_raw(finish).await?;
            return Ok(Slice::Finished);
        };
        let accounts = (run.through_account, last);
        let accrued = self
            .accrued_at_end_of(transaction, accounts, (day, run.day_journal))
            .await?;
        value(transaction, &run, last, accrued).await?;
        let advance = sql(
            "update equity_run set through_account = $2 where day = $1",
            [day.into(), last.into()],
        );
        transaction.execute_raw(advance).await?;
        Ok(Slice::Closed)
    }
}

async fn last_of_slice(
    transaction: &DatabaseTransaction,
    run: &Run,
    most: i64,
) -> Result<Option<i64>, DbErr> {
    let read = sql(
        "with next as (select id, closed_at is null or closed_at >= $4 as is_valued \
                from account where id > $1 order by id limit $3), \
            counted as (select id, count(*) filter (where is_valued) over (order by id) as valued \
                from next) \
         select max(id) as last from counted where valued <= $2",
        [
            run.through_account.into(),
            most.into(),
            ROWS_PER_TRANSACTION.into(),
            closed_since(run).into(),
        ],
    );
    let row = transaction.query_one_raw(read).await?;
    row.map_or(Ok(None), |row| row.try_get("", "last"))
}

/// Accounts that closed before had their last row on the day that was closed before this one, between
/// which and this one days may have been passed over. Others that had it are valued again for some days,
/// and have no further row: looking for it would read as much for all that ever closed.
fn closed_since(run: &Run) -> DateTime<Utc> {
    let since = midnight(run.day_before.unwrap_or(run.day));
    // Of a market that is ahead of the machines.
    let ahead = (run.market_ended_at - run.ended_at).max(TimeDelta::zero());
    since - ahead - SLOWEST_CLOCK
}

async fn value(
    transaction: &DatabaseTransaction,
    run: &Run,
    last: i64,
    accrued: Vec<(i64, i64)>,
) -> Result<(), DbErr> {
    let (contracts, interest): (Vec<i64>, Vec<i64>) = accrued.into_iter().unzip();
    let insert = sql(
        VALUE,
        [
            run.day.into(),
            run.through_account.into(),
            last.into(),
            run.market_ended_at.into(),
            run.ended_at.into(),
            run.last_journal.into(),
            run.last_fill.into(),
            yyyymmdd(run.day).into(),
            run.dollar_won.into(),
            contracts.into(),
            interest.into(),
            run.day_journal.into(),
            closed_since(run).into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}
