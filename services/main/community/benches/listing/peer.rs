//! Lemmy's way: what its list of posts, its view of one and its tree of comments read. It also joins
//! what this product has not (communities, languages, instances), which is left out.

use sqlx::PgPool;

const LIST: &str = include_str!("peer_list.sql");
const POST: &str = include_str!("peer_post.sql");
const COMMENTS: &str = include_str!("peer_comments.sql");
const SIZE: usize = 20;

pub(crate) struct Peer {
    pool: PgPool,
}

impl Peer {
    pub(crate) fn new(pool: PgPool) -> Self {
        Self { pool }
    }

    pub(crate) async fn list(&self, viewer: i64, offset: i64) {
        let rows = sqlx::query(LIST)
            .bind(viewer)
            .bind(offset)
            .fetch_all(&self.pool)
            .await
            .unwrap();
        assert_eq!(rows.len(), SIZE);
    }

    pub(crate) async fn post(&self, viewer: i64, post: i64) {
        let found = sqlx::query(POST)
            .bind(viewer)
            .bind(post)
            .fetch_one(&self.pool)
            .await;
        found.unwrap();
        let rows = sqlx::query(COMMENTS)
            .bind(viewer)
            .bind(post)
            .fetch_all(&self.pool)
            .await
            .unwrap();
        assert!(!rows.is_empty());
    }
}
