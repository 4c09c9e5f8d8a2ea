//! Large tables.

/// Fills every table that grows with the members: 20,000 members with two sessions each, of which a
/// tenth were ended, one in twenty of these recently.
pub(super) const FILL: &str = "
insert into member (email, nickname, nickname_key, joined_at)
select 'm' || n || '@large.kr', 'm' || n, 'm' || n, '2026-01-01' from generate_series(1, 20000) n;
create temporary table m as select id, id - min(id) over () as n from member where id >= 100000;
insert into credential (member_id, password_hash, changed_at) select id, 'x', '2026-01-01' from m;
insert into consent (member_id, kind, agreed_at) select id, 'terms', '2026-01-01' from m;
insert into quiz_filter (member_id, themes, levels) select id, '[]', '[]' from m;
insert into known_device (member_id, device, first_seen_at)
select id, 'phone ' || k, '2026-01-01' from m, generate_series(1, 2) k;
insert into session (id, member_id, started_at, refreshed_at, ended_at, end_cause)
select gen_random_uuid(), id, at - interval '1 hour', at - interval '1 hour',
       case when n % 10 = 0 then at end, case when n % 10 = 0 then 'logout' end
from (select id, n, timestamptz '2026-11-21' - case when n % 200 = 0 then interval '10 minutes'
      else interval '20 days' * n / 20000 + interval '2 hours' end as at
      from m, generate_series(1, 2)) as sessions;
insert into refresh_token (token_hash, session_id, generation, issued_at)
select sha256((id::text || k)::bytea), id, k, started_at from session, generate_series(0, 1) k;
insert into password_reset (mail_id, member_id, token_hash, mailed_at, expires_at, ended_at)
select gen_random_uuid(), id, sha256(id::text::bytea), at, at, at
from (select id, timestamptz '2026-11-21' - interval '20 days' * n / 20000 as at from m) as r;
insert into email_code (member_id, mail_id, asked_at, expires_at, tries_left)
select id, gen_random_uuid(), '2026-11-20', '2026-11-20', 5 from m;
insert into mail_pause (asker, until)
select sha256(n::text::bytea), timestamptz '2026-11-21' - interval '20 days' * n / 20000 from m;
insert into mail (id, kind, recipient, asked_at, next_try_at, dead_at)
select gen_random_uuid(), 'new_device', 'm@large.kr', at, at, at
from (select timestamptz '2026-11-21' - interval '20 days' * n / 20000 as at from m) as r;
insert into notification (member_id, type, title, body, link, dedupe_key, created_at, read_at)
select id, 'LIKE', 't', 'b', '/', 'old:' || k, at, case when k = 1 then at end
from (select id, timestamptz '2026-11-21' - interval '80 days' * n / 20000 as at from m) as r,
generate_series(1, 2) k;
insert into notification_liker (notification_id, liker_id) select id, 1 from notification;
insert into notification_setting (member_id, type, inbox, push) select id, 'FILL', true, true from m;
insert into notification_preference (member_id) select id from m;
insert into push_delivery (notification_id, member_id, type, title, body, link, collapse_key, urgent,
not_before, expires_at, created_at, sent_at, dedupe_key)
select id, member_id, type, title, body, link, dedupe_key, false, created_at, created_at, created_at,
created_at, dedupe_key from notification;
insert into inbox (consumer, event_id, received_at)
select 'notices', gen_random_uuid(), created_at from notification;
insert into withdrawn_notice (member_id, dedupe_key, withdrawn_at)
select id, 'old:' || n, timestamptz '2026-11-21' - interval '20 days' * n / 20000 from m;
insert into withdrawn_post (link, withdrawn_at)
select '/old/' || n, timestamptz '2026-11-21' - interval '20 days' * n / 20000 from m;
insert into edited_notice (dedupe_key, link, body, version, edited_at)
select 'old:' || n, '/old/' || n, 'b', 1, timestamptz '2026-11-21' - interval '20 days' * n / 20000 from m;
insert into push_subscription (member_id, session_id, kind, address, host, created_at)
select member_id, id, 'FCM', 'old:' || id, 'FCM', started_at from session;
insert into push_delivery (member_id, type, title, body, link, collapse_key, urgent, not_before,
expires_at, created_at, sent_at)
select id, 'FILL', 't', 'b', '/', 'k', n % 2 = 0, at, at, at, at
from (select id, n, timestamptz '2026-11-21' - interval '20 days' * n / 20000 as at from m) as r;
insert into push_send (delivery_id, subscription_id, kind, host, urgent, next_try_at, expires_at)
select d.id, s.id, 'FCM', 'FCM', d.urgent, '2026-11-21 00:30', '2026-11-22'
from (select distinct on (member_id) id, member_id, urgent from push_delivery order by member_id, id) d
join (select distinct on (member_id) id, member_id from push_subscription order by member_id, id) s
using (member_id);
analyze;
select pg_stat_force_next_flush()";
