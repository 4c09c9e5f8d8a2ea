//! Answers: graded once for each handing-out, with points, review and streak.

mod facts;
mod group;
mod record;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::MemberId;
use messaging::NewEvent;
use sqlx::PgConnection;

use super::Store;
use super::sets::HandoutRow;
use super::student::{Student, Totals};
use crate::domain::calendar::{day_of, is_in_time, judged_at};
use crate::domain::grading::{distinct, grade};
use crate::domain::points::{CORRECT, Kind, SET_BONUS, WRONG, within_cap};
use crate::domain::review::schedule;
use crate::domain::selection::seed;
use crate::error::StudyError;
use crate::events::points_earned;
use crate::library::Lesson;
use facts::AnswerFacts;
use record::{AnswerRecord, Answered, NewGrant, write};

pub use group::GroupedAnswer;

/// The kind of a handing-out.
const ARTICLE: &str = "ARTICLE";

#[derive(Clone, Debug)]
pub struct Answer {
    pub member: MemberId,
    /// The handing-out.
    pub handout: i64,
    /// Keys of options, or the word of a survey.
    pub given: Vec<String>,
    pub is_survey: bool,
    /// When the client says that it was given.
    pub claimed_at: Option<DateTime<Utc>>,
}

/// An answer as it was graded.
#[derive(Clone, Debug)]
pub struct Graded {
    pub handout: HandoutRow,
    /// A wrong answer to the question of an article is not stored.
    pub is_correct: bool,
    pub points: i32,
    pub totals: Totals,
    /// With completed days that are not judged yet.
    pub streak: i32,
    pub is_day_done: bool,
    pub is_replay: bool,
}

impl Store {
    /// # Errors
    /// [`StudyError::NotFound`] for a handing-out that is not the member's, and the reasons for which
    /// an answer is not graded; then nothing changes.
    pub async fn answer(&self, answer: &Answer) -> Result<Graded, StudyError> {
        let today = day_of(self.clock.now());
        let mut transaction = self.begin_locked(answer.member, today).await?;
        let facts = AnswerFacts::read(&mut transaction, &[answer], today)
            .await?
            .pop();
        let (mut student, mut facts) = facts.ok_or(StudyError::NotFound)?;
        let graded = if facts.handout.kind == ARTICLE {
            let (handout, is_correct, points, is_replay) = self
                .answer_article(&mut transaction, &mut student, facts.handout, answer)
                .await?;
            // An article completes no set, so the days of the facts are still right.
            facts.handout = handout;
            graded(facts, &student, today, (is_correct, points, is_replay))
        } else {
            self.answer_quiz(&mut transaction, student, facts, answer)
                .await?
        };
        transaction.commit().await?;
        count(&graded);
        Ok(graded)
    }

    async fn answer_quiz(
        &self,
        connection: &mut PgConnection,
        mut student: Student,
        mut facts: AnswerFacts,
        answer: &Answer,
    ) -> Result<Graded, StudyError> {
        if answer.is_survey {
            return Err(StudyError::InvalidAnswer);
        }
        let now = self.clock.now();
        if let Some(is_correct) = facts.handout.is_correct {
            let points = facts.handout.points;
            return Ok(graded(
                facts,
                &student,
                day_of(now),
                (is_correct, points, true),
            ));
        }
        if student.is_to_be_judged(now) {
            // An answer that is not graded rolls this back, too.
            self.judge(connection, &mut student, now).await?;
            student.save(connection).await?;
            // The days that are judged are no longer open, and the bonus of a streak was granted.
            let again = AnswerFacts::read(connection, &[answer], day_of(now))
                .await?
                .pop();
            (student, facts) = again.ok_or(StudyError::NotFound)?;
        }
        let mut answered = self.grade(answer, student, facts)?;
        write(connection, std::slice::from_mut(&mut answered)).await?;
        Ok(answered.into_graded())
    }

    /// Grades an answer to a quiz of which nothing is stored yet.
    fn grade(
        &self,
        answer: &Answer,
        mut student: Student,
        mut facts: AnswerFacts,
    ) -> Result<Answered, StudyError> {
        let now = self.clock.now();
        let lesson = self.library.lesson(&facts.handout.edu_id);
        let lesson = lesson.ok_or_else(|| unknown_quiz(&facts, now))?;
        let right = lesson.answer();
        let is_correct = grade(&answer.given, &right, lesson.quiz.options.len())
            .map_err(|error| StudyError::invalid(error, right.len()))?;
        let handout = &facts.handout;
        let is_counted = handout.set_id.is_some()
            && is_in_time(handout.day, handout.handed_at, answer.claimed_at, now)
            && handout.day > student.streak().judged;
        let record = self.record(&mut facts, &mut student, lesson, (is_correct, is_counted))?;
        let handout = &mut facts.handout;
        handout.given = Some(distinct(&answer.given).join("|"));
        handout.answered_at = Some(now);
        handout.is_correct = Some(is_correct);
        handout.next_review_on = Some(record.due_on);
        let events = self.events_of(&student, &record);
        Ok(Answered {
            student,
            facts,
            record,
            events,
        })
    }

    /// The event of every grant that has points.
    fn events_of(&self, student: &Student, record: &AnswerRecord) -> Vec<NewEvent> {
        let granted = record.grants.iter().filter(|grant| grant.points > 0);
        let events = granted.map(|grant| {
            points_earned(
                student.member(),
                grant.kind,
                &grant.edu_id,
                grant.points,
                record.answered_at,
                self.clock.as_ref(),
            )
        });
        events.collect()
    }

    /// What the answer changes; counts it in `student` and in the handing-out of `facts`.
    fn record(
        &self,
        facts: &mut AnswerFacts,
        student: &mut Student,
        lesson: &Lesson,
        (is_correct, is_counted): (bool, bool),
    ) -> Result<AnswerRecord, StudyError> {
        let now = self.clock.now();
        let today = day_of(now);
        let member = student.member();
        let answers = facts.card_answers.unwrap_or_default();
        let seed = seed(member, today, &format!("{}:{answers}", lesson.quiz.id));
        let next = schedule(facts.memory(), is_correct, today, seed, facts.rest_weekday)
            .ok_or(StudyError::Schedule)?;
        student.count_answer(is_correct);
        let mut record = AnswerRecord {
            answered_at: now,
            day: if is_counted { facts.handout.day } else { today },
            is_counted,
            is_correct,
            completes_set: false,
            grants: Vec::new(),
            theme: lesson.quiz.theme.clone(),
            memory: next.memory,
            due_on: next.due_on,
            content_version: lesson.version.clone(),
        };
        let Some(set) = facts.set(&self.library).filter(|_| is_counted) else {
            return Ok(record);
        };
        let mut earned = facts.day_points;
        if set.earns && !facts.is_granted {
            // Whoever has answered it before, in a set without points, has seen the solution.
            let is_first = facts.card_answers.is_none();
            let wanted = if is_correct && is_first {
                CORRECT
            } else {
                WRONG
            };
            let points = within_cap(wanted, earned);
            earned = earned.saturating_add(points);
            facts.handout.points = points;
            record.grants.push(NewGrant {
                kind: Kind::Quiz,
                edu_id: facts.handout.edu_id.clone(),
                points,
            });
        }
        if set.is_completed_by_this {
            record.completes_set = true;
            student.lessons = student.lessons.saturating_add(1);
            student.is_active = true;
            facts.note_done(record.day);
            if set.earns && !facts.is_bonus_granted {
                let points = within_cap(SET_BONUS, earned);
                facts.handout.set_bonus = points;
                record.grants.push(NewGrant {
                    kind: Kind::Set,
                    edu_id: set.bonus_id,
                    points,
                });
            }
        }
        student.points = student.points.saturating_add(record.points().into());
        Ok(record)
    }
}

impl Answered {
    fn into_graded(self) -> Graded {
        let today = day_of(self.record.answered_at);
        let points = self.facts.handout.points;
        let outcome = (self.record.is_correct, points, false);
        graded(self.facts, &self.student, today, outcome)
    }
}

fn count(graded: &Graded) {
    let outcome = match (graded.is_replay, graded.is_correct) {
        (true, _) => "replayed",
        (false, true) => "right",
        (false, false) => "wrong",
    };
    metrics::counter!("education_answers_total", "outcome" => outcome).increment(1);
    if !graded.is_replay {
        let points = graded.points.saturating_add(graded.handout.set_bonus);
        let points = u64::try_from(points).unwrap_or_default();
        metrics::counter!("education_points_total").increment(points);
    }
}

/// A quiz that this process does not have may be known to one of a newer release, as long as the
/// answer can still count.
fn unknown_quiz(facts: &AnswerFacts, now: DateTime<Utc>) -> StudyError {
    if now < judged_at(facts.handout.day) {
        StudyError::NotYetKnown
    } else {
        StudyError::NotFound
    }
}

fn graded(
    facts: AnswerFacts,
    student: &Student,
    today: NaiveDate,
    (is_correct, points, is_replay): (bool, i32, bool),
) -> Graded {
    Graded {
        is_correct,
        points,
        totals: student.totals(),
        streak: student.streak().with_open_days(facts.done_days.len()),
        is_day_done: facts.done_days.contains(&today),
        is_replay,
        handout: facts.handout,
    }
}
