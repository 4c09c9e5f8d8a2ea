use bootstrap::ended_sessions::EndedSessions;
use bootstrap::redis;
use chrono::TimeDelta;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use proto::market::v1 as wire;
use sqlx::PgPool;
use testkit::keys;
use tonic::Code;

use crate::world::{Setup, World, noon, reason};

fn request(token: &str) -> wire::SiseTokenRequest {
    wire::SiseTokenRequest {
        main_access_token: token.to_owned(),
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_main_token_is_exchanged_for_a_sise_token(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    let main = keys::access_token(100_000, noon());
    for _ in 0..2 {
        let member = world
            .client
            .register_sise_member(request(&main))
            .await
            .unwrap();
        assert_eq!(member.into_inner().member_id, 100_000);
    }
    let rows: i64 = sqlx::query_scalar("select count(*) from sise_member")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(rows, 1);

    let issued = world
        .client
        .issue_sise_token(request(&main))
        .await
        .unwrap()
        .into_inner();
    assert_eq!((issued.member_id, issued.expires_in_s), (100_000, 3_600));
    let jwks = world
        .client
        .get_sise_jwks(wire::GetSiseJwksRequest {})
        .await
        .unwrap();
    let jwks: JwkSet = serde_json::from_str(&jwks.into_inner().json).unwrap();
    let header = decode_header(&issued.token).unwrap();
    assert_eq!(header.typ.as_deref(), Some("sise+jwt"));
    let key = DecodingKey::from_jwk(jwks.find(&header.kid.unwrap()).unwrap()).unwrap();
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.set_audience(&["sise"]);
    rules.set_issuer(&["seedup-sise"]);
    rules.validate_exp = false;
    let claims = decode::<serde_json::Value>(&issued.token, &key, &rules)
        .unwrap()
        .claims;
    assert_eq!(claims["sub"], "100000");
    assert_eq!(claims["sid"], keys::SESSION_ID, "it ends with the login");
    assert_eq!(claims["exp"].as_i64().unwrap(), noon().timestamp() + 3_600);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_old_token_is_expired_after_a_minute_of_leeway(pool: PgPool) {
    let mut world = World::new(pool).await;
    let main = keys::access_token(100_000, noon());
    world
        .clock
        .advance(TimeDelta::minutes(15) + TimeDelta::seconds(59));
    world.client.issue_sise_token(request(&main)).await.unwrap();
    world.clock.advance(TimeDelta::seconds(2));
    let refused = world
        .client
        .issue_sise_token(request(&main))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    assert_eq!(reason(&refused), "Authentication is expired");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn other_tokens_are_invalid(pool: PgPool) {
    let mut world = World::new(pool).await;
    let good = keys::access_claims(100_000, noon());
    let with = |change: fn(&mut keys::Claims)| {
        let mut claims = good.clone();
        change(&mut claims);
        keys::sign("at+jwt", &claims)
    };
    let valid = keys::sign("at+jwt", &good);
    let (head, signature) = valid.rsplit_once('.').unwrap();
    let (header, payload) = head.split_once('.').unwrap();
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0Iiwia2lkIjoidGVzdC1rZXkifQ";
    for (what, token) in [
        ("empty", String::new()),
        ("garbage", "a.b.c".to_owned()),
        ("another type", keys::sign("sise+jwt", &good)),
        ("a sise token", keys::sise_token(100_000, noon())),
        (
            "another audience",
            with(|claims| claims.aud = vec!["other".to_owned()]),
        ),
        (
            "another issuer",
            with(|claims| claims.iss = "other".to_owned()),
        ),
        ("not a number", with(|claims| claims.sub = "me".to_owned())),
        ("nobody", with(|claims| claims.sub = "0".to_owned())),
        ("not yet", with(|claims| claims.nbf += 3_600)),
        ("no session", with(|claims| claims.sid = None)),
        ("no signature", format!("{header}.{payload}.")),
        (
            "another signature",
            format!(
                "{header}.{payload}.{}",
                signature.replace(['A', 'B', 'C', 'D', 'E'], "z")
            ),
        ),
        ("alg none", format!("{none}.{payload}.")),
    ] {
        let refused = world
            .client
            .register_sise_member(request(&token))
            .await
            .unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated, "{what}");
        assert_eq!(reason(&refused), "Authentication is invalid", "{what}");
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn without_auth_no_token_is_issued(pool: PgPool) {
    let setup = Setup {
        auth: false,
        ..Setup::default()
    };
    let mut world = World::with(pool, setup).await;
    let main = keys::access_token(100_000, noon());
    let refused = world
        .client
        .issue_sise_token(request(&main))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert_eq!(reason(&refused), "UNAVAILABLE");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_ended_session_gets_no_token(pool: PgPool) {
    let redis = redis::connect(&testkit::redis_url()).with_timeout(testkit::PATIENCE);
    let setup = Setup {
        redis: redis.clone(),
        ..Setup::default()
    };
    let mut world = World::with(pool, setup).await;
    let mut claims = keys::access_claims(100_000, noon());
    let session = uuid::Uuid::new_v4();
    claims.sid = Some(session.to_string());
    let main = keys::sign("at+jwt", &claims);
    world.client.issue_sise_token(request(&main)).await.unwrap();
    assert!(EndedSessions::new(redis).add(&[session]).await);
    let refused = world
        .client
        .issue_sise_token(request(&main))
        .await
        .unwrap_err();
    assert_eq!(reason(&refused), "Authentication is invalid");
}
