//! Closes a sub-account in which nothing is left.

use kernel::{AccountCode, AccountId, MemberId, RequestId};
use proto::convert::micros;
use proto::trading::v1::CloseAccountReply;
use sea_orm::{ConnectionTrait, DbErr};

use crate::accounts::open::AccountChoice;
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::{Store, sql};

#[derive(Clone, Debug)]
pub struct CloseAccount {
    pub member_id: MemberId,
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    pub account: AccountChoice,
}

struct CloseAct<'a> {
    store: &'a Store,
    /// `None` when the member has no such account.
    account: Option<AccountId>,
    code: AccountCode,
}

impl Store {
    /// Closes a sub-account. The next transfer to its kind opens another one.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's or no sub-account, something is left in it,
    /// or of the database.
    pub async fn close_account(
        &self,
        close: &CloseAccount,
    ) -> Result<CloseAccountReply, TradingError> {
        let (basic, _) = self.open_basic_account(close.member_id).await?;
        let account = self.own_account(close.member_id, &close.account).await?;
        let act = CloseAct {
            store: self,
            account,
            code: close.account.code(),
        };
        let request = MoneyRequest::new(
            close.member_id,
            &close.request_id,
            &close.digest,
            [Some(basic), account].into_iter().flatten(),
        );
        self.once(&request, &act).await
    }
}

impl MoneyAct for CloseAct<'_> {
    type Reply = CloseAccountReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<CloseAccountReply, TradingError> {
        let id = self.account.ok_or(OrderRejection::AccountForbidden)?;
        let account = books.account(id)?.account.clone();
        if account.closed_at.is_some() {
            return Err(OrderRejection::AccountForbidden.into());
        }
        if !self.code.is_sub_account() {
            return Err(Refusal::new("ACCOUNT_NOT_CLOSABLE", "닫을 수 없는 계좌예요.").into());
        }
        // Who sold on the ex-day or later may be owed a dividend that is not noted yet.
        let look = sql(
            "select exists (select from balance where account_id = $1 and (amount <> 0 or held <> 0)) \
             or exists (select from holding where account_id = $1 and quantity > 0) \
             or exists (select from dividend_share \
                where member_id = $2 and account_id = $1 and paid_at is null) \
             or exists (select from dividend d where d.noted_at is null and exists ( \
                select from fill f where f.account_id = $1 and f.side = 'SELL' \
                and f.instrument_code = d.instrument_code and f.trading_day >= d.ex_day)) \
             as is_used",
            [id.into(), account.member_id.into()],
        );
        let row = books.transaction.query_one_raw(look).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("account".to_owned()))?;
        let is_used: bool = row.try_get("", "is_used")?;
        if is_used || account.open_orders > 0 {
            let message = "돈이나 보유 자산, 주문, 받을 배당이 남아 있어 닫을 수 없어요.";
            return Err(Refusal::new("ACCOUNT_NOT_EMPTY", message).into());
        }
        let store = self.store;
        if self.code == AccountCode::Cma && store.has_unpaid_days(books.transaction, id).await? {
            let message = "지난 날의 이자를 아직 넣지 않았어요. 잠시 후 다시 닫아 주세요.";
            return Err(Refusal::new("ACCOUNT_NOT_EMPTY", message).passing().into());
        }
        let close = sql(
            "update account set closed_at = $2 where id = $1",
            [id.into(), books.now.into()],
        );
        books.transaction.execute_raw(close).await?;
        Ok(CloseAccountReply {
            message: format!("{} 닫기 완료", account.display_name()),
            account_no: account.account_no,
            closed_at_us: micros(books.now),
            replayed: false,
        })
    }
}
