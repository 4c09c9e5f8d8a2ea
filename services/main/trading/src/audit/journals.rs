//! Checks of the ledger: every journal balances and has a cause. Adds entries to the checked sums.

use sqlx::PgConnection;

use super::Finding;
use super::assets;
use super::check::Check;
use super::history::Slice;

pub(super) const SPLIT_CASH: &str = "cash paid for a part of a share is in the ledger";

pub(super) const CHECKS: [Check; 7] = [
    Check {
        name: "entries of a journal sum to zero per asset",
        sql: "select 'journal ' || journal_id as row, asset || ' sums to ' || sum(amount) as detail \
              from entry where journal_id > $1 and journal_id <= $2 \
              group by journal_id, asset having sum(amount) <> 0",
    },
    Check {
        name: "every journal has entries",
        sql: "select 'journal ' || j.id as row, 'has no entries' as detail from journal j \
              where j.id > $1 and j.id <= $2 \
                and not exists (select 1 from entry e where e.journal_id = j.id)",
    },
    Check {
        name: "every entry of a member belongs to an account",
        sql: "select 'journal ' || e.journal_id as row, 'account ' || e.account_id || \
              ' does not exist' as detail from entry e left join account a on a.id = e.account_id \
              where e.journal_id > $1 and e.journal_id <= $2 \
                and e.account_id is not null and a.id is null",
    },
    Check {
        name: "every journal has its cause",
        // A source of another kind may have an id that is no number.
        sql: "select 'journal ' || j.id as row, j.kind || ' for ' || j.source_type || ' ' || \
                j.source_id as detail from journal j \
              left join fill f \
                on f.id = case j.source_type when 'FILL' then j.source_id::bigint end \
              left join holding_split s \
                on s.id = case j.source_type when 'HOLDING_SPLIT' then j.source_id::bigint end \
              left join dividend_share d \
                on d.id = case j.source_type when 'DIVIDEND_SHARE' then j.source_id::bigint end \
              left join account a \
                on a.id = case j.source_type when 'ACCOUNT' then j.source_id::bigint end \
              left join transfer t \
                on t.id = case j.source_type when 'TRANSFER' then j.source_id::bigint end \
              where j.id > $1 and j.id <= $2 and (case j.kind \
                when 'ORDER_FILLED' then f.journal_id is distinct from j.id \
                when 'SHARE_SPLIT' then s.id is null \
                when 'DIVIDEND_PAID' then d.journal_id is distinct from j.id \
                when 'ACCOUNT_OPENED' then a.id is null \
                when 'TRANSFERRED' then t.id is distinct from j.id \
                else false end \
                or exists (select 1 from entry e where e.journal_id = j.id \
                  and e.account_id <> coalesce(f.account_id, s.account_id, d.account_id, a.id)))",
    },
    Check {
        name: "a transfer moves its amount from one account of its member to another",
        sql: "select 'transfer ' || t.id as row, 'amount ' || t.amount_won || ', taken ' || \
                e.taken || ', given ' || e.given || ', other entries ' || e.others as detail \
              from journal j join transfer t on t.id = j.id \
              left join account f on f.id = t.from_account_id \
              left join account g on g.id = t.to_account_id \
              cross join lateral (select \
                  coalesce(sum(-amount) filter (where account_id = t.from_account_id), 0) as taken, \
                  coalesce(sum(amount) filter (where account_id = t.to_account_id), 0) as given, \
                  count(*) filter (where asset <> 'KRW' or account_id is null \
                    or account_id not in (t.from_account_id, t.to_account_id)) as others \
                from entry where journal_id = j.id) e \
              where j.id > $1 and j.id <= $2 and j.kind = 'TRANSFERRED' \
                and (e.taken <> t.amount_won or e.given <> t.amount_won or e.others > 0 \
                  or f.member_id is distinct from t.member_id \
                  or g.member_id is distinct from t.member_id)",
    },
    Check {
        name: "the history of cash shows every journal without an order",
        // The release before posts these three kinds without showing them.
        sql: "select 'journal ' || coalesce(m.journal_id, e.journal_id) as row, 'account ' || \
                coalesce(m.account_id, e.account_id) || case when m.journal_id is null \
                then ' does not show it' else ' shows what it has no part in' end as detail \
              from (select distinct e.account_id, e.journal_id, j.kind from journal j \
                join entry e on e.journal_id = j.id where j.id > $1 and j.id <= $2 \
                  and j.kind <> 'ORDER_FILLED' and e.account_id is not null and e.asset = 'KRW') e \
              full join (select account_id, journal_id from cash_movement \
                where journal_id > $1 and journal_id <= $2) m \
                on m.account_id = e.account_id and m.journal_id = e.journal_id \
              where e.journal_id is null or m.journal_id is null \
                and e.kind not in ('ACCOUNT_OPENED', 'SHARE_SPLIT', 'DIVIDEND_PAID')",
    },
    Check {
        name: SPLIT_CASH,
        sql: "select 'holding split ' || s.id as row, 'paid ' || s.paid_won || \
                ', account entries ' || e.account || ', adjusted ' || e.adjusted as detail \
              from journal j join holding_split s \
                on s.id = case j.source_type when 'HOLDING_SPLIT' then j.source_id::bigint end \
              cross join lateral (select \
                  coalesce(sum(amount) filter (where account_id = s.account_id), 0) as account, \
                  coalesce(sum(amount) filter (where book = 'ADJUST'), 0) as adjusted \
                from entry where journal_id = j.id) e \
              where j.id > $1 and j.id <= $2 and j.kind = 'SHARE_SPLIT' \
                and (e.account <> s.paid_won or e.adjusted <> -s.paid_won)",
    },
];

/// Adds a slice to the checked sums of its accounts. Sums of an earlier generation are discarded.
const SUM: &str = "
    insert into audit_account as a
        (account_id, generation, won, education_points, cash, opened_won, split_won)
    select e.account_id, $3, coalesce(sum(e.amount) filter (where e.asset = 'KRW'), 0),
        coalesce(sum(e.amount) filter (where e.asset = 'EP'), 0),
        coalesce(sum(e.amount) filter (where e.asset = 'CASH'), 0),
        coalesce(sum(e.amount) filter (where e.asset = 'KRW'
            and j.kind in ('ACCOUNT_OPENED', 'SEASON_OPENED')), 0),
        coalesce(sum(e.amount) filter (where j.kind = 'SHARE_SPLIT'), 0)
    from entry e join journal j on j.id = e.journal_id
    where e.journal_id > $1 and e.journal_id <= $2 and e.account_id is not null
    group by e.account_id
    on conflict (account_id) do update set
        generation = excluded.generation,
        won = excluded.won + case a.generation when $3 then a.won else 0 end,
        education_points = excluded.education_points
            + case a.generation when $3 then a.education_points else 0 end,
        cash = excluded.cash + case a.generation when $3 then a.cash else 0 end,
        opened_won = excluded.opened_won
            + case a.generation when $3 then a.opened_won else 0 end,
        split_won = excluded.split_won
            + case a.generation when $3 then a.split_won else 0 end
    returning account_id";

/// Findings in a slice, and its accounts.
pub(super) async fn check(
    connection: &mut PgConnection,
    slice: Slice,
) -> Result<(Vec<Finding>, Vec<i64>), sqlx::Error> {
    let mut findings = Vec::new();
    for check in CHECKS.iter().chain(&assets::JOURNALS) {
        findings.extend(check.of_slice(connection, slice).await?);
    }
    let touched = sqlx::query_scalar(SUM)
        .bind(slice.from)
        .bind(slice.to)
        .bind(slice.generation)
        .fetch_all(&mut *connection)
        .await?;
    Ok((findings, touched))
}

pub(super) async fn count(connection: &mut PgConnection, slice: Slice) -> Result<i64, sqlx::Error> {
    let count = "select count(*) from entry where journal_id > $1 and journal_id <= $2";
    sqlx::query_scalar(count)
        .bind(slice.from)
        .bind(slice.to)
        .fetch_one(connection)
        .await
}
