//! Where pushes go. A subscription belongs to the login that made it and ends with it.

use kernel::MemberId;
use sea_orm::sea_query::LockType;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QuerySelect, Statement,
};
use uuid::Uuid;

use super::Store;
use crate::domain::PushKind;
use crate::domain::push::{MAX_SUBSCRIPTIONS, Subscription};
use crate::domain::session::is_expired;
use crate::entity::{member, push_subscription, session};
use crate::error::AuthError;

impl Store {
    /// Idempotent. An address that another login had subscribed moves to this one; of more than
    /// [`MAX_SUBSCRIPTIONS`] the oldest ends.
    ///
    /// # Errors
    /// [`AuthError::SessionEnded`] when `session` is none of the member's that goes on.
    pub async fn subscribe(
        &self,
        member: MemberId,
        session: Uuid,
        subscription: &Subscription,
    ) -> Result<(), AuthError> {
        let now = self.clock.now();
        let transaction = self.begin().await?;
        // Two subscriptions at once would both find room.
        let locked = member::Entity::find_by_id(member)
            .lock(LockType::NoKeyUpdate)
            .one(&transaction)
            .await?;
        if locked.is_none() {
            return Err(AuthError::MemberNotFound);
        }
        // A logout waits and finds the row, or came first and is seen here.
        let session = session::Entity::find_by_id(session)
            .lock(LockType::Share)
            .one(&transaction)
            .await?
            .filter(|session| session.member_id == member && session.ended_at.is_none())
            .filter(|session| !is_expired(session.started_at, session.refreshed_at, now))
            .ok_or(AuthError::SessionEnded)?;
        // What waits for the one before is not for this one.
        push_subscription::Entity::delete_many()
            .filter(push_subscription::Column::Address.eq(subscription.address.as_str()))
            .filter(push_subscription::Column::MemberId.ne(member))
            .exec(&transaction)
            .await?;
        let keys = subscription.keys.clone();
        let (p256dh, auth) = keys.map(|keys| (keys.p256dh, keys.auth)).unzip();
        let insert = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "insert into push_subscription \
             (member_id, session_id, kind, address, host, p256dh, auth, created_at) \
             values ($1, $2, $3, $4, $5, $6, $7, $8) \
             on conflict (address) do update set member_id = excluded.member_id, \
             session_id = excluded.session_id, kind = excluded.kind, host = excluded.host, \
             p256dh = excluded.p256dh, auth = excluded.auth, created_at = excluded.created_at, \
             failures = 0",
            [
                member.0.into(),
                session.id.into(),
                subscription.kind.as_str().into(),
                subscription.address.clone().into(),
                subscription.host.clone().into(),
                p256dh.into(),
                auth.into(),
                now.into(),
            ],
        );
        transaction.execute_raw(insert).await?;
        let make_room = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "delete from push_subscription where id = any(array(select id \
             from push_subscription where member_id = $1 \
             order by created_at desc, id desc offset $2))",
            [member.0.into(), MAX_SUBSCRIPTIONS.into()],
        );
        transaction.execute_raw(make_room).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Idempotent; an address of somebody else stays.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unsubscribe(
        &self,
        member: MemberId,
        kind: PushKind,
        address: &str,
    ) -> Result<(), AuthError> {
        push_subscription::Entity::delete_many()
            .filter(push_subscription::Column::Address.eq(address))
            .filter(push_subscription::Column::MemberId.eq(member))
            .filter(push_subscription::Column::Kind.eq(kind.as_str()))
            .exec(&self.database)
            .await?;
        Ok(())
    }

    /// In the transaction that ends the sessions.
    pub(super) async fn end_subscriptions(
        &self,
        transaction: &DatabaseTransaction,
        sessions: &[Uuid],
    ) -> Result<(), DbErr> {
        let end = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "delete from push_subscription where session_id = any($1)",
            [sessions.to_vec().into()],
        );
        transaction.execute_raw(end).await?;
        Ok(())
    }
}
