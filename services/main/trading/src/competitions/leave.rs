//! Leaves an event: the account ends, and nobody comes back.

use kernel::{AccountId, MemberId, RequestId};
use proto::trading::v1::LeaveCompetitionReply;
use sea_orm::{ConnectionTrait, DbErr};

use super::close::ClosingPrices;
use super::competition::{self, CompetitionKind, CompetitionStatus, not_found};
use crate::error::TradingError;
use crate::orders::order::end_reason;
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::{Store, sql};

#[derive(Clone, Debug)]
pub struct Leave {
    pub member_id: MemberId,
    /// The idempotency key.
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    pub competition_id: i64,
}

struct Act<'a> {
    store: &'a Store,
    leave: &'a Leave,
    /// `None` when the member does not take part.
    account: Option<AccountId>,
}

impl Store {
    /// # Errors
    /// [`TradingError`]: the member does not take part, the event is over or is the practice league, or of the
    /// database.
    pub async fn leave_competition(
        &self,
        leave: &Leave,
    ) -> Result<LeaveCompetitionReply, TradingError> {
        let (basic, _) = self.open_basic_account(leave.member_id).await?;
        let read = sql(
            "select account_id from competition_entry \
             where competition_id = $1 and member_id = $2 and left_at is null",
            [leave.competition_id.into(), leave.member_id.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        let account = row.map(|row| row.try_get("", "account_id")).transpose()?;
        let request = MoneyRequest {
            member_id: leave.member_id,
            request_id: leave.request_id.clone(),
            digest: leave.digest.clone(),
            accounts: [Some(basic), account].into_iter().flatten().collect(),
        };
        let act = Act {
            store: self,
            leave,
            account,
        };
        let reply = self.once(&request, &act).await?;
        self.forget_entrants(leave.competition_id).await?;
        Ok(reply)
    }
}

impl MoneyAct for Act<'_> {
    type Reply = LeaveCompetitionReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<LeaveCompetitionReply, TradingError> {
        let id = self.leave.competition_id;
        let found = competition::find(books.transaction, id).await?;
        let found = found.filter(|found| !found.is_canceled);
        let (Some(found), Some(account)) = (found, self.account) else {
            return Err(not_found().into());
        };
        if found.kind() == CompetitionKind::Practice {
            let message = "연습 리그는 나갈 수 없어요. 대회 모드를 끄면 쉬어 갈 수 있어요.";
            return Err(Refusal::new("COMPETITION_PRACTICE", message).into());
        }
        let locked = books.account(account)?.clone();
        if found.status(self.store.market_time()?) == CompetitionStatus::Ended {
            return Err(Refusal::conflict("COMPETITION_OVER", "이미 끝난 대회예요.").into());
        }
        if locked.account.closed_at.is_some() {
            // Another request of the member has left it at the same time.
            return Err(not_found().into());
        }
        let (transaction, now) = (books.transaction, books.now);
        self.store
            .close_competition_accounts(
                transaction,
                &mut books.writes,
                &[(account, locked)].into(),
                &ClosingPrices::Latest,
                (end_reason::COMPETITION_LEFT, now),
            )
            .await?;
        let leave = sql(
            "update competition_entry set left_at = $2 where account_id = $1",
            [account.into(), now.into()],
        );
        let left = transaction.execute_raw(leave).await?;
        if left.rows_affected() != 1 {
            return Err(DbErr::RecordNotUpdated.into());
        }
        Ok(LeaveCompetitionReply {
            competition_id: id,
            message: format!("{}에서 나왔어요", found.title),
            replayed: false,
        })
    }
}
