//! Compares the rows of the database with the model: each request that was done is there once, and
//! of what was refused there is nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use sqlx::{FromRow, PgConnection};

use super::model::{Deletion, Expected, HIDING_REPORTS, Model, Subject, Text};

/// A post, or a comment with its place.
#[derive(Clone, Debug, FromRow)]
pub(super) struct TextRow {
    pub(super) id: i64,
    pub(super) author_id: i64,
    pub(super) content: String,
    pub(super) publication: String,
    pub(super) is_deleted: bool,
    pub(super) like_count: i32,
    /// Comments of a post, replies to a comment.
    pub(super) below_count: i32,
    /// Of a comment.
    pub(super) post_id: Option<i64>,
    pub(super) parent_id: Option<i64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromRow)]
pub(super) struct MemberCounts {
    pub(super) member_id: i64,
    pub(super) post_count: i64,
    pub(super) comment_count: i64,
    pub(super) received_likes: i64,
}

/// What the members of a run left.
pub(super) struct Rows {
    pub(super) texts: BTreeMap<Subject, TextRow>,
    pub(super) likes: BTreeSet<(Subject, i64)>,
    pub(super) members: BTreeMap<i64, MemberCounts>,
    reports: BTreeSet<(Subject, i64)>,
    follows: BTreeSet<(i64, i64)>,
    blocks: BTreeSet<(i64, i64)>,
    /// In their order.
    pictures: BTreeMap<Subject, Vec<String>>,
}

const POSTS: &str = "select id, author_id, content, publication, deleted_at is not null as is_deleted, \
    like_count, comment_count as below_count, null::bigint as post_id, null::bigint as parent_id \
    from post where author_id = any($1)";
const COMMENTS: &str = "select id, author_id, content, publication, \
    deleted_at is not null as is_deleted, like_count, reply_count as below_count, post_id, parent_id \
    from comment where author_id = any($1)";
const LIKES: &str = "select post_id, null::bigint as comment_id, member_id from post_like \
    where member_id = any($1) union all \
    select null, comment_id, member_id from comment_like where member_id = any($1)";
const REPORTS: &str = "select post_id, comment_id, member_id from report where member_id = any($1)";
const PICTURES: &str = "select case when comment_id is null then post_id end, comment_id, \
    replace(id::text, '-', '') from picture where member_id = any($1) and place is not null \
    and removing_at is null order by post_id, comment_id, place";

type Marks = BTreeSet<(Subject, i64)>;

impl TextRow {
    /// Whether others may see it, apart from what is above it.
    pub(super) fn is_counted(&self) -> bool {
        !self.is_deleted && self.publication == "PUBLISHED"
    }
}

impl Rows {
    pub(super) async fn read(snapshot: &mut PgConnection, members: &[i64]) -> anyhow::Result<Self> {
        let posts: Vec<TextRow> = sqlx::query_as(POSTS)
            .bind(members)
            .fetch_all(&mut *snapshot)
            .await?;
        let comments: Vec<TextRow> = sqlx::query_as(COMMENTS)
            .bind(members)
            .fetch_all(&mut *snapshot)
            .await?;
        let posts = posts.into_iter().map(|row| (Subject::Post(row.id), row));
        let comments = comments.into_iter();
        let comments = comments.map(|row| (Subject::Comment(row.id), row));
        let likes = marks(snapshot, LIKES, members).await?;
        let reports = marks(snapshot, REPORTS, members).await?;
        let pair = "where member_id = any($1)";
        let follows = format!("select member_id, other_id from follow {pair}");
        let follows = pairs(snapshot, follows, members).await?;
        let blocks = format!("select member_id, other_id from block {pair}");
        let blocks = pairs(snapshot, blocks, members).await?;
        let of_members: Vec<MemberCounts> = sqlx::query_as(
            "select member_id, post_count, comment_count, received_likes from member_count \
             where member_id = any($1)",
        )
        .bind(members)
        .fetch_all(&mut *snapshot)
        .await?;
        let rows: Vec<(Option<i64>, Option<i64>, String)> = sqlx::query_as(PICTURES)
            .bind(members)
            .fetch_all(&mut *snapshot)
            .await?;
        let mut pictures: BTreeMap<Subject, Vec<String>> = BTreeMap::new();
        for (post, comment, id) in rows {
            let of_text = subject(post, comment).map(|subject| pictures.entry(subject));
            if let Some(entry) = of_text {
                entry.or_default().push(id);
            }
        }
        Ok(Self {
            texts: posts.chain(comments).collect(),
            likes,
            members: of_members
                .into_iter()
                .map(|row| (row.member_id, row))
                .collect(),
            reports,
            follows,
            blocks,
            pictures,
        })
    }
}

/// Returns each difference as a sentence.
pub(super) fn check(model: &Model, rows: &Rows) -> Vec<String> {
    let mut faults = Vec::new();
    for (subject, text) in model.texts() {
        match rows.texts.get(&subject) {
            Some(row) => faults.extend(text_fault(model, rows, (subject, text), row)),
            None => faults.push(format!("{subject:?} of {} is not there", text.author)),
        }
    }
    let unknown = rows.texts.keys().filter(|id| model.text(**id).is_none());
    faults.extend(unknown.map(|subject| format!("nobody was told of {subject:?}")));
    let likes = (model.likes().collect(), &rows.likes);
    let like = |(subject, member)| model.like(subject, member);
    faults.extend(differences("like", likes, like));
    let reports = (model.all_reports().collect(), &rows.reports);
    let report = |(subject, member)| model.report(subject, member);
    faults.extend(differences("report", reports, report));
    let relations = &model.relations;
    let follows = (relations.follows().collect(), &rows.follows);
    faults.extend(differences("follow", follows, |pair| {
        relations.follow(pair)
    }));
    let blocks = (relations.all_blocks().collect(), &rows.blocks);
    faults.extend(differences("block", blocks, |pair| relations.block(pair)));
    let both = rows.follows.iter().filter(|(one, other)| {
        rows.blocks.contains(&(*one, *other)) || rows.blocks.contains(&(*other, *one))
    });
    faults.extend(both.map(|pair| format!("{pair:?} follow in spite of a block")));
    println!(
        "checked: {} texts, {} likes, {} reports, {} follows and {} blocks, {} differences",
        rows.texts.len(),
        rows.likes.len(),
        rows.reports.len(),
        rows.follows.len(),
        rows.blocks.len(),
        faults.len()
    );
    faults
}

fn text_fault(
    model: &Model,
    rows: &Rows,
    (subject, text): (Subject, &Text),
    row: &TextRow,
) -> Option<String> {
    let place = text.place.map(|place| (place.post, place.parent));
    let has_place = (row.post_id, row.parent_id)
        == (place.map(|place| place.0), place.and_then(|place| place.1));
    if row.author_id != text.author || !has_place {
        return Some(format!("{subject:?} is {row:?}, not {text:?}"));
    }
    if !text.contents.contains(&row.content) {
        return Some(format!("{subject:?} reads {:?}, not {text:?}", row.content));
    }
    let expected = match text.deletion {
        Deletion::None => Expected::No,
        Deletion::Possible => Expected::Either,
        Deletion::Since(_) => Expected::Yes,
    };
    if !expected.allows(row.is_deleted) {
        return Some(format!("{subject:?} is deleted: {}", row.is_deleted));
    }
    let reports = rows
        .reports
        .range((subject, i64::MIN)..=(subject, i64::MAX));
    let publication = if text.is_held {
        "HELD"
    } else if reports.count() >= HIDING_REPORTS {
        "HIDDEN"
    } else {
        "PUBLISHED"
    };
    if row.publication != publication {
        return Some(format!(
            "{subject:?} is {} instead of {publication}",
            row.publication
        ));
    }
    let is_gone = row.is_deleted || is_below_deleted(model, rows, subject);
    let pictures = rows.pictures.get(&subject).map(Vec::as_slice);
    let pictures = pictures.unwrap_or_default();
    (!is_gone && pictures != text.pictures)
        .then(|| format!("{subject:?} has the pictures {pictures:?}, not {text:?}"))
}

fn is_below_deleted(model: &Model, rows: &Rows, subject: Subject) -> bool {
    let place = model.text(subject).and_then(|text| text.place);
    let post = place.and_then(|place| rows.texts.get(&Subject::Post(place.post)));
    post.is_some_and(|post| post.is_deleted)
}

fn differences<K: Ord + Copy + Debug>(
    what: &str,
    (known, there): (BTreeSet<K>, &BTreeSet<K>),
    expected: impl Fn(K) -> Expected,
) -> Vec<String> {
    let wrong = known.union(there).filter(|key| {
        let is_there = there.contains(*key);
        !expected(**key).allows(is_there)
    });
    let sentence = |key: &K| {
        let is_there = there.contains(key);
        format!("{what} {key:?} is there: {is_there}")
    };
    wrong.map(sentence).collect()
}

async fn marks(
    snapshot: &mut PgConnection,
    sql: &'static str,
    members: &[i64],
) -> anyhow::Result<Marks> {
    let rows: Vec<(Option<i64>, Option<i64>, i64)> = sqlx::query_as(sql)
        .bind(members)
        .fetch_all(snapshot)
        .await?;
    let count = rows.len();
    let marks = rows.into_iter().filter_map(|(post, comment, member)| {
        subject(post, comment).map(|subject| (subject, member))
    });
    let marks: Marks = marks.collect();
    anyhow::ensure!(marks.len() == count, "something is there twice: {sql}");
    Ok(marks)
}

async fn pairs(
    snapshot: &mut PgConnection,
    sql: String,
    members: &[i64],
) -> anyhow::Result<BTreeSet<(i64, i64)>> {
    let rows: Vec<(i64, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(members)
        .fetch_all(snapshot)
        .await?;
    Ok(rows.into_iter().collect())
}

fn subject(post: Option<i64>, comment: Option<i64>) -> Option<Subject> {
    comment.map(Subject::Comment).or(post.map(Subject::Post))
}
