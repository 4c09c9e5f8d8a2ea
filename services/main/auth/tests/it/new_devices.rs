//! Mails of new devices: whom they reach, how often, and what they say.

use auth::MIGRATOR;
use chrono::TimeDelta;
use futures_util::future::join_all;
use proto::auth::v1 as wire;
use sqlx::PgPool;

use crate::mails::post;
use crate::world::{PASSWORD, World, attempt, fresh_ip, person};

const GALAXY: &str = "Mozilla/5.0 (Linux; Android 14; SM-S921N) AppleWebKit/537.36 \
                      (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) \
                      AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 \
                      Safari/604.1";

async fn join_with(world: &World, user_agent: &str) {
    let mut form = person("a@b.kr", "개미왕");
    form.device = Some(wire::Device {
        ip: fresh_ip(),
        user_agent: user_agent.to_owned(),
    });
    world.join(form).await.unwrap();
}

async fn log_in_with(world: &World, user_agent: &str) {
    let mut login = attempt("a@b.kr", PASSWORD);
    login.device = Some(wire::Device {
        ip: fresh_ip(),
        user_agent: user_agent.to_owned(),
    });
    world.login(login).await.unwrap();
}

async fn verify(world: &World) {
    sqlx::query("update member set email_verified = true where email = 'a@b.kr'")
        .execute(&world.pool)
        .await
        .unwrap();
}

/// A device that no other number names: digits do not tell devices apart.
fn device(number: usize) -> String {
    format!("{} https://evil.example", "x".repeat(number + 1))
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_new_device_is_notified_once(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    join_with(&world, GALAXY).await;
    verify(&world).await;
    let updated = [
        GALAXY.replace("131.0.0.0", "132.0.1.2"),
        IPHONE.replace("18_1", "18_2"),
    ];
    for (user_agent, mails) in [
        (GALAXY, 0),
        (updated[0].as_str(), 0),
        (IPHONE, 1),
        (updated[1].as_str(), 1),
        (GALAXY, 1),
    ] {
        log_in_with(&world, user_agent).await;
        assert_eq!(post.deliver(&world).await.len(), mails, "{user_agent}");
    }
    let mails = post.deliver(&world).await;
    assert_eq!(mails[0].to, ["a@b.kr"]);
    assert_eq!(mails[0].subject, "새로운 기기에서 로그인했어요");
    let text = &mails[0].text;
    assert!(text.contains("기기: Safari · iPhone"), "{text}");
    let mut failed = attempt("a@b.kr", "a wrong password");
    failed.device = Some(wire::Device {
        ip: fresh_ip(),
        user_agent: "Thief/1.0".to_owned(),
    });
    assert!(world.login(failed).await.is_err());
    assert_eq!(post.deliver(&world).await.len(), 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_address_that_is_not_verified_gets_three_mails_in_all(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    join_with(&world, GALAXY).await;
    for (number, mails) in [(0, 1), (0, 1), (1, 2), (2, 3), (3, 3)] {
        log_in_with(&world, &device(number)).await;
        assert_eq!(post.deliver(&world).await.len(), mails, "{number}");
        world.clock.advance(TimeDelta::days(2));
    }
    verify(&world).await;
    for known in [GALAXY, &device(2)] {
        log_in_with(&world, known).await;
        assert_eq!(post.deliver(&world).await.len(), 3, "{known}");
    }
    // Of the last one nobody was told.
    for _ in 0..2 {
        log_in_with(&world, &device(3)).await;
        assert_eq!(post.deliver(&world).await.len(), 4);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn devices_of_earlier_releases_are_known_and_of_fifty_the_oldest_is_forgotten(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    join_with(&world, GALAXY).await;
    verify(&world).await;
    sqlx::query(
        "insert into known_device (member_id, device, first_seen_at) \
         select id, repeat('y', n), '2026-11-22' from member, generate_series(1, 49) n \
         where email = 'a@b.kr'",
    )
    .execute(&world.pool)
    .await
    .unwrap();
    log_in_with(&world, "yyyyyyy").await;
    assert!(post.deliver(&world).await.is_empty());
    log_in_with(&world, &device(0)).await;
    assert_eq!(post.deliver(&world).await.len(), 1);
    assert_eq!(world.count("known_device").await, 50);
    let oldest = "known_device where device like 'Mozilla%'";
    assert_eq!(world.count(oldest).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn any_number_of_devices_brings_three_mails_a_day(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    join_with(&world, GALAXY).await;
    verify(&world).await;
    // Also at once.
    let at_once: Vec<String> = (0..6).map(device).collect();
    join_all(at_once.iter().map(|device| log_in_with(&world, device))).await;
    for number in 6..60 {
        world.clock.advance(TimeDelta::minutes(1));
        log_in_with(&world, &device(number)).await;
    }
    let mails = post.deliver(&world).await;
    assert_eq!(mails.len(), 3);
    for mail in &mails {
        assert!(mail.text.contains("기기: 알 수 없는 기기"), "{}", mail.text);
        assert!(!mail.text.contains("evil") && !mail.html.contains("evil"));
    }
    assert_eq!(world.count("known_device").await, 4, "what was told");

    for (number, mails) in [(60, 3), (61, 4), (62, 5), (63, 6), (64, 6)] {
        // The first is within a day of the three mails.
        let more = if number == 60 { 23 } else { 1 };
        world.clock.advance(TimeDelta::hours(more));
        log_in_with(&world, &device(number)).await;
        assert_eq!(post.deliver(&world).await.len(), mails);
    }
    // What no mail told of is told of at a later login.
    world.clock.advance(TimeDelta::days(1));
    for _ in 0..2 {
        log_in_with(&world, &device(64)).await;
        assert_eq!(post.deliver(&world).await.len(), 7);
    }
}
