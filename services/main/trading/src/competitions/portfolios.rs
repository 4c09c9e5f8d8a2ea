//! Who takes part in a running event and what they have, read slice by slice: no statement grows with the
//! event.
//!
//! While an event runs no account of it has ended but of those who left, so that the index of accounts to
//! close has all entrants, in the order of their accounts.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use futures_util::TryStreamExt;
use kernel::{AccountId, Currency, MemberId, Quantity, Won};
use sea_orm::{ConnectionTrait, DbErr};
use sqlx::{PgConnection, Row};

use super::valuation::{ACCOUNTS_PER_QUERY, Entrant, Owned, Portfolios};
use crate::store::sql;

/// Entrants that one statement lists.
const ENTRANTS_PER_QUERY: usize = 5_000;

const BEFORE_ALL: AccountId = AccountId(i64::MIN);

/// Accounts of all who take part.
pub(super) async fn accounts(
    connection: &impl ConnectionTrait,
    competition_id: i64,
) -> Result<Vec<AccountId>, DbErr> {
    let mut accounts: Vec<AccountId> = Vec::new();
    loop {
        let last = accounts.last().copied().unwrap_or(BEFORE_ALL);
        let read = sql(
            "select account_id from competition_entry \
             where competition_id = $1 and left_at is null and last_journal is null \
                and account_id > $2 order by account_id limit $3",
            [competition_id.into(), last.into(), limit().into()],
        );
        let rows = connection.query_all_raw(read).await?;
        for row in &rows {
            accounts.push(row.try_get("", "account_id")?);
        }
        if rows.len() < ENTRANTS_PER_QUERY {
            return Ok(accounts);
        }
    }
}

impl Portfolios {
    /// Loads those of entrants who are ranked at `now`. The connection is in a transaction that sees one
    /// snapshot.
    pub(super) async fn load(
        connection: &mut PgConnection,
        competition_id: i64,
        now: DateTime<Utc>,
    ) -> Result<Self, sqlx::Error> {
        let mut portfolios = Self::default();
        let mut places = HashMap::new();
        loop {
            let known = portfolios.entrants.len();
            let of_event = (competition_id, now);
            portfolios.load_entrants(connection, of_event).await?;
            let added = portfolios.entrants.get(known..).unwrap_or_default();
            let accounts: Vec<i64> = added.iter().map(|one| one.account_id.0).collect();
            for slice in accounts.chunks(ACCOUNTS_PER_QUERY) {
                let owned = portfolios.load_owned(connection, slice, &mut places);
                owned.await?;
            }
            if accounts.len() < ENTRANTS_PER_QUERY {
                return Ok(portfolios);
            }
        }
    }

    /// Adds the next entrants.
    async fn load_entrants(
        &mut self,
        connection: &mut PgConnection,
        (competition_id, now): (i64, DateTime<Utc>),
    ) -> Result<(), sqlx::Error> {
        let last = self.entrants.last().map(|one| one.account_id);
        // `offset 0` keeps the planner from reading all balances for each slice.
        let mut rows = sqlx::query(
            "select e.account_id, e.member_id, e.joined_at, b.amount
             from competition_entry e
             cross join lateral (select amount from balance
                where account_id = e.account_id and asset = 'KRW' offset 0) b
             where e.competition_id = $1 and e.left_at is null and e.last_journal is null
                and e.ranked_from <= $2 and e.account_id > $3
             order by e.account_id limit $4",
        )
        .bind(competition_id)
        .bind(now)
        .bind(last.unwrap_or(BEFORE_ALL).0)
        .bind(limit())
        .fetch(&mut *connection);
        while let Some(row) = rows.try_next().await? {
            self.entrants.push(Entrant {
                account_id: AccountId(row.try_get(0)?),
                member_id: MemberId(row.try_get(1)?),
                joined_at: row.try_get(2)?,
                cash: Won(row.try_get(3)?),
            });
        }
        Ok(())
    }

    /// Adds what accounts own; `places` are those of the instruments by code.
    async fn load_owned(
        &mut self,
        connection: &mut PgConnection,
        accounts: &[i64],
        places: &mut HashMap<String, usize>,
    ) -> Result<(), sqlx::Error> {
        let mut rows = sqlx::query(
            "select account_id, instrument_code, quantity, cost_won, currency from holding
             where account_id = any($1) and quantity > 0 order by account_id",
        )
        .bind(accounts)
        .fetch(&mut *connection);
        while let Some(row) = rows.try_next().await? {
            let code: &str = row.try_get(1)?;
            let instrument = match places.get(code) {
                Some(place) => *place,
                None => {
                    let currency = match row.try_get::<&str, _>(4)? {
                        "USD" => Currency::Usd,
                        _ => Currency::Krw,
                    };
                    let place = self.instruments.len();
                    self.instruments.push((code.to_owned(), currency));
                    places.insert(code.to_owned(), place);
                    place
                }
            };
            self.owned.push(Owned {
                account_id: AccountId(row.try_get(0)?),
                instrument,
                quantity: Quantity(row.try_get(2)?),
                cost: Won(row.try_get(3)?),
            });
        }
        Ok(())
    }
}

fn limit() -> i64 {
    i64::try_from(ENTRANTS_PER_QUERY).unwrap_or(i64::MAX)
}
