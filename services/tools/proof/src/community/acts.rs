//! Changing, deleting, liking and reporting.

use std::time::Instant;

use proto::community::v1 as wire;
use proto::community::v1::report_request;

use super::api::Answer;
use super::member::Member;
use super::model::{Fate, Subject, Text};

pub(super) const NO_POST: [&str; 2] = ["POST_NOT_FOUND", "POST_DELETED"];
pub(super) const NO_COMMENT: [&str; 1] = ["COMMENT_NOT_FOUND"];
/// Later reports of a member weigh nothing on the same day, and the model knows one weight.
const WEIGHED_REPORTS: u32 = 20;

impl Member {
    /// A text of the member itself, or one of somebody else, which is refused.
    pub(super) async fn edit(&mut self) -> anyhow::Result<()> {
        let Some((subject, text)) = self.pick_text() else {
            return Ok(());
        };
        // What a held text becomes is not part of the model.
        if text.is_held {
            return Ok(());
        }
        let content = self.content();
        let began = Instant::now();
        let (name, fate) = match subject {
            Subject::Post(_) => ("edit post", self.edit_post(subject, &content).await?),
            Subject::Comment(_) => ("edit comment", self.edit_comment(subject, &content).await?),
        };
        self.acted.count(name, fate == Fate::Done);
        let (is_late, may_be_missing) = {
            let model = self.model.lock();
            let may_be_missing = model.may_be_missing(subject, self.id);
            (model.was_deleted(subject, began), may_be_missing)
        };
        let is_own = text.author == self.id;
        match fate {
            Fate::Done if !is_own => self.unexpected(name, subject, "somebody else's was changed"),
            Fate::Done if is_late => self.unexpected(name, subject, "done after the deletion"),
            Fate::Refused | Fate::Unclear if is_own && !may_be_missing => {
                self.unexpected(name, subject, "refused");
            }
            Fate::Done | Fate::Refused | Fate::Unclear => {}
        }
        if let Some(text) = self.model.lock().text_mut(subject) {
            text.edited(&content, fate);
        }
        Ok(())
    }

    /// The pictures stay as they are.
    pub(super) async fn edit_post(&self, subject: Subject, content: &str) -> anyhow::Result<Fate> {
        let Subject::Post(post_id) = subject else {
            anyhow::bail!("{subject:?} is no post");
        };
        let request = wire::UpdatePostRequest {
            member_id: self.id,
            post_id,
            category: wire::Category::Study.into(),
            content: content.to_owned(),
            keeps_images: true,
            ..wire::UpdatePostRequest::default()
        };
        Ok(self.api.update_post(request).await?.fate)
    }

    async fn edit_comment(&self, subject: Subject, content: &str) -> anyhow::Result<Fate> {
        let Subject::Comment(comment_id) = subject else {
            anyhow::bail!("{subject:?} is no comment");
        };
        let request = wire::UpdateCommentRequest {
            member_id: self.id,
            comment_id,
            content: content.to_owned(),
            keeps_images: true,
            ..wire::UpdateCommentRequest::default()
        };
        Ok(self.api.update_comment(request).await?.fate)
    }

    pub(super) async fn delete(&mut self) -> anyhow::Result<()> {
        let Some((subject, text)) = self.pick_text() else {
            return Ok(());
        };
        let is_own = text.author == self.id;
        if is_own && let Some(text) = self.model.lock().text_mut(subject) {
            text.deletes();
        }
        let times = if self.one_in(4) { 2 } else { 1 };
        for _ in 0..times {
            let reason = self.delete_once(subject).await?;
            self.acted.count("delete", reason.is_none());
            match (reason, is_own) {
                (None, true) => {
                    if let Some(text) = self.model.lock().text_mut(subject) {
                        text.deleted(Instant::now());
                    }
                }
                (Some(_), false) => {}
                (outcome, _) => self.unexpected("delete", subject, &format!("{outcome:?}")),
            }
        }
        if is_own {
            self.expect_gone(subject).await?;
        }
        Ok(())
    }

    /// The reason of a refusal.
    pub(super) async fn delete_once(&self, subject: Subject) -> anyhow::Result<Option<String>> {
        let member_id = self.id;
        Ok(match subject {
            Subject::Post(post_id) => {
                let request = wire::DeletePostRequest { member_id, post_id };
                self.api.delete_post(request).await?.result.err()
            }
            Subject::Comment(comment_id) => {
                let request = wire::DeleteCommentRequest {
                    member_id,
                    comment_id,
                };
                self.api.delete_comment(request).await?.result.err()
            }
        })
    }

    pub(super) async fn like_post(&mut self) -> anyhow::Result<()> {
        let Some(post_id) = self.model.lock().pick_post(&mut self.rng) else {
            return Ok(());
        };
        let request = wire::LikePostRequest {
            member_id: self.id,
            post_id,
            liked: !self.one_in(3),
        };
        let began = Instant::now();
        let answer = self.api.like_post(request).await?;
        let subject = Subject::Post(post_id);
        self.count("like post", &answer, subject, &NO_POST);
        self.liked((subject, request.liked), (&answer, began));
        Ok(())
    }

    pub(super) async fn like_comment(&mut self) -> anyhow::Result<()> {
        let Some(comment_id) = self.model.lock().pick_comment(&mut self.rng) else {
            return Ok(());
        };
        let request = wire::LikeCommentRequest {
            member_id: self.id,
            comment_id,
            liked: !self.one_in(3),
        };
        let began = Instant::now();
        let answer = self.api.like_comment(request).await?;
        let subject = Subject::Comment(comment_id);
        self.count("like comment", &answer, subject, &NO_COMMENT);
        self.liked((subject, request.liked), (&answer, began));
        Ok(())
    }

    pub(super) async fn report(&mut self) -> anyhow::Result<()> {
        let Some((subject, text)) = self.pick_any() else {
            return Ok(());
        };
        if text.author == self.id || self.reports == WEIGHED_REPORTS {
            return Ok(());
        }
        self.reports += 1;
        let request = wire::ReportRequest {
            member_id: self.id,
            reason: wire::ReportReason::Spam.into(),
            subject: Some(match subject {
                Subject::Post(id) => report_request::Subject::PostId(id),
                Subject::Comment(id) => report_request::Subject::CommentId(id),
            }),
            text: String::new(),
        };
        self.model.lock().reports(subject);
        let began = Instant::now();
        let answer = self.api.report(request).await?;
        self.count(
            "report",
            &answer,
            subject,
            &["POST_NOT_FOUND", "COMMENT_NOT_FOUND"],
        );
        let mut model = self.model.lock();
        let repeats = model.report(subject, self.id).allows(true);
        let is_late = answer.result.is_ok() && model.was_deleted(subject, began);
        model.reported((subject, self.id), answer.fate);
        drop(model);
        // A repeat is answered whatever became of the text.
        if is_late && !repeats {
            self.unexpected("report", subject, "done after the deletion");
        }
        Ok(())
    }

    fn liked(
        &mut self,
        (subject, on): (Subject, bool),
        (answer, began): (&Answer<wire::Likes>, Instant),
    ) {
        let mut model = self.model.lock();
        model.liked((subject, self.id), on, answer.fate);
        let is_late = answer.result.is_ok() && model.was_deleted(subject, began);
        drop(model);
        if is_late {
            self.unexpected("like", subject, "done after the deletion");
        }
        if let Ok(likes) = &answer.result
            && (likes.is_liked != on || on && likes.count < 1)
        {
            self.unexpected("like", subject, &format!("answered {likes:?}"));
        }
    }

    /// One that the member wrote, or sometimes one of somebody else.
    fn pick_text(&mut self) -> Option<(Subject, Text)> {
        if self.one_in(8) {
            return self.pick_any();
        }
        let subject = *self.rng.pick(&self.own)?;
        let text = self.model.lock().text(subject).cloned();
        text.map(|text| (subject, text))
    }

    fn pick_any(&mut self) -> Option<(Subject, Text)> {
        let model = self.model.lock();
        let subject = if self.rng.below(2) == 0 {
            model.pick_post(&mut self.rng).map(Subject::Post)
        } else {
            model.pick_comment(&mut self.rng).map(Subject::Comment)
        }?;
        model.text(subject).map(|text| (subject, text.clone()))
    }
}
