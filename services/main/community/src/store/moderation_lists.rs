//! What moderators read: lists of texts that wait for a decision, and one text with its history.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::Store;
use super::texts::TextRef;
use crate::error::CommunityError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitingFor {
    /// Published or refused.
    Publication,
    /// A decision about reports.
    Decision,
    Appeal,
}

/// A text that waits.
#[derive(Clone, Debug, FromRow)]
pub struct WaitingRow {
    /// Where the next page goes on.
    pub key: i64,
    pub post_id: Option<i64>,
    pub comment_id: Option<i64>,
    pub author_id: i64,
    pub publication: String,
    pub version: i32,
    pub report_weight: i32,
    /// That readers of the text would see.
    pub pictures: i64,
    pub content: String,
    pub since: DateTime<Utc>,
}

/// A text as a moderator reads it.
#[derive(Clone, Debug, FromRow)]
pub struct CaseRow {
    pub author_id: i64,
    pub publication: String,
    pub version: i32,
    pub report_weight: i32,
    pub content: String,
    pub codes: Vec<String>,
    pub created_at: DateTime<Utc>,
    pub deleted_at: Option<DateTime<Utc>>,
    pub restricted_until: Option<DateTime<Utc>>,
    pub appeal: Option<String>,
    pub appeal_upheld: Option<bool>,
    /// Sanctions of the author that were not lifted.
    pub sanctions: i64,
}

/// A picture that a text has, or had until its author took it out or deleted the text.
#[derive(Clone, Debug, FromRow)]
pub struct CasePicture {
    pub id: Uuid,
    pub width: i32,
    pub height: i32,
    pub alt_text: String,
    /// `None` while the text has it.
    pub unused_since: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, FromRow)]
pub struct ReportRow {
    pub id: i64,
    pub member_id: i64,
    pub reason: String,
    pub text: String,
    pub weight: i32,
    /// That was reported, if it is known.
    pub version: Option<i32>,
    pub created_at: DateTime<Utc>,
    pub upheld: Option<bool>,
}

#[derive(Clone, Debug, FromRow)]
pub struct StepRow {
    pub id: i64,
    pub kind: String,
    /// That was removed.
    pub picture_id: Option<Uuid>,
    pub version: i32,
    pub rule: String,
    pub reason: String,
    pub operator: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl Store {
    /// Those with the oldest cause first, after a key of the page before: 50 a page, and of held
    /// texts one more where a post and a comment have the same id.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn waiting(
        &self,
        for_what: WaitingFor,
        after: i64,
    ) -> Result<Vec<WaitingRow>, CommunityError> {
        let statement = match for_what {
            WaitingFor::Publication => held(),
            WaitingFor::Decision => of_texts(REPORTED),
            WaitingFor::Appeal => of_texts(APPEALED),
        };
        let rows = sqlx::query_as(AssertSqlSafe(statement)).bind(after);
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// # Errors
    /// Those of a text that does not exist.
    pub async fn case(&self, text: TextRef) -> Result<CaseRow, CommunityError> {
        let (table, column) = (table(text), text.column());
        let codes = match text {
            TextRef::Post(_) => {
                "array(select code from post_tag where post_id = t.id order by place)"
            }
            TextRef::Comment(_) => "array[]::text[]",
        };
        let statement = format!(
            "select t.author_id, t.publication, t.version, t.report_weight, t.content, \
             {codes} as codes, t.created_at, t.deleted_at, r.ends_at as restricted_until, \
             a.text as appeal, a.is_upheld as appeal_upheld, \
             (select count(*) from sanction where member_id = t.author_id \
             and lifted_at is null) as sanctions from {table} t \
             left join restriction r on r.{column} = t.id and r.ended_at is null \
             left join appeal a on a.{column} = t.id where t.id = $1"
        );
        let case = sqlx::query_as(AssertSqlSafe(statement))
            .bind(text.id())
            .fetch_optional(&self.pool)
            .await?;
        case.ok_or(text.missing())
    }

    /// Those that the text has, in its order, then those that it had; a hundred at most.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn pictures_of_case(
        &self,
        text: TextRef,
    ) -> Result<Vec<CasePicture>, CommunityError> {
        let of_text = match text {
            TextRef::Post(_) => of_post("$1"),
            TextRef::Comment(_) => of_comment("$1"),
        };
        let statement = AssertSqlSafe(format!(
            "select f.id, f.width, f.height, f.alt_text, f.unused_since from picture f \
             where {of_text} and f.removing_at is null \
             order by f.place, f.unused_since desc, f.id limit 100"
        ));
        let rows = sqlx::query_as(statement).bind(text.id());
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// Whether a text has or had a picture. What its member has only uploaded is no matter of
    /// moderators.
    ///
    /// # Errors
    /// [`CommunityError::PictureNotFound`] otherwise.
    pub async fn check_was_shown(&self, picture: Uuid) -> Result<(), CommunityError> {
        let was_shown: bool = sqlx::query_scalar(
            "select exists (select from picture where id = $1 and post_id is not null \
             and stored_at is not null and removing_at is null)",
        )
        .bind(picture)
        .fetch_one(&self.pool)
        .await?;
        was_shown
            .then_some(())
            .ok_or(CommunityError::PictureNotFound)
    }

    /// Oldest first, 100 a page.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn reports_of(
        &self,
        text: TextRef,
        after: i64,
    ) -> Result<Vec<ReportRow>, CommunityError> {
        let statement = format!(
            "select id, member_id, reason, text, weight, version, created_at, upheld from report \
             where {} = $1 and id > $2 order by id limit 100",
            text.column()
        );
        let rows = sqlx::query_as(AssertSqlSafe(statement)).bind(text.id());
        Ok(rows.bind(after).fetch_all(&self.pool).await?)
    }

    /// The last hundred, newest first.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn steps_of(&self, text: TextRef) -> Result<Vec<StepRow>, CommunityError> {
        let statement = format!(
            "select id, kind, picture_id, version, rule, reason, operator, created_at \
             from moderation_step where {} = $1 order by id desc limit 100",
            text.column()
        );
        let rows = sqlx::query_as(AssertSqlSafe(statement)).bind(text.id());
        Ok(rows.fetch_all(&self.pool).await?)
    }
}

fn table(text: TextRef) -> &'static str {
    match text {
        TextRef::Post(_) => "post",
        TextRef::Comment(_) => "comment",
    }
}

fn of_post(id: &str) -> String {
    format!("f.post_id = {id} and f.comment_id is null")
}

fn of_comment(id: &str) -> String {
    format!("f.comment_id = {id}")
}

/// As SQL, how many pictures readers of a text would see.
fn picture_count(of_text: &str) -> String {
    format!(
        "(select count(*) from picture f where {of_text} and f.place is not null \
         and f.removing_at is null)"
    )
}

/// The texts of rows with an id of theirs, a post or a comment, and a time.
fn of_texts(rows: &str) -> String {
    format!(
        "select w.id as key, w.post_id, w.comment_id, \
         coalesce(p.author_id, c.author_id) as author_id, \
         coalesce(p.publication, c.publication) as publication, \
         coalesce(p.version, c.version) as version, \
         coalesce(p.report_weight, c.report_weight) as report_weight, \
         case when w.comment_id is null then {} else {} end as pictures, \
         coalesce(p.content, c.content) as content, w.created_at as since from ({rows}) w \
         left join post p on p.id = w.post_id left join comment c on c.id = w.comment_id \
         order by w.id",
        picture_count(&of_post("w.post_id")),
        picture_count(&of_comment("w.comment_id")),
    )
}

fn held() -> String {
    format!(
        "select * from ( \
         (select id as key, id as post_id, null::bigint as comment_id, author_id, publication, \
         version, report_weight, {} as pictures, content, created_at as since from post \
         where publication = 'HELD' and deleted_at is null and id > $1 order by id limit 50) \
         union all (select id, null, id, author_id, publication, version, report_weight, {}, \
         content, created_at from comment \
         where publication = 'HELD' and deleted_at is null and id > $1 order by id limit 50)) held \
         order by key fetch first 50 rows with ties",
        picture_count(&of_post("post.id")),
        picture_count(&of_comment("comment.id")),
    )
}

/// The first undecided report of each text.
const REPORTED: &str = "select r.id, r.post_id, r.comment_id, r.created_at from report r \
    where r.upheld is null and r.id > $1 \
    and not exists (select from report o where o.post_id = r.post_id \
    and o.upheld is null and o.id < r.id) \
    and not exists (select from report o where o.comment_id = r.comment_id \
    and o.upheld is null and o.id < r.id) order by r.id limit 50";
const APPEALED: &str = "select a.id, a.post_id, a.comment_id, a.created_at from appeal a \
    where a.decided_at is null and a.id > $1 order by a.id limit 50";
