//! Which orders, fills and journals belong to a season.

use chrono::NaiveDate;
use kernel::{AccountId, MemberId};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter};

use crate::accounts::open::AccountChoice;
use crate::entity::account;
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::refusal::Refusal;
use crate::store::{Store, sql};

/// Numbers above `after`, up to and with `through`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdRange {
    pub(crate) after: i64,
    pub(crate) through: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeasonSpan {
    pub(crate) season: i32,
    /// The season of rows that name theirs; `None` of accounts that no season bounds.
    pub(crate) of_rows: Option<i32>,
    pub(crate) orders: IdRange,
    /// Also of splits.
    pub(crate) fills: IdRange,
    pub(crate) journals: IdRange,
    /// KST day of market time; `None` of the present season.
    pub(crate) ended_on: Option<NaiveDate>,
}

#[derive(FromQueryResult)]
struct Bounds {
    season: i32,
    after_order: i64,
    after_fill: i64,
    after_journal: i64,
    last_order: i64,
    last_fill: i64,
    last_journal: i64,
    ended_on: Option<NaiveDate>,
}

impl Store {
    /// A season of a member; `None` stands for the present one.
    ///
    /// # Errors
    /// [`TradingError`]: the member has had no such season, or of the database.
    pub(crate) async fn season_span(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
        season: Option<i32>,
    ) -> Result<SeasonSpan, TradingError> {
        let read = sql(
            "with s as (select coalesce($2, count(*) + 1)::integer as season, \
                count(*) + 1 as present from past_season where member_id = $1) \
             select s.season, coalesce(b.last_order, 0) as after_order, \
                coalesce(b.last_fill, 0) as after_fill, \
                coalesce(b.last_journal, 0) as after_journal, \
                coalesce(e.last_order, $3) as last_order, \
                coalesce(e.last_fill, $3) as last_fill, \
                coalesce(e.last_journal, $3) as last_journal, e.ended_on \
             from s left join past_season b on b.member_id = $1 and b.season = s.season - 1 \
             left join past_season e on e.member_id = $1 and e.season = s.season \
             where s.season between 1 and s.present",
            [member_id.into(), season.into(), i64::MAX.into()],
        );
        let found = Bounds::find_by_statement(read).one(connection).await?;
        Ok(found.map(SeasonSpan::from).ok_or_else(not_found)?)
    }
}

impl Store {
    /// The account that a choice names in a season: of a past one also an account that ended with it.
    ///
    /// # Errors
    /// As [`Store::resolve`].
    pub(crate) async fn resolve_in(
        &self,
        member_id: MemberId,
        choice: &AccountChoice,
        span: &SeasonSpan,
    ) -> Result<AccountId, TradingError> {
        let AccountChoice::Number(number) = choice else {
            return self.resolve(member_id, choice).await;
        };
        if !span.is_past() {
            return self.resolve(member_id, choice).await;
        }
        let found = account::Entity::find()
            .filter(account::Column::MemberId.eq(member_id))
            .filter(account::Column::AccountNo.eq(number.as_str()))
            .one(&self.db)
            .await?;
        Ok(found.ok_or(OrderRejection::AccountForbidden)?.id)
    }
}

fn not_found() -> Refusal {
    Refusal::not_found("SEASON_NOT_FOUND", "그런 시즌이 없어요.")
}

impl SeasonSpan {
    /// A season is one of the member's own accounts: those of competitions show all they did.
    pub(crate) fn take_everything(&mut self) {
        let everything = IdRange {
            after: 0,
            through: i64::MAX,
        };
        self.orders = everything;
        self.fills = everything;
        self.journals = everything;
        self.of_rows = None;
        self.ended_on = None;
    }

    pub(crate) fn is_past(&self) -> bool {
        self.ended_on.is_some()
    }
}

impl From<Bounds> for SeasonSpan {
    fn from(bounds: Bounds) -> Self {
        let range = |after, through| IdRange { after, through };
        Self {
            season: bounds.season,
            of_rows: Some(bounds.season),
            orders: range(bounds.after_order, bounds.last_order),
            fills: range(bounds.after_fill, bounds.last_fill),
            journals: range(bounds.after_journal, bounds.last_journal),
            ended_on: bounds.ended_on,
        }
    }
}

/// The number of a member's present season.
///
/// # Errors
/// [`DbErr`] of the database.
pub(crate) async fn present_season(
    connection: &impl ConnectionTrait,
    member_id: MemberId,
) -> Result<i32, DbErr> {
    let read = sql(
        "select (count(*) + 1)::integer as season from past_season where member_id = $1",
        [member_id.into()],
    );
    let row = connection.query_one_raw(read).await?;
    row.ok_or_else(|| DbErr::RecordNotFound("season".to_owned()))?
        .try_get("", "season")
}
