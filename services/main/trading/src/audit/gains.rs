//! The identity of profit and loss, without prices: what an account has in cash, and what
//! its holdings cost, less its base, is what its sales, splits, dividends and interest brought, less
//! what they and its purchases cost. The same holds of a season that has ended, so it holds of all. At
//! any price the holdings are worth what they cost and what is not realized, so the identity holds
//! with both on either side.

use sqlx::PgConnection;

use super::Finding;
use super::accounts::Reach;
use super::check::finding;
use super::history::Slice;

pub(super) const IDENTITY: &str =
    "an account has its base and what its trades, dividends and interest brought";

/// Adds what a slice of fills and splits brought to the sums of its accounts. Sums of an earlier
/// generation are discarded.
const SUM: &str = "
    insert into audit_gain as a (account_id, generation, won)
    select account_id, $3, sum(won) from (
        select account_id, case side when 'BUY' then -fee_won
            else amount_won - fee_won - tax_won - cost_won end as won
        from fill where id > $1 and id <= $2
        union all
        select account_id, paid_won - cost_won from holding_split where id > $1 and id <= $2
    ) brought group by account_id
    on conflict (account_id) do update set generation = excluded.generation,
        won = excluded.won + case a.generation when excluded.generation then a.won else 0 end";

/// With `$1` ids of accounts, `$2` the generation and `$3` the last fill in the sums. Newer fills are
/// found by holding, as their index has them.
const DIFFERENT: &str = "
    select 'account ' || a.id as row, 'cash ' || has.cash || ' and holdings for ' || has.cost ||
        ' less base ' || has.base || ', brought ' || came.won as detail
    from account a
    left join audit_gain g on g.account_id = a.id and g.generation = $2
    cross join lateral (select coalesce(sum(cash_won), 0) as cash,
            coalesce(sum(initial_deposit_won + education_deposit_won + bought_deposit_won
                + net_transfers_won - purchased_items_won), 0) as base
        from past_season where account_id = a.id) past
    cross join lateral (select
        coalesce((select amount from balance where account_id = a.id and asset = 'KRW'), 0)
            + past.cash as cash,
        coalesce((select sum(cost_won) from holding where account_id = a.id), 0)
            + coalesce((select sum(cost_won) from ended_holding where account_id = a.id), 0) as cost,
        past.base + a.initial_deposit_won + a.education_deposit_won + a.bought_deposit_won
            + a.net_transfers_won - a.purchased_items_won as base) has
    cross join lateral (select coalesce(g.won, 0)
        + coalesce((select sum(case f.side when 'BUY' then -f.fee_won
                else f.amount_won - f.fee_won - f.tax_won - f.cost_won end)
            from holding h join fill f on f.account_id = h.account_id
                and f.instrument_code = h.instrument_code and f.id > $3
            where h.account_id = a.id), 0)
        + coalesce((select sum(paid_won - cost_won) from holding_split
            where account_id = a.id and id > $3), 0)
        + coalesce((select sum(gross_won - tax_won) from dividend_share
            where member_id = a.member_id and account_id = a.id and paid_at is not null), 0)
        + coalesce((select sum(gross_won - income_tax_won - local_tax_won)
            from cma_interest where account_id = a.id), 0)
        + coalesce((select sum(gross_won - income_tax_won - local_tax_won)
            from contract_interest where account_id = a.id), 0) as won) came
    where a.id = any($1) and has.cash + has.cost - has.base <> came.won";

/// Adds a slice to the sums.
pub(super) async fn add(connection: &mut PgConnection, slice: Slice) -> Result<(), sqlx::Error> {
    sqlx::query(SUM)
        .bind(slice.from)
        .bind(slice.to)
        .bind(slice.generation)
        .execute(connection)
        .await?;
    Ok(())
}

/// Accounts whose identity does not hold.
pub(super) async fn check(
    connection: &mut PgConnection,
    ids: &[i64],
    reach: Reach,
) -> Result<Vec<Finding>, sqlx::Error> {
    let rows = sqlx::query(DIFFERENT)
        .bind(ids)
        .bind(reach.generation)
        .bind(reach.gains)
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| finding(IDENTITY, row)).collect()
}
