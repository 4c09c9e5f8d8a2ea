//! Uploading, reading and deleting pictures, and what is left when something fails.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chrono::TimeDelta;
use community::MIGRATOR;
use community::pictures::Size;
use community::store::NewPicture;
use image::ImageFormat;
use kernel::MemberId;
use proto::community::v1::PictureSize;
use proto::community::v1::upload_picture_request::Part;
use sqlx::PgPool;
use tokio::sync::Notify;
use tonic::Code;
use uuid::Uuid;

use crate::made_pictures::{encoded, jpeg, noise, png};
use crate::picture_calls::post_with;
use crate::world::{MEMBER, OTHER, World, reason};

const ROWS: &str = "select count(*) from picture";
const USABLE: &str =
    "select count(*) from picture where stored_at is not null and removing_at is null";

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_uploaded_picture_is_read_in_both_sizes(pool: PgPool) {
    let world = World::new(pool).await;
    let noise = encoded(&noise(2_400, 1_200), ImageFormat::Jpeg);
    assert!(noise.len() < 5 * 1024 * 1024);
    let picture = world.upload(MEMBER, &noise).await.unwrap();
    assert_eq!((picture.width, picture.height), (1_920, 960));
    assert_eq!(picture.id.len(), 32);
    for (size, width) in [(PictureSize::Full, 1_920), (PictureSize::Thumb, 446)] {
        let bytes = world.file(&picture.id, size).await.unwrap();
        assert_eq!(image::load_from_memory(&bytes).unwrap().width(), width);
    }
    assert_eq!(world.flaky.count().await, 2);
    assert!(world.is_shown(&picture.id).await);
    for unknown in ["", "x", "../etc", &Uuid::new_v4().simple().to_string()] {
        let read = world.file(unknown, PictureSize::Full).await;
        assert_eq!(reason(read), "PICTURE_NOT_FOUND", "{unknown}");
    }
    let sizeless = world.file(&picture.id, PictureSize::Unspecified).await;
    assert_eq!(reason(sizeless), "PICTURE_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_refused_upload_leaves_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = jpeg(60, 40);
    let large = [&picture[..], &vec![0; 5 * 1024 * 1024]].concat();
    for (bytes, expected) in [
        (&b"<svg/>"[..], "PICTURE_TYPE"),
        (&[][..], "PICTURE_TYPE"),
        (&picture[..90], "PICTURE_BROKEN"),
        (&large, "PICTURE_TOO_LARGE"),
    ] {
        assert_eq!(reason(world.upload(MEMBER, bytes).await), expected);
    }
    let chunk = || Part::Chunk(picture.clone());
    for parts in [
        vec![],
        vec![chunk(), Part::Complete(true)],
        vec![Part::MemberId(0), chunk(), Part::Complete(true)],
        vec![Part::MemberId(MEMBER), chunk()],
        vec![
            Part::MemberId(MEMBER),
            chunk(),
            Part::MemberId(OTHER),
            Part::Complete(true),
        ],
    ] {
        assert_eq!(reason(world.upload_parts(parts).await), "MALFORMED");
    }
    assert_eq!(world.count(ROWS).await, 0);
    assert_eq!(world.flaky.count().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_store_that_fails_is_told_and_leaves_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    world.flaky.is_away.store(true, Ordering::Relaxed);
    let failed = world.upload(MEMBER, &jpeg(60, 40)).await.unwrap_err();
    assert_eq!(failed.code(), Code::Unavailable);
    assert_eq!(reason::<()>(Err(failed)), "UNAVAILABLE");
    // One size is written and the other is not.
    world.flaky.is_away.store(false, Ordering::Relaxed);
    world.flaky.writes_left.store(1, Ordering::Relaxed);
    let failed = world.upload(MEMBER, &jpeg(60, 40)).await;
    assert_eq!(reason(failed), "UNAVAILABLE");
    assert_eq!(world.flaky.count().await, 1);
    assert_eq!(world.count(USABLE).await, 0);
    world.flaky.is_away.store(false, Ordering::Relaxed);
    // What was given up may still be under way.
    world.pass(TimeDelta::minutes(59));
    world.work().await;
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (2, 1));
    world.pass(TimeDelta::minutes(1));
    world.work().await;
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_write_that_ends_after_it_was_given_up_leaves_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let ends = Arc::new(Notify::new());
    *world.flaky.late.lock() = Some(Arc::clone(&ends));
    let uploaded = world.upload(MEMBER, &jpeg(60, 40)).await;
    assert_eq!(reason(uploaded), "UNAVAILABLE");
    world.work().await;
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (1, 0));
    ends.notify_waiters();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(world.flaky.count().await, 2);
    world.pass(TimeDelta::hours(1));
    world.work().await;
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_store_that_hangs_is_given_up(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = world.picture(MEMBER).await;
    world.flaky.hangs.store(true, Ordering::Relaxed);
    let begun = std::time::Instant::now();
    let upload = jpeg(60, 40);
    let (uploaded, read) = tokio::join!(
        world.upload(MEMBER, &upload),
        world.file(&picture, PictureSize::Full)
    );
    assert_eq!(reason(uploaded), "UNAVAILABLE");
    assert_eq!(reason(read), "UNAVAILABLE");
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert_eq!(world.count(USABLE).await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_crash_at_any_step_leaves_nothing_after_a_week(pool: PgPool) {
    let world = World::new(pool).await;
    let new = |id| NewPicture {
        id,
        member: MemberId(MEMBER),
        width: 60,
        height: 40,
        placeholder: "#000000".to_owned(),
    };
    let (row_alone, one_file, both_files) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    for id in [row_alone, one_file, both_files] {
        world.store.begin_picture(&new(id)).await.unwrap();
    }
    let write = async |id, size| world.files.write(id, size, vec![1]).await.unwrap();
    write(one_file, Size::Full).await;
    write(both_files, Size::Full).await;
    write(both_files, Size::Thumb).await;
    for id in [row_alone, one_file, both_files] {
        let id = id.simple().to_string();
        assert!(!world.is_shown(&id).await);
        let post = world.try_post(post_with(MEMBER, "사진", &[&id])).await;
        assert_eq!(reason(post), "IMAGE_UNKNOWN");
    }
    world.pass(TimeDelta::days(6));
    world.work().await;
    assert_eq!(world.count(ROWS).await, 3);
    world.pass(TimeDelta::days(1) + TimeDelta::seconds(1));
    world.work().await;
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn removal_that_was_interrupted_goes_on(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = world.picture(MEMBER).await;
    world.delete_picture(MEMBER, &picture).await.unwrap();
    assert!(!world.is_shown(&picture).await);
    world.flaky.is_away.store(true, Ordering::Relaxed);
    let shutdown = tokio_util::sync::CancellationToken::new();
    let work = community::pictures::removal::work(&world.store, &world.files, &shutdown);
    work.await.unwrap();
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (1, 2));
    world.flaky.is_away.store(false, Ordering::Relaxed);
    world.pass(TimeDelta::minutes(5));
    tokio::join!(world.work(), world.work());
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn files_that_cannot_be_removed_hold_up_no_others(pool: PgPool) {
    let world = World::new(pool).await;
    let stuck = world.picture(MEMBER).await;
    world.delete_picture(MEMBER, &stuck).await.unwrap();
    stuck.clone_into(&mut world.flaky.stuck.lock());
    world.pass(TimeDelta::seconds(1));
    for _ in 0..3 {
        let picture = world.picture(MEMBER).await;
        world.delete_picture(MEMBER, &picture).await.unwrap();
    }
    world.work().await;
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (1, 2));
    assert!(!world.is_shown(&stuck).await);
    world.flaky.stuck.lock().clear();
    world.work().await;
    assert_eq!(world.count(ROWS).await, 1, "not yet again");
    world.pass(TimeDelta::minutes(5));
    world.work().await;
    assert_eq!((world.count(ROWS).await, world.flaky.count().await), (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_store_that_is_away_is_tried_a_few_times_a_round(pool: PgPool) {
    let world = World::new(pool).await;
    for _ in 0..12 {
        let picture = world.picture(MEMBER).await;
        world.delete_picture(MEMBER, &picture).await.unwrap();
    }
    world.flaky.is_away.store(true, Ordering::Relaxed);
    world.work().await;
    let put_off = "select count(*) from picture where removing_at > '2026-12-01'";
    assert_eq!(world.count(put_off).await, 5);
    world.flaky.is_away.store(false, Ordering::Relaxed);
    world.work().await;
    assert_eq!(world.count(ROWS).await, 5);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn members_delete_their_own_pictures_alone(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = world.picture(MEMBER).await;
    let deleted = world.delete_picture(OTHER, &picture).await;
    assert_eq!(reason(deleted), "PICTURE_NOT_FOUND");
    for unknown in ["", "..", "/files/x", &Uuid::new_v4().simple().to_string()] {
        let deleted = world.delete_picture(MEMBER, unknown).await;
        assert_eq!(reason(deleted), "PICTURE_NOT_FOUND", "{unknown}");
    }
    assert!(world.is_shown(&picture).await);
    for _ in 0..2 {
        world.delete_picture(MEMBER, &picture).await.unwrap();
    }
    world.work().await;
    let repeated = world.delete_picture(MEMBER, &picture).await;
    assert_eq!(reason(repeated), "PICTURE_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn many_at_once_are_all_stored(pool: PgPool) {
    let world = World::new(pool).await;
    let bytes = png(80, 80);
    let uploads = (0..40).map(|_| world.upload(MEMBER, &bytes));
    let uploads = futures_util::future::join_all(uploads).await;
    assert!(uploads.iter().all(Result::is_ok), "{uploads:?}");
    assert_eq!(world.count(USABLE).await, 40);
    assert_eq!(world.flaky.count().await, 80);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn uploads_of_a_day_are_counted_whatever_becomes_of_them(pool: PgPool) {
    let world = World::new(pool).await;
    let good = png(8, 8);
    let deleted = world.upload(MEMBER, &good).await.unwrap();
    world.delete_picture(MEMBER, &deleted.id).await.unwrap();
    let broken = (1..205).map(|_| world.upload(MEMBER, b"no picture"));
    let broken = futures_util::future::join_all(broken).await;
    let reasons = broken.into_iter().map(reason);
    let limited = reasons.filter(|reason| reason == "UPLOAD_LIMIT").count();
    assert_eq!(limited, 5);
    assert_eq!(reason(world.upload(MEMBER, &good).await), "UPLOAD_LIMIT");
    world.upload(OTHER, &good).await.unwrap();
    world.pass(TimeDelta::days(1));
    world.upload(MEMBER, &good).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn counts_of_uploads_go_with_their_day(pool: PgPool) {
    let world = World::new(pool).await;
    let many = "insert into upload_count select n, '2026-11-30', 3 from generate_series(1, 1700) n";
    sqlx::query(many).execute(&world.pool).await.unwrap();
    let today = "select count(*) from upload_count where day = '2026-12-01'";
    world.picture(MEMBER).await;
    assert_eq!(world.count(today).await, 1);
    tokio::join!(world.work(), world.work());
    assert_eq!(world.count(today).await, 1);
    assert_eq!(world.count("select count(*) from upload_count").await, 1);
    // The Korean day ends at 15:00 UTC.
    world.pass(TimeDelta::hours(15));
    world.picture(OTHER).await;
    world.work().await;
    assert_eq!(world.count("select count(*) from upload_count").await, 1);
    assert_eq!(world.count(today).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn pictures_that_nobody_uses_are_few(pool: PgPool) {
    let world = World::new(pool).await;
    let bytes = png(8, 8);
    let mut pictures = Vec::new();
    for _ in 0..50 {
        pictures.push(world.upload(MEMBER, &bytes).await.unwrap().id);
    }
    let refused = world.upload(MEMBER, &bytes).await;
    assert_eq!(reason(refused), "UPLOAD_LIMIT");
    assert_eq!(world.count(ROWS).await, 50);
    world.upload(OTHER, &bytes).await.unwrap();
    // What is used or deleted makes room.
    let used = post_with(MEMBER, "사진 글", &[&pictures[0]]);
    world.try_post(used).await.unwrap();
    world.delete_picture(MEMBER, &pictures[1]).await.unwrap();
    for _ in 0..2 {
        world.upload(MEMBER, &bytes).await.unwrap();
    }
    let refused = world.upload(MEMBER, &bytes).await;
    assert_eq!(reason(refused), "UPLOAD_LIMIT");
}
