//! What a member chose to be asked about, as auth tells it.

use education::auth_events::copy;
use education::{MIGRATOR, content::Level};
use proto::auth::v1::QuizFilterChanged;
use proto::education::v1::{ArticleList, ListArticlesRequest, QuizSet};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World};

async fn choose(world: &World, themes: &[&str], levels: &[&str], version: i64) {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let changed = QuizFilterChanged {
        member_id: MEMBER,
        themes: owned(themes),
        levels: owned(levels),
        version,
    };
    copy(&world.store, &changed).await.unwrap();
}

fn levels_of(world: &World, set: &QuizSet) -> Vec<Level> {
    let quizzes = set.quizzes.iter();
    quizzes
        .map(|quiz| world.content.quizzes[&quiz.quiz_id].level)
        .collect()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_beginner_starts_with_easy_quizzes(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    for set in [
        world.random_set(MEMBER).await,
        world.random_set(OTHER).await,
        world.theme_set(MEMBER, "coins").await,
    ] {
        assert_eq!(levels_of(&world, &set), [Level::Intro; 5]);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn sets_are_of_the_chosen_themes_and_levels(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let before = world.random_set(MEMBER).await;
    choose(&world, &["gone", "gold", "taxes"], &["HARD"], 2).await;
    // Delivered late and twice.
    choose(&world, &["coins"], &[], 1).await;
    choose(&world, &["coins"], &[], 2).await;
    assert_eq!(world.random_set(MEMBER).await, before, "a set stays");
    assert_eq!(
        world.theme_set(MEMBER, "").await.quizzes[0].theme_id,
        "gold"
    );

    world.set_time("2026-11-24T09:00");
    let set = world.random_set(MEMBER).await;
    assert_eq!(levels_of(&world, &set), [Level::Advanced; 5]);
    let mut themes = set.quizzes.iter().map(|quiz| quiz.theme_id.as_str());
    assert!(themes.all(|theme| ["gold", "taxes"].contains(&theme)));
    // Levels hold in every theme; an unchosen theme can still be practised.
    let theme = world.theme_set(MEMBER, "money").await;
    assert_eq!(levels_of(&world, &theme), [Level::Advanced; 5]);
    assert_ne!(
        levels_of(&world, &world.random_set(OTHER).await),
        [Level::Advanced; 5]
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn articles_of_chosen_themes_are_recommended_first(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    choose(&world, &["taxes"], &[], 1).await;
    let first_theme = async |member_id: i64| {
        let request = ListArticlesRequest {
            member_id,
            list: ArticleList::Recommended.into(),
            page: 0,
            size: 6,
        };
        let page = world.articles.clone().list_articles(request).await;
        let page = page.unwrap().into_inner();
        let themes: Vec<String> = page
            .articles
            .into_iter()
            .map(|card| card.theme_id)
            .collect();
        themes
    };
    assert_eq!(first_theme(MEMBER).await, ["taxes"; 6]);
    assert_eq!(first_theme(OTHER).await[0], "money");
    assert_eq!(first_theme(0).await[0], "money");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn nonsense_is_refused_and_changes_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    for (member_id, level, version) in [(0, "EASY", 1), (MEMBER, "easy", 1), (MEMBER, "EASY", 0)] {
        let changed = QuizFilterChanged {
            member_id,
            themes: vec!["taxes".to_owned()],
            levels: vec![level.to_owned()],
            version,
        };
        copy(&world.store, &changed).await.unwrap_err();
    }
    let kept: i64 = sqlx::query_scalar("select count(*) from quiz_filter")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(kept, 0);
}
