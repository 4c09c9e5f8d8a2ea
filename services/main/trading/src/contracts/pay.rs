//! A payment into a savings plan that the member makes by hand.

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, RequestId, Won};
use market_rules::contract::Paid;
use proto::trading::v1 as wire;
use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};

use super::contract::Contract;
use super::open::{insert_payment, out_of_range, payment_postings, require_cash, transferred};
use super::{ContractKind, PartOf, closed, day_of, load};
use crate::entity::contract;
use crate::error::TradingError;
use crate::ledger::{JournalKind, Source};
use crate::refusal::Refusal;
use crate::store::Store;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;

/// Payments into a free plan in a month of it.
const PAYMENTS_PER_MONTH: usize = 100;

/// A request to pay into a contract.
#[derive(Clone, Debug)]
pub struct PayIntoContract {
    pub member_id: MemberId,
    pub request_id: RequestId,
    pub digest: RequestDigest,
    pub account_no: String,
    pub amount: Won,
}

struct Payment<'a> {
    store: &'a Store,
    request: &'a PayIntoContract,
    basic: AccountId,
    account_id: AccountId,
    now: DateTime<Utc>,
}

impl Store {
    /// Pays into a savings plan from the BASIC account.
    ///
    /// # Errors
    /// [`TradingError`]: another's contract, one that has ended, an amount or a day on which it takes
    /// none, too little cash, or of the database.
    pub async fn pay_into_contract(
        &self,
        request: &PayIntoContract,
    ) -> Result<wire::ContractReply, TradingError> {
        let now = self.market_time()?;
        let account_id = self
            .contract_account(request.member_id, &request.account_no)
            .await?;
        let (basic, _) = self.open_basic_account(request.member_id).await?;
        let money = MoneyRequest {
            member_id: request.member_id,
            request_id: request.request_id.clone(),
            digest: request.digest.clone(),
            accounts: [basic, account_id].into(),
        };
        let payment = Payment {
            store: self,
            request,
            basic,
            account_id,
            now,
        };
        self.once(&money, &payment).await
    }
}

impl Payment<'_> {
    /// The payment that the amount is for.
    fn number(&self, contract: &Contract) -> Result<u32, TradingError> {
        match contract.kind {
            ContractKind::Deposit => Err(no_payment("예금에는 더 넣을 수 없어요.")),
            ContractKind::Savings => {
                let wanted = contract.row.amount_won;
                if self.request.amount != wanted {
                    return Err(invalid_amount(wanted, wanted));
                }
                let payable = contract.payable(self.now);
                payable.ok_or_else(|| no_payment("지금 낼 회차가 없어요."))
            }
            ContractKind::Free => {
                let left = contract.left_this_month(self.now);
                let (_, count) = contract.paid_this_month(day_of(self.now));
                if self.request.amount > left || count >= PAYMENTS_PER_MONTH {
                    let refusal =
                        Refusal::new("MONTHLY_CAP", "이번 달에 넣을 수 있는 금액을 넘었어요.");
                    return Err(refusal.with("most", left.0).into());
                }
                let least = contract.least();
                if self.request.amount < least {
                    return Err(invalid_amount(least, left));
                }
                let newest = contract.payments.last();
                Ok(newest.map_or(0, |paid| paid.number.saturating_add(1)))
            }
        }
    }
}

fn no_payment(message: &str) -> TradingError {
    Refusal::new("NO_PAYMENT_DUE", message).into()
}

fn invalid_amount(least: Won, most: Won) -> TradingError {
    let message = if least == most {
        format!("{least}을 넣어 주세요.")
    } else {
        format!("{least}부터 {most}까지 넣을 수 있어요.")
    };
    let refusal = Refusal::new("INVALID_AMOUNT", message);
    refusal.with("least", least.0).with("most", most.0).into()
}

impl MoneyAct for Payment<'_> {
    type Reply = wire::ContractReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<Self::Reply, TradingError> {
        let mut contract = load(books.transaction, self.account_id).await?;
        if !contract.accepts_payments(self.now) {
            return Err(closed());
        }
        let number = self.number(&contract)?;
        let amount = self.request.amount;
        require_cash(self.store, books, self.basic, amount).await?;
        let paid = Paid {
            number,
            amount,
            on: day_of(self.now),
        };
        contract.pay(paid).map_err(out_of_range)?;
        contract.row.due_at = contract.next().map(|(at, _)| at);
        let journal_id = books
            .post(
                JournalKind::ContractPaid,
                Source::ContractPayment(PartOf(self.account_id, number)),
                payment_postings(self.basic, self.account_id, amount),
            )
            .await?;
        books.writes.base_change(self.basic, transferred(-amount.0));
        books
            .writes
            .base_change(self.account_id, transferred(amount.0));
        insert_payment(books.transaction, self.account_id, paid, journal_id).await?;
        let row = contract.row.clone().into_active_model().reset_all();
        contract::Entity::update(row)
            .exec(books.transaction)
            .await?;
        Ok(wire::ContractReply {
            message: format!("{amount}을 넣었어요"),
            contract: Some(contract.view(&self.request.account_no, self.now)?),
            replayed: false,
        })
    }
}
