//! Ends a member's season and begins the next.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::clock::KST;
use kernel::{AccountId, MemberId, RequestId};
use proto::convert::micros;
use proto::trading::v1::ResetReply;
use sea_orm::{ConnectionTrait, DbErr};

use super::settle::SeasonSettlement;
use super::span::present_season;
use crate::accounts::open::open_accounts;
use crate::error::TradingError;
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::{Store, sql};

/// Between two resets without a ticket.
const FREE_EVERY: TimeDelta = TimeDelta::days(7);

#[derive(Clone, Debug)]
pub struct Reset {
    pub member_id: MemberId,
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    /// Whether a ticket may be used up if the last reset was too short a time ago.
    pub use_ticket: bool,
    /// The season that the member saw; `None` ends the present one, whichever it is.
    pub season: Option<i32>,
}

struct Act<'a> {
    store: &'a Store,
    request: &'a Reset,
    basic: AccountId,
}

impl Store {
    /// Ends everything that the member's accounts have, archives it as a season, and gives the BASIC
    /// account its initial deposit anew.
    ///
    /// # Errors
    /// [`TradingError`]: too soon, without a ticket, at values that cannot be known now, or of the database.
    pub async fn reset(&self, reset: &Reset) -> Result<ResetReply, TradingError> {
        let (basic, _) = self.open_basic_account(reset.member_id).await?;
        let act = Act {
            store: self,
            request: reset,
            basic,
        };
        let request = MoneyRequest::new(reset.member_id, &reset.request_id, &reset.digest, [basic]);
        self.once(&request, &act).await
    }
}

impl MoneyAct for Act<'_> {
    type Reply = ResetReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<ResetReply, TradingError> {
        self.check_season(books).await?;
        let ticket = self.ticket(books).await?;
        // Every account is opened under the lock of the BASIC one, so these are all there are.
        let accounts = open_accounts(books.transaction, self.request.member_id).await?;
        books.lock_more(&accounts).await?;
        let settlement = SeasonSettlement::new(self.store, self.request.member_id, self.basic);
        let begun = settlement
            .end_season(books, &accounts, ticket.is_some())
            .await?;
        if let Some(item) = ticket {
            use_up(books, self.basic, item).await?;
        }
        let next_free_at = match ticket {
            None => Some(books.now + FREE_EVERY),
            Some(_) => next_free(books.transaction, self.request.member_id, books.now).await?,
        };
        Ok(ResetReply {
            season: begun.season,
            deposit_won: begun.deposit.0,
            used_ticket: ticket.is_some(),
            next_free_at_us: next_free_at.map_or(0, micros),
            message: format!("{}번째 시즌을 시작했어요", begun.season),
            replayed: false,
        })
    }
}

impl Act<'_> {
    /// Refuses to end a season that began on another device meanwhile.
    async fn check_season(&self, books: &Books<'_>) -> Result<(), TradingError> {
        let Some(seen) = self.request.season else {
            return Ok(());
        };
        let present = present_season(books.transaction, self.request.member_id).await?;
        if seen == present {
            return Ok(());
        }
        let message = format!("지금은 {present}번째 시즌이에요. 확인하고 다시 초기화해 주세요.");
        let refusal = Refusal::conflict("SEASON_CHANGED", message);
        Err(refusal.with("season", present).into())
    }

    /// The ticket that is used up; `None` for a free reset, which comes first.
    async fn ticket(&self, books: &Books<'_>) -> Result<Option<i64>, TradingError> {
        let next = next_free(books.transaction, self.request.member_id, books.now).await?;
        let Some(next) = next else {
            return Ok(None);
        };
        if !self.request.use_ticket {
            let day = next.with_timezone(&KST).format("%Y-%m-%d %H:%M");
            let message =
                format!("초기화는 7일에 한 번 할 수 있어요. {day}부터 다시 할 수 있어요.");
            // Granted once the time has come.
            let refusal = Refusal::new("RESET_TOO_SOON", message).passing();
            let next = next.with_timezone(&KST).to_rfc3339();
            return Err(refusal.with("nextAt", next).into());
        }
        let tickets = tickets(books.transaction, self.basic).await?;
        match tickets.first() {
            Some((item, _)) => Ok(Some(*item)),
            // One may be bought meanwhile.
            None => Err(Refusal::new("NO_SEASON_TICKET", "다시 시작 티켓이 없어요.")
                .passing()
                .into()),
        }
    }
}

/// When a reset without a ticket is possible; `None` at once.
pub(super) async fn next_free(
    connection: &impl ConnectionTrait,
    member_id: MemberId,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, DbErr> {
    let newest = sql(
        "select max(ended_at) as newest from past_season where member_id = $1 and not used_ticket",
        [member_id.into()],
    );
    let row = connection.query_one_raw(newest).await?;
    let newest: Option<DateTime<Utc>> = row.map_or(Ok(None), |row| row.try_get("", "newest"))?;
    Ok(newest
        .map(|newest| newest + FREE_EVERY)
        .filter(|next| *next > now))
}

/// Items of which the member has unused tickets, and how many.
pub(super) async fn tickets(
    connection: &impl ConnectionTrait,
    basic: AccountId,
) -> Result<Vec<(i64, i32)>, DbErr> {
    let read = sql(
        "select m.item_id, m.quantity - m.used as unused from member_item m \
         join item i on i.id = m.item_id and i.category = 'SEASON_TICKET' \
         where m.account_id = $1 and m.quantity > m.used order by m.item_id",
        [basic.into()],
    );
    let rows = connection.query_all_raw(read).await?;
    rows.iter()
        .map(|row| Ok((row.try_get("", "item_id")?, row.try_get("", "unused")?)))
        .collect()
}

async fn use_up(books: &Books<'_>, basic: AccountId, item: i64) -> Result<(), DbErr> {
    let note = sql(
        "update member_item set used = used + 1 where account_id = $1 and item_id = $2",
        [basic.into(), item.into()],
    );
    books.transaction.execute_raw(note).await?;
    Ok(())
}
