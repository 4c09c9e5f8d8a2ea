//! Who sends which push next. Written by hand, because each step is one statement about many rows.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement};

use super::Store;
use super::pushes::is_wanted;
use crate::domain::push::{BrowserKeys, LONGEST_WAIT, SERVICES};
use crate::domain::{PushKind, QuietHours};
use crate::error::AuthError;
use crate::push::{Push, Recipient};

/// Until a push is looked at again whose key has an older one under way.
const OLDER_UNDER_WAY: TimeDelta = TimeDelta::seconds(1);

/// A push of one subscription, which this process alone sends for the time of its lease.
#[derive(Clone, Debug)]
pub struct ClaimedPush {
    pub id: i64,
    pub host: String,
    /// Attempts to send it, counting the one that this claim is for.
    pub tries: i32,
    pub push: Push,
    pub recipient: Recipient,
    /// None for what passes them.
    pub quiet_hours: Option<QuietHours>,
    pub(super) subscription_id: Option<i64>,
}

/// How many pushes of a host are claimed at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostShare {
    /// Of a push service that many browsers have.
    pub service: usize,
    /// Of a host that only some subscriptions name, which may be anybody's.
    pub other: usize,
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
    passes_quiet_hours: bool,
    quiet_from: Option<i16>,
    quiet_until: Option<i16>,
}

impl Store {
    /// Claims at most `most` due pushes of a kind for `lease`, urgent ones first: none for `busy`
    /// hosts, and at most its `share` for any other.
    ///
    /// No subscription has two pushes of one key under way, and none gets an older one after a newer.
    /// One that waits longer than any delay was delayed before the clock was set back: it is due.
    ///
    /// # Errors
    /// When the database fails. What was claimed then is due again after its lease.
    pub async fn claim_pushes(
        &self,
        kind: PushKind,
        most: usize,
        share: HostShare,
        busy: &[String],
        lease: TimeDelta,
    ) -> Result<Vec<ClaimedPush>, AuthError> {
        let now = self.clock.now();
        let bigint = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let statement = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            claim_sql(),
            [
                kind.as_str().into(),
                now.into(),
                (now + LONGEST_WAIT.max(lease)).into(),
                busy.join(",").into(),
                bigint(share.other).into(),
                bigint(most).into(),
                (now + lease).into(),
                bigint(share.service).into(),
            ],
        );
        loop {
            let rows = ClaimedRow::find_by_statement(statement.clone());
            let rows = rows.all(&self.database).await?;
            let claimed = rows.into_iter().filter_map(ClaimedRow::into_push);
            let mut claimed: Vec<ClaimedPush> = claimed.collect();
            let withheld = self.withhold(&claimed).await?;
            claimed.retain(|push| !withheld.contains(&push.id));
            if !claimed.is_empty() || withheld.is_empty() {
                return Ok(claimed);
            }
        }
    }

    /// Drops claimed pushes that nobody wants any more, as after a night, or that a newer one of their key
    /// makes worthless once it is due, and puts those
    /// back whose older one is under way. Returns the ids of both.
    ///
    /// Rows that the end of a subscription is deleting are left to it, so that nobody waits crosswise.
    /// Runs after the claim is visible: of two processes that claim pushes of one key at once, the one
    /// that looks later sees the other's claim, and the older push is sent by neither.
    async fn withhold(&self, claimed: &[ClaimedPush]) -> Result<Vec<i64>, AuthError> {
        if claimed.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.clock.now();
        let ids: Vec<i64> = claimed.iter().map(|push| push.id).collect();
        // What is under way among these is older, and dropped.
        let statement = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            format!(
                "with claimed as materialized (select p.id, p.subscription_id, d.id as delivery_id, \
               d.member_id, d.notification_id, d.type, d.collapse_key, d.position from push_send p \
               join push_delivery d on d.id = p.delivery_id where p.id = any($1)), \
             outdated as materialized (select id from claimed c where not ({}) or exists ( \
               select from push_delivery n where n.member_id = c.member_id \
               and n.collapse_key = c.collapse_key and n.not_before <= $2 \
               and (n.position, n.id) > (c.position, c.delivery_id))), \
             early as materialized (select id from claimed c \
               where id not in (select id from outdated) and exists ( \
               select from push_delivery o join push_send p on p.delivery_id = o.id \
               where o.member_id = c.member_id and o.collapse_key = c.collapse_key \
               and o.id <> c.delivery_id and p.claimed_until > $2 and p.id <> all($1) \
               and p.subscription_id is not distinct from c.subscription_id)), \
             locked as materialized (select id from push_send where id = any($1) \
               order by id for update skip locked), \
             dropped as (delete from push_send where id = any(array( \
               select id from outdated join locked using (id)))), \
             put_back as (update push_send set tries = tries - 1, claimed_until = null, \
               next_try_at = $3 where id = any(array(select id from early join locked using (id)))) \
             select id from outdated union all select id from early",
                is_wanted("c")
            ),
            [ids.into(), now.into(), (now + OLDER_UNDER_WAY).into()],
        );
        let rows = self.database.query_all_raw(statement).await?;
        let withheld = rows.iter().map(|row| row.try_get("", "id"));
        Ok(withheld.collect::<Result<Vec<i64>, DbErr>>()?)
    }
}

/// The statement of [`Store::claim_pushes`], with its `kind`, now, the latest time that a delay reaches,
/// the busy hosts, the share of other hosts, `most`, the end of the lease, and the share of services.
fn claim_sql() -> String {
    let services = SERVICES.map(|service| format!("'{service}'")).join(", ");
    let share_of_host = format!("case when h.host in ({services}) then $8::bigint else $5 end");
    // Each is a range of the index; together they would be read from its beginning.
    let ranges: Vec<String> = ["urgent", "not urgent"]
        .into_iter()
        .flat_map(|urgency| ["<= $2", "> $3"].map(|due| (urgency, due)))
        .map(|(urgency, due)| {
            format!(
                "(select id, urgent, next_try_at from push_send where kind = $1 \
                 and host = h.host and {urgency} and next_try_at {due} and expires_at > $2 \
                 order by next_try_at, id limit {share_of_host})"
            )
        })
        .collect();
    let due = ranges.join(" union all ");
    // Steps from host to host, so that the backlog of one is not read to find the next.
    format!(
        "with recursive hosts as ( \
           (select host from push_send where kind = $1 order by host limit 1) union all \
           select (select host from push_send where kind = $1 and host > h.host \
             order by host limit 1) from hosts h where h.host is not null), \
         due as materialized (select d.* from hosts h cross join lateral ( \
           select * from ({due}) of_host order by urgent desc, next_try_at, id \
             limit {share_of_host}) d \
           where h.host is not null and h.host <> all(string_to_array($4, ','))), \
         fair as materialized (select id from due \
           order by urgent desc, next_try_at, id limit $6), \
         taken as (update push_send set tries = tries + 1, next_try_at = $7, \
           claimed_until = $7 where id = any(array(select p.id from push_send p \
           where p.id = any(array(select id from fair)) \
           and (p.next_try_at <= $2 or p.next_try_at > $3) for update skip locked)) \
           returning *) \
         select t.id, t.subscription_id, t.host, t.tries, t.delivery_id, d.notification_id, \
           d.member_id, d.type as kind, d.title, d.body, d.link, d.collapse_key, t.urgent, \
           t.expires_at, s.address, s.p256dh, s.auth, \
           case when t.kind = 'SINK' then (select string_agg(distinct o.kind, ',') \
             from push_subscription o where o.member_id = d.member_id) end as kinds, \
           d.urgent as passes_quiet_hours, h.quiet_from, h.quiet_until \
         from taken t join push_delivery d on d.id = t.delivery_id \
         left join push_subscription s on s.id = t.subscription_id \
         left join notification_preference h on h.member_id = d.member_id \
         order by t.urgent desc, t.id"
    )
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
        let quiet_hours = QuietHours::chosen(self.quiet_from, self.quiet_until);
        Some(ClaimedPush {
            id: self.id,
            quiet_hours: (!self.passes_quiet_hours).then_some(quiet_hours),
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
