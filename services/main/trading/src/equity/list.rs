//! The days of a member's accounts.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use kernel::{AccountId, MemberId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult};

use super::series::{AccountDay, Series};
use crate::accounts::open::AccountChoice;
use crate::entity::account;
use crate::error::TradingError;
use crate::profits::ProfitWindow;
use crate::seasons::view::{AccountScope, SeasonView};
use crate::store::{Store, sql};

#[derive(Clone, Debug)]
pub struct EquityFilter {
    pub window: ProfitWindow,
    /// `None`: all of the member's accounts that do not compete.
    pub account: Option<AccountChoice>,
    /// `None` is the present one.
    pub season: Option<i32>,
}

#[derive(Clone, Debug)]
pub struct EquityHistory {
    pub season: i32,
    /// First day of the window.
    pub from: Option<NaiveDate>,
    pub to: NaiveDate,
    pub series: Series,
}

/// What the account of a competition had when the event was over, or its member left.
#[derive(FromQueryResult)]
struct CompetitionEnd {
    day: NaiveDate,
    equity: i64,
    base: i64,
}

#[derive(FromQueryResult)]
struct End {
    equity: i64,
    base: i64,
}

impl Store {
    /// Days of a season, and now. The last day of a season that has ended is its end, and that of a
    /// competition is what its account ended with.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, there is no such season, or of the database.
    pub async fn equity(
        &self,
        member_id: MemberId,
        filter: &EquityFilter,
    ) -> Result<EquityHistory, TradingError> {
        let scope = filter
            .account
            .as_ref()
            .map_or(AccountScope::All, AccountScope::One);
        let SeasonView {
            transaction,
            season,
            accounts,
            today,
        } = self.season_view(member_id, filter.season, scope).await?;
        let competed = competition_end(&transaction, &accounts).await?;
        let to = competed.as_ref().map_or(today, |end| end.day);
        let from = filter.window.first_day(to);
        let closed = newest_closed(&transaction).await?;
        let days = (from, to, closed);
        let rows = account_days(&transaction, &accounts, season.of_rows, days).await?;
        let end = match (season.is_past(), &filter.account) {
            (false, _) if competed.is_some() => competed.map(|end| (end.equity, end.base)),
            (false, _) => Some(self.now(&transaction, member_id, &accounts).await?),
            // What a season left is known of all accounts together.
            (true, None) => at_end_of(&transaction, member_id, season.season).await?,
            (true, Some(_)) => None,
        };
        transaction.commit().await?;
        Ok(EquityHistory {
            season: season.season,
            from,
            to,
            series: Series::of(&rows, (from, to, closed.unwrap_or_default()), end),
        })
    }

    /// Equity and base of accounts at the latest prices.
    async fn now(
        &self,
        transaction: &DatabaseTransaction,
        member_id: MemberId,
        accounts: &[account::Model],
    ) -> Result<(i64, i64), TradingError> {
        let open = self.account_values(transaction, member_id).await?;
        let worth: BTreeMap<AccountId, i64> = open
            .iter()
            .map(|one| {
                let account = &one.account;
                (
                    account.account.id,
                    account.won.amount + one.holdings_value.0,
                )
            })
            .collect();
        let equity = accounts.iter().filter_map(|row| worth.get(&row.id)).sum();
        let base = accounts.iter().map(|row| row.base().0).sum();
        Ok((equity, base))
    }
}

/// Rows of the days, with the last ones before them, in the order of their days.
async fn account_days(
    transaction: &DatabaseTransaction,
    accounts: &[account::Model],
    season: Option<i32>,
    (from, to, closed): (Option<NaiveDate>, NaiveDate, Option<NaiveDate>),
) -> Result<Vec<AccountDay>, DbErr> {
    let ids: Vec<i64> = accounts.iter().map(|row| row.id.0).collect();
    let read = sql(
        "select d.account_id, d.day, d.cash_won + d.holdings_won as equity, d.base_won as base \
         from unnest($1::bigint[]) as wanted (id) \
         cross join lateral (select coalesce((select max(day) from equity_day \
                where account_id = wanted.id and ($2::integer is null or season = $2) \
                and day < $3), $3, '-infinity') as first) f \
         join equity_day d on d.account_id = wanted.id \
            and ($2::integer is null or d.season = $2) and d.day >= f.first and d.day < $4 and d.day <= $5 \
         order by d.day, d.account_id",
        [
            ids.into(),
            season.into(),
            from.into(),
            to.into(),
            closed.into(),
        ],
    );
    AccountDay::find_by_statement(read).all(transaction).await
}

/// The newest day that is closed; the days of one that is being closed do not fit each other yet.
async fn newest_closed(transaction: &DatabaseTransaction) -> Result<Option<NaiveDate>, DbErr> {
    let read = sql(
        "select day from equity_run where finished_at is not null order by day desc limit 1",
        [],
    );
    let row = transaction.query_one_raw(read).await?;
    row.map(|row| row.try_get("", "day")).transpose()
}

/// `None` unless the account is one of a competition and has ended; one that was closed late ended on the
/// last day of the event.
async fn competition_end(
    transaction: &DatabaseTransaction,
    accounts: &[account::Model],
) -> Result<Option<CompetitionEnd>, DbErr> {
    let [account] = accounts else {
        return Ok(None);
    };
    let read = sql(
        "select least(e.ended_on, ((c.ends_at - interval '1 microsecond') \
                at time zone 'Asia/Seoul')::date) as day, \
            b.amount + coalesce((select sum(value_won)::bigint from ended_holding \
                where account_id = e.account_id), 0) as equity, c.start_cash_won as base \
         from competition_entry e join competition c on c.id = e.competition_id \
         join balance b on b.account_id = e.account_id and b.asset = 'KRW' \
         where e.account_id = $1 and e.last_journal is not null",
        [account.id.into()],
    );
    CompetitionEnd::find_by_statement(read)
        .one(transaction)
        .await
}

/// Equity and base of all accounts when a season ended.
async fn at_end_of(
    transaction: &DatabaseTransaction,
    member_id: MemberId,
    season: i32,
) -> Result<Option<(i64, i64)>, DbErr> {
    // Transfers between the member's accounts are none of the base of all of them.
    let read = sql(
        "select cash_won + holdings_won as equity, initial_deposit_won + education_deposit_won \
            + bought_deposit_won - purchased_items_won as base \
         from past_season where member_id = $1 and season = $2",
        [member_id.into(), season.into()],
    );
    let end = End::find_by_statement(read).one(transaction).await?;
    Ok(end.map(|end| (end.equity, end.base)))
}
