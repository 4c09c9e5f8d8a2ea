//! Comments, likes, and decisions about what members write. The community names only who is to be
//! told; nobody is told what they did themselves.

use kernel::MemberId;
use proto::community::v1::{CommentWritten, PostHidden, PostLiked, ReportDecided};
use proto::convert::{InvalidField, to_instant};

use super::InvalidNotice;
use crate::domain::NotificationType;
use crate::notifications::notice::{COUNT, NICKNAME};
use crate::notifications::words::day_and_time;
use crate::notifications::{Batching, Notice};

/// Whoever is named twice is told what concerns them most.
pub(super) fn commented(event: &CommentWritten) -> Vec<Notice> {
    let on_post = if event.parent_id == 0 {
        "님이 내 글에 댓글을 남겼어요"
    } else {
        "님이 내 글에 답글을 남겼어요"
    };
    let told = [
        (
            event.told_tagged_id,
            NotificationType::Reply,
            "님이 답글에서 나를 불렀어요",
        ),
        (
            event.told_comment_author_id,
            NotificationType::Reply,
            "님이 내 댓글에 답글을 남겼어요",
        ),
        (
            event.told_post_author_id,
            NotificationType::Comment,
            on_post,
        ),
    ];
    let mut notices: Vec<Notice> = Vec::new();
    for (member, kind, did) in told {
        let is_told = notices.iter().any(|notice| notice.member.0 == member);
        if is_told || member == event.author_id {
            continue;
        }
        let notice = Notice::once(member, kind, comment_key(event.comment_id))
            .text(format!("{NICKNAME}{did}"), event.excerpt.clone())
            .link(post_link(event.post_id));
        notices.push(Notice {
            actor: Some(MemberId(event.author_id)),
            ..notice
        });
    }
    notices
}

/// By which all are told of a comment.
pub(in crate::notifications) fn comment_key(comment: i64) -> String {
    format!("comment:{comment}")
}

/// One row for a post and hour.
pub(super) fn liked(event: PostLiked) -> Result<Vec<Notice>, InvalidNotice> {
    let liked_at = to_instant(event.liked_at_us, "liked_at_us")?;
    let member = event.told_post_author_id;
    let others = event.member_ids.into_iter().filter(|id| *id != member);
    let people: Vec<MemberId> = others.map(MemberId).collect();
    if people.is_empty() {
        return Ok(Vec::new());
    }
    let hour = liked_at.format("%Y%m%d%H");
    let key = format!("like:{}:{hour}", event.post_id);
    let notice = Notice::once(member, NotificationType::Like, key)
        .text(format!("{COUNT}명이 내 글을 좋아해요"), event.excerpt)
        .link(post_link(event.post_id));
    Ok(vec![Notice {
        batching: Batching::Counted { people },
        ..notice
    }])
}

pub(super) fn report_decided(event: &ReportDecided) -> Result<Vec<Notice>, InvalidNotice> {
    let text = text_of(&event.kind)?;
    // A decision may be reversed by an appeal.
    let decision = if event.is_upheld {
        "upheld"
    } else {
        "dismissed"
    };
    let key = format!("report:{}:{decision}", event.report_id);
    let notice = Notice::once(event.told_reporter_id, NotificationType::Report, key);
    let notice = if event.is_upheld {
        notice
            .text(
                format!("알려주신 {text}을 가렸어요"),
                "커뮤니티 규칙에 어긋나는 내용이었어요. 알려주셔서 고마워요.",
            )
            .link("/community")
    } else {
        notice
            .text(
                format!("알려주신 {text}을 살펴봤어요"),
                "커뮤니티 규칙에 어긋나지 않아서 그대로 두었어요.",
            )
            .link(post_link(event.post_id))
    };
    Ok(vec![notice])
}

pub(super) fn hidden(event: &PostHidden) -> Result<Vec<Notice>, InvalidNotice> {
    let text = text_of(&event.kind)?;
    let until = match event.until_us {
        0 => None,
        until_us => Some(day_and_time(to_instant(until_us, "until_us")?)),
    };
    let appeal = if event.may_appeal {
        " 생각이 다르면 이의를 제기할 수 있어요."
    } else {
        ""
    };
    let (title, body) = match (event.decision.as_str(), until) {
        ("HIDDEN", _) => (
            format!("내 {text}이 가려졌어요"),
            format!("커뮤니티 규칙에 어긋난다는 신고가 있었어요.{appeal}"),
        ),
        ("RESTRICTED", Some(until)) => (
            format!("내 {text}이 잠시 가려졌어요"),
            format!("권리를 침해한다는 요청이 있어서 {until}까지 가려요.{appeal}"),
        ),
        ("RESTRICTED", None) => (
            format!("내 {text}이 잠시 가려졌어요"),
            format!("권리를 침해한다는 요청이 있었어요.{appeal}"),
        ),
        ("EXPIRED", _) => (
            format!("내 {text}이 다시 보여요"),
            "권리를 침해한다는 요청으로 가려둔 기간이 끝났어요.".to_owned(),
        ),
        ("RESTORED", _) => (
            format!("내 {text}이 다시 보여요"),
            "살펴보니 커뮤니티 규칙에 어긋나지 않았어요.".to_owned(),
        ),
        ("PUBLISHED", _) => (
            format!("내 {text}이 올라갔어요"),
            "확인을 마쳤어요.".to_owned(),
        ),
        ("REFUSED", _) => (
            format!("내 {text}을 올리지 않았어요"),
            format!("살펴보니 커뮤니티 규칙에 어긋나는 내용이 있었어요.{appeal}"),
        ),
        ("KEPT_HIDDEN", _) => (
            "이의 제기를 살펴봤어요".to_owned(),
            format!("커뮤니티 규칙에 어긋나서 {text}을 그대로 가려둘게요."),
        ),
        ("WARNED", _) => (
            "커뮤니티 규칙을 지켜주세요".to_owned(),
            format!("규칙에 어긋나는 {text}이 있었어요. 되풀이되면 글쓰기가 제한돼요."),
        ),
        ("SUSPENDED", Some(until)) => (
            "글쓰기가 제한됐어요".to_owned(),
            format!("{until}까지 글과 댓글을 쓸 수 없어요.{appeal}"),
        ),
        ("SUSPENDED", None) => (
            "글쓰기가 제한됐어요".to_owned(),
            format!("이제 글과 댓글을 쓸 수 없어요.{appeal}"),
        ),
        _ => return Err(InvalidField("decision").into()),
    };
    let key = format!("decision:{}", event.decision_id);
    let notice = Notice::once(event.told_author_id, NotificationType::Report, key);
    Ok(vec![
        notice.text(title, body).link(post_link(event.post_id)),
    ])
}

/// Both end in a consonant, so that the same particles follow.
fn text_of(kind: &str) -> Result<&'static str, InvalidField> {
    match kind {
        "POST" => Ok("글"),
        "COMMENT" => Ok("댓글"),
        _ => Err(InvalidField("kind")),
    }
}

/// Where the notices of a post and of its comments lead.
pub(in crate::notifications) fn post_link(post_id: i64) -> String {
    format!("/community/detail?communitySid={post_id}")
}
