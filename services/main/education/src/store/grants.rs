//! Grants of education points: each once, with its event, within the cap of the day.

use chrono::{DateTime, NaiveDate, Utc};
use messaging::outbox;
use sqlx::PgConnection;

use super::Store;
use super::student::Student;
use crate::domain::points::{Kind, within_cap};
use crate::events::points_earned;

/// What points are granted for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant<'a> {
    pub(super) kind: Kind,
    pub(super) edu_id: &'a str,
    /// Before the cap.
    pub(super) wanted: i32,
    /// The day of the cap.
    pub(super) day: NaiveDate,
    pub(super) earned_at: DateTime<Utc>,
}

impl Store {
    /// Grants points unless they were granted before, and returns their number. A grant that the cap
    /// cuts to nothing is used up as well.
    pub(super) async fn grant(
        &self,
        connection: &mut PgConnection,
        student: &mut Student,
        grant: Grant<'_>,
    ) -> Result<i32, sqlx::Error> {
        let member = student.member();
        let capped = grant.kind != Kind::Streak;
        let earned = if capped {
            points_of(connection, student, grant.day).await?
        } else {
            0
        };
        let points = if capped {
            within_cap(grant.wanted, earned)
        } else {
            grant.wanted
        };
        let inserted = sqlx::query(
            "insert into point_grant (member_id, edu_id, kind, points, day, granted_at) \
             values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
        )
        .bind(member.0)
        .bind(grant.edu_id)
        .bind(grant.kind.as_str())
        .bind(points)
        .bind(grant.day)
        .bind(self.clock.now())
        .execute(&mut *connection)
        .await?;
        if inserted.rows_affected() == 0 || points == 0 {
            return Ok(0);
        }
        if capped {
            sqlx::query(
                "insert into study_day (member_id, day, points) values ($1, $2, $3) \
                 on conflict (member_id, day) do update \
                 set points = study_day.points + excluded.points",
            )
            .bind(member.0)
            .bind(grant.day)
            .bind(points)
            .execute(&mut *connection)
            .await?;
        }
        student.points = student.points.saturating_add(points.into());
        let event = points_earned(
            member,
            grant.kind,
            grant.edu_id,
            points,
            grant.earned_at,
            self.clock.as_ref(),
        );
        outbox::append_all(connection, [event]).await?;
        Ok(points)
    }

    pub(super) async fn note_article(
        &self,
        connection: &mut PgConnection,
        student: &Student,
        day: NaiveDate,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "insert into study_day (member_id, day, articles) values ($1, $2, 1) \
             on conflict (member_id, day) do update set articles = study_day.articles + 1",
        )
        .bind(student.member_id)
        .bind(day)
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// Points of a day that count toward the cap.
async fn points_of(
    connection: &mut PgConnection,
    student: &Student,
    day: NaiveDate,
) -> Result<i32, sqlx::Error> {
    let points =
        sqlx::query_scalar("select points from study_day where member_id = $1 and day = $2")
            .bind(student.member_id)
            .bind(day)
            .fetch_optional(connection)
            .await?;
    Ok(points.unwrap_or_default())
}
