//! The commands of moderators, by the program itself.

use std::process::Output;

use community::MIGRATOR;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{ReportReason, ReportRequest};
use sqlx::{ConnectOptions, PgPool};
use tokio::process::Command;

use crate::world::{MEMBER, OTHER, World};

async fn moderation(pool: &PgPool, arguments: &[&str]) -> Output {
    let url = pool.connect_options().to_url_lossy().to_string();
    Command::new(env!("CARGO_BIN_EXE_community"))
        .arg("moderation")
        .args(arguments)
        .env("DATABASE_URL", url)
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
