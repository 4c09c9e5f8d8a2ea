use chrono::TimeDelta;
use proto::market::v1 as wire;
use sqlx::PgPool;
use tonic::Code;

use crate::world::World;

const MEMBER: i64 = 100_000;

async fn note(world: &mut World, text: &str) -> Vec<String> {
    let request = wire::NoteSearchRequest {
        member_id: MEMBER,
        kind: wire::ItemKind::Stock.into(),
        text: text.to_owned(),
    };
    world.clock.advance(TimeDelta::seconds(1));
    let history = world.searches.note_search(request).await.unwrap();
    history.into_inner().texts
}

async fn forget(world: &mut World, text: &str) -> Vec<String> {
    let request = wire::ForgetSearchRequest {
        member_id: MEMBER,
        kind: wire::ItemKind::Stock.into(),
        text: text.to_owned(),
    };
    let history = world.searches.forget_search(request).await.unwrap();
    history.into_inner().texts
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_text_is_listed_once_newest_first(pool: PgPool) {
    let mut world = World::new(pool).await;
    note(&mut world, "삼성전자").await;
    note(&mut world, "애플").await;
    assert_eq!(note(&mut world, " 삼성전자 ").await, ["삼성전자", "애플"]);
    assert_eq!(note(&mut world, "  ").await, ["삼성전자", "애플"]);
    assert_eq!(forget(&mut world, "삼성전자").await, ["애플"]);
    assert_eq!(forget(&mut world, "없던 말").await, ["애플"]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn twenty_entries_are_kept_per_kind_and_member(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    let mut history = Vec::new();
    for number in 0..25 {
        history = note(&mut world, &format!("검색 {number}")).await;
    }
    assert_eq!(history.len(), 20);
    assert_eq!(
        (history[0].as_str(), history[19].as_str()),
        ("검색 24", "검색 5")
    );
    let kept: i64 = sqlx::query_scalar("select count(*) from search_history")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(kept, 20);
    for (member_id, kind) in [
        (MEMBER, wire::ItemKind::Coin),
        (MEMBER + 1, wire::ItemKind::Stock),
    ] {
        let request = wire::ListSearchesRequest {
            member_id,
            kind: kind.into(),
        };
        let other = world.searches.list_searches(request).await.unwrap();
        assert!(other.into_inner().texts.is_empty());
    }
    assert!(forget(&mut world, "").await.is_empty());
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_long_text_and_an_unknown_kind_are_refused(pool: PgPool) {
    let mut world = World::new(pool).await;
    for (text, kind) in [
        ("가".repeat(51), wire::ItemKind::Stock),
        ("가".to_owned(), wire::ItemKind::Unspecified),
    ] {
        let request = wire::NoteSearchRequest {
            member_id: MEMBER,
            kind: kind.into(),
            text,
        };
        let refused = world.searches.note_search(request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    // SQL special characters are plain text.
    let odd = "'; drop table search_history; --";
    assert_eq!(note(&mut world, odd).await, [odd]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_newest_is_first_after_the_clock_was_set_back(pool: PgPool) {
    let mut world = World::new(pool).await;
    for number in 0..20 {
        note(&mut world, &format!("검색 {number}")).await;
    }
    world.clock.advance(-TimeDelta::minutes(5));
    for text in ["애플", "검색 3", "삼성전자"] {
        let history = note(&mut world, text).await;
        assert_eq!((history[0].as_str(), history.len()), (text, 20));
    }
}
