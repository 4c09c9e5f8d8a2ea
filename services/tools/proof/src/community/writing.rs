//! Writing posts, comments and replies, and repeating such requests.

use std::time::Instant;

use proto::community::v1 as wire;

use super::acts::{NO_COMMENT, NO_POST};
use super::api::Answer;
use super::member::Member;
use super::model::{Place, Subject, Text};

/// The instrument that some posts are about.
pub(super) const CODE: &str = "005930";
/// Held until somebody reads it.
const DOUBTFUL: &str = "종목 추천방을 열었어요";
/// Refused whoever writes it.
const REFUSED: &str = "궁금하면 010-1234-5678로 연락 주세요";
/// Texts that a member goes on with.
const OWN: usize = 12;
/// Spell numbers, and nothing that a judge of texts knows.
const LETTERS: [char; 16] = [
    '가', '나', '다', '라', '마', '바', '더', '러', '머', '버', '거', '너', '고', '노', '도', '로',
];

impl Member {
    pub(super) async fn write_post(&mut self) -> anyhow::Result<()> {
        if self.one_in(40) {
            return self.write_refused().await;
        }
        let pictures = self.take_pictures(3);
        let is_about_item = self.one_in(4);
        let request = wire::CreatePostRequest {
            member_id: self.id,
            request_id: self.key(),
            category: self.category().into(),
            content: self.new_content(),
            images: pictures.clone(),
            tags: is_about_item.then(tag).into_iter().collect(),
            ..wire::CreatePostRequest::default()
        };
        let answer = if self.one_in(6) {
            let (one, other) = tokio::join!(
                self.api.create_post(request.clone()),
                self.api.create_post(request.clone())
            );
            let (one, other) = (one?, other?);
            self.same(id_of(&one), id_of(&other));
            one
        } else {
            self.api.create_post(request.clone()).await?
        };
        self.acted.count("post", answer.result.is_ok());
        let id = match &answer.result {
            Ok(wire::WrittenPost {
                post: Some(post), ..
            }) => post.id,
            Ok(_) => anyhow::bail!("a post was written without it"),
            Err(reason) => anyhow::bail!("a post was refused: {reason}"),
        };
        let mut text = Text::new(self.id, None, &request.content);
        text.pictures = pictures;
        text.is_held = request.content.contains(DOUBTFUL);
        self.wrote(Subject::Post(id), text);
        if self.one_in(8) {
            let again = self.api.create_post(request.clone()).await?;
            self.same(id_of(&answer), id_of(&again));
            let other_text = wire::CreatePostRequest {
                content: format!("{} 그리고 더", request.content),
                ..request
            };
            let reused = self.api.create_post(other_text).await?;
            self.expect("a reused key", reused.reason(), "REQ_SID_REUSED");
        }
        Ok(())
    }

    pub(super) async fn write_comment(&mut self) -> anyhow::Result<()> {
        let Some(post) = self.model.lock().pick_post(&mut self.rng) else {
            return Ok(());
        };
        let pictures = self.take_pictures(2);
        let request = wire::CreateCommentRequest {
            member_id: self.id,
            request_id: self.key(),
            post_id: post,
            content: self.new_content(),
            images: pictures.clone(),
            ..wire::CreateCommentRequest::default()
        };
        let began = Instant::now();
        let answer = self.api.create_comment(request.clone()).await?;
        self.count("comment", &answer, Subject::Post(post), &NO_POST);
        let place = Place { post, parent: None };
        let is_written = self.wrote_comment((place, &request.content), (&answer, began), &pictures);
        if is_written && self.one_in(6) {
            let again = self.api.create_comment(request).await?;
            self.same(comment_id(&answer), comment_id(&again));
        }
        Ok(())
    }

    pub(super) async fn write_reply(&mut self) -> anyhow::Result<()> {
        let Some(comment) = self.model.lock().pick_comment(&mut self.rng) else {
            return Ok(());
        };
        let above = self.model.lock().text(Subject::Comment(comment)).cloned();
        let Some((Some(place), author)) = above.map(|above| (above.place, above.author)) else {
            return Ok(());
        };
        let request = wire::CreateReplyRequest {
            member_id: self.id,
            request_id: self.key(),
            comment_id: comment,
            content: self.new_content(),
            tagged_member_id: if self.one_in(2) { author } else { 0 },
            ..wire::CreateReplyRequest::default()
        };
        let began = Instant::now();
        let answer = if self.one_in(6) {
            let (one, other) = tokio::join!(
                self.api.create_reply(request.clone()),
                self.api.create_reply(request.clone())
            );
            let (one, other) = (one?, other?);
            // One may come before what hides the comment, and the other after it.
            if one.result.is_ok() && other.result.is_ok() {
                self.same(comment_id(&one), comment_id(&other));
            }
            if one.result.is_ok() { one } else { other }
        } else {
            self.api.create_reply(request.clone()).await?
        };
        self.count("reply", &answer, Subject::Comment(comment), &NO_COMMENT);
        let place = Place {
            parent: Some(comment),
            ..place
        };
        self.wrote_comment((place, &request.content), (&answer, began), &[]);
        Ok(())
    }

    fn wrote_comment(
        &mut self,
        (place, content): (Place, &str),
        (answer, began): (&Answer<wire::WrittenComment>, Instant),
        pictures: &[String],
    ) -> bool {
        let Some(id) = comment_id(answer) else {
            self.pictures.extend_from_slice(pictures);
            return false;
        };
        let above = place
            .parent
            .map_or(Subject::Post(place.post), Subject::Comment);
        if self.model.lock().was_deleted(above, began) {
            self.unexpected("comment", above, "written after the deletion");
        }
        let mut text = Text::new(self.id, Some(place), content);
        text.pictures = pictures.to_vec();
        text.is_held = content.contains(DOUBTFUL);
        self.wrote(Subject::Comment(id), text);
        true
    }

    fn wrote(&mut self, subject: Subject, text: Text) {
        let wrote = self.model.lock().wrote(subject, text);
        if let Err(fault) = wrote {
            self.acted.record_fault(fault);
        }
        self.own.push(subject);
        if self.own.len() > OWN {
            self.own.remove(0);
        }
    }

    async fn write_refused(&mut self) -> anyhow::Result<()> {
        let request = wire::CreatePostRequest {
            member_id: self.id,
            request_id: self.key(),
            category: wire::Category::Free.into(),
            content: format!("{REFUSED} {}", self.key()),
            ..wire::CreatePostRequest::default()
        };
        let answer = self.api.create_post(request).await?;
        self.acted.count("post", answer.result.is_ok());
        self.expect("a phone number", answer.reason(), "CONTACT_DETAILS");
        Ok(())
    }

    /// Never the same twice.
    /// For a new text, which may be held until somebody has read it.
    fn new_content(&mut self) -> String {
        let content = self.content();
        if self.one_in(60) {
            format!("{DOUBTFUL} {content}")
        } else {
            content
        }
    }

    pub(super) fn content(&mut self) -> String {
        let mut word = String::new();
        for _ in 0..16 {
            word.extend(self.rng.pick(&LETTERS));
        }
        format!("오늘 배운 것 {word}")
    }

    fn category(&mut self) -> wire::Category {
        let all = [
            wire::Category::Free,
            wire::Category::Stock,
            wire::Category::Coin,
        ];
        self.rng.pick(&all).copied().unwrap_or(wire::Category::Free)
    }

    fn take_pictures(&mut self, most: usize) -> Vec<String> {
        if self.rng.below(2) == 0 {
            return Vec::new();
        }
        let count = self.pictures.len().min(most);
        self.pictures.drain(..count).collect()
    }

    fn same(&mut self, one: Option<i64>, other: Option<i64>) {
        self.acted.repeated += 1;
        if one != other {
            let fault = format!("a repeat by {} has {other:?}, not {one:?}", self.id);
            self.acted.record_fault(fault);
        }
    }

    fn expect(&mut self, what: &str, reason: Option<&str>, expected: &str) {
        if reason != Some(expected) {
            let fault = format!("{what} by {}: {reason:?} instead of {expected}", self.id);
            self.acted.record_fault(fault);
        }
    }
}

fn tag() -> wire::InstrumentTag {
    wire::InstrumentTag {
        code: CODE.to_owned(),
        is_held: false,
    }
}

fn id_of(answer: &Answer<wire::WrittenPost>) -> Option<i64> {
    let written = answer.result.as_ref().ok()?;
    written.post.as_ref().map(|post| post.id)
}

fn comment_id(answer: &Answer<wire::WrittenComment>) -> Option<i64> {
    let written = answer.result.as_ref().ok()?;
    written.comment.as_ref().map(|comment| comment.id)
}
