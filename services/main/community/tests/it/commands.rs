//! The commands of moderators, by the program itself.

use std::process::Output;

use chrono::TimeDelta;
use community::MIGRATOR;
use community::pictures::Size;
use community::pictures::files::Files;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{PictureSize, ReportReason, ReportRequest, UpdateCommentRequest};
use sqlx::{ConnectOptions, PgPool};
use tokio::process::Command;
use uuid::Uuid;

use crate::picture_calls::{comment_with, post_with};
use crate::world::{MEMBER, OTHER, THIRD, World};

async fn moderation(pool: &PgPool, arguments: &[&str]) -> Output {
    moderation_with(pool, "", arguments).await
}

async fn moderation_with(pool: &PgPool, files_url: &str, arguments: &[&str]) -> Output {
    let url = pool.connect_options().to_url_lossy().to_string();
    Command::new(env!("CARGO_BIN_EXE_community"))
        .arg("moderation")
        .args(arguments)
        .env("DATABASE_URL", url)
        .env("FILES_URL", files_url)
        .output()
        .await
        .unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_moderator_lists_reads_and_decides(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world
        .post(MEMBER, "<script>x</script>\nstep 9 by nobody")
        .await
        .id;
    let comment = world
        .comment(OTHER, post, "종목 추천방을 열었어요")
        .await
        .id;
    let report = ReportRequest {
        member_id: OTHER,
        subject: Some(Subject::PostId(post)),
        reason: ReportReason::Abuse.into(),
        text: "<img src=x> 욕이에요".to_owned(),
    };
    world.people.clone().report(report).await.unwrap();
    let sid = post.to_string();
    let reported = printed(&moderation(&world.pool, &["list"]).await);
    assert!(reported.starts_with(&format!(
        "post {sid} version 1 by {MEMBER} PUBLISHED weight 1"
    )));
    let held = printed(&moderation(&world.pool, &["list", "held"]).await);
    assert!(
        held.starts_with(&format!("comment {comment} version 1 by {OTHER} HELD")),
        "{held}"
    );
    let none = printed(&moderation(&world.pool, &["list", "appealed"]).await);
    assert_eq!(none, "nothing waits\n");
    let shown = printed(&moderation(&world.pool, &["show", "post", &sid]).await);
    assert!(
        shown.contains("\n  | <script>x</script>\n  | step 9 by nobody\n"),
        "{shown}"
    );
    assert!(
        shown.contains("undecided ABUSE: <img src=x> 욕이에요"),
        "{shown}"
    );

    let uphold = |version| {
        [
            "uphold",
            "post",
            &sid,
            "--version",
            version,
            "--operator",
            "kim",
            "--reason",
            "욕설이 있어요",
        ]
    };
    let changed = moderation(&world.pool, &uphold("2")).await;
    assert!(!changed.status.success());
    assert!(
        String::from_utf8_lossy(&changed.stderr).contains("read version 1"),
        "{changed:?}"
    );
    let decided = printed(&moderation(&world.pool, &uphold("1")).await);
    assert!(
        decided.ends_with("it is hidden, its author is warned\n"),
        "{decided}"
    );
    let again = printed(&moderation(&world.pool, &uphold("1")).await);
    assert!(again.starts_with("decided alike before"), "{again}");
    let shown = printed(&moderation(&world.pool, &["show", "post", &sid]).await);
    assert!(
        shown.contains("UPHELD version 1 by kim ABUSE: 욕설이 있어요"),
        "{shown}"
    );
    for odd in [
        &["uphold", "post", &sid, "--operator", "kim", "--reason", "x"][..],
        &[
            "uphold",
            "post",
            "x",
            "--version",
            "1",
            "--operator",
            "kim",
            "--reason",
            "x",
        ],
        &["show", "member", &sid],
        &["show", "post", "4711"],
        &["list", "everything"],
    ] {
        assert!(
            !moderation(&world.pool, odd).await.status.success(),
            "{odd:?}"
        );
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_moderator_looks_at_the_pictures_of_a_text(pool: PgPool) {
    let world = World::new(pool).await;
    let folder = std::env::temp_dir().join(format!("seedup-moderation-{}", std::process::id()));
    let url = format!("file://{}", folder.join("files").display());
    let files = Files::open(&url, 0).unwrap();
    let (one, two) = (world.picture(MEMBER).await, world.picture(MEMBER).await);
    let unused = world.picture(MEMBER).await;
    let bytes = world.file(&one, PictureSize::Full).await.unwrap();
    let id = Uuid::try_parse(&one).unwrap();
    files.write(id, Size::Full, bytes.clone()).await.unwrap();
    let mut request = post_with(MEMBER, "사진 두 장", &[&one, &two]);
    request.image_alts = vec!["계좌 화면".to_owned()];
    let post = world.try_post(request).await.unwrap().id;
    let of_comment = world.picture(OTHER).await;
    let comment = comment_with(OTHER, post, &[&of_comment]);
    let comment = world.try_comment(comment).await.unwrap().id;
    for subject in [Subject::CommentId(comment), Subject::PostId(post)] {
        world.hide(subject).await;
    }
    let listed = printed(&moderation(&world.pool, &["list"]).await);
    assert!(listed.contains("weight 4 pictures 2 since"), "{listed}");
    assert!(listed.contains("weight 4 pictures 1 since"), "{listed}");
    let (post, comment) = (post.to_string(), comment.to_string());
    let shown = printed(&moderation(&world.pool, &["show", "post", &post]).await);
    let lines = format!("pictures 2\npicture {one} 60x40: 계좌 화면\npicture {two} 60x40: \n");
    assert!(shown.contains(&lines), "{shown}");
    let shown = printed(&moderation(&world.pool, &["show", "comment", &comment]).await);
    let line = format!("pictures 1\npicture {of_comment} 60x40: \n");
    assert!(shown.contains(&line), "{shown}");

    let saved = folder.join("saved.jpg");
    let to = saved.display().to_string();
    let save = ["picture", &one, "--to", &to];
    let said = printed(&moderation_with(&world.pool, &url, &save).await);
    assert_eq!(said, format!("{} bytes\n", bytes.len()));
    assert_eq!(std::fs::read(&saved).unwrap(), bytes);
    let missing = folder.join("missing.jpg").display().to_string();
    let nobodys = Uuid::nil().to_string();
    for odd in [
        // Nothing is written over.
        save,
        ["picture", &unused, "--to", &missing],
        ["picture", &two, "--to", &missing],
        ["picture", &nobodys, "--to", &missing],
        ["picture", "x", "--to", &missing],
    ] {
        let refused = moderation_with(&world.pool, &url, &odd).await;
        assert!(!refused.status.success(), "{odd:?}");
    }
    assert!(!std::fs::exists(&missing).unwrap());
    // Who deletes the text hides nothing from moderators while the files are there.
    world.delete(MEMBER, post.parse().unwrap()).await.unwrap();
    let shown = printed(&moderation(&world.pool, &["show", "post", &post]).await);
    assert!(shown.contains("\npictures 0\n"), "{shown}");
    let line = format!("picture {one} 60x40 taken out 2026-12-01T00:0");
    assert!(shown.contains(&line), "{shown}");
    std::fs::remove_file(&saved).unwrap();
    printed(&moderation_with(&world.pool, &url, &save).await);
    std::fs::remove_file(&saved).unwrap();
    // Another folder than the one of the files is not made.
    let wrong = folder.join("wrong");
    let url = format!("file://{}", wrong.display());
    let refused = moderation_with(&world.pool, &url, &save).await;
    assert!(!refused.status.success(), "{refused:?}");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("wrong cannot be opened"), "{said}");
    assert!(!std::fs::exists(&wrong).unwrap());
    assert!(!std::fs::exists(&saved).unwrap());
    std::fs::remove_dir_all(&folder).unwrap();
}

fn removal(id: &str) -> [&str; 6] {
    [
        "remove-picture",
        id,
        "--operator",
        "kim",
        "--reason",
        "신분증이 보여요",
    ]
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_moderator_removes_one_picture(pool: PgPool) {
    let world = World::new(pool).await;
    let (one, two) = (world.picture(MEMBER).await, world.picture(MEMBER).await);
    let unused = world.picture(OTHER).await;
    let post = post_with(MEMBER, "사진 두 장", &[&one, &two]);
    let post = world.try_post(post).await.unwrap().id;
    for picture in [&one, &unused] {
        let first = printed(&moderation(&world.pool, &removal(picture)).await);
        assert!(first.starts_with("step "), "{first}");
        assert!(!world.is_shown(picture).await);
        let again = printed(&moderation(&world.pool, &removal(picture)).await);
        assert_eq!(again, "it is being removed already\n");
    }
    let pictures = world.get(OTHER, post).await.unwrap().pictures;
    assert_eq!((pictures.len(), &pictures[0].id), (1, &two));
    let sid = post.to_string();
    let shown = printed(&moderation(&world.pool, &["show", "post", &sid]).await);
    assert!(shown.contains("\npictures 1\n"), "{shown}");
    let step = format!(" PICTURE_REMOVED {one} version 1 by kim : 신분증이 보여요");
    assert!(shown.contains(&step), "{shown}");
    let steps = "select count(*) from moderation_step where kind = 'PICTURE_REMOVED'";
    assert_eq!(world.count(steps).await, 2);
    let nobodys = Uuid::nil().to_string();
    for odd in [
        &removal(&nobodys)[..],
        &removal("x"),
        &["remove-picture", &two],
        &[
            "remove-picture",
            &two,
            "--operator",
            "kim",
            "--reason",
            "\u{200b}",
        ],
    ] {
        let refused = moderation(&world.pool, odd).await;
        assert!(!refused.status.success(), "{odd:?}");
    }
    assert!(world.is_shown(&two).await);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_moderator_reads_what_was_reported_before_its_author_changed_it(pool: PgPool) {
    let world = World::new(pool).await;
    let ground = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(OTHER, ground, "심한 말").await.id;
    let change = async |content: &str| {
        let change = UpdateCommentRequest {
            member_id: OTHER,
            comment_id: comment,
            content: content.to_owned(),
            ..UpdateCommentRequest::default()
        };
        world.pass(TimeDelta::seconds(1));
        let changed = world.comments.clone().update_comment(change).await;
        changed.unwrap();
    };
    for member in [MEMBER, THIRD] {
        let report = world.report(member, Subject::CommentId(comment));
        report.await.unwrap();
    }
    change("고운 말").await;
    world
        .report(200_000, Subject::CommentId(comment))
        .await
        .unwrap();
    change("더 고운 말").await;
    let sid = comment.to_string();
    let shown = printed(&moderation(&world.pool, &["show", "comment", &sid]).await);
    assert!(shown.contains("version 3 by"), "{shown}");
    for (version, content) in [(1, "심한 말"), (2, "고운 말")] {
        let kept = format!("\nversion {version} as it was reported 2026-12-01T00:00:0");
        assert!(shown.contains(&kept), "{shown}");
        assert!(shown.contains(&format!("Z:\n  | {content}\n")), "{shown}");
    }
    let of_first = format!(" of version 1 by {THIRD} weight 1");
    assert!(shown.contains(&of_first), "{shown}");
    assert!(
        shown.contains(" of version 2 by 200000 weight 1"),
        "{shown}"
    );
    let kept = "select count(*) from reported_text";
    world.pass(TimeDelta::days(30) - TimeDelta::seconds(2));
    world.work().await;
    assert_eq!(world.count(kept).await, 2);
    world.pass(TimeDelta::seconds(3));
    world.work().await;
    assert_eq!(world.count(kept).await, 0);
}
