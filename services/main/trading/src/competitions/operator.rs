//! What an operator does with official events from the command line.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use kernel::{MemberId, Won};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, FromQueryResult,
    TransactionTrait,
};

use super::objection::Objection;
use super::seeds;
use crate::contracts::midnight;
use crate::error::TradingError;
use crate::store::{once, sql};

/// An official event to be made.
#[derive(Clone, Debug)]
pub struct NewEvent {
    pub title: String,
    /// Korean days of market time.
    pub first_day: NaiveDate,
    pub days: i64,
    pub start_cash: Won,
    /// Shows holdings of entrants to everybody.
    pub shows_holdings: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    #[error("a title is 2 to 40 characters")]
    Title,
    #[error("an event lasts 3 to 100 days")]
    Days,
    #[error("the cash of an event is 1,000,000 to 1,000,000,000 won")]
    Cash,
    #[error("an answer is 1 to 500 characters")]
    Answer,
    #[error(
        "prizes are withheld from 1 to 100 members when an objection is upheld, and from nobody otherwise"
    )]
    Withheld,
    #[error("there is no undecided objection {0}")]
    NoObjection(i64),
    #[error("a reason is 2 to 200 characters")]
    Reason,
    #[error("there is no official event {0}")]
    NoEvent(i64),
    #[error("event {0} is canceled already")]
    Canceled(i64),
    #[error("the last prices of event {0} are fixed: its results stand")]
    Over(i64),
    #[error(transparent)]
    Trading(#[from] TradingError),
}

impl From<DbErr> for OperatorError {
    fn from(error: DbErr) -> Self {
        Self::Trading(error.into())
    }
}

/// Makes an official event with the usual prizes, open to entrants at once and until half of it is
/// over; returns its id.
///
/// # Errors
/// [`OperatorError`]: nothing was made.
pub async fn create(
    db: &DatabaseConnection,
    event: &NewEvent,
    now: DateTime<Utc>,
) -> Result<i64, OperatorError> {
    let title = event.title.trim();
    if !(2..=40).contains(&title.chars().count()) {
        return Err(OperatorError::Title);
    }
    if !(3..=100).contains(&event.days) {
        return Err(OperatorError::Days);
    }
    if !(1_000_000..=1_000_000_000).contains(&event.start_cash.0) {
        return Err(OperatorError::Cash);
    }
    let transaction = db.begin().await?;
    let made = create_in(&transaction, title, event, now).await;
    let made = made.map_err(TradingError::from);
    Ok(once::end(transaction, made).await?)
}

async fn create_in(
    transaction: &DatabaseTransaction,
    title: &str,
    event: &NewEvent,
    now: DateTime<Utc>,
) -> Result<i64, DbErr> {
    let starts = midnight(event.first_day);
    let insert = sql(
        "insert into competition (kind, title, prize, starts_at, ends_at, join_from, join_until, \
            start_cash_won, created_at, shows_holdings) \
         values ('OFFICIAL', $1, $7, $2, $3, least($2, $4), $5, $6, $4, $8) returning id",
        [
            title.into(),
            starts.into(),
            (starts + TimeDelta::days(event.days)).into(),
            now.into(),
            (starts + TimeDelta::days(event.days) / 2).into(),
            event.start_cash.into(),
            seeds::PRIZE.into(),
            event.shows_holdings.into(),
        ],
    );
    let row = transaction.query_one_raw(insert).await?;
    let row = row.ok_or(DbErr::RecordNotInserted)?;
    let id = row.try_get("", "id")?;
    seeds::give_prizes(transaction, id).await?;
    Ok(id)
}

/// Objections that nobody has decided, oldest first.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn undecided(db: &DatabaseConnection) -> Result<Vec<Objection>, DbErr> {
    let read = sql(
        "select * from competition_objection where decided_at is null order by id limit 1000",
        [],
    );
    Objection::find_by_statement(read).all(db).await
}

/// A decision about an objection.
#[derive(Clone, Debug)]
pub struct Decision {
    pub objection_id: i64,
    pub is_upheld: bool,
    /// What the member is told.
    pub answer: String,
    /// Who receives no prize, of an objection that is upheld. Results and places stay.
    pub withheld_from: Vec<MemberId>,
}

/// Decides an objection for good.
///
/// # Errors
/// [`OperatorError`]: nothing was decided.
pub async fn decide(
    db: &DatabaseConnection,
    decision: &Decision,
    now: DateTime<Utc>,
) -> Result<(), OperatorError> {
    let answer = decision.answer.trim();
    if !(1..=500).contains(&answer.chars().count()) {
        return Err(OperatorError::Answer);
    }
    let withheld: Vec<i64> = decision.withheld_from.iter().map(|one| one.0).collect();
    if withheld.is_empty() == decision.is_upheld || withheld.len() > 100 {
        return Err(OperatorError::Withheld);
    }
    let decide = sql(
        "update competition_objection \
         set decided_at = $2, is_upheld = $3, answer = $4, withheld_from = $5 \
         where id = $1 and decided_at is null",
        [
            decision.objection_id.into(),
            now.into(),
            decision.is_upheld.into(),
            answer.into(),
            withheld.into(),
        ],
    );
    if db.execute_raw(decide).await?.rows_affected() == 0 {
        return Err(OperatorError::NoObjection(decision.objection_id));
    }
    Ok(())
}
