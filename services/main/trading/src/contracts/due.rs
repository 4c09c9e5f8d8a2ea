//! Contracts that have something to do by market time: which, and what a renewal would be offered.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kernel::AccountId;
use sea_orm::{DbErr, FromQueryResult};

use super::contract::{Contract, Next};
use super::offer::{ContractOffer, OfferError, OfferQuery, Products};
use super::open::out_of_range;
use super::{ContractKind, MaturityAction, load_all};
use crate::entity::contract;
use crate::error::TradingError;
use crate::store::{Store, numbers, sql};
use proto::market::v1::ReserveType;

/// Most contracts of one transaction: while it lasts their accounts are locked.
const CONTRACTS_PER_TRANSACTION: i64 = 200;

/// What a bank offers at a renewal; an error means that it is paid out.
pub(super) type Renewals = HashMap<AccountId, Result<ContractOffer, OfferError>>;

/// The next contracts that are due, in order, and what their renewals are offered.
#[derive(Default)]
pub struct DueBatch {
    /// When each is due.
    pub(super) due: Vec<DueContract>,
    pub(super) renewals: Renewals,
    /// Contracts whose renewal nobody can quote now.
    pub unquoted: Vec<AccountId>,
    /// Market-data did not answer.
    pub(super) is_bank_away: bool,
    /// When the last contract that was read is due, and its account; `None` where there was none to read.
    pub(super) last: Option<(DateTime<Utc>, AccountId)>,
}

/// Contracts that have had their turn in a step of the worker.
#[derive(Default)]
pub struct PassedOver {
    /// Their accounts are locked for a moment, or their statement was stopped, so the member's later
    /// contracts wait for them.
    pub locked: Vec<AccountId>,
    /// Their step fails, or nobody quotes their renewal. That may last, and delays no other contract.
    pub stuck: Vec<AccountId>,
    /// Market-data did not answer in this step. It is not asked again, because each call could take as
    /// long, and no renewal is read again.
    pub is_bank_away: bool,
    /// Where the batch before ended; `None` at the first contract. What is passed over may be many, and
    /// would otherwise be looked at again for each batch.
    pub after: Option<(DateTime<Utc>, AccountId)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub(super) struct DueContract {
    pub(super) account_id: AccountId,
    pub(super) due_at: DateTime<Utc>,
}

/// Whether what a contract does next is its renewal.
macro_rules! renews {
    ($contract:literal) => {
        concat!(
            $contract,
            ".maturity_action = 'RENEW' and ",
            $contract,
            ".due_at >= (",
            $contract,
            ".matures_on + time '00:10') at time zone 'Asia/Seoul'"
        )
    };
}

impl DueBatch {
    /// The contracts of the batch.
    #[must_use]
    pub fn accounts(&self) -> Vec<AccountId> {
        self.due.iter().map(|due| due.account_id).collect()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// The same renewals for one contract alone.
    #[must_use]
    pub(super) fn only(&self, due: DueContract) -> Self {
        let renewal = self.renewals.get(&due.account_id);
        let renewal = renewal.map(|offer| (due.account_id, offer.clone()));
        Self {
            due: vec![due],
            renewals: renewal.into_iter().collect(),
            ..Self::default()
        }
    }
}

impl Store {
    /// The next contracts that are due by market time, after those of the batch before. A member's
    /// contracts come in the order of their time, also after days in which nothing ran; only those that
    /// wait for something else than a lock let later ones pass. So what a member has to do next may be due
    /// before the end of the batch before, and is read from the first contract on.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn due_contracts(
        &self,
        passed_over: &PassedOver,
        products: &Products,
    ) -> Result<DueBatch, TradingError> {
        if self.market_cache.log_head().is_none() {
            return Ok(DueBatch::default());
        }
        let first = (DateTime::UNIX_EPOCH, AccountId(0));
        let (after, account) = passed_over.after.unwrap_or(first);
        let due = sql(
            concat!(
                "select c.account_id, c.due_at from contract c \
                 where c.due_at <= $1 and (c.due_at, c.account_id) > ($6, $7) \
                    and c.account_id <> all($2) and c.account_id <> all($3) \
                    and not ($5 and ",
                renews!("c"),
                ") and not exists (select from contract e where e.member_id = c.member_id \
                    and e.due_at < c.due_at and e.account_id <> all($3) and not ($5 and ",
                renews!("e"),
                ")) order by c.due_at, c.account_id limit $4"
            ),
            [
                self.market_cache.now().into(),
                numbers(&passed_over.locked).into(),
                numbers(&passed_over.stuck).into(),
                CONTRACTS_PER_TRANSACTION.into(),
                passed_over.is_bank_away.into(),
                after.into(),
                account.into(),
            ],
        );
        let due = DueContract::find_by_statement(due).all(&self.db).await?;
        let mut batch = DueBatch {
            last: due.last().map(|last| (last.due_at, last.account_id)),
            due,
            ..DueBatch::default()
        };
        self.quote_renewals(&mut batch, products).await?;
        Ok(batch)
    }

    /// Asks market-data about the renewals of a batch, all at once, before the transaction that makes no
    /// call.
    async fn quote_renewals(
        &self,
        batch: &mut DueBatch,
        products: &Products,
    ) -> Result<(), TradingError> {
        let ids: Vec<i64> = batch.due.iter().map(|due| due.account_id.0).collect();
        let rows = sql(
            "select * from contract where account_id = any($1) and maturity_action = 'RENEW'",
            [ids.into()],
        );
        let rows = contract::Model::find_by_statement(rows)
            .all(&self.db)
            .await?;
        let (mut renewed, mut queries) = (Vec::new(), Vec::new());
        for contract in load_all(&self.db, rows).await? {
            if let Some((_, Next::Maturity)) = contract.next() {
                queries.push(contract.renewal()?);
                renewed.push(contract.row.account_id);
            }
        }
        if renewed.is_empty() {
            return Ok(());
        }
        let Ok(offers) = products.offers(&queries).await else {
            batch.is_bank_away = true;
            batch.due.retain(|due| !renewed.contains(&due.account_id));
            batch.unquoted = renewed;
            return Ok(());
        };
        for (account, offer) in renewed.into_iter().zip(offers) {
            if let Err(OfferError::Unavailable) = offer {
                batch.unquoted.push(account);
            } else {
                batch.renewals.insert(account, offer);
            }
        }
        batch
            .due
            .retain(|due| !batch.unquoted.contains(&due.account_id));
        Ok(())
    }
}

impl Contract {
    /// What the same product is asked for at a renewal: a deposit with its payout, a savings plan
    /// with the sum of every month.
    fn renewal(&self) -> Result<OfferQuery, TradingError> {
        let amount = match self.kind {
            ContractKind::Deposit => {
                let matured = self.agreement.at_maturity(&self.payments);
                let payout = matured.and_then(|matured| matured.payout());
                payout.map_err(out_of_range)?
            }
            ContractKind::Savings | ContractKind::Free => self.row.amount_won,
        };
        Ok(OfferQuery {
            product_id: self.row.product_id,
            amount,
            term_months: self.row.term_months.into(),
            reserve: match self.kind {
                ContractKind::Deposit => ReserveType::Unspecified,
                ContractKind::Savings => ReserveType::Fixed,
                ContractKind::Free => ReserveType::Free,
            },
            preferential: self.row.preferential,
        })
    }

    /// The offer at which it is renewed; else it is paid out, and the row says why.
    pub(super) fn renewed_by(
        &mut self,
        renewals: &Renewals,
    ) -> Result<Option<ContractOffer>, DbErr> {
        if self.action != MaturityAction::Renew {
            return Ok(None);
        }
        match renewals.get(&self.row.account_id) {
            Some(Ok(offer)) => Ok(Some(offer.clone())),
            Some(Err(OfferError::Refused(refusal))) => {
                self.row.notice = Some(refusal.reason().to_owned());
                Ok(None)
            }
            Some(Err(OfferError::Unavailable)) | None => {
                let id = self.row.account_id;
                Err(DbErr::Custom(format!(
                    "contract {id}: no offer for its renewal"
                )))
            }
        }
    }
}
