//! Closes a contract before maturity, or one that was kept after it, and says before what that pays.

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, RequestId, Won};
use market_rules::contract::Earnings;
use prost::Message;
use proto::trading::v1 as wire;
use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel, Set};

use super::contract::{CloseInfo, Contract};
use super::message::cancel_info;
use super::open::{out_of_range, transferred};
use super::{ContractStatus, PartOf, Period, closed, day_of, load};
use crate::domain::day::yyyymmdd;
use crate::entity::{account, contract, contract_interest};
use crate::error::TradingError;
use crate::events;
use crate::ledger::{Book, JournalKind, Posting, Source};
use crate::refusal::Refusal;
use crate::store::Store;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;

/// A request to close a contract.
#[derive(Clone, Debug)]
pub struct CloseContract {
    pub member_id: MemberId,
    pub request_id: RequestId,
    pub digest: RequestDigest,
    pub account_no: String,
    /// What the member was shown.
    pub payout: Option<Won>,
}

struct Close<'a> {
    store: &'a Store,
    request: &'a CloseContract,
    basic: AccountId,
    account_id: AccountId,
    now: DateTime<Utc>,
}

impl Store {
    /// Pays a contract out to the BASIC account and closes it.
    ///
    /// # Errors
    /// [`TradingError`]: another's contract, one that has ended, another payout than the member was
    /// shown, or of the database.
    pub async fn close_contract(
        &self,
        request: &CloseContract,
    ) -> Result<wire::CloseContractReply, TradingError> {
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
        let close = Close {
            store: self,
            request,
            basic,
            account_id,
            now,
        };
        self.once(&money, &close).await
    }

    /// What closing a contract pays today.
    ///
    /// # Errors
    /// [`TradingError`]: another's contract, one that has ended, or of the database.
    pub async fn cancel_info(
        &self,
        member_id: MemberId,
        account_no: &str,
    ) -> Result<wire::CancelInfo, TradingError> {
        let now = self.market_time()?;
        let account_id = self.contract_account(member_id, account_no).await?;
        let contract = load(&self.db, account_id).await?;
        if !contract.is_open() {
            return Err(closed());
        }
        let info = contract.close_info(now).map_err(out_of_range)?;
        Ok(cancel_info(&contract, account_no, &info, now))
    }
}

/// The double entry of interest and its tax.
pub(super) fn interest_postings(
    account: AccountId,
    earned: &Earnings,
) -> Result<Vec<Posting>, TradingError> {
    let tax = earned.tax.total().map_err(out_of_range)?;
    Ok(vec![
        Posting::to_account(account, earned.net().map_err(out_of_range)?),
        Posting::to_book(Book::Tax, tax),
        Posting::to_book(Book::Interest, Won(-earned.interest.0)),
    ])
}

/// The double entry of a payout.
pub(crate) fn payout_postings(account: AccountId, basic: AccountId, payout: Won) -> Vec<Posting> {
    vec![
        Posting::to_account(account, Won(-payout.0)),
        Posting::to_account(basic, payout),
    ]
}

/// The row of interest that is booked. Nothing is posted for no interest.
pub(super) fn interest_row(
    contract: &Contract,
    period: Period,
    earned: &Earnings,
    day: chrono::NaiveDate,
    journal_id: i64,
) -> contract_interest::Model {
    contract_interest::Model {
        account_id: contract.row.account_id,
        period: period.as_str().to_owned(),
        earned_to: day,
        rate: earned.percent,
        gross_won: earned.interest,
        income_tax_won: earned.tax.income,
        local_tax_won: earned.tax.local,
        journal_id: (earned.interest > Won::ZERO).then_some(journal_id),
    }
}

impl Close<'_> {
    /// What the member lost by not waiting, told to who teaches it.
    fn closed_early(
        &self,
        contract: &Contract,
        info: &CloseInfo,
    ) -> Result<wire::ContractClosed, TradingError> {
        let row = &contract.row;
        Ok(wire::ContractClosed {
            member_id: row.member_id.0,
            account_no: self.request.account_no.clone(),
            name: row.product_name.clone(),
            kind: contract.wire_kind().into(),
            paid_in_won: row.paid_in_won.0,
            interest_won: info.total.interest.0,
            tax_won: info.total.tax.total().map_err(out_of_range)?.0,
            interest_at_maturity_won: info.interest_at_maturity.0,
            opened_on: yyyymmdd(row.opened_on),
            closed_on: row.closed_on.map_or(0, yyyymmdd),
            matures_on: yyyymmdd(row.matures_on),
        })
    }

    /// Books the interest and pays everything out.
    async fn pay_out(
        &self,
        books: &mut Books<'_>,
        contract: &mut Contract,
        info: &CloseInfo,
    ) -> Result<(), TradingError> {
        let journal_id = books.draw().await?;
        let period = PartOf(self.account_id, info.period);
        books.post_numbered(
            journal_id,
            JournalKind::ContractInterest,
            Source::ContractPeriod(period),
            interest_postings(self.account_id, &info.due)?,
        );
        books
            .post(
                JournalKind::ContractClosed,
                Source::Contract(self.account_id),
                payout_postings(self.account_id, self.basic, info.payout),
            )
            .await?;
        let payout = info.payout.0;
        books.writes.base_change(self.basic, transferred(payout));
        books
            .writes
            .base_change(self.account_id, transferred(-payout));
        let today = day_of(self.now);
        let booked = interest_row(contract, info.period, &info.due, today, journal_id);
        contract_interest::Entity::insert(booked.clone().into_active_model())
            .exec_without_returning(books.transaction)
            .await?;
        contract.end(info.period, today);
        contract.interest.push(booked);
        let row = contract.row.clone().into_active_model().reset_all();
        contract::Entity::update(row)
            .exec(books.transaction)
            .await?;
        let account = account::ActiveModel {
            id: Set(self.account_id),
            closed_at: Set(Some(books.now)),
            ..Default::default()
        };
        account.update(books.transaction).await?;
        Ok(())
    }
}

impl Contract {
    /// Notes that it is paid out.
    pub(super) fn end(&mut self, period: Period, today: chrono::NaiveDate) {
        let is_early = self.status == ContractStatus::Active && period == Period::Close;
        self.status = if is_early {
            ContractStatus::EarlyClosed
        } else {
            ContractStatus::Matured
        };
        self.status.as_str().clone_into(&mut self.row.status);
        self.row.due_at = None;
        self.row.closed_on = Some(today);
    }
}

impl MoneyAct for Close<'_> {
    type Reply = wire::CloseContractReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<Self::Reply, TradingError> {
        let mut contract = load(books.transaction, self.account_id).await?;
        if !contract.is_open() {
            return Err(closed());
        }
        let info = contract.close_info(self.now).map_err(out_of_range)?;
        let shown = cancel_info(&contract, &self.request.account_no, &info, self.now);
        if self
            .request
            .payout
            .is_some_and(|payout| payout != info.payout)
        {
            let message = "그사이 받을 금액이 달라졌어요. 확인하고 다시 해지해 주세요.";
            let refusal = Refusal::conflict("PAYOUT_CHANGED", message);
            return Err(refusal.about(shown.encode_to_vec()).into());
        }
        self.pay_out(books, &mut contract, &info).await?;
        if contract.status == ContractStatus::EarlyClosed {
            let closed = self.closed_early(&contract, &info)?;
            let clock = self.store.clock.as_ref();
            books.writes.event(&events::contract_closed(&closed, clock));
        }
        let deposit = books.account(self.basic)?.won.amount;
        Ok(wire::CloseContractReply {
            contract: Some(contract.view(&self.request.account_no, self.now)?),
            closed: Some(shown),
            deposit_won: deposit,
            message: format!("{}을 기본 계좌에 넣었어요", info.payout),
            replayed: false,
        })
    }
}
