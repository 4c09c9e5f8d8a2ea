//! The transaction of a request for money that is not an order: a transfer, points, a contract, an
//! item. It locks the accounts, looks up the reply of a repeated request, runs the act, posts what
//! the act decided, and stores the reply.

use std::collections::BTreeSet;

use bootstrap::deadline;
use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, RequestId};
use sea_orm::{DatabaseTransaction, DbErr, TransactionTrait};

use super::Store;
use super::lock::Accounts;
use super::request::{self, RequestDigest};
use super::skip_locked::{self, LockRetry};
use super::stored_reply::{Repeatable, StoredReply};
use super::write_set::WriteSet;
use crate::entity::account;
use crate::error::{TradingError, is_lock_timeout};
use crate::ledger::{self, Asset, Journal, JournalKind, Party, Posting, Source};
use crate::refusal::Refusal;

/// A request, and the accounts that its act reads or changes.
#[derive(Clone, Debug)]
pub struct MoneyRequest {
    pub member_id: MemberId,
    /// The idempotency key.
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    /// Locked before the act runs. With the BASIC account among them, no other act of the member
    /// runs at the same time.
    pub accounts: BTreeSet<AccountId>,
}

impl MoneyRequest {
    pub(crate) fn new(
        member_id: MemberId,
        request_id: &RequestId,
        digest: &RequestDigest,
        accounts: impl IntoIterator<Item = AccountId>,
    ) -> Self {
        Self {
            member_id,
            request_id: request_id.clone(),
            digest: digest.clone(),
            accounts: accounts.into_iter().collect(),
        }
    }
}

/// What a request for money does, in its transaction.
pub(crate) trait MoneyAct: Sync {
    type Reply: Repeatable + Send;

    /// Decides, and gathers journals and rows in `books`; it may also write with
    /// `books.transaction`. After an error nothing of it remains; a refusal is stored. It may run
    /// several times, until one run commits.
    fn run(
        &self,
        books: &mut Books<'_>,
    ) -> impl Future<Output = Result<Self::Reply, TradingError>> + Send;
}

/// What an act sees and changes.
pub struct Books<'a> {
    pub(crate) transaction: &'a DatabaseTransaction,
    /// Written after the act.
    pub(crate) writes: WriteSet,
    pub(crate) now: DateTime<Utc>,
    accounts: Accounts,
}

impl Books<'_> {
    /// A locked account; its won are as they are after the journals posted so far.
    pub(crate) fn account(&self, id: AccountId) -> Result<&account::WithWon, TradingError> {
        let account = self.accounts.get(&id);
        Ok(account.ok_or_else(|| DbErr::Custom(format!("account {id} is not locked")))?)
    }

    /// All locked accounts, and what is written after the act.
    pub(crate) fn locked_and_writes(&mut self) -> (&Accounts, &mut WriteSet) {
        (&self.accounts, &mut self.writes)
    }

    /// Adds an account that this transaction has opened.
    pub(crate) fn opened(&mut self, account: account::WithWon) {
        self.accounts.insert(account.account.id, account);
    }

    /// Locks those of the member's accounts that are not locked yet.
    ///
    /// # Errors
    /// [`TradingError::AccountLocked`] if another transaction has locked one.
    pub(crate) async fn lock_more(
        &mut self,
        ids: &BTreeSet<AccountId>,
    ) -> Result<(), TradingError> {
        let more = ids.iter().filter(|id| !self.accounts.contains_key(id));
        let more: BTreeSet<AccountId> = more.copied().collect();
        let locked = skip_locked::accounts(self.transaction, &more).await?;
        if locked.len() < more.len() {
            return Err(TradingError::AccountLocked);
        }
        self.accounts.extend(locked);
        Ok(())
    }

    /// Adds a journal and returns its number. The act has checked that the balances suffice.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn post(
        &mut self,
        kind: JournalKind,
        source: Source,
        postings: Vec<Posting>,
    ) -> Result<i64, TradingError> {
        let id = self.draw().await?;
        self.post_numbered(id, kind, source, postings);
        Ok(id)
    }

    /// The number of a journal that rows name before it is added.
    pub(crate) async fn draw(&self) -> Result<i64, TradingError> {
        let drawn = ledger::draw_ids(self.transaction, 1).await?;
        let id = drawn.first().copied();
        Ok(id.ok_or_else(|| DbErr::Custom("no journal number was drawn".to_owned()))?)
    }

    /// Adds a journal whose number is drawn already.
    pub(crate) fn post_numbered(
        &mut self,
        id: i64,
        kind: JournalKind,
        source: Source,
        postings: Vec<Posting>,
    ) {
        for posting in &postings {
            if let (Party::Account(account), Asset::Krw) = (posting.party, posting.asset)
                && let Some(locked) = self.accounts.get_mut(&account)
            {
                locked.won.amount += posting.amount;
            }
        }
        self.writes.journal(Journal {
            id,
            kind,
            source,
            occurred_at: self.now,
            postings,
        });
    }
}

impl Store {
    /// Runs an act once for its request: a repetition gets the stored reply or refusal.
    ///
    /// # Errors
    /// [`TradingError`]: the refusal of the act, another body under the same id, a repetition of a
    /// request that is still in flight after two seconds, or of the database.
    pub(crate) async fn once<A: MoneyAct>(
        &self,
        request: &MoneyRequest,
        act: &A,
    ) -> Result<A::Reply, TradingError> {
        let run = || request::retry_on_duplicate(|| self.try_once(request, act));
        self.until_unlocked(request.member_id, &request.request_id, run)
            .await
    }

    /// Repeats a transaction while another one has locked an account of it, for up to two seconds.
    pub(crate) async fn until_unlocked<T, F>(
        &self,
        member_id: MemberId,
        request_id: &RequestId,
        mut transaction: impl FnMut() -> F,
    ) -> Result<T, TradingError>
    where
        F: Future<Output = Result<T, TradingError>>,
    {
        let in_flight = self.begin_request(member_id, request_id);
        let first = in_flight.first();
        let mut wait = LockRetry::default();
        loop {
            let delay = match transaction().await {
                Err(TradingError::AccountLocked) => wait.next_delay(),
                done => return done,
            };
            match delay {
                Some(delay) => tokio::time::sleep(delay).await,
                None if first.is_some_and(|first| first.is_in_flight()) => {
                    return Err(TradingError::RequestInProgress);
                }
                None => return Err(TradingError::AccountLocked),
            }
        }
    }

    async fn try_once<A: MoneyAct>(
        &self,
        request: &MoneyRequest,
        act: &A,
    ) -> Result<A::Reply, TradingError> {
        let transaction = self.db.begin().await?;
        let outcome = self.run_act(&transaction, request, act).await;
        let error = match end(transaction, outcome).await {
            // The accounts are locked and the act has run, so the timeout was on the request's key:
            // another process is storing a reply to the same request.
            Err(TradingError::Database(error)) if is_lock_timeout(&error) => {
                return Err(TradingError::RequestInProgress);
            }
            Err(error) => error,
            done => return done,
        };
        if let Some(stored) = error.to_stored() {
            self.rejection_limit.check(request.member_id)?;
            let reply = StoredReply::Rejection(Box::new(stored));
            self.store_reply(request, &reply).await?;
        }
        Err(error)
    }

    async fn run_act<A: MoneyAct>(
        &self,
        transaction: &DatabaseTransaction,
        request: &MoneyRequest,
        act: &A,
    ) -> Result<A::Reply, TradingError> {
        let key = (request.member_id, request.request_id.clone());
        let locked = skip_locked::accounts_and_reply(transaction, &request.accounts, &key);
        let (accounts, stored) = locked.await?;
        if let Some(reply) = stored.reply_to(&key, &request.digest) {
            return reply;
        }
        if accounts.len() < request.accounts.len() {
            return Err(TradingError::AccountLocked);
        }
        check_deadline()?;
        let mut locked = accounts.values();
        if request.digest.is_locked_in_competition()
            && locked.any(|locked| locked.account.competition_mode)
        {
            let message = "대회 모드에서는 쓸 수 없어요. 대회 모드를 끄고 다시 시도해 주세요.";
            return Err(Refusal::new("COMPETITION_LOCKED", message).passing().into());
        }
        let mut books = Books {
            transaction,
            writes: WriteSet::default(),
            now: self.clock.now(),
            accounts,
        };
        let reply = act.run(&mut books).await.map_err(crowded)?;
        let Books {
            mut writes, now, ..
        } = books;
        add_reply(&mut writes, request, &StoredReply::of(&reply), now);
        writes.write(transaction).await?;
        Ok(reply)
    }

    /// Stores a refusal by itself: its act was rolled back. If the request was granted meanwhile,
    /// its key exists, and the request is looked up again.
    async fn store_reply(
        &self,
        request: &MoneyRequest,
        reply: &StoredReply,
    ) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let mut writes = WriteSet::default();
        add_reply(&mut writes, request, reply, self.clock.now());
        let written = writes.write(&transaction).await;
        end(transaction, written).await
    }
}

/// For a transaction that has just locked its accounts: after the deadline, its caller may have
/// repeated the request, and been refused for a reason that has passed since.
///
/// # Errors
/// [`TradingError::DeadlinePassed`].
pub(crate) fn check_deadline() -> Result<(), TradingError> {
    match deadline::remaining() {
        Some(left) if left.is_zero() => Err(TradingError::DeadlinePassed),
        Some(_) | None => Ok(()),
    }
}

/// An act that waited too long waited for a row of many members, whose accounts are locked already.
fn crowded(error: TradingError) -> TradingError {
    if let TradingError::Database(cause) = &error
        && is_lock_timeout(cause)
    {
        return TradingError::Crowded;
    }
    error
}

fn add_reply(
    writes: &mut WriteSet,
    request: &MoneyRequest,
    reply: &StoredReply,
    now: DateTime<Utc>,
) {
    let MoneyRequest {
        member_id,
        request_id,
        digest,
        ..
    } = request;
    writes.request(*member_id, request_id, digest, reply, now);
}

/// Commits what succeeded and rolls back what failed. Dropping the transaction would keep its locks
/// until the connection is used again, and the member's next request would find the account locked.
pub(crate) async fn end<T>(
    transaction: DatabaseTransaction,
    outcome: Result<T, TradingError>,
) -> Result<T, TradingError> {
    match outcome {
        Ok(done) => {
            transaction.commit().await?;
            Ok(done)
        }
        Err(error) => {
            if let Err(failed) = transaction.rollback().await {
                tracing::debug!(%failed, "Rollback failed");
            }
            Err(error)
        }
    }
}
