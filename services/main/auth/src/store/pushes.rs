//! The queue of pushes. A delivery is what a member is to be told; `push_send` has a row for each
//! subscription that has not answered yet. Written by hand, because each step is one statement about
//! many rows.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Statement, Value};

use super::Store;
use super::notices::DIGEST;
use super::push_claims::ClaimedPush;
use crate::domain::PushKind;
use crate::domain::push::MAX_FAILURES;
use crate::domain::session::{ABSOLUTE, IDLE};
use crate::error::AuthError;

/// Whether the notification of a `delivery` is unread, and its member wants pushes of its type; as SQL.
pub(super) fn is_wanted(delivery: &str) -> String {
    format!(
        "not exists (select from notification n where n.id = {delivery}.notification_id \
           and n.read_at is not null) \
         and not exists (select from notification_setting w where w.member_id = {delivery}.member_id \
           and w.type = {delivery}.type and not w.push and {delivery}.collapse_key <> '{DIGEST}')"
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushResult {
    Accepted,
    Gone,
    Later(DateTime<Utc>),
    /// It was not sent, because its member has quiet hours.
    Withheld(DateTime<Utc>),
    /// The service did not take it while it was worth something.
    Expired,
    /// The service does not take it.
    GivenUp,
}

impl Store {
    /// Divides at most `most` due deliveries among the subscriptions of their members, and returns
    /// their number. A digest counts what waits now. What is a digest of nothing, has expired, was read meanwhile, or is of a type that its member has switched off
    /// meanwhile, goes to nobody.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn divide_deliveries(
        &self,
        kinds: &[PushKind],
        urgent: bool,
        most: u64,
    ) -> Result<u64, AuthError> {
        let now = self.clock.now();
        let words: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        // A constant of the statement, so that it finds the index of those that go first. A price is old news
        // soon, so that alerts go before what waited for the morning.
        let urgency = if urgent {
            "and (d.urgent or d.type = 'PRICE')"
        } else {
            ""
        };
        let waiting = "(push_delivery.batch + (select count(*) from notification n \
             where n.digest_id = push_delivery.id and n.read_at is null) \
             + (select count(*) from push_delivery p where p.digest_id = push_delivery.id))";
        let sql = format!(
            "with due as (update push_delivery set sent_at = $1, body = case \
               when collapse_key = '{DIGEST}' then '알림 ' || {waiting} || '개가 기다리고 있어요.' \
               else body end where id = any(array( \
               select d.id from push_delivery d where d.sent_at is null and d.not_before <= $1 \
               {urgency} order by d.not_before, d.id limit $2 for update skip locked)) \
               returning id, member_id, notification_id, type, collapse_key, expires_at, \
               urgent or type = 'PRICE' as is_first, \
               case when collapse_key = '{DIGEST}' then {waiting} else 1 end as waiting), \
             worth as (select * from due where expires_at > $1 and waiting > 0 and {}), \
             to_members as (insert into push_send \
               (delivery_id, subscription_id, kind, host, urgent, next_try_at, expires_at) \
               select w.id, s.id, s.kind, s.host, w.is_first, $1, w.expires_at from worth w \
               join push_subscription s on s.member_id = w.member_id \
               join session on session.id = s.session_id and session.ended_at is null \
               and session.refreshed_at > $4 and session.started_at > $5 \
               where s.kind = any(string_to_array($3, ',')) on conflict do nothing), \
             to_sink as (insert into push_send \
               (delivery_id, subscription_id, kind, host, urgent, next_try_at, expires_at) \
               select w.id, null, 'SINK', 'SINK', w.is_first, $1, w.expires_at from worth w \
               where 'SINK' = any(string_to_array($3, ',')) on conflict do nothing) \
             select count(*) as divided from due",
            is_wanted("due")
        );
        let values: [Value; 5] = [
            now.into(),
            most.into(),
            words.join(",").into(),
            (now - IDLE).into(),
            (now - ABSOLUTE).into(),
        ];
        let statement = Statement::from_sql_and_values(sea_orm::DbBackend::Postgres, sql, values);
        let row = self.database.query_one_raw(statement).await?;
        let divided: Option<i64> = row.map(|row| row.try_get("", "divided")).transpose()?;
        Ok(divided
            .and_then(|count| u64::try_from(count).ok())
            .unwrap_or_default())
    }

    /// Ends a claim.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn store_push_result(
        &self,
        claimed: &ClaimedPush,
        result: PushResult,
    ) -> Result<(), AuthError> {
        let transaction = self.begin().await?;
        let mut statements: Vec<(&str, Vec<Value>)> = Vec::new();
        // The subscription before its pushes, as who deletes it locks them.
        if let Some(subscription) = claimed.subscription_id {
            match result {
                PushResult::Accepted => statements.push((
                    "update push_subscription set failures = 0 where id = $1 and failures > 0",
                    vec![subscription.into()],
                )),
                PushResult::Gone => statements.push((
                    "delete from push_subscription where id = $1",
                    vec![subscription.into()],
                )),
                PushResult::GivenUp => {
                    statements.push((
                        "update push_subscription set failures = failures + 1 where id = $1",
                        vec![subscription.into()],
                    ));
                    statements.push((
                        "delete from push_subscription where id = $1 and failures >= $2",
                        vec![subscription.into(), MAX_FAILURES.into()],
                    ));
                }
                PushResult::Later(_) | PushResult::Withheld(_) | PushResult::Expired => {}
            }
        }
        match result {
            PushResult::Later(at) => statements.push((
                // Another process may have claimed it since.
                "update push_send set next_try_at = $2, claimed_until = null \
                 where id = $1 and tries = $3",
                vec![claimed.id.into(), at.into(), claimed.tries.into()],
            )),
            PushResult::Withheld(at) => statements.push((
                "update push_send set next_try_at = $2, claimed_until = null, tries = tries - 1 \
                 where id = $1 and tries = $3",
                vec![claimed.id.into(), at.into(), claimed.tries.into()],
            )),
            PushResult::Accepted | PushResult::Gone | PushResult::Expired | PushResult::GivenUp => {
                statements.push((
                    "delete from push_send where id = $1",
                    vec![claimed.id.into()],
                ))
            }
        }
        for (sql, values) in statements {
            let statement =
                Statement::from_sql_and_values(sea_orm::DbBackend::Postgres, sql, values);
            transaction.execute_raw(statement).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes at most a thousand pushes that are worth nothing any more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_expired_pushes(&self) -> Result<u64, AuthError> {
        // In index order, so that no plan reads the whole table.
        let delete = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "delete from push_send where id = any(array(select id from push_send \
             where expires_at <= $1 order by expires_at limit 1000 for update skip locked))",
            [self.clock.now().into()],
        );
        Ok(self.database.execute_raw(delete).await?.rows_affected())
    }
}
