//! What single members wrote, deleted or had held by the ten thousands.

use proto::community::v1::{ActivityKind, ListActivityRequest, ListRepliesRequest};

use crate::world::{World, new_comment};

const DELETER: i64 = 1_950_000;
const FLOODER: i64 = 1_960_000;
/// Whose comments are below a post that is deleted.
const UNSEEN: i64 = 1_970_000;
/// With two comments of others, which are the newest below it.
const FLOODED: i64 = 1_005;

/// 100,000 comments that one member deleted, the older half within the last day; 40,000 of another
/// that nobody else sees, half of them below a post, half below its first comment; and 40,000 of a third
/// below a post that was deleted lately, with 5,000 pictures that are not released yet.
pub(super) const ROWS: &str = "
    begin;
    set local session_replication_role = replica;
    insert into comment (post_id, author_id, content, publication, created_at, deleted_at)
        select 3 + n % 100000, 1950000, 'x', 'PUBLISHED',
            '2026-11-20'::timestamptz + n * interval '5 seconds',
            case when n < 50000 then timestamptz '2026-11-30 12:00Z' else '2026-11-28' end
            + n * interval '0.5 seconds'
        from generate_series(0, 99999) n;
    insert into comment (post_id, parent_id, author_id, content, publication, created_at)
        select first.post_id, case when n % 2 = 0 then first.id end, 1960000, 'x',
            case when n % 3 = 0 then 'HIDDEN' else 'HELD' end,
            '2026-10-01'::timestamptz + n * interval '6 seconds'
        from generate_series(1, 40000) n,
            (select post_id, id from comment where post_id = 1005 and parent_id is null
            and deleted_at is null order by id limit 1) first;
    insert into comment (post_id, author_id, content, publication, created_at)
        select 99983, 1970000, 'x', 'PUBLISHED',
            '2026-10-01'::timestamptz + n * interval '6 seconds'
        from generate_series(1, 40000) n;
    insert into picture (id, member_id, width, height, placeholder, created_at, stored_at, post_id,
            comment_id, place)
        select gen_random_uuid(), author_id, 1, 1, '', created_at, created_at, post_id, id, 1
        from comment where author_id = 1970000 order by id limit 5000;
    insert into post_to_release values (99983);
    commit;
    analyze comment, picture";

/// More often than a plan stays one for certain values.
pub(super) async fn members_read_and_write(world: &World) {
    for round in 0..8 {
        let text = format!("오늘도 하나 배우고 갑니다, 고맙습니다 {round}");
        let written = world.try_comment(new_comment(DELETER, FLOODED, &text));
        let written = written.await.unwrap().id;
        let text = format!("{text} 그리고 내일 또 올게요");
        world.change_comment(DELETER, written, &text).await;
        world.delete_comment(DELETER, written).await.unwrap();
        for (viewer, number) in [(0, 0), (1_000_001, 0), (FLOODER, 20)] {
            assert_eq!(written_by(world, viewer, FLOODER).await, number);
            assert_eq!(written_by(world, viewer, UNSEEN).await, 0);
        }
        assert_eq!(written_by(world, UNSEEN, UNSEEN).await, 0);
        for viewer in [0, 1_000_001, DELETER] {
            let seen = world.comments_of(viewer, FLOODED).await;
            assert_eq!(seen.len(), 2);
            assert_eq!(seen[0].replies.len(), 1);
            assert_eq!(replies(world, viewer, seen[0].id).await, 1);
        }
        // The oldest are the flooder's own.
        let own = world.comments_of(FLOODER, FLOODED).await;
        assert_eq!(own.len(), 20);
        assert!(own.iter().all(|comment| comment.author_id == FLOODER));
        let first = world.comments_of(0, FLOODED).await.remove(0);
        assert_eq!(replies(world, FLOODER, first.id).await, 20);
        let shown = world.get_comment(FLOODER, first.id).await.unwrap();
        assert_eq!(shown.replies.len(), 3);
    }
}

/// How many comments the first page of those that a member wrote has.
async fn written_by(world: &World, viewer_id: i64, member_id: i64) -> usize {
    let request = ListActivityRequest {
        viewer_id,
        member_id,
        kind: ActivityKind::Comment.into(),
        cursor: String::new(),
    };
    let page = world.people.clone().list_activity(request).await;
    page.unwrap().into_inner().comments.len()
}

/// How many replies the first page has.
async fn replies(world: &World, viewer_id: i64, comment_id: i64) -> usize {
    let request = ListRepliesRequest {
        viewer_id,
        comment_id,
        cursor: String::new(),
    };
    let page = world.comments.clone().list_replies(request).await;
    page.unwrap().into_inner().comments.len()
}
