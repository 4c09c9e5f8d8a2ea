use auth::MIGRATOR;
use bootstrap::problem;
use chrono::TimeDelta;
use futures_util::future::join_all;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use prost::Message;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use tonic::Code;
use unicode_normalization::UnicodeNormalization;

use crate::world::{JOINS_PER_HOUR, World, attempt, fresh_ip, person, reason};

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_join_creates_a_member(pool: PgPool) {
    let world = World::new(pool).await;
    let mut form = person(" Min.Su@Example.com ", "개미왕");
    form.recommend_code = "abcd2345".to_owned();
    let session = world.join(form).await.unwrap();
    assert_eq!(session.member_id, 100_000);
    assert_eq!(session.expires_in_s, 900);
    assert_eq!(session.refresh_token.len(), 43);

    let asked = wire::GetMemberRequest { member_id: 100_000 };
    let member = world
        .client
        .clone()
        .get_member(asked)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(member.email, "min.su@example.com");
    assert_eq!(member.nickname, "개미왕");
    assert_eq!(
        (
            member.birth_year,
            member.gender.as_str(),
            member.os.as_str()
        ),
        (1995, "F", "web")
    );
    assert!(!member.operator && !member.email_verified && !member.tutorial_done);
    assert_eq!(member.joined_at_us, 1_795_219_200_000_000);
    assert_eq!(world.count("consent where member_id = 100000").await, 3);
    assert_eq!(
        world
            .count("member where entered_recommend_code = 'ABCD2345'")
            .await,
        1
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_access_token_verifies_with_the_published_keys(pool: PgPool) {
    let world = World::new(pool).await;
    let session = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let answer = world
        .client
        .clone()
        .get_jwks(wire::GetJwksRequest {})
        .await
        .unwrap();
    let jwks: serde_json::Value = serde_json::from_str(&answer.into_inner().json).unwrap();
    let key = DecodingKey::from_ed_components(jwks["keys"][0]["x"].as_str().unwrap()).unwrap();
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.set_audience(&["seedup-main"]);
    rules.validate_exp = false;
    let token = jsonwebtoken::decode::<serde_json::Value>(&session.access_token, &key, &rules);
    assert_eq!(token.unwrap().claims["sub"], "100000");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_join_is_published_exactly_once(pool: PgPool) {
    let world = World::new(pool).await;
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    world.join(person("a@b.kr", "다른이름")).await.unwrap_err();
    world.join(person("c@d.kr", "개미왕")).await.unwrap_err();
    world
        .login(attempt("a@b.kr", crate::world::PASSWORD))
        .await
        .unwrap();

    let rows: Vec<(String, String, Vec<u8>)> =
        sqlx::query_as("select event_type, aggregate_id, body from outbox")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    let [(event_type, aggregate, body)] = rows.as_slice() else {
        panic!("one event, not {}", rows.len());
    };
    assert_eq!(
        (event_type.as_str(), aggregate.as_str()),
        ("auth.member.joined.v1", "100000")
    );
    let joined = wire::MemberJoined::decode(body.as_slice()).unwrap();
    assert_eq!(joined.member_id, 100_000);
    assert_eq!(joined.nickname, "개미왕");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn fifty_joins_with_one_address_make_one_member(pool: PgPool) {
    let world = World::new(pool).await;
    let joins = (0..50).map(|number| {
        let email = if number % 2 == 0 {
            "same@b.kr"
        } else {
            "SAME@B.KR"
        };
        world.join(person(email, &format!("이름{number}")))
    });
    let answers = join_all(joins).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for refused in answers.into_iter().filter_map(Result::err) {
        assert_eq!(reason(&refused), "EMAIL_TAKEN");
        assert_eq!(refused.code(), Code::AlreadyExists);
    }
    assert_eq!(world.count("member where id >= 100000").await, 1);
    assert_eq!(world.count("session").await, 1);
    assert_eq!(world.count("outbox").await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn fifty_joins_with_one_nickname_make_one_member(pool: PgPool) {
    let world = World::new(pool).await;
    let forms = [
        "한글Ant".to_owned(),
        "한글aNT".to_owned(),
        "한글ANT".nfd().collect(),
    ];
    let joins =
        (0..50).map(|number| world.join(person(&format!("m{number}@b.kr"), &forms[number % 3])));
    let answers = join_all(joins).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for refused in answers.into_iter().filter_map(Result::err) {
        assert_eq!(reason(&refused), "NICKNAME_TAKEN");
        assert_eq!(refused.code(), Code::AlreadyExists);
    }
    assert_eq!(world.count("member where id >= 100000").await, 1);
}

type Change = fn(&mut wire::JoinRequest);

fn refusals() -> Vec<(&'static str, Change)> {
    vec![
        ("CONSENT_REQUIRED", |form| form.terms_agreed = false),
        ("CONSENT_REQUIRED", |form| form.privacy_agreed = false),
        ("CONSENT_REQUIRED", |form| form.age14 = false),
        ("INVALID_EMAIL", |form| form.email = String::new()),
        ("INVALID_EMAIL", |form| {
            form.email = "a@b.c\r\nBcc: x@y.z".to_owned()
        }),
        ("INVALID_EMAIL", |form| form.email = "a\0@b.c".to_owned()),
        ("INVALID_EMAIL", |form| {
            form.email = format!("{}@b.c", "a".repeat(251))
        }),
        ("INVALID_EMAIL", |form| form.email = "a,b@c.kr".to_owned()),
        ("INVALID_EMAIL", |form| form.email = "<a@b.kr>".to_owned()),
        ("INVALID_EMAIL", |form| form.email = "a@b_c.kr".to_owned()),
        ("MALFORMED", |form| form.os = "unknown".to_owned()),
        ("WEAK_PASSWORD", |form| {
            form.password = "short 9ch".to_owned()
        }),
        ("WEAK_PASSWORD", |form| form.password = "긴 비밀".repeat(33)),
        ("WEAK_PASSWORD", |form| {
            form.password = "password1234".to_owned()
        }),
        ("WEAK_PASSWORD", |form| {
            form.password = "xx 개미왕 yy zz".to_owned()
        }),
        ("WEAK_PASSWORD", |form| {
            form.password = "person is my name".to_owned()
        }),
        ("WEAK_PASSWORD", |form| {
            form.password = "a".repeat(3_000_000)
        }),
        ("INVALID_NICKNAME", |form| form.nickname = "가".to_owned()),
        ("INVALID_NICKNAME", |form| {
            form.nickname = "운영자".to_owned()
        }),
        ("INVALID_NICKNAME", |form| {
            form.nickname = "운영자".nfd().collect()
        }),
        ("INVALID_NICKNAME", |form| {
            form.nickname = "운\u{200b}영자".to_owned()
        }),
        ("INVALID_NICKNAME", |form| {
            form.nickname = "\u{202e}nimda".to_owned()
        }),
        ("INVALID_NICKNAME", |form| {
            form.nickname = "аdmіn".to_owned()
        }),
        ("INVALID_NICKNAME", |form| {
            form.nickname = "4dm1n".to_owned()
        }),
        ("INVALID_BIRTH_YEAR", |form| form.birth_year = 1899),
        ("INVALID_BIRTH_YEAR", |form| form.birth_year = 2027),
        ("INVALID_GENDER", |form| form.gender = "X".to_owned()),
    ]
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_invalid_form_changes_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    for (expected, change) in refusals() {
        let mut form = person("person@b.kr", "개미왕");
        change(&mut form);
        let refused = world.join(form).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
        assert!(!refused.message().is_empty());
    }
    assert_eq!(world.count("member where id >= 100000").await, 0);
    assert_eq!(world.count("outbox").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_member_with_an_unusual_address_can_log_in(pool: PgPool) {
    let world = World::new(pool).await;
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    sqlx::query("update member set email = 'a,b@c.kr' where email = 'a@b.kr'")
        .execute(&world.pool)
        .await
        .unwrap();
    let login = attempt("a,b@c.kr", crate::world::PASSWORD);
    assert_eq!(world.login(login).await.unwrap().member_id, 100_000);
}

/// A unique valid form, sent from `ip`.
fn person_from(ip: &str, number: usize) -> wire::JoinRequest {
    let mut form = person(&format!("p{number}@b.kr"), &format!("개미{number}"));
    form.device = Some(wire::Device {
        ip: ip.to_owned(),
        user_agent: String::new(),
    });
    form
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn joins_per_address_and_hour_are_limited(pool: PgPool) {
    for (round, world) in [
        World::new(pool.clone()).await,
        World::with_redis(pool.clone()).await,
    ]
    .into_iter()
    .enumerate()
    {
        let mut number = 100 * round;
        let mut join = async |ip: &str| {
            number += 1;
            world.join(person_from(ip, number)).await
        };
        // An IPv6 /64 counts as one address.
        let network = fresh_ip();
        let household = |host: usize| network.replace("::1", &format!("::{host:x}"));
        for host in 1..=JOINS_PER_HOUR {
            join(&household(host)).await.unwrap();
            world.clock.advance(TimeDelta::minutes(10));
        }
        let refused = join(&household(99)).await.unwrap_err();
        let problem = problem::of(&refused).unwrap();
        assert_eq!(
            (refused.code(), problem.reason.as_str()),
            (Code::ResourceExhausted, "TOO_MANY_ATTEMPTS")
        );
        assert_eq!(problem.facts["retryAfterS"], "600");
        assert!(refused.message().contains("10분 뒤"), "{refused:?}");
        join(&fresh_ip()).await.unwrap();
        // The first join is an hour old, so exactly one more is allowed.
        world.clock.advance(TimeDelta::minutes(10));
        join(&household(7)).await.unwrap();
        join(&household(8)).await.unwrap_err();
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_failed_join_does_not_count(pool: PgPool) {
    let world = World::new(pool).await;
    let ip = fresh_ip();
    world.pool.close().await;
    for number in 0..2 * JOINS_PER_HOUR {
        let failed = world.join(person_from(&ip, number)).await.unwrap_err();
        assert_eq!(failed.code(), Code::Unavailable);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn optional_fields_may_be_absent(pool: PgPool) {
    let world = World::new(pool).await;
    let mut form = person("a@b.kr", "Ant2026");
    form.os = String::new();
    form.gender = String::new();
    form.recommend_code = "not a code".to_owned();
    world.join(form).await.unwrap();
    let empty = "member where os is null and gender is null and entered_recommend_code is null";
    assert_eq!(world.count(&format!("{empty} and id >= 100000")).await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_operator_exists_and_cannot_log_in(pool: PgPool) {
    let world = World::new(pool).await;
    let asked = wire::GetMemberRequest { member_id: 23_488 };
    let operator = world
        .client
        .clone()
        .get_member(asked)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(operator.nickname, "운영자");
    assert!(operator.operator);
    let refused = world
        .login(attempt(&operator.email, crate::world::PASSWORD))
        .await
        .unwrap_err();
    assert_eq!(reason(&refused), "LOGIN_FAILED");

    for unknown in [0, -1, 99_999, i64::MAX] {
        let asked = wire::GetMemberRequest { member_id: unknown };
        let refused = world.client.clone().get_member(asked).await.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::NotFound, "MEMBER_NOT_FOUND")
        );
    }
}
