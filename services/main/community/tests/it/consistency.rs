//! Counters equal their rows after thousands of operations at once.

use community::MIGRATOR;
use community::domain::moderation::Decision;
use community::store::{ModerationError, TextRef};
use futures_util::future::join_all;
use proto::community::v1::report_request::Subject;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use sqlx::PgPool;

use crate::world::{World, new_comment, new_reply};

const MEMBERS: u64 = 12;
const STEPS: u64 = 250;

/// Rows whose counter is not the number of what it counts.
pub(crate) const WRONG: &str = "select (select count(*) from post p where \
     like_count <> (select count(*) from post_like l where l.post_id = p.id) \
     or comment_count <> (select count(*) from comment c where c.post_id = p.id \
     and deleted_at is null and c.publication = 'PUBLISHED')) \
     + (select count(*) from comment c where \
     like_count <> (select count(*) from comment_like l where l.comment_id = c.id) \
     or reply_count <> (select count(*) from comment r where r.parent_id = c.id \
     and deleted_at is null and r.publication = 'PUBLISHED')) \
     + (select count(*) from (select author_id, sum(posts) as posts, sum(comments) as comments, \
     sum(likes) as likes from ( \
     select author_id, 1 as posts, 0 as comments, like_count as likes from post \
     where publication = 'PUBLISHED' and deleted_at is null union all \
     select author_id, 0, 1, like_count from comment \
     where publication = 'PUBLISHED' and deleted_at is null) text group by author_id) written \
     full join member_count m on m.member_id = author_id where \
     (coalesce(posts, 0), coalesce(comments, 0), coalesce(likes, 0)) is distinct from \
     (coalesce(post_count, 0), coalesce(comment_count, 0), coalesce(received_likes, 0)))";

/// Takes one of the numbers below `most`.
fn below(random: &mut ChaCha8Rng, most: u64) -> i64 {
    i64::try_from(random.next_u64() % most).unwrap()
}

/// Does something to something; most of it is refused, which is no matter here. A technical failure
/// is one.
async fn step(world: &World, random: &mut ChaCha8Rng, posts: &[i64]) {
    let member = 200_000 + below(random, MEMBERS);
    let post = posts[usize::try_from(below(random, 3)).unwrap()];
    let comment = 1 + below(random, 60);
    let is_on = random.next_u64().is_multiple_of(2);
    let outcome = match below(random, 10) {
        0 => world.like(member, post, is_on).await.map(drop),
        1 | 2 => world.like_comment(member, comment, is_on).await.map(drop),
        3 => {
            let request = new_comment(member, post, "댓글이에요");
            world.try_comment(request).await.map(drop)
        }
        4 | 5 => {
            let request = new_reply(member, comment, "답글이에요");
            world.try_reply(request).await.map(drop)
        }
        6 => world.report(member, Subject::CommentId(comment)).await,
        7 => {
            let kinds = [Decision::Dismiss, Decision::Restrict, Decision::Lift];
            let kind = kinds[usize::try_from(below(random, 3)).unwrap()];
            let decided = world.decide(TextRef::Comment(comment), kind, 1).await;
            let is_technical = matches!(decided, Err(ModerationError::Community(_)));
            assert!(!is_technical, "{decided:?}");
            Ok(())
        }
        _ => world.delete_comment(member, comment).await,
    };
    if let Err(status) = outcome {
        let expected = [tonic::Code::NotFound, tonic::Code::FailedPrecondition];
        assert!(expected.contains(&status.code()), "{status:?}");
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn counters_equal_rows_after_thousands_of_operations_at_once(pool: PgPool) {
    let world = World::new(pool).await;
    let mut posts = Vec::new();
    for number in 0..3 {
        posts.push(world.post(100_000, &format!("글 {number}")).await.id);
    }
    let crowd = (0..MEMBERS).map(async |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..STEPS {
            step(&world, &mut random, &posts).await;
        }
    });
    join_all(crowd).await;
    assert_eq!(world.count(WRONG).await, 0);
    let happened = [
        "select count(*) from post_like",
        "select count(*) from comment_like",
        "select count(*) from comment where deleted_at is not null",
        "select count(*) from comment where reply_count > 0",
        "select count(*) from comment where publication = 'HIDDEN'",
        "select count(*) from moderation_step where kind = 'LIFTED'",
    ];
    for sql in happened {
        assert!(world.count(sql).await > 0, "{sql}");
    }
}
