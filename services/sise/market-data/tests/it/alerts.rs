//! Creating, listing and deleting price alerts.

use chrono::TimeDelta;
use kernel::MemberId;
use market_data::erasure;
use proto::market::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{Setup, World, reason};

pub(crate) const MEMBER: i64 = 100_000;

pub(crate) fn request(
    request_id: &str,
    kind: wire::AlertKind,
    value: &str,
) -> wire::CreateAlertRequest {
    wire::CreateAlertRequest {
        member_id: MEMBER,
        request_id: format!("request-{request_id}"),
        code: "005930".to_owned(),
        kind: kind.into(),
        value: Some(proto::common::v1::Decimal {
            value: value.to_owned(),
        }),
    }
}

pub(crate) fn above(request_id: &str, value: &str) -> wire::CreateAlertRequest {
    request(request_id, wire::AlertKind::Above, value)
}

async fn rows(pool: &PgPool) -> Vec<i64> {
    let tables = "select count(*) from price_alert union all \
        select count(*) from price_alert_change union all select count(*) from request";
    sqlx::query_scalar(tables).fetch_all(pool).await.unwrap()
}

async fn create(
    world: &World,
    request: wire::CreateAlertRequest,
) -> Result<wire::CreateAlertReply, Status> {
    let mut alerts = world.alerts.clone();
    alerts
        .create_alert(request)
        .await
        .map(|reply| reply.into_inner())
}

async fn listed(world: &World, member_id: i64) -> Vec<wire::Alert> {
    let mut alerts = world.alerts.clone();
    let listed = alerts.list_alerts(wire::ListAlertsRequest { member_id });
    listed.await.unwrap().into_inner().alerts
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_alert_is_created_listed_and_deleted_by_its_member(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 68_000, 70_000, 10), ("AAPL", 20_000, 20_150, 1)]);
    let first = create(&world, above("one", "71000")).await.unwrap();
    let alert = first.alert.unwrap();
    assert_eq!(
        (alert.code.as_str(), alert.name.as_str()),
        ("005930", "삼성전자")
    );
    assert_eq!(alert.kind(), wire::AlertKind::Above);
    assert_eq!(alert.value.as_ref().unwrap().value, "71000");
    assert_eq!((alert.fired_at_us, alert.tick_seq), (0, 0));
    let dollars = wire::CreateAlertRequest {
        code: "AAPL".to_owned(),
        ..request("two", wire::AlertKind::Below, "199.99")
    };
    let second = create(&world, dollars).await.unwrap().alert.unwrap();
    assert_eq!(second.currency(), proto::common::v1::Currency::Usd);
    let ids = |alerts: Vec<wire::Alert>| -> Vec<i64> {
        alerts.iter().map(|alert| alert.alert_id).collect()
    };
    let both = vec![second.alert_id, alert.alert_id];
    assert_eq!(ids(listed(&world, MEMBER).await), both);
    assert!(listed(&world, MEMBER + 1).await.is_empty());
    // Another member's is not found, and stays.
    let mut alerts = world.alerts.clone();
    let delete = |member_id, alert_id| wire::DeleteAlertRequest {
        member_id,
        alert_id,
    };
    for (member_id, alert_id) in [(MEMBER + 1, alert.alert_id), (MEMBER, 9_999), (MEMBER, -1)] {
        let refused = alerts.delete_alert(delete(member_id, alert_id)).await;
        assert_eq!(reason(&refused.unwrap_err()), "ALERT_NOT_FOUND");
    }
    assert_eq!(rows(&pool).await, [2, 2, 2]);
    alerts
        .delete_alert(delete(MEMBER, alert.alert_id))
        .await
        .unwrap();
    let refused = alerts.delete_alert(delete(MEMBER, alert.alert_id)).await;
    assert_eq!(refused.unwrap_err().code(), Code::NotFound);
    assert_eq!(ids(listed(&world, MEMBER).await), [second.alert_id]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn alerts_of_a_member_who_left_are_deleted(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 68_000, 70_000, 10)]);
    for number in 0..3 {
        let id = format!("of-{number}");
        create(&world, above(&id, "71000")).await.unwrap();
    }
    let others = wire::CreateAlertRequest {
        member_id: MEMBER + 1,
        ..above("of-another", "71000")
    };
    create(&world, others).await.unwrap();
    sqlx::query(
        "insert into price_alert (member_id, code, kind, value, shares_day, after_seq, created_at, \
         fired_at, fired_price, fired_seq) select $1, '005930', 'ABOVE', 1, 20261121, 0, \
         '2026-11-20', '2026-11-20', 1, 1 from generate_series(1, 250)",
    )
    .bind(MEMBER)
    .execute(&pool)
    .await
    .unwrap();
    // Of two redeliveries at once one comes too late for each.
    let (one, other) = tokio::join!(
        erasure::erase(&world.store, &world.clock, MemberId(MEMBER)),
        erasure::erase(&world.store, &world.clock, MemberId(MEMBER)),
    );
    one.unwrap();
    other.unwrap();
    assert!(listed(&world, MEMBER).await.is_empty());
    assert_eq!(listed(&world, MEMBER + 1).await.len(), 1);
    let active = sqlx::query_scalar("select active from price_alert_total");
    let active: i64 = active.fetch_one(&pool).await.unwrap();
    assert_eq!((rows(&pool).await[0], active), (1, 1));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_repeated_request_creates_one_alert(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 68_000, 70_000, 10)]);
    let (one, other) = tokio::join!(
        create(&world, above("same", "71000")),
        create(&world, above("same", "71000.00")),
    );
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one.alert, other.alert);
    assert_ne!(one.replayed, other.replayed);
    // Also when the price has reached it since.
    world.trade_again("005930", 2, 71_500);
    let again = create(&world, above("same", "71000")).await.unwrap();
    assert_eq!((again.alert, again.replayed), (one.alert, true));
    for different in [
        above("same", "72000"),
        request("same", wire::AlertKind::Percent, "71"),
        wire::CreateAlertRequest {
            code: "000660".to_owned(),
            ..above("same", "71000")
        },
    ] {
        let refused = create(&world, different).await.unwrap_err();
        assert_eq!(reason(&refused), "REQ_SID_REUSED");
    }
    // Another member's key is another key.
    let others = wire::CreateAlertRequest {
        member_id: MEMBER + 1,
        ..above("same", "72000")
    };
    assert!(!create(&world, others).await.unwrap().replayed);
    assert_eq!(rows(&pool).await, [2, 2, 2]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn what_cannot_fire_later_is_refused(pool: PgPool) {
    use wire::AlertKind::{Above, Below, Percent};
    let world = World::new(pool.clone()).await;
    let early = create(&world, above("early", "71000")).await.unwrap_err();
    assert_eq!(
        (early.code(), reason(&early)),
        (Code::Unavailable, "MARKET_UNAVAILABLE".to_owned())
    );
    world.trade(&[("005930", 68_000, 70_000, 10), ("AAPL", 20_000, 20_150, 1)]);
    for (kind, value, expected) in [
        (Above, "0", "ALERT_VALUE"),
        (Above, "-71000", "ALERT_VALUE"),
        (Above, "71000.5", "ALERT_VALUE"),
        (Below, "10000000001", "ALERT_VALUE"),
        (Above, "7000001", "ALERT_VALUE"),
        (Below, "699", "ALERT_VALUE"),
        (Percent, "0", "ALERT_VALUE"),
        (Percent, "30.01", "ALERT_VALUE"),
        (Percent, "-30.01", "ALERT_VALUE"),
        (Percent, "3.001", "ALERT_VALUE"),
        (Above, "70000", "ALERT_ALREADY_TRUE"),
        (Below, "70000", "ALERT_ALREADY_TRUE"),
        (Percent, "2.94", "ALERT_ALREADY_TRUE"),
    ] {
        let refused = create(&world, request("bad", kind, value))
            .await
            .unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition, "{kind:?} {value}");
        assert_eq!(reason(&refused), expected, "{kind:?} {value}");
    }
    for malformed in [
        wire::CreateAlertRequest {
            request_id: "short".to_owned(),
            ..above("x", "71000")
        },
        wire::CreateAlertRequest {
            member_id: 0,
            ..above("x", "71000")
        },
        wire::CreateAlertRequest {
            value: None,
            ..above("x", "71000")
        },
        request("x", wire::AlertKind::Unspecified, "71000"),
        above("x", "many"),
    ] {
        let refused = create(&world, malformed).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    let unknown = wire::CreateAlertRequest {
        code: "NOWHERE".to_owned(),
        ..above("x", "71000")
    };
    let refused = create(&world, unknown).await.unwrap_err();
    assert_eq!(reason(&refused), "INSTRUMENT_NOT_FOUND");
    assert_eq!(rows(&pool).await, [0, 0, 0]);
    // What the limit of a day still allows, and where there is none.
    for (code, value) in [("005930", "30"), ("005930", "-30"), ("AAPL", "1000")] {
        let allowed = wire::CreateAlertRequest {
            code: code.to_owned(),
            ..request(&format!("{code}{value}"), Percent, value)
        };
        create(&world, allowed).await.unwrap();
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_member_has_fifty_active_alerts(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 68_000, 70_000, 10)]);
    for n in 1..50 {
        let alert = above(&format!("n{n}"), &(71_000 + n).to_string());
        create(&world, alert).await.unwrap();
    }
    let (one, other) = tokio::join!(
        create(&world, above("fiftieth", "80000")),
        create(&world, above("too-many", "80001")),
    );
    let refused = one.and(other).unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_ALERTS");
    let problem = bootstrap::problem::of(&refused).unwrap();
    assert_eq!(problem.facts["limit"], "50");
    let others = wire::CreateAlertRequest {
        member_id: MEMBER + 1,
        ..above("other", "80000")
    };
    create(&world, others).await.unwrap();
    // One that fired makes room.
    sqlx::query(
        "update price_alert set fired_at = $1, fired_price = 1, fired_seq = 2 where alert_id = 1",
    )
    .bind(crate::world::noon())
    .execute(&pool)
    .await
    .unwrap();
    create(&world, above("room", "81000")).await.unwrap();
    assert_eq!(listed(&world, MEMBER).await.len(), 51);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn all_members_together_have_so_many_active_alerts(pool: PgPool) {
    let setup = Setup {
        price_alerts_max: 3,
        ..Setup::default()
    };
    let world = World::with(pool.clone(), setup).await;
    world.trade(&[("005930", 68_000, 70_000, 10)]);
    let of = |member_id: i64| wire::CreateAlertRequest {
        member_id,
        ..above("mine", "71000")
    };
    let (one, two) = tokio::join!(create(&world, of(1)), create(&world, of(2)));
    let (three, four) = tokio::join!(create(&world, of(3)), create(&world, of(4)));
    let (created, refused): (Vec<_>, Vec<_>) =
        [one, two, three, four].into_iter().partition(Result::is_ok);
    assert_eq!((created.len(), refused.len()), (3, 1));
    for refused in refused {
        let refused = refused.unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition);
        assert_eq!(reason(&refused), "ALERTS_FULL");
    }
    assert_eq!(rows(&pool).await, [3, 3, 3]);
    // What fires or is deleted makes room, each for one.
    sqlx::query(
        "update price_alert set fired_at = $1, fired_price = 1, fired_seq = 2 \
         where alert_id = (select min(alert_id) from price_alert)",
    )
    .bind(crate::world::noon() - TimeDelta::days(91))
    .execute(&pool)
    .await
    .unwrap();
    create(&world, of(7)).await.unwrap();
    assert_eq!(
        reason(&create(&world, of(8)).await.unwrap_err()),
        "ALERTS_FULL"
    );
    let mine = listed(&world, 7).await[0].alert_id;
    let store = &world.store;
    store
        .delete_alert(MemberId(7), mine, &world.clock)
        .await
        .unwrap();
    // A repeated request has its reply, with room or without.
    create(&world, of(8)).await.unwrap();
    assert!(create(&world, of(8)).await.unwrap().replayed);
    // One that fired long ago was counted out already.
    assert_eq!(store.delete_old_alerts(&world.clock).await.unwrap(), 1);
    let total: i64 = sqlx::query_scalar("select active from price_alert_total")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(total, 3);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn what_fired_is_shown_and_kept_for_ninety_days(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 68_000, 70_000, 10)]);
    for n in 1..=3 {
        let alert = above(&format!("n{n}"), &(71_000 + n).to_string());
        create(&world, alert).await.unwrap();
    }
    sqlx::query(
        "update price_alert set fired_at = $1 - make_interval(days => alert_id::integer * 40), \
         fired_price = 71000, fired_seq = 2 where alert_id > 1",
    )
    .bind(crate::world::noon())
    .execute(&pool)
    .await
    .unwrap();
    let shown = listed(&world, MEMBER).await;
    let shown: Vec<_> = shown
        .iter()
        .map(|alert| (alert.alert_id, alert.tick_seq))
        .collect();
    assert_eq!(shown, [(1, 0), (2, 2)]);
    assert_eq!(
        world.store.delete_old_alerts(&world.clock).await.unwrap(),
        1
    );
    assert_eq!(rows(&pool).await, [2, 3, 3]);
    world.clock.advance(TimeDelta::days(31));
    let forgotten = world.store.delete_old_alerts(&world.clock).await.unwrap();
    assert_eq!(forgotten, 1 + 3, "an alert, and all changes");
    world.store.delete_old_requests(&world.clock).await.unwrap();
    assert_eq!(rows(&pool).await, [1, 0, 0]);
    let mine = world
        .store
        .alerts(MemberId(MEMBER), &world.clock)
        .await
        .unwrap();
    assert_eq!(mine.len(), 1);
}
