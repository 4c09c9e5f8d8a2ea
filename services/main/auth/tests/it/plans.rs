//! Query plans on large tables: no statement scans a whole one.

mod fill;

use std::collections::BTreeMap;

use auth::MIGRATOR;
use auth::domain::PushKind;
use auth::domain::push::{Subscription, SubscriptionRequest};
use auth::notifications::{edits, rules, withdrawals};
use auth::store::PushResult;
use bootstrap::redis::Redis;
use chrono::TimeDelta;
use kernel::MemberId;
use proto::auth::v1 as wire;
use proto::community::v1::{
    CommentEdited, CommentWithdrawn, MemberBlocked, PostLiked, PostWithdrawn,
};
use proto::trading::v1::OrderStatus;
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, PgConnection, PgPool, Row};

use self::fill::FILL;
use crate::mails::{ask, post};
use crate::notices::{comment, filled, tell};
use crate::push::stage::share;
use crate::world::{PASSWORD, Setup, World, attempt, fresh_ip, person, session_id};

const NEXT: &str = "another harbour at dusk";

#[sqlx::test(migrator = "MIGRATOR")]
async fn no_statement_scans_a_large_table(pool: PgPool) {
    let mut filling = pool.acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *filling).await.unwrap();
    drop(filling);
    let before = scans(&pool).await;
    assert!(before.len() >= 20, "the tables are large: {before:?}");

    // One connection, which has all prepared statements.
    let options = pool.connect_options().as_ref().clone();
    let one = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options.statement_cache_capacity(1_000))
        .await
        .unwrap();
    let setup = Setup {
        redis: Redis::absent(),
        ..Setup::default()
    };
    let world = World::with(one.clone(), setup).await;
    do_everything(&world).await;

    let mut connection = one.acquire().await.unwrap();
    let plans = plans(&mut connection).await;
    assert!(plans.len() >= 70, "only {} statements", plans.len());
    for (statement, plan) in &plans {
        for table in before.keys() {
            let whole = format!("Seq Scan on {table}");
            assert!(!plan.contains(&whole), "{statement}\n{plan}");
        }
    }
    // What is found here would be found there.
    let careless = "select id from session where user_agent = $1";
    sqlx::query(careless)
        .bind("x")
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    let found = self::plans(&mut connection).await;
    assert!(found[careless].contains("Seq Scan on session"), "{found:?}");
    sqlx::query("select pg_stat_force_next_flush()")
        .execute(&mut *connection)
        .await
        .unwrap();
    drop(connection);

    // The executed statements, including foreign key checks, did not scan either.
    let mut expected = before;
    *expected.get_mut("session").unwrap() += 1;
    assert_eq!(scans(&pool).await, expected);
}

/// Sequential scans per large table.
async fn scans(pool: &PgPool) -> BTreeMap<String, i64> {
    let rows = sqlx::query(
        "select s.relname::text, s.seq_scan from pg_stat_user_tables s \
         join pg_class c on c.oid = s.relid where c.reltuples >= 20000 and c.relpersistence = 'p'",
    );
    let rows = rows.fetch_all(pool).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// The generic plan of each statement prepared on this connection.
async fn plans(connection: &mut PgConnection) -> BTreeMap<String, String> {
    let prepared = sqlx::query(
        "select name, statement, coalesce(cardinality(parameter_types), 0) \
         from pg_prepared_statements",
    );
    let prepared = prepared.fetch_all(&mut *connection).await.unwrap();
    sqlx::raw_sql("set plan_cache_mode = force_generic_plan")
        .execute(&mut *connection)
        .await
        .unwrap();
    let mut plans = BTreeMap::new();
    for row in prepared {
        let (name, statement): (String, String) = (row.get(0), row.get(1));
        let parameters = vec!["null"; usize::try_from(row.get::<i32, _>(2)).unwrap()];
        let parameters = if parameters.is_empty() {
            String::new()
        } else {
            format!("({})", parameters.join(", "))
        };
        let explain = format!("explain execute \"{name}\"{parameters}");
        // Utility statements have no plan.
        if let Ok(lines) = sqlx::raw_sql(AssertSqlSafe(explain))
            .fetch_all(&mut *connection)
            .await
        {
            let lines: Vec<String> = lines.iter().map(|line| line.get(0)).collect();
            plans.insert(statement, lines.join("\n"));
        }
    }
    plans
}

/// Executes every statement of the service.
async fn do_everything(world: &World) {
    let session = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    pushes(world, &session).await;
    sessions(world, &session).await;
    profile(world, session.member_id).await;
    credentials(world, session.member_id).await;
    notifications(world, session.member_id).await;
    let kept = TimeDelta::days(30);
    world.clock.advance(TimeDelta::days(31));
    assert!(world.store.delete_old_tokens().await.unwrap() > 0);
    assert!(world.store.delete_ended_sessions(kept).await.unwrap() > 0);
    world.clock.advance(TimeDelta::days(90));
    assert!(world.store.delete_expired_sessions(kept).await.unwrap() > 0);
    assert!(world.store.delete_old_mails().await.unwrap() > 0);
    // First people of notifications, then all else.
    for _ in 0..2 {
        assert!(world.store.delete_old_notifications().await.unwrap() > 0);
    }
    assert!(world.store.forget_events().await.unwrap() > 0);
}

async fn notifications(world: &World, member_id: i64) {
    let mut inbox = world.notifications.clone();
    for digest in [false, true] {
        let settings = wire::SetNotificationSettingsRequest {
            member_id,
            types: [("LIKE", true), ("COMMENT", digest)]
                .map(|(kind, push)| wire::NotificationChannels {
                    r#type: kind.to_owned(),
                    inbox: true,
                    push,
                })
                .to_vec(),
            quiet_from: None,
            quiet_until: None,
            digest: Some(digest),
        };
        inbox.set_notification_settings(settings).await.unwrap();
        let part = filled(member_id, 1, OrderStatus::Partial, "1");
        tell(world, rules::ORDER_FILLED, &part).await;
        let liked = PostLiked {
            post_id: 51,
            told_post_author_id: member_id,
            member_ids: vec![1],
            ..PostLiked::default()
        };
        tell(world, rules::POST_LIKED, &liked).await;
        let id = i64::from(digest) + 1;
        tell(world, rules::COMMENT_WRITTEN, &comment(member_id, 1, id)).await;
    }
    let edited = CommentEdited {
        comment_id: 1,
        told_ids: vec![member_id],
        ..CommentEdited::default()
    };
    tell(world, edits::COMMENT_EDITED, &edited).await;
    let withdrawn = CommentWithdrawn {
        comment_id: 1,
        told_ids: vec![member_id],
        ..CommentWithdrawn::default()
    };
    tell(world, withdrawals::COMMENT_WITHDRAWN, &withdrawn).await;
    let blocked = MemberBlocked {
        member_id,
        blocked_id: 1,
        ..MemberBlocked::default()
    };
    tell(world, withdrawals::MEMBER_BLOCKED, &blocked).await;
    let post = PostWithdrawn {
        post_id: 51,
        ..PostWithdrawn::default()
    };
    tell(world, withdrawals::POST_WITHDRAWN, &post).await;
    crate::notifications::list(world, member_id, "", "")
        .await
        .unwrap();
    crate::notifications::list(world, member_id, "", "LIKE")
        .await
        .unwrap();
    crate::notifications::unread(world, member_id).await;
    for all in [false, true] {
        crate::notifications::read(world, member_id, Vec::new(), all)
            .await
            .unwrap();
    }
}

async fn pushes(world: &World, session: &wire::Session) {
    let member = MemberId(session.member_id);
    let id = session_id(session).parse().unwrap();
    for number in 0..3 {
        let asked = SubscriptionRequest {
            kind: "FCM",
            address: &format!("a-token-of-firebase-{number}"),
            ..SubscriptionRequest::default()
        };
        let subscription = Subscription::parse(asked, false).unwrap();
        let store = &world.store;
        store.subscribe(member, id, &subscription).await.unwrap();
    }
    for urgent in [true, false] {
        sqlx::query(
            "insert into push_delivery (member_id, type, title, body, link, collapse_key, urgent, \
             not_before, expires_at, created_at) values ($1, 'FILL', 't', 'b', '/', \
             case when $2 then 'one' else 'other' end, $2, '2026-11-21', '2026-11-22', '2026-11-21')",
        )
        .bind(session.member_id)
        .bind(urgent)
        .execute(&world.pool)
        .await
        .unwrap();
        let kinds = [PushKind::Fcm, PushKind::Sink];
        let divided = world.store.divide_deliveries(&kinds, urgent, 200).await;
        assert_eq!(divided.unwrap(), 1);
    }
    let lease = TimeDelta::seconds(60);
    let claimed = world
        .store
        .claim_pushes(PushKind::Fcm, 64, share(64), &[], lease);
    let claimed = claimed.await.unwrap();
    assert_eq!(claimed.len(), 6);
    let later = PushResult::Later(kernel::Clock::now(&world.clock));
    let results = [
        PushResult::Accepted,
        PushResult::GivenUp,
        later,
        PushResult::Gone,
    ];
    for (claimed, result) in claimed.iter().zip(results) {
        world
            .store
            .store_push_result(claimed, result)
            .await
            .unwrap();
    }
    let sink = world
        .store
        .claim_pushes(PushKind::Sink, 64, share(64), &[], lease);
    assert_eq!(sink.await.unwrap().len(), 2);
    world.store.delete_expired_pushes().await.unwrap();
    let address = "a-token-of-firebase-2";
    let store = &world.store;
    store
        .unsubscribe(member, PushKind::Fcm, address)
        .await
        .unwrap();
}

async fn sessions(world: &World, session: &wire::Session) {
    // More than a login leaves.
    sqlx::query(
        "insert into session (id, member_id, started_at, refreshed_at) \
         select gen_random_uuid(), $1, '2026-11-20', '2026-11-20' from generate_series(1, 60)",
    )
    .bind(session.member_id)
    .execute(&world.pool)
    .await
    .unwrap();
    world
        .login(attempt("a@b.kr", "a wrong password"))
        .await
        .unwrap_err();
    let other = world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
    let too_many = format!(
        "session where member_id = {} and end_cause = 'too_many'",
        session.member_id
    );
    assert_eq!(world.count(&too_many).await, 12);
    let next = world.refresh(&other.refresh_token).await.unwrap();
    world.refresh(&other.refresh_token).await.unwrap();
    assert!(world.is_alive(&session_id(&next)).await);
    for (refresh_token, id) in [
        (next.refresh_token.as_str(), ""),
        ("", &session_id(session)),
    ] {
        let request = wire::LogoutRequest {
            refresh_token: refresh_token.to_owned(),
            session_id: id.to_owned(),
        };
        world.client.clone().logout(request).await.unwrap();
    }
    let missed = world.store.unlisted_sessions().await.unwrap();
    world.store.mark_listed(&missed).await.unwrap();
    let ended = world.store.ended_sessions().await.unwrap();
    assert!(ended.len() >= missed.len());
    world.store.alive(&ended).await.unwrap();
}

async fn profile(world: &World, member_id: i64) {
    let mut members = world.members.clone();
    let update = wire::UpdateProfileRequest {
        member_id,
        nickname: Some("베짱이".to_owned()),
        birth_year: Some(1990),
        gender: Some("M".to_owned()),
    };
    members.update_profile(update).await.unwrap();
    let os = "ios".to_owned();
    members
        .note_client(wire::NoteClientRequest { member_id, os })
        .await
        .unwrap();
    members
        .finish_tutorial(wire::FinishTutorialRequest { member_id })
        .await
        .unwrap();
    members
        .see_welcome_popup(wire::SeeWelcomePopupRequest { member_id })
        .await
        .unwrap();
    let filter = wire::SetQuizFilterRequest {
        member_id,
        themes: Vec::new(),
        levels: vec!["EASY".to_owned()],
    };
    members.set_quiz_filter(filter).await.unwrap();
    members
        .get_quiz_filter(wire::GetQuizFilterRequest { member_id })
        .await
        .unwrap();
    let mut client = world.client.clone();
    client
        .get_member(wire::GetMemberRequest { member_id })
        .await
        .unwrap();
}

async fn credentials(world: &World, member_id: i64) {
    let post = post().await;
    let mut credentials = world.credentials.clone();
    world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
    let change = wire::ChangePasswordRequest {
        member_id,
        session_id: String::new(),
        old_password: PASSWORD.to_owned(),
        new_password: NEXT.to_owned(),
        device: None,
    };
    credentials.change_password(change).await.unwrap();
    post.deliver(world).await;
    ask(world, "a@b.kr", &fresh_ip()).await.unwrap();
    let token = crate::mails::token(&post.deliver(world).await);
    crate::mails::reset(world, &token, "a third harbour at noon")
        .await
        .unwrap();
    credentials
        .send_email_code(wire::SendEmailCodeRequest { member_id })
        .await
        .unwrap();
    let code = crate::mails::code(&post.deliver(world).await);
    let verify = |code: &str| wire::VerifyEmailRequest {
        member_id,
        code: code.to_owned(),
    };
    credentials.verify_email(verify("wrong")).await.unwrap_err();
    credentials.verify_email(verify(&code)).await.unwrap();
    let mut elsewhere = attempt("a@b.kr", "a third harbour at noon");
    elsewhere.device = Some(wire::Device {
        ip: fresh_ip(),
        user_agent: "elsewhere".to_owned(),
    });
    world.login(elsewhere).await.unwrap();
    world.store.waiting_mails().await.unwrap();
    let mail = uuid::Uuid::new_v4();
    let now = kernel::Clock::now(&world.clock);
    world
        .store
        .reschedule_mail(mail, Some(now), "late")
        .await
        .unwrap();
    world
        .store
        .reschedule_mail(mail, None, "never")
        .await
        .unwrap();
}
