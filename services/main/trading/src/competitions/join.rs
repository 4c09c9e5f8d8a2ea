//! Joins an event: opens an account with its cash.

use chrono::{DateTime, Utc};
use kernel::{AccountCode, AccountId, AccountNo, MemberId, RequestId};
use proto::trading::v1::JoinCompetitionReply;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::competition::{self, Competition, CompetitionKind, not_found};
use crate::accounts::open::NewAccount;
use crate::error::TradingError;
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::{Store, once, skip_locked, sql};

#[derive(Clone, Debug)]
pub struct Join {
    pub member_id: MemberId,
    /// The idempotency key.
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    pub competition_id: i64,
    /// Leagues alone have one.
    pub invite_code: Option<String>,
}

struct Act<'a> {
    store: &'a Store,
    join: &'a Join,
}

impl Store {
    /// # Errors
    /// [`TradingError`]: there is no such event for the member, it is not open to entrants or full, the
    /// member takes part or has left, or of the database.
    pub async fn join_competition(
        &self,
        join: &Join,
    ) -> Result<JoinCompetitionReply, TradingError> {
        let (basic, _) = self.open_basic_account(join.member_id).await?;
        let request = MoneyRequest {
            member_id: join.member_id,
            request_id: join.request_id.clone(),
            digest: join.digest.clone(),
            accounts: [basic].into(),
        };
        let reply = self.once(&request, &Act { store: self, join }).await?;
        self.forget_entrants(join.competition_id).await?;
        Ok(reply)
    }

    /// Joins an event for all, or finds the entry that exists. Without a request: nothing is stored of a
    /// refusal.
    ///
    /// # Errors
    /// [`TradingError::AccountLocked`] when another transaction has locked the BASIC account.
    pub(super) async fn join_at_once(
        &self,
        member_id: MemberId,
        competition_id: i64,
    ) -> Result<AccountNo, TradingError> {
        let (basic, _) = self.open_basic_account(member_id).await?;
        let transaction = self.db.begin().await?;
        let joined = self.join_in(&transaction, member_id, basic, competition_id);
        let joined = joined.await;
        once::end(transaction, joined).await
    }

    async fn join_in(
        &self,
        transaction: &DatabaseTransaction,
        member_id: MemberId,
        basic: AccountId,
        competition_id: i64,
    ) -> Result<AccountNo, TradingError> {
        let locked = skip_locked::accounts(transaction, &[basic].into()).await?;
        if locked.is_empty() {
            return Err(TradingError::AccountLocked);
        }
        let now = self.market_time()?;
        let competition = lock(transaction, competition_id, now).await?;
        let competition = competition.ok_or_else(not_found)?;
        let entered = self.enter(transaction, member_id, &competition, now);
        let (_, number) = entered.await?;
        Ok(number)
    }

    /// Under the locks of the BASIC account and, if it takes entrants `now`, of the event.
    pub(super) async fn enter(
        &self,
        transaction: &DatabaseTransaction,
        member_id: MemberId,
        competition: &Competition,
        now: DateTime<Utc>,
    ) -> Result<(AccountId, AccountNo), TradingError> {
        check_first(transaction, member_id, competition.id).await?;
        if !competition.takes_entrants(now) {
            let message = "지금은 참여할 수 없는 대회예요.";
            return Err(Refusal::new("COMPETITION_JOIN_CLOSED", message)
                .passing()
                .into());
        }
        check_bound(transaction, competition).await?;
        let account = NewAccount {
            initial_deposit: competition.start_cash_won,
            name: Some(&competition.title),
            ..NewAccount::new(member_id, AccountCode::Competition)
        };
        let opened = self.open_account(transaction, &account).await?;
        let (id, number) =
            opened.ok_or_else(|| DbErr::Custom("the account was not opened".to_owned()))?;
        let insert = sql(
            "insert into competition_entry \
                (competition_id, member_id, account_id, joined_at, ranked_from) \
             values ($1, $2, $3, $4, $5)",
            [
                competition.id.into(),
                member_id.into(),
                id.into(),
                now.into(),
                competition.ranked_from(now).into(),
            ],
        );
        transaction.execute_raw(insert).await?;
        Ok((id, number))
    }
}

impl MoneyAct for Act<'_> {
    type Reply = JoinCompetitionReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<JoinCompetitionReply, TradingError> {
        let transaction = books.transaction;
        let now = self.store.market_time()?;
        let found = lock(transaction, self.join.competition_id, now).await?;
        let is_invited = |found: &Competition| {
            found.kind() != CompetitionKind::League || found.invite_code == self.join.invite_code
        };
        let competition = found.filter(is_invited).ok_or_else(not_found)?;
        let entered = self
            .store
            .enter(transaction, self.join.member_id, &competition, now);
        let (account_id, account_no) = entered.await?;
        Ok(JoinCompetitionReply {
            competition_id: competition.id,
            account_no: account_no.as_str().to_owned(),
            account_id: account_id.0,
            start_cash_won: competition.start_cash_won.0,
            message: format!("{}에 참여했어요", competition.title),
            replayed: false,
        })
    }
}

/// The event, which does not begin to close before the transaction ends ([`super::ending`]). A bounded
/// one is locked for oneself, so that its entrants are counted one by one; others keep nobody from
/// renewing its board. One that takes no entrants is not locked: a crowd that comes late must not keep
/// it from its end.
async fn lock(
    transaction: &DatabaseTransaction,
    id: i64,
    now: DateTime<Utc>,
) -> Result<Option<Competition>, DbErr> {
    let Some(found) = competition::find(transaction, id).await? else {
        return Ok(None);
    };
    if !found.takes_entrants(now) {
        return Ok(Some(found));
    }
    // Whether it is bounded never changes.
    let lock = match found.most_entrants {
        Some(_) => "select * from competition where id = $1 for no key update",
        None => "select * from competition where id = $1 for key share",
    };
    let read = sql(lock, [id.into()]);
    Competition::find_by_statement(read).one(transaction).await
}

async fn check_first(
    transaction: &DatabaseTransaction,
    member_id: MemberId,
    competition_id: i64,
) -> Result<(), TradingError> {
    let read = sql(
        "select left_at is not null as has_left from competition_entry \
         where competition_id = $1 and member_id = $2",
        [competition_id.into(), member_id.into()],
    );
    let Some(row) = transaction.query_one_raw(read).await? else {
        return Ok(());
    };
    Err(if row.try_get("", "has_left")? {
        Refusal::new("COMPETITION_LEFT", "나온 대회에는 다시 참여할 수 없어요.")
    } else {
        Refusal::conflict("COMPETITION_JOINED", "이미 참여하고 있는 대회예요.")
    }
    .into())
}

async fn check_bound(
    transaction: &DatabaseTransaction,
    competition: &Competition,
) -> Result<(), TradingError> {
    let Some(most) = competition.most_entrants else {
        return Ok(());
    };
    let count = sql(
        "select count(*) as entrants from competition_entry \
         where competition_id = $1 and left_at is null",
        [competition.id.into()],
    );
    let row = transaction.query_one_raw(count).await?;
    let entrants: i64 = row.map_or(Ok(0), |row| row.try_get("", "entrants"))?;
    if entrants < i64::from(most) {
        return Ok(());
    }
    let message = format!("{most}명이 모두 모였어요.");
    // Somebody may leave.
    let refusal = Refusal::new("COMPETITION_FULL", message).passing();
    Err(refusal.with("most", most).into())
}
