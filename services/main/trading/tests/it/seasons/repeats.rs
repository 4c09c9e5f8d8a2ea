//! Resets that are asked for again: by the same key, by a second phone, and after a crash.

use chrono::TimeDelta;
use proto::trading::v1 as wire;
use sqlx::{Executor, PgPool};
use tonic::Code;

use super::{ME, OTHER, TICKET, busy, reset};
use crate::cash::grant;
use crate::contracts::bank::BankWorld;
use crate::items;
use crate::world::{World, reason};

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_phones_that_end_the_same_season_end_one(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    grant(&world, ME, 10, None).await.unwrap();
    items::buy(&world, TICKET, 2, "tickets-1").await.unwrap();
    let of_first = |key: &str| wire::ResetRequest {
        season: 1,
        ..reset(ME, key, true)
    };
    let phones = ["first-phone", "second-phone"].map(|key| world.reset(of_first(key)));
    let [one, other] = futures_util::future::join_all(phones)
        .await
        .try_into()
        .unwrap();
    let (ended, refused) = match (one, other) {
        (Ok(ended), Err(refused)) | (Err(refused), Ok(ended)) => (ended, refused),
        both => panic!("one ends it: {both:?}"),
    };
    assert_eq!((ended.season, ended.used_ticket), (2, false));
    assert_eq!(refused.code(), Code::Aborted);
    assert_eq!(reason(&refused), "SEASON_CHANGED");
    assert_eq!(world.seasons(ME).await.tickets, 2);
    let next = wire::ResetRequest {
        season: 2,
        ..reset(ME, "third-phone", true)
    };
    assert_eq!(world.reset(next).await.unwrap().season, 3);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_repeated_reset_gets_its_reply_and_another_body_is_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let first = world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    world.clock.advance(TimeDelta::days(8));
    let second = world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    assert!(second.replayed);
    assert_eq!(
        wire::ResetReply {
            replayed: false,
            ..second
        },
        first
    );
    let other = world
        .reset(reset(ME, "reset-me-1", true))
        .await
        .unwrap_err();
    assert_eq!(reason(&other), "REQ_SID_REUSED");
    // The key of another member's request is another key.
    assert_eq!(
        world
            .reset(reset(OTHER, "reset-me-1", false))
            .await
            .unwrap()
            .season,
        2
    );
    for wrong in [
        reset(0, "", false),
        reset(-1, "", false),
        reset(ME, "short", false),
    ] {
        let refused = world.reset(wrong).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    assert_eq!(world.seasons(ME).await.present_season, 2);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_crash_in_the_middle_changes_nothing_and_the_repetition_does_all(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    busy(&mut bank).await;
    let world = &bank.world;
    let before = world.summary(ME).await;
    for table in ["ended_holding", "past_season", "request", "entry", "outbox"] {
        let fail = format!(
            "create function fail_{table}() returns trigger language plpgsql as $$ \
             begin raise exception 'crash'; end $$; \
             create trigger fail_{table} before insert on {table} \
                for each row execute function fail_{table}()"
        );
        world
            .pool
            .execute(sqlx::raw_sql(sqlx::AssertSqlSafe(fail)))
            .await
            .unwrap();
        let failed = world
            .reset(reset(ME, "reset-me-1", false))
            .await
            .unwrap_err();
        assert_eq!(failed.code(), Code::Internal, "{table}: {failed}");
        let mend = format!("drop trigger fail_{table} on {table}");
        world
            .pool
            .execute(sqlx::raw_sql(sqlx::AssertSqlSafe(mend)))
            .await
            .unwrap();
        assert_eq!(world.summary(ME).await, before, "{table}");
        assert_eq!(world.waiting(ME).await.len(), 3);
        world.audit().await;
    }
    assert_eq!(
        world
            .reset(reset(ME, "reset-me-1", false))
            .await
            .unwrap()
            .season,
        2
    );
    assert!(
        world
            .reset(reset(ME, "reset-me-1", false))
            .await
            .unwrap()
            .replayed
    );
    world.audit().await;
}
