//! Opens a contract with money of the BASIC account.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountCode, AccountId, MemberId, RequestId, Won};
use market_rules::contract::{OPEN_CONTRACTS_MAX, Paid};
use market_rules::interest::Compounding;
use proto::trading::v1 as wire;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter,
};

use super::contract::Contract;
use super::offer::{ContractOffer, OfferError, OfferQuery, Products};
use super::{ContractKind, ContractStatus, MaturityAction, day_of};
use crate::accounts::open::NewAccount;
use crate::entity::{contract, contract_payment};
use crate::error::TradingError;
use crate::ledger::{JournalKind, Posting, Source};
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::write_set::BaseChange;
use crate::store::{Store, sql};

const OPENINGS_A_DAY: i64 = 100;

/// A request to open a contract.
#[derive(Clone, Debug)]
pub struct OpenContract {
    pub member_id: MemberId,
    pub request_id: RequestId,
    pub digest: RequestDigest,
    pub query: OfferQuery,
    /// 1 to 31; `None` = the opening day's.
    pub transfer_day: Option<u32>,
    pub action: MaturityAction,
}

struct Opening<'a> {
    store: &'a Store,
    request: &'a OpenContract,
    basic: AccountId,
    offer: Result<ContractOffer, OfferError>,
    now: DateTime<Utc>,
}

/// A contract to be opened on the day of an instant.
pub(super) struct NewContract<'a> {
    pub(super) member_id: MemberId,
    pub(super) offer: &'a ContractOffer,
    pub(super) transfer_day: Option<i16>,
    pub(super) action: MaturityAction,
    pub(super) now: DateTime<Utc>,
}

impl Store {
    /// Opens a contract at the rate that market-data offers now.
    ///
    /// # Errors
    /// [`TradingError`]: what the product does not allow, too little cash, too many contracts, or of
    /// the database.
    pub async fn open_contract(
        &self,
        request: &OpenContract,
        products: &Products,
    ) -> Result<wire::ContractReply, TradingError> {
        let now = self.market_time()?;
        let (basic, _) = self.open_basic_account(request.member_id).await?;
        // Before the transaction, which makes no call; a repetition does not depend on the answer.
        let offer = products.offer(&request.query).await;
        let money = MoneyRequest {
            member_id: request.member_id,
            request_id: request.request_id.clone(),
            digest: request.digest.clone(),
            accounts: [basic].into(),
        };
        let opening = Opening {
            store: self,
            request,
            basic,
            offer,
            now,
        };
        self.once(&money, &opening).await
    }

    /// Opens the account and writes the contract with its first payment, which the journal with this
    /// number posts.
    pub(super) async fn insert_contract(
        &self,
        transaction: &DatabaseTransaction,
        new: &NewContract<'_>,
        journal_id: i64,
    ) -> Result<(Contract, String), TradingError> {
        let offer = new.offer;
        let code = match offer.kind {
            ContractKind::Deposit => AccountCode::Deposit,
            ContractKind::Savings | ContractKind::Free => AccountCode::Save,
        };
        let mut account = NewAccount::new(new.member_id, code);
        account.name = Some(&offer.name);
        let opened = self.open_account(transaction, &account).await?;
        let (account_id, number) =
            opened.ok_or_else(|| DbErr::Custom("the account of a contract exists".to_owned()))?;
        let mut contract = Contract::new(row(account_id, new), &[], Vec::new())?;
        contract.row.matures_on = contract.agreement.matures_on();
        let first = Paid {
            number: 0,
            amount: offer.amount,
            on: contract.row.opened_on,
        };
        contract.pay(first).map_err(out_of_range)?;
        contract.row.due_at = contract.next().map(|(at, _)| at);
        contract::Entity::insert(contract.row.clone().into_active_model())
            .exec_without_returning(transaction)
            .await?;
        insert_payment(transaction, account_id, first, journal_id).await?;
        Ok((contract, number.as_str().to_owned()))
    }
}

fn row(account_id: AccountId, new: &NewContract<'_>) -> contract::Model {
    let offer = new.offer;
    let opened_on = day_of(new.now);
    contract::Model {
        account_id,
        member_id: new.member_id,
        product_id: offer.product_id,
        product_name: offer.name.clone(),
        bank_code: offer.bank_code.clone(),
        bank_name: offer.bank_name.clone(),
        kind: offer.kind.as_str().to_owned(),
        status: ContractStatus::Active.as_str().to_owned(),
        compounding: match offer.compounding {
            Compounding::Simple => "SIMPLE".to_owned(),
            Compounding::Monthly => "MONTHLY".to_owned(),
        },
        preferential: offer.preferential,
        base_rate: offer.base_rate,
        rate: offer.rate,
        amount_won: offer.amount,
        monthly_cap_won: offer.monthly_cap,
        transfer_day: new
            .transfer_day
            .filter(|_| offer.kind == ContractKind::Savings),
        term_months: offer.term_months,
        opened_on,
        matures_on: opened_on,
        maturity_action: new.action.as_str().to_owned(),
        paid_in_won: Won::ZERO,
        next_payment: 1,
        attempts: 0,
        due_at: None,
        closed_on: None,
        notice: None,
    }
}

pub(super) async fn insert_payment(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    paid: Paid,
    journal_id: i64,
) -> Result<(), TradingError> {
    let row = contract_payment::Model {
        account_id,
        number: i32::try_from(paid.number).unwrap_or(i32::MAX),
        amount_won: paid.amount,
        paid_on: paid.on,
        journal_id,
    };
    contract_payment::Entity::insert(row.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// The double entry of money that is paid into a contract.
pub(super) fn payment_postings(basic: AccountId, contract: AccountId, won: Won) -> Vec<Posting> {
    vec![
        Posting::to_account(basic, Won(-won.0)),
        Posting::to_account(contract, won),
    ]
}

/// Won that were moved into an account.
pub(super) fn transferred(won: i64) -> BaseChange {
    BaseChange {
        transferred: Won(won),
        ..BaseChange::default()
    }
}

/// # Errors
/// INSUFFICIENT_CASH when fewer won are free on the account.
pub(super) async fn require_cash(
    store: &Store,
    books: &Books<'_>,
    basic: AccountId,
    need: Won,
) -> Result<(), TradingError> {
    let account = books.account(basic)?;
    let have = store.movable(books.transaction, account).await?;
    if have >= need {
        return Ok(());
    }
    let refusal = Refusal::new("INSUFFICIENT_CASH", "기본 계좌에 있는 돈이 부족해요.");
    Err(refusal.with("need", need.0).with("have", have.0).into())
}

/// A sum beyond what won can count.
pub(super) fn out_of_range(error: kernel::MoneyError) -> TradingError {
    DbErr::Custom(format!("contract: {error}")).into()
}

impl Opening<'_> {
    /// A contract is an account that stays for good, so nobody opens and closes them without end.
    async fn require_openings_left(
        &self,
        books: &Books<'_>,
        today: NaiveDate,
    ) -> Result<(), TradingError> {
        // Two conditions, each of which has an index; what was closed before today was opened before.
        let opened = sql(
            "select (select count(*) from contract where member_id = $1 and closed_on is null \
                and opened_on = $2) + (select count(*) from contract where member_id = $1 \
                and closed_on >= $2 and opened_on = $2) as opened",
            [self.request.member_id.into(), today.into()],
        );
        let row = books.transaction.query_one_raw(opened).await?;
        let opened: i64 = row.map_or(Ok(0), |row| row.try_get("", "opened"))?;
        if opened < OPENINGS_A_DAY {
            return Ok(());
        }
        let message = format!("예금과 적금은 하루에 {OPENINGS_A_DAY}번까지 가입할 수 있어요.");
        let refusal = Refusal::new("CONTRACT_LIMIT", message);
        Err(refusal.with("most", OPENINGS_A_DAY).into())
    }
}

impl MoneyAct for Opening<'_> {
    type Reply = wire::ContractReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<Self::Reply, TradingError> {
        let offer = self.offer.as_ref().map_err(Clone::clone)?;
        let is_savings = offer.kind == ContractKind::Savings;
        if self.request.transfer_day.is_some() && !is_savings {
            return Err(TradingError::Malformed("transferDay"));
        }
        let open = contract::Entity::find()
            .filter(contract::Column::MemberId.eq(self.request.member_id))
            .filter(contract::Column::ClosedOn.is_null())
            .count(books.transaction)
            .await?;
        if i64::try_from(open).unwrap_or(i64::MAX) >= OPEN_CONTRACTS_MAX {
            let message = format!("예금과 적금은 {OPEN_CONTRACTS_MAX}개까지 가입할 수 있어요.");
            let refusal = Refusal::new("TOO_MANY_CONTRACTS", message);
            return Err(refusal.with("most", OPEN_CONTRACTS_MAX).into());
        }
        let today = day_of(self.now);
        self.require_openings_left(books, today).await?;
        require_cash(self.store, books, self.basic, offer.amount).await?;
        let chosen = self.request.transfer_day;
        let transfer_day = chosen.unwrap_or_else(|| chrono::Datelike::day(&today));
        let new = NewContract {
            member_id: self.request.member_id,
            offer,
            transfer_day: i16::try_from(transfer_day).ok().filter(|_| is_savings),
            action: self.request.action,
            now: self.now,
        };
        let journal_id = books.draw().await?;
        let transaction = books.transaction;
        let (contract, number) = self
            .store
            .insert_contract(transaction, &new, journal_id)
            .await?;
        let account_id = contract.row.account_id;
        books.post_numbered(
            journal_id,
            JournalKind::ContractOpened,
            Source::Contract(account_id),
            payment_postings(self.basic, account_id, offer.amount),
        );
        books
            .writes
            .base_change(self.basic, transferred(-offer.amount.0));
        books
            .writes
            .base_change(account_id, transferred(offer.amount.0));
        Ok(wire::ContractReply {
            message: format!("{}에 가입했어요", offer.name),
            contract: Some(contract.view(&number, self.now)?),
            replayed: false,
        })
    }
}
