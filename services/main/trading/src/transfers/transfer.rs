//! Moves won between two accounts of a member.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::clock::KST;
use kernel::{AccountCode, AccountId, MemberId, RequestId, Won};
use proto::convert::micros;
use proto::trading::v1::TransferReply;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use super::{TransferTarget, check_kind};
use crate::accounts::open::{AccountChoice, NewAccount};
use crate::entity::account;
use crate::error::TradingError;
use crate::ledger::{JournalKind, Posting, Source};
use crate::orders::validation::OrderRejection;
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::skip_locked;
use crate::store::write_set::{BaseChange, TransferRow};
use crate::store::{Store, sql};

/// Transfers of a member in a Korean day.
const MOST_A_DAY: i64 = 100;

#[derive(Clone, Debug)]
pub struct Transfer {
    pub member_id: MemberId,
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    pub from: AccountChoice,
    pub to: TransferTarget,
    /// Positive.
    pub amount: Won,
}

struct TransferAct<'a> {
    store: &'a Store,
    transfer: &'a Transfer,
    basic: AccountId,
    /// `None` when the member has no such account.
    from: Option<AccountId>,
    /// `None` when the member has no such account, or no open sub-account of the code.
    to: Option<AccountId>,
}

impl Store {
    /// Moves won at once. The first transfer to a sub-account opens it.
    ///
    /// # Errors
    /// [`TradingError`]: an account is not the member's, takes part in no transfers or is the other
    /// one, too little is available, too many transfers in a day, or of the database.
    pub async fn transfer(&self, transfer: &Transfer) -> Result<TransferReply, TradingError> {
        let member_id = transfer.member_id;
        let (basic, _) = self.open_basic_account(member_id).await?;
        let from = self.own_account(member_id, &transfer.from).await?;
        let to = match &transfer.to {
            TransferTarget::Account(choice) => self.own_account(member_id, choice).await?,
            TransferTarget::SubAccount(code) => self.cached_sub_account(member_id, *code).await?,
        };
        let act = TransferAct {
            store: self,
            transfer,
            basic,
            from,
            to,
        };
        let request = MoneyRequest::new(
            member_id,
            &transfer.request_id,
            &transfer.digest,
            [Some(basic), from, to].into_iter().flatten(),
        );
        self.once(&request, &act).await
    }

    /// A sub-account that is open, or was.
    async fn cached_sub_account(
        &self,
        member_id: MemberId,
        code: AccountCode,
    ) -> Result<Option<AccountId>, TradingError> {
        let key = (member_id, code);
        if let Some(known) = self.sub_accounts.get(&key).await {
            return Ok(Some(known));
        }
        let found = self.open_sub_account(&self.db, member_id, code).await?;
        if let Some(id) = found {
            self.sub_accounts.insert(key, id).await;
        }
        Ok(found)
    }

    /// The open sub-account of a member.
    async fn open_sub_account(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
        code: AccountCode,
    ) -> Result<Option<AccountId>, TradingError> {
        let found = account::Entity::find()
            .filter(account::Column::MemberId.eq(member_id))
            .filter(account::Column::Code.eq(code.as_str()))
            .filter(account::Column::ClosedAt.is_null());
        Ok(found.one(connection).await?.map(|row| row.id))
    }
}

impl MoneyAct for TransferAct<'_> {
    type Reply = TransferReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<TransferReply, TradingError> {
        let Transfer {
            member_id, amount, ..
        } = *self.transfer;
        let from_id = self.parties()?;
        if self.to == Some(from_id) {
            let message = "보내는 계좌와 받는 계좌가 같아요.";
            return Err(Refusal::new("TRANSFER_SAME_ACCOUNT", message).into());
        }
        let from = open(books.account(from_id)?)?;
        let available = self.store.movable(books.transaction, from).await?;
        let from_no = from.account.account_no.clone();
        let number = self.number(books).await?;
        if amount > available {
            let message =
                format!("이체할 수 있는 금액이 부족해요. {amount} 필요, {available} 보유.");
            let refusal = Refusal::new("INSUFFICIENT_CASH", message);
            return Err(refusal
                .with("need", amount.0)
                .with("have", available.0)
                .into());
        }
        let to = self.target(books).await?;
        let to_no = open(books.account(to)?)?.account.account_no.clone();
        let postings = vec![
            Posting::to_account(from_id, Won(-amount.0)),
            Posting::to_account(to, amount),
        ];
        let source = Source::Transfer(number);
        books.post_numbered(number, JournalKind::Transferred, source, postings);
        for (account, moved) in [(from_id, -amount.0), (to, amount.0)] {
            let change = BaseChange {
                transferred: Won(moved),
                ..BaseChange::default()
            };
            books.writes.base_change(account, change);
        }
        let reply = TransferReply {
            transfer_id: number,
            from_account_no: from_no,
            to_account_no: to_no,
            amount_won: amount.0,
            from_deposit_won: books.account(from_id)?.won.amount,
            to_deposit_won: books.account(to)?.won.amount,
            occurred_at_us: micros(books.now),
            message: format!("{amount}을 옮겼어요"),
            replayed: false,
        };
        books.writes.transfer(TransferRow {
            id: number,
            member_id,
            from_account_id: from_id,
            to_account_id: to,
            amount_won: amount,
            from_balance_won: Won(reply.from_deposit_won),
            to_balance_won: Won(reply.to_deposit_won),
            request_id: self.transfer.request_id.as_str().to_owned(),
            created_at: books.now,
        });
        Ok(reply)
    }
}

impl TransferAct<'_> {
    /// The account that pays, if both take part in transfers.
    fn parties(&self) -> Result<AccountId, TradingError> {
        let Transfer { from, to, .. } = self.transfer;
        let is_unknown = |id: Option<AccountId>, choice: &AccountChoice| {
            id.is_none() && *choice != AccountChoice::Competition
        };
        let is_target_unknown = match to {
            TransferTarget::Account(choice) => is_unknown(self.to, choice),
            TransferTarget::SubAccount(_) => false,
        };
        if is_unknown(self.from, from) || is_target_unknown {
            return Err(OrderRejection::AccountForbidden.into());
        }
        check_kind(from.code())?;
        check_kind(to.code())?;
        Ok(self.from.ok_or(OrderRejection::AccountForbidden)?)
    }

    /// A number for the transfer, if the member may make another one today. Those of a new season, by which
    /// accounts end, nobody asked for.
    async fn number(&self, books: &Books<'_>) -> Result<i64, TradingError> {
        let draw = sql(
            "select nextval('journal_id_seq') as id, (select count(*) from transfer \
             where member_id = $1 and created_at >= $2 and request_id <> '') as today",
            [self.transfer.member_id.into(), day_start(books.now).into()],
        );
        let row = books.transaction.query_one_raw(draw).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("transfer".to_owned()))?;
        let today: i64 = row.try_get("", "today")?;
        if today >= MOST_A_DAY {
            let message = format!("이체는 하루에 {MOST_A_DAY}번까지 할 수 있어요.");
            let refusal = Refusal::new("TRANSFER_LIMIT", message);
            return Err(refusal.with("most", MOST_A_DAY).into());
        }
        Ok(row.try_get("", "id")?)
    }

    /// The account that receives. The member's BASIC account is locked, so no other transfer opens
    /// the same sub-account.
    async fn target(&self, books: &mut Books<'_>) -> Result<AccountId, TradingError> {
        if let Some(to) = self.to {
            let names_code = matches!(self.transfer.to, TransferTarget::SubAccount(_));
            // A code means whichever account is open, which another request may have closed since.
            if !names_code || open(books.account(to)?).is_ok() {
                return Ok(to);
            }
        }
        let (store, member_id) = (self.store, self.transfer.member_id);
        let code = self.transfer.to.code();
        store.sub_accounts.invalidate(&(member_id, code)).await;
        let new = NewAccount::new(member_id, code);
        let opened = store.open_account(books.transaction, &new).await?;
        let id = match opened {
            Some((id, _)) => id,
            // Another transfer has opened it since the request was resolved.
            None => {
                let found = store.open_sub_account(books.transaction, member_id, code);
                found.await?.ok_or(TradingError::AccountLocked)?
            }
        };
        let ids = BTreeSet::from([id]);
        let mut locked = skip_locked::accounts(books.transaction, &ids).await?;
        let account = locked.remove(&id).ok_or(TradingError::AccountLocked)?;
        books.opened(account);
        let mark = sql(
            "update account set has_sub_accounts = true where id = $1",
            [self.basic.into()],
        );
        books.transaction.execute_raw(mark).await?;
        Ok(id)
    }
}

/// # Errors
/// [`OrderRejection::AccountForbidden`] for an account that was closed meanwhile.
fn open(account: &account::WithWon) -> Result<&account::WithWon, TradingError> {
    match account.account.closed_at {
        None => Ok(account),
        Some(_) => Err(OrderRejection::AccountForbidden.into()),
    }
}

/// When the Korean day of an instant began.
fn day_start(now: DateTime<Utc>) -> DateTime<Utc> {
    let midnight = now
        .with_timezone(&KST)
        .date_naive()
        .and_time(chrono::NaiveTime::MIN);
    // Korea has no daylight saving time, so every midnight exists once.
    midnight
        .and_local_timezone(KST)
        .single()
        .map_or(now, |start| start.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_in_korea() {
        let start = |text: &str| day_start(text.parse().unwrap()).to_rfc3339();
        assert_eq!(start("2026-11-20T14:59:59Z"), "2026-11-19T15:00:00+00:00");
        assert_eq!(start("2026-11-20T15:00:00Z"), "2026-11-20T15:00:00+00:00");
    }
}
