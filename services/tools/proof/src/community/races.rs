//! Requests of one member at once about one post, which end in one of the states that their order
//! allows.

use std::time::{Duration, Instant};

use proto::community::v1 as wire;

use super::member::Member;
use super::model::{Deletion, Fate, Subject};

/// Within which a deletion is withdrawn.
const WITHDRAWN_MS: u64 = 8;

impl Member {
    /// Two edits, or an edit and a deletion.
    pub(super) async fn race(&mut self) -> anyhow::Result<()> {
        let Some(subject) = self.pick_own_post() else {
            return Ok(());
        };
        let (one, other) = (self.content(), self.content());
        if self.one_in(3) {
            let (first, second) = tokio::join!(
                self.edit_post(subject, &one),
                self.edit_post(subject, &other)
            );
            let edits = [(one.as_str(), first?), (other.as_str(), second?)];
            self.acted.count("edits at once", true);
            if let Some(text) = self.model.lock().text_mut(subject) {
                text.edited_at_once(edits);
            }
            return Ok(());
        }
        self.begin_deletion(subject);
        let (deleted, fate) =
            tokio::join!(self.delete_once(subject), self.edit_post(subject, &one));
        let (deleted, fate) = (deleted?, fate?);
        self.acted
            .count("edit and deletion at once", fate == Fate::Done);
        if let Some(reason) = deleted {
            self.unexpected("deletion", subject, &reason);
        }
        if let Some(text) = self.model.lock().text_mut(subject) {
            text.edited(&one, fate);
            text.deleted(Instant::now());
        }
        self.expect_gone(subject).await
    }

    /// As a phone that goes away in the middle of the request, or takes it back: the post is deleted
    /// or not, and its author goes on with it.
    pub(super) async fn withdraw_deletion(&mut self) -> anyhow::Result<()> {
        let Some(subject) = self.pick_own_post() else {
            return Ok(());
        };
        let Subject::Post(post_id) = subject else {
            return Ok(());
        };
        self.begin_deletion(subject);
        let request = wire::DeletePostRequest {
            member_id: self.id,
            post_id,
        };
        let within = Duration::from_millis(self.rng.below(WITHDRAWN_MS));
        let deletion = tokio::time::timeout(within, self.api.try_delete_post(request)).await;
        let is_deleted = matches!(deletion, Ok(Ok(())));
        self.acted.count("withdrawn deletion", is_deleted);
        let content = self.content();
        let fate = self.edit_post(subject, &content).await?;
        if let Some(text) = self.model.lock().text_mut(subject) {
            text.edited(&content, fate);
            if is_deleted {
                text.deleted(Instant::now());
            }
        }
        if is_deleted && fate == Fate::Done {
            self.unexpected("edit", subject, "done after the deletion");
        }
        Ok(())
    }

    fn begin_deletion(&self, subject: Subject) {
        if let Some(text) = self.model.lock().text_mut(subject) {
            text.deletes();
        }
    }

    /// One that is there, as far as is known.
    fn pick_own_post(&mut self) -> Option<Subject> {
        let model = self.model.lock();
        let posts = self.own.iter().rev().copied().filter(|subject| {
            let is_there = model
                .text(*subject)
                .is_some_and(|text| text.deletion == Deletion::None && !text.is_held);
            matches!(subject, Subject::Post(_)) && is_there
        });
        let posts: Vec<Subject> = posts.collect();
        self.rng.pick(&posts).copied()
    }
}
