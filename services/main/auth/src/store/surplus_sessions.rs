//! Ends the sessions of a member that are too many.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::Store;
use super::sessions::{among, lock_all, open_sessions};
use crate::domain::EndCause;
use crate::domain::session::MAX_SESSIONS;
use crate::entity::session;

/// Sessions that one login ends at most: an account may have very many of before there was a limit, and
/// a statement ends after a few seconds.
const ENDED_AT_ONCE: u64 = 1_000;

impl Store {
    /// Ends so many sessions that with one more the member has [`MAX_SESSIONS`], but at most
    /// [`ENDED_AT_ONCE`], and names them. Later logins end the rest, and what was refreshed meanwhile.
    pub(super) async fn make_room(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
    ) -> Result<Vec<Uuid>, DbErr> {
        let open = open_sessions(member).count(transaction).await?;
        let surplus = open.saturating_sub(MAX_SESSIONS - 1).min(ENDED_AT_ONCE);
        if surplus == 0 {
            return Ok(Vec::new());
        }
        let oldest: Vec<(Uuid, DateTime<Utc>)> = open_sessions(member)
            .column(session::Column::RefreshedAt)
            .order_by_asc(session::Column::RefreshedAt)
            .order_by_asc(session::Column::Id)
            .limit(surplus)
            .into_tuple()
            .all(transaction)
            .await?;
        let Some((_, newest_of_them)) = oldest.last().copied() else {
            return Ok(Vec::new());
        };
        let ids: Vec<Uuid> = oldest.into_iter().map(|(id, _)| id).collect();
        // The lock looks at each again: one that was refreshed meanwhile is not among the oldest.
        let still_oldest = open_sessions(member)
            .filter(among(&ids))
            .filter(session::Column::RefreshedAt.lte(newest_of_them));
        let ended = lock_all(transaction, still_oldest).await?;
        self.end(transaction, member, &ended, EndCause::TooMany)
            .await?;
        Ok(ended)
    }
}
