use auth::MIGRATOR;
use bootstrap::problem;
use chrono::TimeDelta;
use futures_util::future::join_all;
use prost::Message;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{World, person, reason};

fn rename(member_id: i64, nickname: &str) -> wire::UpdateProfileRequest {
    wire::UpdateProfileRequest {
        member_id,
        nickname: Some(nickname.to_owned()),
        birth_year: None,
        gender: None,
    }
}

async fn update(
    world: &World,
    request: wire::UpdateProfileRequest,
) -> Result<wire::Member, Status> {
    let answer = world.members.clone().update_profile(request).await?;
    Ok(answer.into_inner())
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_nickname_changes_once_in_thirty_days(pool: PgPool) {
    let world = World::new(pool).await;
    let id = world
        .join(person("a@b.kr", "개미왕"))
        .await
        .unwrap()
        .member_id;
    // Setting the current nickname does not count as a change.
    for _ in 0..3 {
        let same = update(&world, rename(id, "개미왕")).await.unwrap();
        assert_eq!(same.nickname_changeable_at_us, 0);
    }
    let changed = update(&world, rename(id, "베짱이")).await.unwrap();
    assert_eq!(changed.nickname, "베짱이");
    assert!(changed.nickname_changeable_at_us > 0);
    let refused = update(&world, rename(id, "여치")).await.unwrap_err();
    assert_eq!(reason(&refused), "NICKNAME_TOO_SOON");
    assert_eq!(
        problem::of(&refused).unwrap().facts["changeableAt"],
        "2026-12-21T09:00:00+09:00"
    );
    world.clock.advance(TimeDelta::days(30));
    update(&world, rename(id, "여치")).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn of_two_concurrent_changes_to_one_nickname_one_succeeds(pool: PgPool) {
    let world = World::new(pool).await;
    let mut members = Vec::new();
    for number in 0..6 {
        let form = person(&format!("a{number}@b.kr"), &format!("개미{number}"));
        members.push(world.join(form).await.unwrap().member_id);
    }
    // The same name in another case and with decomposed syllables.
    let names = [
        "Ant왕",
        "ant왕",
        "ANT왕",
        "Ant\u{110b}\u{116a}\u{11bc}",
        "aNT왕",
        "AnT왕",
    ];
    let wishes = members.iter().zip(names);
    let answers = join_all(wishes.map(|(id, name)| update(&world, rename(*id, name)))).await;
    let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
    assert_eq!(refused.len(), 5);
    for status in refused {
        assert_eq!(
            (status.code(), reason(&status).as_str()),
            (Code::AlreadyExists, "NICKNAME_TAKEN")
        );
    }
    assert_eq!(world.count("member where nickname_key = 'ant왕'").await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_profile_change_is_atomic(pool: PgPool) {
    let world = World::new(pool).await;
    let id = world
        .join(person("a@b.kr", "개미왕"))
        .await
        .unwrap()
        .member_id;
    for (request, refusal) in [
        (
            wire::UpdateProfileRequest {
                birth_year: Some(1800),
                ..rename(id, "베짱이")
            },
            "INVALID_BIRTH_YEAR",
        ),
        (
            wire::UpdateProfileRequest {
                gender: Some("X".to_owned()),
                ..rename(id, "베짱이")
            },
            "INVALID_GENDER",
        ),
        (rename(id, "운영자"), "INVALID_NICKNAME"),
        (rename(999, "베짱이"), "MEMBER_NOT_FOUND"),
    ] {
        let refused = update(&world, request).await.unwrap_err();
        assert_eq!(reason(&refused), refusal);
    }
    assert_eq!(world.count("member where nickname = '베짱이'").await, 0);
    let request = wire::UpdateProfileRequest {
        member_id: id,
        nickname: None,
        birth_year: Some(1988),
        gender: Some(String::new()),
    };
    let changed = update(&world, request).await.unwrap();
    assert_eq!((changed.birth_year, changed.gender.as_str()), (1988, ""));
    assert_eq!(changed.nickname, "개미왕");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn onboarding_steps_are_stored_idempotently(pool: PgPool) {
    let world = World::new(pool).await;
    let id = world
        .join(person("a@b.kr", "개미왕"))
        .await
        .unwrap()
        .member_id;
    let mut members = world.members.clone();
    for os in ["ios", "", "ios"] {
        let note = wire::NoteClientRequest {
            member_id: id,
            os: os.to_owned(),
        };
        members.note_client(note).await.unwrap();
        let tutorial = wire::FinishTutorialRequest { member_id: id };
        members.finish_tutorial(tutorial).await.unwrap();
        let popup = wire::SeeWelcomePopupRequest { member_id: id };
        members.see_welcome_popup(popup).await.unwrap();
    }
    let unknown = wire::NoteClientRequest {
        member_id: id,
        os: "unheard of".to_owned(),
    };
    let refused = members.note_client(unknown).await.unwrap_err();
    assert_eq!(reason(&refused), "MALFORMED");
    let seen = "member where os = 'ios' and tutorial_done and welcome_popup_seen";
    assert_eq!(world.count(seen).await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_quiz_filter_is_stored_in_order(pool: PgPool) {
    let world = World::new(pool).await;
    let id = world
        .join(person("a@b.kr", "개미왕"))
        .await
        .unwrap()
        .member_id;
    let mut members = world.members.clone();
    let get = wire::GetQuizFilterRequest { member_id: id };
    let empty = members.get_quiz_filter(get).await.unwrap().into_inner();
    assert!(empty.themes.is_empty() && empty.levels.is_empty());
    for theme in ["주식", "환율"] {
        let set = wire::SetQuizFilterRequest {
            member_id: id,
            themes: vec![theme.to_owned()],
            levels: vec!["HARD".to_owned(), "EASY".to_owned()],
        };
        members.set_quiz_filter(set).await.unwrap();
        let kept = members.get_quiz_filter(get).await.unwrap().into_inner();
        assert_eq!(kept.themes, [theme]);
        assert_eq!(kept.levels, ["EASY", "HARD"]);
    }
    let set = wire::SetQuizFilterRequest {
        member_id: id,
        themes: vec![],
        levels: vec!["easy".to_owned()],
    };
    let refused = members.set_quiz_filter(set).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_QUIZ_FILTER");
}

#[sqlx::test(migrator = "auth::MIGRATOR")]
async fn every_choice_of_quizzes_is_told_in_order(pool: PgPool) {
    let world = World::new(pool).await;
    let joined = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let id = joined.member_id;
    let mut members = world.members.clone();
    for theme in ["stocks", "etf"] {
        let set = wire::SetQuizFilterRequest {
            member_id: id,
            themes: vec![theme.to_owned()],
            levels: vec![],
        };
        members.set_quiz_filter(set).await.unwrap();
    }
    // One that a process of the release before stored.
    let other = world
        .join(person("b@b.kr", "배짱이"))
        .await
        .unwrap()
        .member_id;
    sqlx::query(
        "insert into quiz_filter (member_id, themes, levels) values ($1, '[\"gold\"]', '[]')",
    )
    .bind(other)
    .execute(&world.pool)
    .await
    .unwrap();
    assert_eq!(world.store.announce_quiz_filters().await.unwrap(), 1);
    assert_eq!(world.store.announce_quiz_filters().await.unwrap(), 0);
    let bodies: Vec<Vec<u8>> = sqlx::query_scalar(
        "select body from outbox where event_type = 'auth.member.quiz_filter_changed.v1' order by id",
    )
    .fetch_all(&world.pool)
    .await
    .unwrap();
    let told: Vec<(i64, String, i64)> = bodies
        .iter()
        .map(|body| {
            let mut told = wire::QuizFilterChanged::decode(body.as_slice()).unwrap();
            (told.member_id, told.themes.remove(0), told.version)
        })
        .collect();
    let expected = [(id, "stocks", 1), (id, "etf", 2), (other, "gold", 1)];
    assert_eq!(
        told,
        expected.map(|(member, theme, version)| (member, theme.to_owned(), version))
    );
}
