//! Everything that moved a member's cash without an order, newest first: transfers, dividends,
//! interest, points, contracts. A kind of journal appears here as soon as something posts it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::{AccountCode, AccountId, MemberId};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter};

use crate::accounts::open::AccountChoice;
use crate::competitions::mode::ListScope;
use crate::entity::account;
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::seasons::span::IdRange;
use crate::store::{Store, sql};

#[derive(Clone, Debug)]
pub struct CashMovements {
    /// Newest first.
    pub movements: Vec<CashMovement>,
    /// `before` of the next page; `None` on the last one.
    pub next_before: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct CashMovement {
    /// The number of its journal.
    pub id: i64,
    /// The name of the journal's kind.
    pub kind: String,
    /// Positive.
    pub amount: i64,
    /// `None` where the money came from outside the member's accounts.
    pub from: Option<MovementAccount>,
    /// `None` where the money left them.
    pub to: Option<MovementAccount>,
    pub occurred_at: DateTime<Utc>,
    /// The key of the request of a transfer.
    pub request_id: Option<String>,
}

#[derive(Clone, Debug)]
pub struct MovementAccount {
    pub account_no: String,
    pub name: String,
    /// Cash after a transfer.
    pub deposit: Option<i64>,
}

/// What a journal did to one account.
#[derive(FromQueryResult)]
struct Line {
    id: i64,
    kind: String,
    occurred_at: DateTime<Utc>,
    account_id: AccountId,
    amount: i64,
    request_id: Option<String>,
    from_balance_won: Option<i64>,
    to_balance_won: Option<i64>,
}

impl Store {
    /// A page of `size` movements of a season, the present one if none is named, that are older than
    /// `before`, or of the newest ones. Accounts of competitions have no season.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub async fn cash_movements(
        &self,
        member_id: MemberId,
        choice: Option<&AccountChoice>,
        season: Option<i32>,
        (before, size): (Option<i64>, usize),
    ) -> Result<CashMovements, TradingError> {
        let mut span = self.season_span(&self.db, member_id, season).await?;
        let rows = account::Entity::find()
            .filter(account::Column::MemberId.eq(member_id))
            .all(&self.db)
            .await?;
        let chosen = self.chosen(member_id, choice, &rows).await?;
        if chosen.iter().any(|row| row.is(AccountCode::Competition)) {
            span.take_everything();
        }
        let filtered = chosen.iter().map(|row| row.id.0).collect();
        let last = span.journals.through;
        let older = before.map_or(last, |before| last.min(before.saturating_sub(1)));
        let range = IdRange {
            through: older,
            ..span.journals
        };
        let mut ids = self.movement_ids(filtered, range, size).await?;
        let more = ids.len() > size;
        ids.truncate(size);
        let next_before = ids.last().copied().filter(|_| more);
        let accounts: BTreeMap<AccountId, &account::Model> =
            rows.iter().map(|row| (row.id, row)).collect();
        Ok(CashMovements {
            movements: self.movements(ids, &accounts).await?,
            next_before,
        })
    }

    /// The named account, or without one those of the present mode. Closed ones keep their history.
    async fn chosen<'a>(
        &self,
        member_id: MemberId,
        choice: Option<&AccountChoice>,
        rows: &'a [account::Model],
    ) -> Result<Vec<&'a account::Model>, TradingError> {
        let of_id = |id| rows.iter().find(|row| row.id == id);
        let found = match choice {
            None => match self.list_scope(member_id).await? {
                ListScope::Account(id) => of_id(id),
                ListScope::Without(_) => {
                    let competes = |row: &&account::Model| row.is(AccountCode::Competition);
                    return Ok(rows.iter().filter(|row| !competes(row)).collect());
                }
            },
            Some(AccountChoice::Basic) => {
                let basic = rows.iter().filter(|row| row.is(AccountCode::Basic));
                return Ok(basic.collect());
            }
            Some(AccountChoice::Number(number)) => {
                rows.iter().find(|row| row.account_no == number.as_str())
            }
            Some(AccountChoice::Competition) => of_id(self.current_account(member_id).await?),
        };
        Ok(vec![found.ok_or(OrderRejection::AccountForbidden)?])
    }

    /// The journals of a page and the one after it, newest first.
    async fn movement_ids(
        &self,
        accounts: Vec<i64>,
        range: IdRange,
        size: usize,
    ) -> Result<Vec<i64>, DbErr> {
        let limit = i64::try_from(size).unwrap_or(i64::MAX).saturating_add(1);
        // The limit of each account keeps a page from reading the whole history of one.
        let read = sql(
            "select distinct m.journal_id from unnest($1::bigint[]) as a(id) \
             cross join lateral (select journal_id from cash_movement \
               where account_id = a.id and journal_id <= $2 and journal_id > $4 \
               order by journal_id desc limit $3) m \
             order by m.journal_id desc limit $3",
            [
                accounts.into(),
                range.through.into(),
                limit.into(),
                range.after.into(),
            ],
        );
        let rows = sea_orm::ConnectionTrait::query_all_raw(&self.db, read).await?;
        rows.iter()
            .map(|row| row.try_get("", "journal_id"))
            .collect()
    }

    async fn movements(
        &self,
        ids: Vec<i64>,
        accounts: &BTreeMap<AccountId, &account::Model>,
    ) -> Result<Vec<CashMovement>, DbErr> {
        let mine: Vec<i64> = accounts.keys().map(|id| id.0).collect();
        let read = sql(
            "select j.id, j.kind, j.occurred_at, e.account_id, sum(e.amount)::bigint as amount, \
                t.request_id, t.from_balance_won, t.to_balance_won \
             from journal j join entry e on e.journal_id = j.id \
             left join transfer t on t.id = j.id and j.kind = 'TRANSFERRED' \
             where j.id = any($1) and e.account_id = any($2) and e.asset = 'KRW' \
             group by j.id, e.account_id, t.id",
            [ids.into(), mine.into()],
        );
        let lines = Line::find_by_statement(read).all(&self.db).await?;
        let mut movements: BTreeMap<i64, CashMovement> = BTreeMap::new();
        for line in lines {
            let movement = movements.entry(line.id).or_insert_with(|| CashMovement {
                id: line.id,
                kind: line.kind.clone(),
                amount: 0,
                from: None,
                to: None,
                occurred_at: line.occurred_at,
                request_id: line.request_id.clone(),
            });
            let party = accounts.get(&line.account_id).map(|row| MovementAccount {
                account_no: row.account_no.clone(),
                name: row.display_name().to_owned(),
                deposit: if line.amount < 0 {
                    line.from_balance_won
                } else {
                    line.to_balance_won
                },
            });
            movement.amount = movement.amount.max(line.amount.saturating_abs());
            if line.amount < 0 {
                movement.from = party;
            } else {
                movement.to = party;
            }
        }
        Ok(movements.into_values().rev().collect())
    }
}
