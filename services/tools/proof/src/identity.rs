//! The identity of accounts: what an account has, at what it cost, is its base and what its trades,
//! dividends and interest brought less what they cost. At any price its holdings are worth that cost and
//! what is not realized, so no price is needed. Written without the service's own check of the same.

use sqlx::{PgConnection, Row};

/// The identity of every account, over all its seasons. A past season took its cash and its holdings
/// with it.
const ACCOUNTS: &str = "
    with sales as (select account_id,
            sum(case side when 'SELL' then amount_won - cost_won else 0 end) as realized,
            sum(fee_won + tax_won) as costs
        from fill group by account_id),
    splits as (select account_id, sum(paid_won - cost_won) as won from holding_split group by 1),
    dividends as (select account_id, sum(gross_won - tax_won) as won from dividend_share
        where paid_at is not null and not lapsed group by 1),
    interest as (select account_id, sum(gross_won - income_tax_won - local_tax_won) as won
        from (select account_id, gross_won, income_tax_won, local_tax_won from cma_interest
            union all select account_id, gross_won, income_tax_won, local_tax_won
            from contract_interest) both_kinds group by 1),
    past as (select account_id, sum(cash_won) as cash, sum(initial_deposit_won
            + education_deposit_won + bought_deposit_won + net_transfers_won - purchased_items_won)
            as base from past_season group by 1),
    held as (select account_id, sum(cost_won) as won from (
            select account_id, cost_won from holding
            union all select account_id, cost_won from ended_holding) now_and_then group by 1)
    select a.id, a.member_id, a.code, a.net_transfers_won,
        (b.amount + coalesce(p.cash, 0) + coalesce(h.won, 0))::bigint as has,
        (a.initial_deposit_won + a.education_deposit_won + a.bought_deposit_won
            + a.net_transfers_won - a.purchased_items_won + coalesce(p.base, 0))::bigint as base,
        (coalesce(s.realized, 0) - coalesce(s.costs, 0) + coalesce(x.won, 0) + coalesce(d.won, 0)
            + coalesce(i.won, 0))::bigint as brought
    from account a join balance b on b.account_id = a.id and b.asset = 'KRW'
    left join sales s on s.account_id = a.id left join splits x on x.account_id = a.id
    left join dividends d on d.account_id = a.id left join interest i on i.account_id = a.id
    left join past p on p.account_id = a.id left join held h on h.account_id = a.id";

/// Members whose transfers between their own accounts do not cancel, over all seasons.
const TRANSFERS: &str = "
    select member_id, sum(won)::bigint as won from (
        select member_id, net_transfers_won as won from account where code <> '99'
        union all select member_id, net_transfers_won from past_season) moved
    group by member_id having sum(won) <> 0";

/// Returns each difference as a sentence.
pub(crate) async fn check(snapshot: &mut PgConnection) -> anyhow::Result<Vec<String>> {
    let rows = sqlx::query(ACCOUNTS).fetch_all(&mut *snapshot).await?;
    let mut faults = Vec::new();
    for row in &rows {
        let (has, base): (i64, i64) = (row.try_get("has")?, row.try_get("base")?);
        let brought: i64 = row.try_get("brought")?;
        if has - base != brought {
            let id: i64 = row.try_get("id")?;
            let code: &str = row.try_get("code")?;
            faults.push(format!(
                "account {id} ({code}) has {has} with a base of {base}, but gained {brought}"
            ));
        }
    }
    for row in sqlx::query(TRANSFERS).fetch_all(snapshot).await? {
        let (member, won): (i64, i64) = (row.try_get("member_id")?, row.try_get("won")?);
        faults.push(format!("transfers of member {member} leave {won} won"));
    }
    println!(
        "checked: the identity of {} accounts, {} differences",
        rows.len(),
        faults.len()
    );
    Ok(faults)
}
