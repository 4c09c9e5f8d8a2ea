//! What members wear: only what trading said they bought.

use auth::MIGRATOR;
use auth::domain::Slot;
use auth::trading_events::{self, PURCHASED};
use kernel::MemberId;
use messaging::outbox::{self, Relay};
use messaging::{Amqp, NewEvent};
use proto::auth::v1 as wire;
use proto::trading::v1::ItemPurchased;
use sea_orm::SqlxPostgresConnector;
use sqlx::PgPool;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::world::{World, person, reason};

async fn wear(world: &World, request: wire::SetAppearanceRequest) -> Result<wire::Member, Status> {
    let answer = world.members.clone().set_appearance(request).await?;
    Ok(answer.into_inner())
}

async fn joined(world: &World) -> i64 {
    let session = world.join(person("a@b.kr", "개미왕")).await;
    session.unwrap().member_id
}

fn frame(member_id: i64, name: &str) -> wire::SetAppearanceRequest {
    wire::SetAppearanceRequest {
        member_id,
        frame: Some(name.to_owned()),
        ..wire::SetAppearanceRequest::default()
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn only_what_was_bought_is_worn_and_only_in_its_place(pool: PgPool) {
    let world = World::new(pool).await;
    let id = joined(&world).await;
    for (slot, picture) in [(Slot::Frame, "frame-gold"), (Slot::Theme, "theme-sea")] {
        for _ in 0..2 {
            let owned = world.store.own_wearable(MemberId(id), slot, picture);
            owned.await.unwrap();
        }
    }
    let member = wear(&world, frame(id, "frame-gold")).await.unwrap();
    assert_eq!(
        (member.frame.as_str(), member.theme.as_str()),
        ("frame-gold", "")
    );
    let longest = "a".repeat(100_000);
    for wrong in [
        "frame-diamond",
        "theme-sea",
        "'; drop table member",
        "\0",
        "새싹",
        &longest,
    ] {
        let refused = wear(&world, frame(id, wrong)).await.unwrap_err();
        assert_eq!(reason(&refused), "ITEM_NOT_OWNED");
    }
    let both = wire::SetAppearanceRequest {
        theme: Some("theme-sea".to_owned()),
        plate: Some("plate-wood".to_owned()),
        ..frame(id, "")
    };
    let refused = wear(&world, both.clone()).await.unwrap_err();
    assert_eq!(reason(&refused), "ITEM_NOT_OWNED", "all or nothing");
    let both = wire::SetAppearanceRequest {
        plate: None,
        ..both
    };
    let member = wear(&world, both).await.unwrap();
    assert_eq!(
        (member.frame.as_str(), member.theme.as_str()),
        ("", "theme-sea")
    );
    let same = wear(
        &world,
        wire::SetAppearanceRequest {
            frame: None,
            ..frame(id, "")
        },
    );
    assert_eq!(
        same.await.unwrap().theme,
        "theme-sea",
        "what is left out stays"
    );
    let unknown = wear(&world, frame(999, "")).await.unwrap_err();
    assert_eq!(reason(&unknown), "MEMBER_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_a_member_owns_is_of_no_use_to_another(pool: PgPool) {
    let world = World::new(pool).await;
    let id = joined(&world).await;
    let other = world.join(person("c@d.kr", "베짱이")).await;
    let other = other.unwrap().member_id;
    let gold = world
        .store
        .own_wearable(MemberId(other), Slot::Frame, "frame-gold");
    gold.await.unwrap();
    let refused = wear(&world, frame(id, "frame-gold")).await.unwrap_err();
    assert_eq!(reason(&refused), "ITEM_NOT_OWNED");
    wear(&world, frame(other, "frame-gold")).await.unwrap();
    // Nothing is kept of a member who is gone.
    let gone = world
        .store
        .own_wearable(MemberId(999), Slot::Frame, "frame-gold");
    gone.await.unwrap();
    assert_eq!(world.count("wearable").await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn purchases_arrive_over_the_broker(pool: PgPool) {
    let world = World::new(pool).await;
    let id = joined(&world).await;
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let relay = Relay::new(world.pool.clone(), amqp.clone(), "auth");
    tokio::spawn(relay.run(stop.clone()));
    let queue: &'static str = testkit::unique("test.auth-purchases").leak();
    let follow = trading_events::follow(world.store.clone(), amqp.clone(), queue, stop.clone());
    tokio::spawn(follow);
    let db = SqlxPostgresConnector::from_sqlx_postgres_pool(world.pool.clone());
    let freeze = ItemPurchased {
        member_id: id,
        category: "STREAK_FREEZE".to_owned(),
        ..ItemPurchased::default()
    };
    let plate = ItemPurchased {
        member_id: id,
        category: "COLLECTIBLE".to_owned(),
        slot: "PLATE".to_owned(),
        picture: "plate-of-the-test".to_owned(),
        ..ItemPurchased::default()
    };
    let tell = async |body| {
        let event = NewEvent::new(PURCHASED, format!("member-{id}"), body, &world.clock);
        outbox::append(&db, event).await.unwrap();
    };
    // Queues of other tests take what this one does not yet: it is bound when something arrives.
    let owned = "wearable where picture = 'plate-of-the-test'";
    testkit::eventually(Duration::from_secs(60), async || {
        tell(&freeze).await;
        tell(&plate).await;
        world.count(owned).await > 0
    })
    .await;
    assert_eq!(world.count(owned).await, 1);
    assert_eq!(world.count("wearable").await, 1);
    stop.cancel();
    let link = amqp.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn others_see_the_nickname_and_what_is_worn_and_no_more(pool: PgPool) {
    let world = World::new(pool).await;
    let id = joined(&world).await;
    let owned = world
        .store
        .own_wearable(MemberId(id), Slot::Frame, "frame-gold");
    owned.await.unwrap();
    wear(&world, frame(id, "frame-gold")).await.unwrap();
    let member_ids = vec![id, id, i64::MAX, -1, 0];
    let request = wire::ListPublicProfilesRequest { member_ids };
    let seen = world.members.clone().list_public_profiles(request).await;
    let expected = wire::PublicProfile {
        member_id: id,
        nickname: "개미왕".to_owned(),
        frame: "frame-gold".to_owned(),
        plate: String::new(),
    };
    assert_eq!(seen.unwrap().into_inner().profiles, [expected]);
    let many = wire::ListPublicProfilesRequest {
        member_ids: (1_000_000..1_000_200).chain([id]).collect(),
    };
    let seen = world.members.clone().list_public_profiles(many).await;
    assert_eq!(seen.unwrap().into_inner().profiles, []);
}
