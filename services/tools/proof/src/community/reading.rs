//! Reading while others write: nothing is shown whose deletion was answered before, nor anybody who
//! was blocked before.

use std::time::Instant;

use proto::community::v1 as wire;

use super::member::Member;
use super::model::{Deletion, Subject};
use super::writing::CODE;

const PAGES: u64 = 3;
const SIZE: i32 = 20;

impl Member {
    /// Some pages by cursor, or one by its number.
    pub(super) async fn read_lists(&mut self) -> anyhow::Result<()> {
        if self.one_in(3) {
            return self.read_comments().await;
        }
        let orders = [
            wire::PostOrder::Latest,
            wire::PostOrder::Latest,
            wire::PostOrder::Hot,
            wire::PostOrder::Item,
            wire::PostOrder::Follow,
        ];
        let order = *self.rng.pick(&orders).unwrap_or(&wire::PostOrder::Latest);
        let by_number = self.one_in(3) && order != wire::PostOrder::Follow;
        let mut request = wire::ListPostsRequest {
            viewer_id: self.id,
            order: order.into(),
            instrument_code: CODE.to_owned(),
            size: SIZE,
            page: if by_number {
                i32::try_from(self.rng.below(6))?
            } else {
                0
            },
            ..wire::ListPostsRequest::default()
        };
        let mut before = None;
        for _ in 0..PAGES {
            let began = Instant::now();
            let answer = self.api.list_posts(request.clone()).await?;
            self.acted.count("list", answer.result.is_ok());
            let page = match answer.result {
                Ok(page) => page,
                Err(reason) => anyhow::bail!("a list was refused: {reason}"),
            };
            for post in &page.posts {
                self.check_shown(post, began);
                let key = (post.created_at_us, post.id);
                let is_in_order = before.is_none_or(|before| key < before);
                if order != wire::PostOrder::Hot && !is_in_order {
                    self.unexpected("list", Subject::Post(post.id), "out of order");
                }
                before = Some(key);
            }
            if page.cursor.is_empty() || by_number {
                break;
            }
            request.cursor = page.cursor;
        }
        Ok(())
    }

    async fn read_comments(&mut self) -> anyhow::Result<()> {
        let Some(post_id) = self.model.lock().pick_post(&mut self.rng) else {
            return Ok(());
        };
        let request = wire::ListCommentsRequest {
            viewer_id: self.id,
            post_id,
            cursor: String::new(),
        };
        let began = Instant::now();
        let answer = self.api.list_comments(request).await?;
        let subject = Subject::Post(post_id);
        self.count("comments", &answer, subject, &["POST_NOT_FOUND"]);
        let Ok(page) = answer.result else {
            return Ok(());
        };
        if self.model.lock().was_deleted(subject, began) {
            self.unexpected("comments", subject, "listed after the deletion");
        }
        for comment in &page.comments {
            self.check_comment(comment, began);
            for reply in &comment.replies {
                self.check_comment(reply, began);
            }
        }
        Ok(())
    }

    pub(super) async fn read_activity(&mut self) -> anyhow::Result<()> {
        let Some(other) = self.neighbour() else {
            return Ok(());
        };
        let request = wire::ListActivityRequest {
            viewer_id: self.id,
            member_id: other,
            kind: wire::ActivityKind::Post.into(),
            cursor: String::new(),
        };
        let began = Instant::now();
        let answer = self.api.list_activity(request).await?;
        self.acted.count("activity", answer.result.is_ok());
        match answer.result {
            Ok(page) => {
                for post in &page.posts {
                    self.check_shown(post, began);
                }
            }
            Err(reason) => anyhow::bail!("an activity was refused: {reason}"),
        }
        Ok(())
    }

    pub(super) async fn read_post(&mut self) -> anyhow::Result<()> {
        let Some(post_id) = self.model.lock().pick_post(&mut self.rng) else {
            return Ok(());
        };
        let request = wire::GetPostRequest {
            viewer_id: self.id,
            post_id,
        };
        let began = Instant::now();
        let answer = self.api.get_post(request).await?;
        let subject = Subject::Post(post_id);
        let reasons = ["POST_NOT_FOUND", "POST_DELETED"];
        self.count("read", &answer, subject, &reasons);
        if let Ok(post) = &answer.result {
            self.check_shown(post, began);
        }
        Ok(())
    }

    /// After the response to a deletion.
    pub(super) async fn expect_gone(&mut self, subject: Subject) -> anyhow::Result<()> {
        let viewer_id = self.id;
        let is_gone = match subject {
            Subject::Post(post_id) => {
                let request = wire::GetPostRequest { viewer_id, post_id };
                self.api.get_post(request).await?.result.is_err()
            }
            Subject::Comment(comment_id) => {
                let request = wire::GetCommentRequest {
                    viewer_id,
                    comment_id,
                };
                let found = self.api.get_comment(request).await?.result;
                found.is_err() || found.is_ok_and(|comment| is_emptied(&comment))
            }
        };
        if !is_gone {
            self.unexpected("read", subject, "shown after the deletion");
        }
        Ok(())
    }

    fn check_shown(&mut self, post: &wire::Post, began: Instant) {
        let model = self.model.lock();
        let subject = Subject::Post(post.id);
        let is_deleted = model.was_deleted(subject, began);
        let author = post.author_id;
        let is_blocked = model.relations.is_blocked_since(self.id, author, began);
        drop(model);
        if is_deleted {
            self.unexpected("read", subject, "shown after the deletion");
        }
        if is_blocked {
            self.unexpected("read", subject, "shown in spite of a block");
        }
    }

    /// A deleted one may keep its place, with nothing in it.
    fn check_comment(&mut self, comment: &wire::Comment, began: Instant) {
        let model = self.model.lock();
        let subject = Subject::Comment(comment.id);
        let deletion = model.text(subject).map(|text| text.deletion);
        let author = comment.author_id;
        let is_blocked = author != 0 && model.relations.is_blocked_since(self.id, author, began);
        drop(model);
        let is_deleted = matches!(deletion, Some(Deletion::Since(at)) if at < began);
        if is_deleted && !is_emptied(comment) {
            self.unexpected("comments", subject, "shown after the deletion");
        }
        if is_blocked {
            self.unexpected("comments", subject, "shown in spite of a block");
        }
    }
}

/// Whether only the place of a deleted comment is left.
pub(super) fn is_emptied(comment: &wire::Comment) -> bool {
    comment.is_deleted
        && comment.content.is_empty()
        && comment.author_id == 0
        && comment.pictures.is_empty()
}
