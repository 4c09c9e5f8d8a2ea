//! Mails with links, codes and warnings, from the request to the delivery.

use std::sync::Arc;
use std::time::{Duration, Instant};

use auth::MIGRATOR;
use chrono::TimeDelta;
use futures_util::future::join_all;
use kernel::SystemClock;
use mail_sink::mail_store::{Mail, MailStore};
use mail_sink::smtp;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use testkit::TempFolder;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::Status;

use crate::world::{World, attempt, fresh_ip, person, reason, session_id};

const NEXT: &str = "another harbour at dusk";

/// A mail server and its received mails.
pub(crate) struct Post {
    url: String,
    mails: MailStore,
    _stop: DropGuard,
    _folder: TempFolder,
}

pub(crate) async fn post() -> Post {
    let folder = TempFolder::new("mail");
    let mails = MailStore::open(folder.path().to_owned(), Arc::new(SystemClock)).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    tokio::spawn(smtp::serve(listener, mails.clone(), stop.clone()));
    Post {
        url,
        mails,
        _stop: stop.drop_guard(),
        _folder: folder,
    }
}

impl Post {
    pub(crate) async fn deliver(&self, world: &World) -> Vec<Mail> {
        world.mailer(&self.url).send_due().await.unwrap();
        self.mails.newest().await.unwrap()
    }
}

pub(crate) async fn ask(world: &World, email: &str, ip: &str) -> Result<(), Status> {
    let request = wire::AskPasswordResetRequest {
        email: email.to_owned(),
        device: Some(wire::Device {
            ip: ip.to_owned(),
            user_agent: "test".to_owned(),
        }),
    };
    world
        .credentials
        .clone()
        .ask_password_reset(request)
        .await?;
    Ok(())
}

pub(crate) async fn reset(world: &World, token: &str, new_password: &str) -> Result<(), Status> {
    let request = wire::ResetPasswordRequest {
        token: token.to_owned(),
        new_password: new_password.to_owned(),
    };
    world.credentials.clone().reset_password(request).await?;
    Ok(())
}

/// The token in the newest link.
pub(crate) fn token(mails: &[Mail]) -> String {
    let text = &mails[0].text;
    let from = text
        .split("http://localhost:8080/password/new?token=")
        .nth(1);
    from.unwrap().split_whitespace().next().unwrap().to_owned()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_link_sets_a_password_once_and_ends_every_session(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    let session = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    ask(&world, "A@B.kr", &fresh_ip()).await.unwrap();
    let mails = post.deliver(&world).await;
    assert_eq!(mails[0].to, ["a@b.kr"]);
    assert_eq!(mails[0].subject, "새 비밀번호를 정해주세요");
    let token = token(&mails);
    assert!(mails[0].html.contains(&token));
    assert_eq!(world.count("mail").await, 0);

    let refused = reset(&world, &token, "short").await.unwrap_err();
    assert_eq!(reason(&refused), "WEAK_PASSWORD");
    reset(&world, &token, NEXT).await.unwrap();
    assert!(!world.is_alive(&session_id(&session)).await);
    world.login(attempt("a@b.kr", NEXT)).await.unwrap();
    let again = reset(&world, &token, "a third harbour at night").await;
    assert_eq!(reason(&again.unwrap_err()), "RESET_LINK_INVALID");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn of_concurrent_uses_of_a_link_one_succeeds(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    let token = token(&post.deliver(&world).await);
    let wishes: Vec<String> = (0..5).map(|number| format!("{NEXT} {number}")).collect();
    let uses = join_all(wishes.iter().map(|wish| reset(&world, &token, wish))).await;
    assert_eq!(uses.iter().filter(|used| used.is_ok()).count(), 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_link_expires_after_half_an_hour_or_another_change(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    let first = token(&post.deliver(&world).await);
    world.clock.advance(TimeDelta::minutes(30));
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    let second = token(&post.deliver(&world).await);
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    let third = token(&post.deliver(&world).await);
    assert_ne!(second, third);
    reset(&world, &third, NEXT).await.unwrap();
    for dead in [first.as_str(), &second, "", "x", &"A".repeat(43)] {
        let refused = reset(&world, dead, "a third harbour at night").await;
        assert_eq!(reason(&refused.unwrap_err()), "RESET_LINK_INVALID");
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn every_caller_gets_the_same_response_and_one_mail_a_minute(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let (mut known, mut unknown) = (Duration::ZERO, Duration::ZERO);
    for round in 0..20 {
        let (ip, other) = (fresh_ip(), fresh_ip());
        let start = Instant::now();
        ask(&world, "a@b.kr", &ip).await.unwrap();
        known += start.elapsed();
        let start = Instant::now();
        ask(&world, &format!("nobody{round}@b.kr"), &other)
            .await
            .unwrap();
        unknown += start.elapsed();
        let refused = [
            ask(&world, "a@b.kr", &ip).await.unwrap_err(),
            ask(&world, &format!("nobody{round}@b.kr"), &other)
                .await
                .unwrap_err(),
        ];
        assert_eq!(reason(&refused[0]), "TOO_MANY_ATTEMPTS");
        assert_eq!(refused[0].details(), refused[1].details());
    }
    println!("20 times: {known:?} for a member, {unknown:?} for nobody");
    // Mails to a member are limited whoever requests them, and no other address gets one.
    let mails = loop {
        let before = world.count("mail").await;
        let mails = post.deliver(&world).await;
        if before == 0 {
            break mails;
        }
    };
    assert!((5..=8).contains(&mails.len()), "{}", mails.len());
    assert!(mails.iter().all(|mail| mail.to == ["a@b.kr"]));
    world.clock.advance(TimeDelta::minutes(1));
    let ip = fresh_ip();
    ask(&world, "a@b.kr", &ip).await.unwrap();
    world.clock.advance(TimeDelta::minutes(1));
    ask(&world, "a@b.kr", &ip).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_unavailable_mail_server_delays_mails_and_loses_none(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let nobody_listens = world.mailer("smtp://127.0.0.1:9");
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    assert_eq!(nobody_listens.send_due().await.unwrap(), 1);
    assert_eq!(nobody_listens.send_due().await.unwrap(), 0);
    // Down for longer than a link is valid: the validity starts at sending.
    for _ in 0..8 {
        world.clock.advance(TimeDelta::minutes(20));
        nobody_listens.send_due().await.unwrap();
    }
    assert_eq!(
        world
            .count("mail where tries = 9 and dead_at is null")
            .await,
        1
    );
    world.clock.advance(TimeDelta::hours(1));
    let mails = post.deliver(&world).await;
    reset(&world, &token(&mails), NEXT).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_mail_claimed_by_a_crashed_process_is_sent_by_another(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    // Claimed by a process that crashed.
    let claimed = world.store.claim_mails(10, TimeDelta::minutes(2)).await;
    assert_eq!(claimed.unwrap().len(), 1);
    assert!(post.deliver(&world).await.is_empty());
    world.clock.advance(TimeDelta::minutes(2));
    assert_eq!(post.deliver(&world).await.len(), 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_mail_is_given_up_after_the_last_try(pool: PgPool) {
    let world = World::new(pool).await;
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let nobody_listens = world.mailer("smtp://127.0.0.1:9");
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    for _ in 0..12 {
        nobody_listens.send_due().await.unwrap();
        world.clock.advance(TimeDelta::hours(1));
    }
    let given_up = "mail where dead_at is not null and last_error is not null";
    assert_eq!(world.count(given_up).await, 1);
    assert_eq!(nobody_listens.send_due().await.unwrap(), 0);
}

async fn send_code(world: &World, member_id: i64) -> Result<(), Status> {
    let request = wire::SendEmailCodeRequest { member_id };
    world.credentials.clone().send_email_code(request).await?;
    Ok(())
}

async fn verify(world: &World, member_id: i64, code: &str) -> Result<wire::Member, Status> {
    let code = code.to_owned();
    let request = wire::VerifyEmailRequest { member_id, code };
    let answer = world.credentials.clone().verify_email(request).await?;
    Ok(answer.into_inner())
}

pub(crate) fn code(mails: &[Mail]) -> String {
    let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    let found = mails[0].text.split_whitespace().find(is_code);
    found.unwrap().to_owned()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_code_verifies_the_address(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    let id = world
        .join(person("a@b.kr", "개미왕"))
        .await
        .unwrap()
        .member_id;
    send_code(&world, id).await.unwrap();
    let refused = send_code(&world, id).await.unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_ATTEMPTS");
    let code = code(&post.deliver(&world).await);
    assert!(
        verify(&world, id, &format!(" {code} "))
            .await
            .unwrap()
            .email_verified
    );
    // A verified address stays verified, and no more codes are sent.
    assert!(verify(&world, id, "000000").await.unwrap().email_verified);
    world.clock.advance(TimeDelta::minutes(2));
    send_code(&world, id).await.unwrap();
    assert_eq!(world.count("mail").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_code_is_valid_for_five_tries_and_ten_minutes(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    let id = world
        .join(person("a@b.kr", "개미왕"))
        .await
        .unwrap()
        .member_id;
    let none = verify(&world, id, "000000").await.unwrap_err();
    assert_eq!(reason(&none), "CODE_INVALID");
    send_code(&world, id).await.unwrap();
    let first = code(&post.deliver(&world).await);
    let wrong = if first == "123456" {
        "654321"
    } else {
        "123456"
    };
    // Concurrent tries count as sequential ones.
    let guesses = join_all((0..5).map(|_| verify(&world, id, wrong))).await;
    let mut left: Vec<String> = guesses
        .into_iter()
        .map(|guess| {
            bootstrap::problem::of(&guess.unwrap_err()).unwrap().facts["triesLeft"].clone()
        })
        .collect();
    left.sort();
    assert_eq!(left, ["0", "1", "2", "3", "4"]);
    assert!(verify(&world, id, &first).await.is_err());

    world.clock.advance(TimeDelta::minutes(1));
    send_code(&world, id).await.unwrap();
    let second = code(&post.deliver(&world).await);
    world.clock.advance(TimeDelta::minutes(10));
    assert!(verify(&world, id, &second).await.is_err());
    send_code(&world, id).await.unwrap();
    let third = code(&post.deliver(&world).await);
    verify(&world, id, &third).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_member_gets_five_codes_an_hour(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    let id = world
        .join(person("a@b.kr", "개미왕"))
        .await
        .unwrap()
        .member_id;
    let wait = async || {
        let refused = bootstrap::problem::of(&send_code(&world, id).await.unwrap_err()).unwrap();
        assert_eq!(refused.reason, "TOO_MANY_ATTEMPTS");
        refused.facts["retryAfterS"].clone()
    };
    for _ in 0..5 {
        send_code(&world, id).await.unwrap();
        world.clock.advance(TimeDelta::minutes(1));
    }
    assert_eq!(wait().await, "3300");
    world.clock.advance(TimeDelta::minutes(55));
    assert_eq!(post.deliver(&world).await.len(), 1);
    send_code(&world, id).await.unwrap();
    assert_eq!(wait().await, "60");
    assert_eq!(post.deliver(&world).await.len(), 2);
}
