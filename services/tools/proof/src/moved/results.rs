//! Results of competitions that have ended: they follow from the accounts, and nothing changes them.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

/// Everyone who was in an event to its end, with what the account had.
const ENTRIES: &str = "
    select e.competition_id, e.member_id, c.start_cash_won, b.amount as cash,
        r.cash_won, r.holdings_won, r.return_rate, r::text as result,
        coalesce((select string_agg(k.board || ' ' || k.place || ' ' || k.rank, ',' order by board)
            from competition_rank k where k.competition_id = e.competition_id
                and k.member_id = e.member_id), '') as ranks,
        coalesce((select sum(trunc(h.quantity * p.price
                * case o.currency when 'USD' then c.dollar_won else 1 end))
            from ended_holding h
            join holding o on o.account_id = h.account_id
                and o.instrument_code = h.instrument_code
            join competition_price p on p.competition_id = e.competition_id
                and p.instrument_code = h.instrument_code
            where h.account_id = e.account_id), 0)::bigint as holdings,
        (select count(*) from holding_split s where s.account_id = e.account_id) as splits,
        a.closed_at is not null as is_closed
    from competition_entry e join competition c on c.id = e.competition_id
    join account a on a.id = e.account_id
    join balance b on b.account_id = e.account_id and b.asset = 'KRW'
    left join competition_result r on r.competition_id = e.competition_id
        and r.member_id = e.member_id
    where c.closed_at is not null and e.left_at is null";

/// Places of a board that a better return has not, or that are not numbered through.
const PLACES: &str = "
    select count(*) from (select k.place, r.return_rate,
            row_number() over w as number, lag(r.return_rate) over w as before
        from competition_rank k join competition_result r using (competition_id, member_id)
        where k.board = 'RETURN' window w as (partition by k.competition_id order by k.place)) places
    where place <> number or return_rate > before";

/// Results of earlier days, by event and member: the row and the ranks.
#[derive(Default)]
pub(super) struct Results(BTreeMap<(i64, i64), (String, String)>);

impl Results {
    pub(super) async fn check(
        &mut self,
        snapshot: &mut PgConnection,
    ) -> anyhow::Result<Vec<String>> {
        let mut faults = Vec::new();
        let before = self.0.len();
        for row in sqlx::query(ENTRIES).fetch_all(&mut *snapshot).await? {
            let key: (i64, i64) = (row.try_get("competition_id")?, row.try_get("member_id")?);
            let Some(result) = row.try_get::<Option<String>, _>("result")? else {
                faults.push(format!("{key:?} has no result"));
                continue;
            };
            let (cash, start): (i64, i64) = (row.try_get("cash")?, row.try_get("start_cash_won")?);
            let (cash_won, holdings_won): (i64, i64) =
                (row.try_get("cash_won")?, row.try_get("holdings_won")?);
            let holdings: i64 = row.try_get("holdings")?;
            // A split after the end may leave a won more, of parts of shares that were paid out.
            let splits: i64 = row.try_get("splits")?;
            let is_worth = holdings_won == holdings || splits > 0;
            let gained = Decimal::from((cash_won + holdings_won - start) * 100);
            let exact = gained.checked_div(Decimal::from(start));
            let rate: Decimal = row.try_get("return_rate")?;
            let is_right = cash == cash_won
                && is_worth
                && exact.is_some_and(|exact| (exact - rate).abs() <= Decimal::new(5, 5))
                && row.try_get::<bool, _>("is_closed")?;
            if !is_right {
                faults.push(format!(
                    "{key:?} has the result {result}, expected {cash} + {holdings}"
                ));
            }
            let known = (result, row.try_get("ranks")?);
            let earlier = self.0.entry(key).or_insert_with(|| known.clone());
            if *earlier != known {
                faults.push(format!("{key:?}: {earlier:?} became {known:?}"));
            }
        }
        let misplaced: i64 = sqlx::query_scalar(PLACES).fetch_one(snapshot).await?;
        if misplaced > 0 {
            faults.push(format!("{misplaced} places do not follow from returns"));
        }
        println!(
            "checked: {} results of competitions, {before} of them known before, {} differences",
            self.0.len(),
            faults.len()
        );
        Ok(faults)
    }
}
