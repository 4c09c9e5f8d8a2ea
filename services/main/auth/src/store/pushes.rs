//! The queue of pushes. A delivery is what a member is to be told; `push_send` has a row for each
//! subscription that has not answered yet. Written by hand, because each step is one statement about
//! many rows.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};

use super::Store;
use crate::domain::PushKind;
use crate::domain::push::{BrowserKeys, LONGEST_WAIT, MAX_FAILURES};
use crate::domain::session::{ABSOLUTE, IDLE};
use crate::error::AuthError;
use crate::push::{Push, Recipient};

/// Due pushes among which a claim looks for those of hosts that have room.
const WINDOW: i64 = 512;

/// A push of one subscription, which this process alone sends for the time of its lease.
#[derive(Clone, Debug)]
pub struct ClaimedPush {
    pub id: i64,
    pub host: String,
    /// This one included.
    pub tries: i32,
    pub push: Push,
    pub recipient: Recipient,
    subscription_id: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushResult {
    Accepted,
    /// The subscription has ended.
    Gone,
    Later(DateTime<Utc>),
    /// The service did not answer in time.
    OutOfTries,
    /// The service does not take it.
    GivenUp,
}

#[derive(FromQueryResult)]
struct ClaimedRow {
    id: i64,
    subscription_id: Option<i64>,
    host: String,
    tries: i32,
    delivery_id: i64,
    notification_id: Option<i64>,
    member_id: i64,
    kind: String,
    title: String,
    body: String,
    link: String,
    collapse_key: String,
    urgent: bool,
    expires_at: DateTime<Utc>,
    address: Option<String>,
    p256dh: Option<Vec<u8>>,
    auth: Option<Vec<u8>>,
    kinds: Option<String>,
}

impl Store {
    /// Divides at most `most` due deliveries among the subscriptions of their members, and returns
    /// their number. What has expired, or was read meanwhile, goes to nobody.
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
        // A constant of the statement, so that it finds the index of the urgent ones.
        let urgency = if urgent { "and d.urgent" } else { "" };
        let sql = format!(
            "with due as (update push_delivery set sent_at = $1 where id = any(array( \
               select d.id from push_delivery d where d.sent_at is null and d.not_before <= $1 \
               {urgency} order by d.not_before, d.id limit $2 for update skip locked)) \
               returning id, member_id, notification_id, urgent, expires_at), \
             worth as (select * from due where expires_at > $1 and not exists ( \
               select from notification n where n.id = due.notification_id \
               and n.read_at is not null)), \
             to_members as (insert into push_send \
               (delivery_id, subscription_id, kind, host, urgent, next_try_at, expires_at) \
               select w.id, s.id, s.kind, s.host, w.urgent, $1, w.expires_at from worth w \
               join push_subscription s on s.member_id = w.member_id \
               join session on session.id = s.session_id and session.ended_at is null \
               and session.refreshed_at > $4 and session.started_at > $5 \
               where s.kind = any(string_to_array($3, ',')) on conflict do nothing), \
             to_sink as (insert into push_send \
               (delivery_id, subscription_id, kind, host, urgent, next_try_at, expires_at) \
               select w.id, null, 'SINK', 'SINK', w.urgent, $1, w.expires_at from worth w \
               where 'SINK' = any(string_to_array($3, ',')) on conflict do nothing) \
             select count(*) as divided from due"
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

    /// Claims at most `most` due pushes of a kind for `lease`, urgent ones first: none for `busy`
    /// hosts, and at most `per_host` for any other.
    ///
    /// One that waits longer than any delay was delayed before the clock was set back: it is due.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim_pushes(
        &self,
        kind: PushKind,
        most: usize,
        per_host: usize,
        busy: &[String],
        lease: TimeDelta,
    ) -> Result<Vec<ClaimedPush>, AuthError> {
        let now = self.clock.now();
        let bigint = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        // Each is a range of the index; together they would be read from its beginning.
        let ranges: Vec<String> = ["urgent", "not urgent"]
            .into_iter()
            .flat_map(|urgency| ["<= $2", "> $3"].map(|due| (urgency, due)))
            .map(|(urgency, due)| {
                format!(
                    "(select id, host, urgent, next_try_at from push_send where kind = $1 \
                     and {urgency} and next_try_at {due} and expires_at > $2 \
                     and host <> all(string_to_array($4, ',')) \
                     order by next_try_at, id limit $5)"
                )
            })
            .collect();
        let due = ranges.join(" union all ");
        let sql = format!(
            "with due as materialized ({due}), \
             fair as materialized (select id from (select *, row_number() over \
               (partition by host order by urgent desc, next_try_at, id) as place from due) d \
               where place <= $6 order by urgent desc, next_try_at, id limit $7), \
             taken as (update push_send set tries = tries + 1, next_try_at = $8 \
               where id = any(array(select p.id from push_send p \
               where p.id = any(array(select id from fair)) \
               and (p.next_try_at <= $2 or p.next_try_at > $3) for update skip locked)) \
               returning *) \
             select t.id, t.subscription_id, t.host, t.tries, t.delivery_id, d.notification_id, \
               d.member_id, d.type as kind, d.title, d.body, d.link, d.collapse_key, t.urgent, \
               t.expires_at, s.address, s.p256dh, s.auth, \
               case when t.kind = 'SINK' then (select string_agg(distinct o.kind, ',') \
                 from push_subscription o where o.member_id = d.member_id) end as kinds \
             from taken t join push_delivery d on d.id = t.delivery_id \
             left join push_subscription s on s.id = t.subscription_id \
             order by t.urgent desc, t.id"
        );
        let statement = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            sql,
            [
                kind.as_str().into(),
                now.into(),
                (now + LONGEST_WAIT.max(lease)).into(),
                busy.join(",").into(),
                WINDOW.into(),
                bigint(per_host).into(),
                bigint(most).into(),
                (now + lease).into(),
            ],
        );
        let rows = ClaimedRow::find_by_statement(statement)
            .all(&self.database)
            .await?;
        Ok(rows.into_iter().filter_map(ClaimedRow::into_push).collect())
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
                PushResult::Later(_) | PushResult::OutOfTries => {}
            }
        }
        match result {
            PushResult::Later(at) => statements.push((
                // Another process may have claimed it since.
                "update push_send set next_try_at = $2 where id = $1 and tries = $3",
                vec![claimed.id.into(), at.into(), claimed.tries.into()],
            )),
            PushResult::Accepted
            | PushResult::Gone
            | PushResult::OutOfTries
            | PushResult::GivenUp => statements.push((
                "delete from push_send where id = $1",
                vec![claimed.id.into()],
            )),
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

impl ClaimedRow {
    /// `None` where the subscription has ended since.
    fn into_push(self) -> Option<ClaimedPush> {
        let recipient = match (self.subscription_id, self.address, self.p256dh, self.auth) {
            (None, ..) => Recipient::Sink {
                kinds: self
                    .kinds
                    .iter()
                    .flat_map(|kinds| kinds.split(','))
                    .map(str::to_owned)
                    .collect(),
            },
            (Some(_), Some(endpoint), Some(p256dh), Some(auth)) => Recipient::Browser {
                endpoint,
                keys: BrowserKeys { p256dh, auth },
            },
            (Some(_), Some(token), _, _) => Recipient::App { token },
            (Some(_), None, _, _) => return None,
        };
        Some(ClaimedPush {
            id: self.id,
            host: self.host,
            tries: self.tries,
            push: Push {
                delivery_id: self.delivery_id,
                notification_id: self.notification_id,
                member_id: MemberId(self.member_id),
                kind: self.kind,
                title: self.title,
                body: self.body,
                link: self.link,
                collapse_key: self.collapse_key,
                urgent: self.urgent,
                expires_at: self.expires_at,
            },
            recipient,
            subscription_id: self.subscription_id,
        })
    }
}
