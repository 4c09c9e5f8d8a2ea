//! Checks of the days of accounts: flows add up to bases, and the newest day is what the present
//! leaves of it.

use sqlx::PgConnection;

use super::Finding;
use super::check::{Check, all_of_ids};

/// With `$1` ids of accounts.
const CHECKS: [Check; 2] = [
    Check {
        name: "the flow of a day is the change of the base",
        sql: "select 'account ' || account_id || ' on ' || day as row, 'flow ' || flow_won || \
                ', base ' || base_won || ' after ' || before as detail \
              from (select account_id, day, flow_won, base_won, \
                  coalesce(lag(base_won) over w, 0) as before from equity_day \
                where account_id = any($1) \
                window w as (partition by account_id, season order by day)) d \
              where flow_won <> base_won - before",
    },
    Check {
        // An account without a row for the last closed day had then what it had before, unless it had
        // ended: the account of a competition has no row of the day on which it did.
        name: "the cash of the last closed day is what later entries leave of the present",
        sql: "with run as (select day, market_ended_at, ended_at, day_journal, last_journal from equity_run \
                where finished_at is not null order by day desc limit 1) \
              select 'account ' || a.id || ' on ' || d.day as row, \
                'cash ' || d.cash_won || ', entries leave ' || b.amount - e.later as detail \
              from run cross join account a \
              join balance b on b.account_id = a.id and b.asset = 'KRW' \
              cross join lateral (select day, cash_won from equity_day \
                where account_id = a.id and day <= run.day order by day desc limit 1) d \
              cross join lateral (select coalesce(sum(e.amount), 0) as later from entry e \
                join journal j on j.id = e.journal_id and case \
                  when j.source_type in ('FILL', 'HOLDING_SPLIT') \
                    then j.occurred_at >= run.market_ended_at \
                  when run.day_journal is null then j.occurred_at >= run.ended_at \
                  else j.id > run.day_journal end \
                where e.account_id = a.id and e.asset = 'KRW' \
                  and e.journal_id > run.last_journal) e \
              where a.id = any($1) and d.cash_won <> b.amount - e.later \
                and not exists (select from competition_entry c where c.account_id = a.id \
                  and case when run.day_journal is null then c.ended_on <= run.day \
                    else c.last_journal <= run.day_journal end)",
    },
];

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.iter().map(|check| check.name)
}

/// Findings in the days of some accounts.
pub(super) async fn check(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Finding>, sqlx::Error> {
    all_of_ids(&CHECKS, connection, ids).await
}
