//! Comments that nobody but their author sees, between those that everybody sees.

use community::MIGRATOR;
use proto::community::v1::{ListRepliesRequest, Publication};
use sqlx::PgPool;
use tonic::Response;

use crate::world::{MEMBER, OTHER, THIRD, World};

/// The comments of a post, or the replies to a comment, page by page.
async fn listed(world: &World, viewer_id: i64, post: i64, comment: Option<i64>) -> Vec<i64> {
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = match comment {
            None => world.try_comments(viewer_id, post, &cursor).await,
            Some(comment_id) => {
                let request = ListRepliesRequest {
                    viewer_id,
                    comment_id,
                    cursor,
                };
                let page = world.comments.clone().list_replies(request).await;
                page.map(Response::into_inner)
            }
        };
        let page = page.unwrap();
        assert!(page.comments.len() <= 20);
        seen.extend(page.comments.iter().map(|comment| comment.id));
        cursor = page.cursor;
        if cursor.is_empty() {
            return seen;
        }
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn pages_have_what_is_held_in_its_place_for_its_author_alone(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let first = world.comment(OTHER, post, "답이에요").await.id;
    for below in [None, Some(first)] {
        let mut all = Vec::from_iter(below.is_none().then_some(first));
        let mut public = all.clone();
        for number in 0..45 {
            let is_held = number % 3 == 1;
            let (author, text) = if is_held {
                (THIRD, "작전주래요")
            } else {
                (OTHER, "그렇군요")
            };
            let written = match below {
                None => world.comment(author, post, text).await,
                Some(comment) => world.reply(author, comment, text).await,
            };
            assert_eq!(written.publication() == Publication::Held, is_held);
            all.push(written.id);
            if !is_held {
                public.push(written.id);
            }
        }
        assert_eq!(listed(&world, THIRD, post, below).await, all);
        for viewer in [0, OTHER, MEMBER] {
            assert_eq!(listed(&world, viewer, post, below).await, public);
        }
    }
    let replies = async |viewer: i64| {
        let comment = world.get_comment(viewer, first).await.unwrap();
        let replies = comment.replies.iter();
        replies.map(|reply| reply.publication()).collect::<Vec<_>>()
    };
    let (shown, held) = (Publication::Published, Publication::Held);
    assert_eq!(replies(THIRD).await, [shown, held, shown]);
    assert_eq!(replies(0).await, [shown; 3]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_answered_comment_that_is_held_is_listed_once(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(THIRD, post, "답이에요").await.id;
    world.reply(OTHER, comment, "그렇군요").await;
    world.change_comment(THIRD, comment, "작전주래요").await;
    for (viewer, is_deleted) in [(THIRD, false), (OTHER, true), (0, true)] {
        let seen = world.comments_of(viewer, post).await;
        assert_eq!(seen.len(), 1);
        assert_eq!((seen[0].id, seen[0].is_deleted), (comment, is_deleted));
        assert_eq!(seen[0].replies.len(), 1);
    }
}
