//! The transaction in which contracts do what is due: take a payment, or mature. A few hundred at a
//! time, each step once, because it moves `due_at` with what it posts.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, MemberId, Won};
use market_rules::contract::Paid;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::close::{interest_postings, interest_row, payout_postings};
use super::contract::{Contract, Next};
use super::due::{DueBatch, DueContract};
use super::open::{NewContract, out_of_range, payment_postings};
use super::{ContractStatus, MaturityAction, PartOf, Period, day_of, load_all, notices};
use crate::accounts::unsettled::movable;
use crate::entity::{contract, contract_interest, contract_payment};
use crate::error::TradingError;
use crate::events;
use crate::ledger::{self, Journal, JournalKind, Posting, Source};
use crate::store::lock::Accounts;
use crate::store::once;
use crate::store::skip_locked;
use crate::store::write_set::{BaseChange, WriteSet};
use crate::store::{Store, sql};

/// One process at a time advances contracts; "cntr" in ASCII.
const ADVANCING: i64 = 0x636e_7472;
/// Journals of a contract in one step: interest, payout, and the first payment of a renewal.
const JOURNALS: usize = 3;

#[derive(FromQueryResult)]
struct Basic {
    id: AccountId,
    member_id: MemberId,
}

/// What a transaction changes.
struct Advance<'a> {
    store: &'a Store,
    transaction: &'a DatabaseTransaction,
    batch: &'a DueBatch,
    basics: BTreeMap<MemberId, AccountId>,
    /// Won that no order holds on the BASIC accounts.
    free: BTreeMap<AccountId, Won>,
    journal_ids: std::vec::IntoIter<i64>,
    writes: WriteSet,
    account_nos: BTreeMap<AccountId, String>,
    /// Net transfers by account.
    transfers: BTreeMap<AccountId, i64>,
    payments: Vec<contract_payment::Model>,
    interest: Vec<contract_interest::Model>,
    rows: Vec<contract::Model>,
}

impl Store {
    /// Does what is due for those of a batch whose accounts nobody else has locked; answers for which.
    /// Nothing while another process does.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was done.
    pub async fn advance_contracts(
        &self,
        batch: &DueBatch,
    ) -> Result<Vec<AccountId>, TradingError> {
        let transaction = self.db.begin().await?;
        let advanced = self.advance_in(&transaction, batch).await;
        once::end(transaction, advanced).await
    }

    async fn advance_in(
        &self,
        transaction: &DatabaseTransaction,
        batch: &DueBatch,
    ) -> Result<Vec<AccountId>, TradingError> {
        let mine = sql(
            "select pg_try_advisory_xact_lock($1) as mine",
            [ADVANCING.into()],
        );
        let row = transaction.query_one_raw(mine).await?;
        if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
            return Ok(Vec::new());
        }
        let (contracts, basics, accounts) = lock_due(transaction, batch).await?;
        if contracts.is_empty() {
            return Ok(Vec::new());
        }
        let advanced = contracts.iter().map(|one| one.row.account_id).collect();
        let ids: Vec<AccountId> = basics.values().copied().collect();
        let unsettled = self.unsettled(transaction, &ids).await?;
        let mut free = BTreeMap::new();
        for id in ids {
            if let Some(account) = accounts.get(&id) {
                let unsettled = unsettled.get(&id).copied().unwrap_or_default();
                free.insert(id, movable(account.to_cash()?.available(), unsettled));
            }
        }
        let count = contracts.len().saturating_mul(JOURNALS);
        let mut advance = Advance {
            store: self,
            transaction,
            batch,
            basics,
            free,
            journal_ids: ledger::draw_ids(transaction, count).await?.into_iter(),
            writes: WriteSet::default(),
            account_nos: notices::account_nos(&accounts),
            transfers: BTreeMap::new(),
            payments: Vec::new(),
            interest: Vec::new(),
            rows: Vec::new(),
        };
        for contract in contracts {
            advance.step(contract).await?;
        }
        advance.write().await?;
        Ok(advanced)
    }
}

/// Locks the accounts of a batch and reads what is still due, in the order of the batch.
async fn lock_due(
    transaction: &DatabaseTransaction,
    batch: &DueBatch,
) -> Result<(Vec<Contract>, BTreeMap<MemberId, AccountId>, Accounts), TradingError> {
    let ids: Vec<i64> = batch.due.iter().map(|due| due.account_id.0).collect();
    let basics = sql(
        "select distinct b.id, b.member_id from contract c \
         join account b on b.member_id = c.member_id and b.code = '00' \
         where c.account_id = any($1)",
        [ids.clone().into()],
    );
    let basics = Basic::find_by_statement(basics).all(transaction).await?;
    let basics: BTreeMap<MemberId, AccountId> =
        basics.iter().map(|one| (one.member_id, one.id)).collect();
    let mut wanted: BTreeSet<AccountId> = batch.accounts().into_iter().collect();
    wanted.extend(basics.values());
    let accounts = skip_locked::accounts(transaction, &wanted).await?;
    let rows = sql(
        "select * from contract where account_id = any($1)",
        [ids.into()],
    );
    let rows = contract::Model::find_by_statement(rows)
        .all(transaction)
        .await?;
    let mut rows: BTreeMap<AccountId, contract::Model> =
        rows.into_iter().map(|row| (row.account_id, row)).collect();
    let is_locked = |row: &contract::Model| {
        let basic = basics.get(&row.member_id);
        accounts.contains_key(&row.account_id)
            && basic.is_some_and(|basic| accounts.contains_key(basic))
    };
    let still_due = |due: &DueContract| {
        let row = rows.remove(&due.account_id)?;
        (row.due_at == Some(due.due_at) && is_locked(&row)).then_some(row)
    };
    let due: Vec<contract::Model> = batch.due.iter().filter_map(still_due).collect();
    Ok((load_all(transaction, due).await?, basics, accounts))
}

impl Advance<'_> {
    async fn step(&mut self, mut contract: Contract) -> Result<(), TradingError> {
        let Some((at, next)) = contract.next() else {
            let id = contract.row.account_id;
            return Err(DbErr::Custom(format!("contract {id} has nothing to do")).into());
        };
        let basic = self.basics.get(&contract.row.member_id).copied();
        let basic = basic.ok_or_else(|| DbErr::Custom("no BASIC account".to_owned()))?;
        match next {
            Next::Payment(number) => self.take(&mut contract, basic, number, at)?,
            Next::Maturity => self.mature(&mut contract, basic, at).await?,
        }
        contract.row.due_at = contract.next().map(|(at, _)| at);
        self.rows.push(contract.row);
        Ok(())
    }

    /// Takes a payment, or notes that the account was short.
    fn take(
        &mut self,
        contract: &mut Contract,
        basic: AccountId,
        number: u32,
        at: DateTime<Utc>,
    ) -> Result<(), TradingError> {
        let amount = contract.row.amount_won;
        let free = self.free.entry(basic).or_default();
        if *free < amount {
            let row = &contract.row;
            let (account_no, next) = (self.account_no(row.account_id), row.next_payment);
            contract.miss(number);
            let is_retried = contract.row.next_payment == next;
            let missed = notices::missed(contract, &account_no, (number, is_retried), at);
            let clock = self.store.clock.as_ref();
            self.writes.event(&events::contract_missed(&missed, clock));
            return Ok(());
        }
        free.0 = free.0.saturating_sub(amount.0);
        let account = contract.row.account_id;
        let paid = Paid {
            number,
            amount,
            on: day_of(at),
        };
        contract.pay(paid).map_err(out_of_range)?;
        let journal_id = self.journal(
            JournalKind::ContractPaid,
            Source::ContractPayment(PartOf(account, number)),
            payment_postings(basic, account, amount),
            at,
        )?;
        self.transfer(basic, account, amount);
        self.payments.push(contract_payment::Model {
            account_id: account,
            number: i32::try_from(number).unwrap_or(i32::MAX),
            amount_won: amount,
            paid_on: paid.on,
            journal_id,
        });
        Ok(())
    }

    /// Books the interest; pays it out with what was paid in, unless it is kept.
    async fn mature(
        &mut self,
        contract: &mut Contract,
        basic: AccountId,
        at: DateTime<Utc>,
    ) -> Result<(), TradingError> {
        let account = contract.row.account_id;
        let earned = contract.agreement.at_maturity(&contract.payments);
        let earned = earned.map_err(out_of_range)?;
        let journal_id = self.journal(
            JournalKind::ContractInterest,
            Source::ContractPeriod(PartOf(account, Period::Maturity)),
            interest_postings(account, &earned)?,
            at,
        )?;
        let today = day_of(at);
        let booked = interest_row(contract, Period::Maturity, &earned, today, journal_id);
        self.interest.push(booked);
        let payout = earned.payout().map_err(out_of_range)?;
        if contract.action == MaturityAction::Keep {
            self.tell_matured(contract, payout, false, today);
            contract.status = ContractStatus::Matured;
            contract
                .status
                .as_str()
                .clone_into(&mut contract.row.status);
            return Ok(());
        }
        let renewed = contract.renewed_by(&self.batch.renewals)?;
        contract.end(Period::Maturity, today);
        self.tell_matured(contract, payout, renewed.is_some(), today);
        self.journal(
            JournalKind::ContractClosed,
            Source::Contract(account),
            payout_postings(account, basic, payout),
            at,
        )?;
        self.transfer(account, basic, payout);
        let free = self.free.entry(basic).or_default();
        *free = free.checked_add(payout).map_err(out_of_range)?;
        if let Some(offer) = renewed {
            let transfer_day = contract.row.transfer_day;
            let new = NewContract {
                member_id: contract.row.member_id,
                offer: &offer,
                transfer_day,
                action: MaturityAction::Renew,
                now: at,
            };
            self.renew(&new, basic).await?;
        }
        Ok(())
    }

    async fn renew(&mut self, new: &NewContract<'_>, basic: AccountId) -> Result<(), TradingError> {
        let amount = new.offer.amount;
        let free = self.free.entry(basic).or_default();
        if *free < amount {
            // The payout suffices, so another release has computed it otherwise.
            return Err(DbErr::Custom("a renewal costs more than its payout".to_owned()).into());
        }
        free.0 = free.0.saturating_sub(amount.0);
        let journal_id = self.next_journal()?;
        let inserted = self
            .store
            .insert_contract(self.transaction, new, journal_id);
        let (opened, _) = inserted.await?;
        let account = opened.row.account_id;
        self.writes.journal(Journal {
            id: journal_id,
            kind: JournalKind::ContractOpened,
            source: Source::Contract(account),
            occurred_at: new.now,
            postings: payment_postings(basic, account, amount),
        });
        self.transfer(basic, account, amount);
        Ok(())
    }

    fn tell_matured(
        &mut self,
        contract: &Contract,
        payout: Won,
        is_renewed: bool,
        today: NaiveDate,
    ) {
        let account_no = self.account_no(contract.row.account_id);
        let matured = notices::matured(contract, &account_no, payout, is_renewed, today);
        let clock = self.store.clock.as_ref();
        self.writes
            .event(&events::contract_matured(&matured, clock));
    }

    fn account_no(&self, account: AccountId) -> String {
        self.account_nos.get(&account).cloned().unwrap_or_default()
    }

    fn next_journal(&mut self) -> Result<i64, DbErr> {
        let id = self.journal_ids.next();
        id.ok_or_else(|| DbErr::Custom("too few journal numbers were drawn".to_owned()))
    }

    fn journal(
        &mut self,
        kind: JournalKind,
        source: Source,
        postings: Vec<Posting>,
        at: DateTime<Utc>,
    ) -> Result<i64, DbErr> {
        let id = self.next_journal()?;
        self.writes.journal(Journal {
            id,
            kind,
            source,
            occurred_at: at,
            postings,
        });
        Ok(id)
    }

    fn transfer(&mut self, from: AccountId, to: AccountId, won: Won) {
        *self.transfers.entry(from).or_default() -= won.0;
        *self.transfers.entry(to).or_default() += won.0;
    }

    async fn write(mut self) -> Result<(), TradingError> {
        for (account, won) in self.transfers {
            let change = BaseChange {
                transferred: Won(won),
                ..BaseChange::default()
            };
            self.writes.base_change(account, change);
        }
        self.writes.write(self.transaction).await?;
        write_payments(self.transaction, &self.payments).await?;
        write_interest(self.transaction, &self.interest).await?;
        write_rows(self.transaction, &self.rows).await?;
        let closed = self.rows.iter().filter(|row| row.closed_on.is_some());
        let closed: Vec<i64> = closed.map(|row| row.account_id.0).collect();
        let close = sql(
            "update account set closed_at = $1 where id = any($2)",
            [self.store.clock.now().into(), closed.into()],
        );
        self.transaction.execute_raw(close).await?;
        Ok(())
    }
}

fn column<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

async fn write_payments(
    transaction: &DatabaseTransaction,
    rows: &[contract_payment::Model],
) -> Result<(), DbErr> {
    let insert = sql(
        "insert into contract_payment (account_id, number, amount_won, paid_on, journal_id) \
         select * from unnest($1::bigint[], $2::integer[], $3::bigint[], $4::date[], $5::bigint[])",
        [
            column(rows, |row| row.account_id.0).into(),
            column(rows, |row| row.number).into(),
            column(rows, |row| row.amount_won.0).into(),
            column(rows, |row| row.paid_on).into(),
            column(rows, |row| row.journal_id).into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}

async fn write_interest(
    transaction: &DatabaseTransaction,
    rows: &[contract_interest::Model],
) -> Result<(), DbErr> {
    let insert = sql(
        "insert into contract_interest (account_id, period, earned_to, rate, gross_won, \
            income_tax_won, local_tax_won, journal_id) \
         select account_id, period, earned_to, rate, gross, income, local, nullif(journal, 0) \
         from unnest($1::bigint[], $2::text[], $3::date[], $4::numeric[], $5::bigint[], \
            $6::bigint[], $7::bigint[], $8::bigint[]) \
            as d(account_id, period, earned_to, rate, gross, income, local, journal)",
        [
            column(rows, |row| row.account_id.0).into(),
            column(rows, |row| row.period.clone()).into(),
            column(rows, |row| row.earned_to).into(),
            column(rows, |row| row.rate).into(),
            column(rows, |row| row.gross_won.0).into(),
            column(rows, |row| row.income_tax_won.0).into(),
            column(rows, |row| row.local_tax_won.0).into(),
            column(rows, |row| row.journal_id.unwrap_or(0)).into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}

/// A contract in its new state may have no time and no day, which an array cannot leave out: those
/// are written as texts.
async fn write_rows(
    transaction: &DatabaseTransaction,
    rows: &[contract::Model],
) -> Result<(), DbErr> {
    let text = |value: Option<String>| value.unwrap_or_default();
    let update = sql(
        "update contract c set status = d.status, paid_in_won = d.paid_in_won, \
            next_payment = d.next_payment, attempts = d.attempts, \
            due_at = nullif(d.due_at, '')::timestamptz, \
            closed_on = nullif(d.closed_on, '')::date, notice = nullif(d.notice, '') \
         from unnest($1::bigint[], $2::text[], $3::bigint[], $4::integer[], $5::smallint[], \
            $6::text[], $7::text[], $8::text[]) \
            as d(account_id, status, paid_in_won, next_payment, attempts, due_at, closed_on, notice) \
         where c.account_id = d.account_id",
        [
            column(rows, |row| row.account_id.0).into(),
            column(rows, |row| row.status.clone()).into(),
            column(rows, |row| row.paid_in_won.0).into(),
            column(rows, |row| row.next_payment).into(),
            column(rows, |row| row.attempts).into(),
            column(rows, |row| text(row.due_at.map(|at| at.to_rfc3339()))).into(),
            column(rows, |row| text(row.closed_on.map(|day| day.to_string()))).into(),
            column(rows, |row| text(row.notice.clone())).into(),
        ],
    );
    transaction.execute_raw(update).await?;
    Ok(())
}
