//! Answers of several members in one transaction.

use std::collections::HashMap;

use kernel::MemberId;
use sqlx::PgConnection;
use telemetry::trace::TraceContext;

use super::super::Store;
use super::super::student::Student;
use super::facts::AnswerFacts;
use super::record::{Answered, write};
use super::{ARTICLE, Answer, Graded, count};
use crate::domain::calendar::day_of;
use crate::error::StudyError;

/// An answer with the trace of its request.
#[derive(Clone, Debug)]
pub struct GroupedAnswer {
    pub answer: Answer,
    pub trace: Option<TraceContext>,
}

impl Store {
    /// Grades first answers to quizzes, at most one of each member. `None` stands for what
    /// [`Store::answer`] must do: a repeated answer, one of an article, one that is refused, and one of
    /// a member whose streak is to be judged or whose row another transaction has locked.
    ///
    /// # Errors
    /// [`StudyError::Database`]: nothing is stored, or it is unknown whether all is.
    pub async fn answer_together(
        &self,
        group: &[GroupedAnswer],
    ) -> Result<Vec<Option<Graded>>, StudyError> {
        let mut transaction = self.pool.begin().await?;
        let free = lock(&mut transaction, group).await?;
        let free: Vec<&Answer> = group
            .iter()
            .map(|grouped| &grouped.answer)
            .filter(|answer| free.contains(&answer.member.0))
            .collect();
        let today = day_of(self.clock.now());
        let facts = AnswerFacts::read(&mut transaction, &free, today).await?;
        let mut facts: HashMap<MemberId, (Student, AnswerFacts)> = facts
            .into_iter()
            .map(|(student, facts)| (student.member(), (student, facts)))
            .collect();
        let answered = group.iter().map(|grouped| {
            let (student, facts) = facts.remove(&grouped.answer.member)?;
            self.grade_first(grouped, student, facts)
        });
        let answered: Vec<Option<Answered>> = answered.collect();
        let is_graded: Vec<bool> = answered.iter().map(Option::is_some).collect();
        let mut answered: Vec<Answered> = answered.into_iter().flatten().collect();
        if answered.is_empty() {
            return Ok(is_graded.iter().map(|_none| None).collect());
        }
        write(&mut transaction, &mut answered).await?;
        transaction.commit().await?;
        let mut graded = answered.into_iter().map(Answered::into_graded);
        let outcomes = is_graded.into_iter().map(|is_graded| {
            let graded = is_graded.then(|| graded.next())??;
            count(&graded);
            Some(graded)
        });
        Ok(outcomes.collect())
    }

    fn grade_first(
        &self,
        grouped: &GroupedAnswer,
        student: Student,
        facts: AnswerFacts,
    ) -> Option<Answered> {
        let answer = &grouped.answer;
        let is_first = facts.handout.kind != ARTICLE && facts.handout.is_correct.is_none();
        if !is_first || answer.is_survey || student.is_to_be_judged(self.clock.now()) {
            return None;
        }
        let mut answered = self.grade(answer, student, facts).ok()?;
        let events = std::mem::take(&mut answered.events).into_iter();
        answered.events = events.map(|event| event.in_trace(grouped.trace)).collect();
        Some(answered)
    }
}

/// Locks the rows of the members that nobody else has locked, and returns their ids.
async fn lock(
    connection: &mut PgConnection,
    group: &[GroupedAnswer],
) -> Result<Vec<i64>, sqlx::Error> {
    let members: Vec<i64> = group
        .iter()
        .map(|grouped| grouped.answer.member.0)
        .collect();
    sqlx::query_scalar(
        "select member_id from student where member_id = any($1) \
         order by member_id for update skip locked",
    )
    .bind(members)
    .fetch_all(connection)
    .await
}
