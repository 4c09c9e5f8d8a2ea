//! Turns cash into won of the BASIC account.

use kernel::{AccountId, MemberId, RequestId, Won};
use proto::trading::v1::ExchangeCashReply;

use super::change::{CashChangeKind, NewChange};
use crate::error::TradingError;
use crate::ledger::{self, Asset, JournalKind, Source};
use crate::refusal::Refusal;
use crate::store::Store;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::write_set::BaseChange;

/// What one 캐시 is worth.
pub const WON_PER_CASH: i64 = 1_000;

/// A request to turn cash into won.
#[derive(Clone, Debug)]
pub struct ExchangeCash {
    pub member_id: MemberId,
    pub request_id: RequestId,
    pub digest: RequestDigest,
    /// At least 1.
    pub cash: i64,
}

struct Act<'a> {
    account: AccountId,
    request: &'a ExchangeCash,
}

impl Store {
    /// Exchanges the member's own cash.
    ///
    /// # Errors
    /// [`TradingError`]: too little cash, or of the database.
    pub async fn exchange_cash(
        &self,
        request: &ExchangeCash,
    ) -> Result<ExchangeCashReply, TradingError> {
        let (account, _) = self.open_basic_account(request.member_id).await?;
        let money_request = MoneyRequest::new(
            request.member_id,
            &request.request_id,
            &request.digest,
            [account],
        );
        self.once(&money_request, &Act { account, request }).await
    }
}

impl MoneyAct for Act<'_> {
    type Reply = ExchangeCashReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<ExchangeCashReply, TradingError> {
        let cash = self.request.cash;
        let has = ledger::amount_of(books.transaction, self.account, Asset::Cash).await?;
        if has < cash {
            return Err(insufficient_cash(cash, has).into());
        }
        let won = cash.checked_mul(WON_PER_CASH).map(Won);
        let won = won.ok_or(TradingError::Malformed("cash"))?;
        let change = NewChange {
            account: self.account,
            kind: CashChangeKind::Exchanged,
            cash: -cash,
            source_key: None,
            reason: "",
            won,
            occurred_at: books.now,
        };
        let source = Source::CashChange(change.write(books.transaction).await?);
        books
            .post(JournalKind::CashExchanged, source, change.postings())
            .await?;
        let base = BaseChange {
            bought: won,
            ..BaseChange::default()
        };
        books.writes.base_change(self.account, base);
        Ok(ExchangeCashReply {
            cash,
            won: won.0,
            deposit_won: books.account(self.account)?.won.amount,
            cash_left: has - cash,
            message: format!("캐시 {cash}개로 {won}을 넣었어요"),
            replayed: false,
        })
    }
}

pub(crate) fn insufficient_cash(need: i64, have: i64) -> Refusal {
    Refusal::new("INSUFFICIENT_CASH_ASSET", "캐시가 부족해요.")
        .with("need", need)
        .with("have", have)
}
