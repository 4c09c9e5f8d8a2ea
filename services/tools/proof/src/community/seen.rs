//! What members are shown in the end: the whole list, once each, and nothing of what is gone.

use std::collections::{BTreeMap, BTreeSet};

use proto::community::v1 as wire;

use super::api::Api;
use super::check::{Rows, TextRow};
use super::counters::counts;
use super::model::{Model, Subject};
use super::reading::is_emptied;

const VISITOR: i64 = 0;
const SIZE: i32 = 20;
/// Texts of a kind that are asked for one by one.
const ASKED: usize = 400;

/// Returns each difference as a sentence.
pub(super) async fn check(
    api: &Api,
    model: &Model,
    rows: &Rows,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let latest = walk(api, wire::PostOrder::Latest, rows, &mut faults).await?;
    let is_post = |subject: &Subject| matches!(subject, Subject::Post(_));
    let published = rows.texts.iter().filter(|(_, row)| row.is_counted());
    let published: BTreeSet<Subject> = published
        .map(|(subject, _)| *subject)
        .filter(is_post)
        .collect();
    for subject in latest.symmetric_difference(&published) {
        faults.push(format!("{subject:?} is in one of the list and the rows"));
    }
    let ranked = walk(api, wire::PostOrder::Hot, rows, &mut faults).await?;
    for subject in ranked.difference(&published) {
        faults.push(format!("{subject:?} is ranked, and nobody may see it"));
    }
    faults.extend(gone_texts(api, rows).await?);
    faults.extend(comments(api, rows, &published).await?);
    faults.extend(pictures(api, model, rows).await?);
    for member in members {
        let request = wire::GetActivityRequest {
            viewer_id: VISITOR,
            member_id: *member,
        };
        let stored = rows.members.get(member).copied().unwrap_or_default();
        let shown = api.get_activity(request).await?.result;
        let is_same = shown.as_ref().is_ok_and(|shown| {
            let shown = (shown.post_count, shown.comment_count, shown.received_likes);
            shown == counts(&stored)
        });
        if !is_same {
            faults.push(format!(
                "member {member} is shown {shown:?}, not {stored:?}"
            ));
        }
    }
    println!(
        "checked: {} posts listed, {} ranked, {} faults of what is seen",
        latest.len(),
        ranked.len(),
        faults.len()
    );
    Ok(faults)
}

/// All posts of a list by cursor, those of members of this run.
async fn walk(
    api: &Api,
    order: wire::PostOrder,
    rows: &Rows,
    faults: &mut Vec<String>,
) -> anyhow::Result<BTreeSet<Subject>> {
    let mut found = BTreeSet::new();
    let mut request = wire::ListPostsRequest {
        viewer_id: VISITOR,
        order: order.into(),
        size: SIZE,
        ..wire::ListPostsRequest::default()
    };
    loop {
        let page = match api.list_posts(request.clone()).await?.result {
            Ok(page) => page,
            Err(reason) => anyhow::bail!("a list was refused: {reason}"),
        };
        for post in &page.posts {
            let subject = Subject::Post(post.id);
            let Some(row) = rows.texts.get(&subject) else {
                continue;
            };
            let is_same = post.content == row.content
                && post.like_count == i64::from(row.like_count)
                && post.comment_count == i64::from(row.below_count);
            if !is_same {
                faults.push(format!("{subject:?} is listed as {post:?}, not {row:?}"));
            }
            // A rank may sink meanwhile, and its post come again.
            if !found.insert(subject) && order == wire::PostOrder::Latest {
                faults.push(format!("{subject:?} is listed twice"));
            }
        }
        if page.cursor.is_empty() {
            return Ok(found);
        }
        request.cursor = page.cursor;
    }
}

/// What was deleted or hidden last is refused one by one.
async fn gone_texts(api: &Api, rows: &Rows) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let post_of = |row: &TextRow| {
        row.post_id
            .and_then(|id| rows.texts.get(&Subject::Post(id)))
    };
    let gone = rows.texts.iter().rev().filter(|(_, row)| {
        !row.is_counted() || post_of(row).is_some_and(|post| !post.is_counted())
    });
    let mut asked: BTreeMap<bool, usize> = BTreeMap::new();
    for (subject, row) in gone {
        let count = asked.entry(row.post_id.is_none()).or_default();
        *count += 1;
        if *count > ASKED {
            continue;
        }
        // Its author sees what is hidden, and nobody what is deleted.
        let is_deleted = row.is_deleted || post_of(row).is_some_and(|post| post.is_deleted);
        let viewers = if is_deleted {
            [VISITOR, row.author_id]
        } else {
            [VISITOR, VISITOR]
        };
        for viewer_id in viewers {
            let is_gone = match *subject {
                Subject::Post(post_id) => {
                    let post = wire::GetPostRequest { viewer_id, post_id };
                    let comments = wire::ListCommentsRequest {
                        viewer_id,
                        post_id,
                        cursor: String::new(),
                    };
                    api.get_post(post).await?.result.is_err()
                        && api.list_comments(comments).await?.result.is_err()
                }
                Subject::Comment(comment_id) => {
                    let request = wire::GetCommentRequest {
                        viewer_id,
                        comment_id,
                    };
                    let found = api.get_comment(request).await?.result;
                    found.is_err() || found.is_ok_and(|found| is_emptied(&found))
                }
            };
            if !is_gone {
                faults.push(format!("{subject:?} is shown to {viewer_id}"));
            }
        }
    }
    Ok(faults)
}

/// The comments of the posts with most of them, page by page.
async fn comments(
    api: &Api,
    rows: &Rows,
    published: &BTreeSet<Subject>,
) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut posts: Vec<(i32, i64)> = Vec::new();
    for subject in published {
        if let Some(row) = rows.texts.get(subject) {
            posts.push((row.below_count, row.id));
        }
    }
    posts.sort_unstable();
    for (_, post_id) in posts.into_iter().rev().take(ASKED) {
        let mut listed = BTreeSet::new();
        let mut request = wire::ListCommentsRequest {
            viewer_id: VISITOR,
            post_id,
            cursor: String::new(),
        };
        loop {
            let page = match api.list_comments(request.clone()).await?.result {
                Ok(page) => page,
                Err(reason) => anyhow::bail!("comments were refused: {reason}"),
            };
            for comment in &page.comments {
                let subject = Subject::Comment(comment.id);
                let row = rows.texts.get(&subject);
                let is_right = row.is_some_and(|row| {
                    comment.reply_count == i64::from(row.below_count)
                        && if row.is_counted() {
                            comment.content == row.content
                                && comment.like_count == i64::from(row.like_count)
                        } else {
                            is_emptied(comment)
                        }
                });
                if !is_right {
                    faults.push(format!("{subject:?} is listed as {comment:?}, not {row:?}"));
                }
                if !listed.insert(comment.id) {
                    faults.push(format!("{subject:?} is listed twice"));
                }
            }
            if page.cursor.is_empty() {
                break;
            }
            request.cursor = page.cursor;
        }
        let expected = rows.texts.values().filter(|row| {
            let is_shown = row.is_counted() || row.below_count > 0;
            row.post_id == Some(post_id) && row.parent_id.is_none() && is_shown
        });
        let expected: BTreeSet<i64> = expected.map(|row| row.id).collect();
        if listed != expected {
            faults.push(format!(
                "post {post_id} lists the comments {listed:?}, not {expected:?}"
            ));
        }
    }
    Ok(faults)
}

/// Files are there for what is shown, and for nothing else.
async fn pictures(api: &Api, model: &Model, rows: &Rows) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut asked = 0;
    let of_texts = model.texts().filter(|(_, text)| !text.pictures.is_empty());
    for (subject, text) in of_texts.take(ASKED) {
        let is_counted = |subject| {
            let row = rows.texts.get(&subject);
            row.is_some_and(TextRow::is_counted)
        };
        let post = text.place.map(|place| Subject::Post(place.post));
        let is_shown = is_counted(subject) && post.is_none_or(is_counted);
        for id in &text.pictures {
            let request = wire::ReadPictureRequest {
                id: id.clone(),
                size: wire::PictureSize::Full.into(),
                head_only: false,
            };
            let length = api.read_picture(request).await?.result;
            asked += 1;
            if is_shown != length.as_ref().is_ok_and(|length| *length > 0) {
                faults.push(format!(
                    "picture {id} of {subject:?}, which is shown: {is_shown}, has {length:?}"
                ));
            }
        }
    }
    println!("checked: {asked} pictures, {} faults", faults.len());
    Ok(faults)
}
