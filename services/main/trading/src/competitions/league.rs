//! Leagues: events that a member makes for those with an invite code.

use chrono::TimeDelta;
use kernel::{MemberId, RequestId, Won};
use proto::trading::v1::CreateLeagueReply;
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::competition::{self, Competition, not_found};
use crate::contracts::{day_of, midnight};
use crate::error::TradingError;
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::{Store, sql};

/// Leagues of a host that have not ended.
const MOST_LEAGUES: i64 = 5;
/// Without letters and digits that are mistaken for one another.
const CODE_ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 8;

#[derive(Clone, Debug)]
pub struct NewLeague {
    pub member_id: MemberId,
    /// The idempotency key.
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    pub title: String,
    /// From the next midnight in Korea.
    pub days: i64,
    pub start_cash: Won,
    pub most_entrants: i32,
    /// To its members.
    pub shows_holdings: bool,
}

struct Act<'a> {
    store: &'a Store,
    league: &'a NewLeague,
}

impl Store {
    /// Makes a league and joins its host.
    ///
    /// # Errors
    /// [`TradingError`]: the host has too many leagues, or of the database.
    pub async fn create_league(
        &self,
        league: &NewLeague,
    ) -> Result<CreateLeagueReply, TradingError> {
        let (basic, _) = self.open_basic_account(league.member_id).await?;
        let request = MoneyRequest {
            member_id: league.member_id,
            request_id: league.request_id.clone(),
            digest: league.digest.clone(),
            accounts: [basic].into(),
        };
        let act = Act {
            store: self,
            league,
        };
        self.once(&request, &act).await
    }

    /// Lets nobody join a league any more. Repeated, it changes nothing.
    ///
    /// # Errors
    /// [`TradingError`]: the member has no such league, or of the database.
    pub async fn close_league(&self, member_id: MemberId, id: i64) -> Result<(), TradingError> {
        let close = sql(
            "update competition set is_joining_closed = true where id = $1 and host_member_id = $2",
            [id.into(), member_id.into()],
        );
        match self.db.execute_raw(close).await?.rows_affected() {
            0 => Err(not_found().into()),
            _one => Ok(()),
        }
    }
}

impl MoneyAct for Act<'_> {
    type Reply = CreateLeagueReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<CreateLeagueReply, TradingError> {
        self.check_number(books).await?;
        let league = self.league;
        let now = self.store.market_time()?;
        let today = day_of(now);
        let starts_at = midnight(today.succ_opt().unwrap_or(today));
        let ends_at = starts_at + TimeDelta::days(league.days);
        let code = invite_code(Uuid::new_v4());
        let insert = sql(
            "insert into competition (kind, title, starts_at, ends_at, join_from, join_until, \
                start_cash_won, most_entrants, host_member_id, invite_code, created_at, \
                shows_holdings) \
             values ('LEAGUE', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id",
            [
                league.title.clone().into(),
                starts_at.into(),
                ends_at.into(),
                now.into(),
                (starts_at + (ends_at - starts_at) / 2).into(),
                league.start_cash.into(),
                league.most_entrants.into(),
                league.member_id.into(),
                code.clone().into(),
                books.now.into(),
                league.shows_holdings.into(),
            ],
        );
        let row = books.transaction.query_one_raw(insert).await?;
        let id: i64 = row
            .ok_or_else(|| DbErr::RecordNotFound("league".to_owned()))?
            .try_get("", "id")?;
        let made: Option<Competition> = competition::find(books.transaction, id).await?;
        let made = made.ok_or_else(not_found)?;
        let transaction = books.transaction;
        let entered = self.store.enter(transaction, league.member_id, &made, now);
        let (_, account_no) = entered.await?;
        Ok(CreateLeagueReply {
            competition_id: id,
            invite_code: code,
            account_no: account_no.as_str().to_owned(),
            message: format!("{} 리그를 만들었어요", league.title),
            replayed: false,
        })
    }
}

impl Act<'_> {
    /// Under the lock of the host's BASIC account.
    async fn check_number(&self, books: &Books<'_>) -> Result<(), TradingError> {
        let count = sql(
            "select count(*) as leagues from competition \
             where host_member_id = $1 and ends_at > $2",
            [
                self.league.member_id.into(),
                self.store.market_time_or_clock().into(),
            ],
        );
        let row = books.transaction.query_one_raw(count).await?;
        let leagues: i64 = row.map_or(Ok(0), |row| row.try_get("", "leagues"))?;
        if leagues < MOST_LEAGUES {
            return Ok(());
        }
        let message = format!("리그는 한 번에 {MOST_LEAGUES}개까지 열 수 있어요.");
        let refusal = Refusal::new("TOO_MANY_LEAGUES", message).passing();
        Err(refusal.with("most", MOST_LEAGUES).into())
    }
}

/// Forty random bits as letters and digits.
fn invite_code(random: Uuid) -> String {
    let bits = random.as_u128();
    let letter = |place: usize| {
        let shift = u32::try_from(place).unwrap_or(0) * 5;
        let index = usize::try_from((bits >> shift) & 31).unwrap_or(0);
        CODE_ALPHABET
            .get(index)
            .map_or('A', |byte| char::from(*byte))
    };
    (0..CODE_LENGTH).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invite_code_has_eight_letters_of_its_alphabet() {
        let code = invite_code(Uuid::from_u128(0));
        assert_eq!(code, "AAAAAAAA");
        let code = invite_code(Uuid::from_u128(u128::MAX));
        assert_eq!(code, "99999999");
        assert_eq!(invite_code(Uuid::from_u128(1)), "BAAAAAAA");
    }
}
