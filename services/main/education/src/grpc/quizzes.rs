use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::convert::to_instant;
use proto::education::v1 as wire;
use proto::education::v1::quiz_service_server::QuizService;
use tonic::{Request, Response};

use super::{Service, int, level, totals};
use crate::content::Form;
use crate::domain::points::DAY_CAP;
use crate::error::StudyError;
use crate::library::Lesson;
use crate::store::{Answer, Graded, HandoutRow, OpenSet, Progress, SetKind, SetProgress};

#[tonic::async_trait]
impl QuizService for Service {
    async fn get_day(&self, request: Request<wire::GetDayRequest>) -> Reply<wire::Day> {
        let member = MemberId(request.into_inner().member_id);
        let progress = self.store.progress(member).await?;
        Ok(Response::new(day(&progress)))
    }

    async fn open_random_set(
        &self,
        request: Request<wire::OpenRandomSetRequest>,
    ) -> Reply<wire::QuizSet> {
        let member = MemberId(request.into_inner().member_id);
        let set = self.store.open_random_set(member).await?;
        Ok(Response::new(self.set(&set)))
    }

    async fn open_theme_set(
        &self,
        request: Request<wire::OpenThemeSetRequest>,
    ) -> Reply<wire::QuizSet> {
        let request = request.into_inner();
        let member = MemberId(request.member_id);
        let set = self.store.open_theme_set(member, &request.theme_id).await?;
        Ok(Response::new(self.set(&set)))
    }

    async fn open_reviews(
        &self,
        request: Request<wire::OpenReviewsRequest>,
    ) -> Reply<wire::QuizSet> {
        let member = MemberId(request.into_inner().member_id);
        let set = self.store.open_reviews(member).await?;
        Ok(Response::new(self.set(&set)))
    }

    async fn list_themes(&self, request: Request<wire::ListThemesRequest>) -> Reply<wire::Themes> {
        let member = request.into_inner().member_id;
        let progress = match member {
            0 => None,
            member => Some(self.store.progress(MemberId(member)).await?),
        };
        let themes = self.themes(progress.as_ref());
        Ok(Response::new(wire::Themes { themes }))
    }

    async fn answer(&self, request: Request<wire::AnswerRequest>) -> Reply<wire::AnswerResult> {
        let request = request.into_inner();
        let claimed_at = match request.answered_at_us {
            0 => None,
            micros => {
                let instant = to_instant(micros, "answered_at_us");
                Some(instant.map_err(|_range| StudyError::Malformed)?)
            }
        };
        let answer = Answer {
            member: MemberId(request.member_id),
            handout: request.member_education_id,
            given: request.answers,
            is_survey: request.is_survey,
            claimed_at,
        };
        let is_survey = answer.is_survey;
        let graded = self.answers.answer(answer).await?;
        Ok(Response::new(self.result(is_survey, graded)))
    }
}

impl Service {
    pub(super) fn themes(&self, progress: Option<&Progress>) -> Vec<wire::Theme> {
        let library = self.library();
        let themes = library.themes().iter().map(|theme| {
            let of_member = progress.and_then(|progress| {
                let mut themes = progress.themes.iter();
                themes.find(|other| other.theme == theme.id)
            });
            let levels = crate::content::Level::ALL.into_iter().map(|of| {
                let lessons = library.lessons_of(&theme.id);
                wire::LevelCount {
                    level: level(of),
                    total: int(lessons.filter(|lesson| lesson.level() == of).count()),
                }
            });
            wire::Theme {
                theme_id: theme.id.clone(),
                name: theme.name.clone(),
                description: theme.goal.clone(),
                total: int(library.lessons_of(&theme.id).count()),
                levels: levels.collect(),
                done: of_member.map(|theme| theme.done),
                mastery_percent: of_member.map(|theme| theme.mastery),
            }
        });
        themes.collect()
    }

    pub(super) fn set(&self, set: &OpenSet) -> wire::QuizSet {
        let kind = match set.kind {
            SetKind::Random => wire::SetKind::Random,
            SetKind::Theme => wire::SetKind::Theme,
            SetKind::Review => wire::SetKind::Review,
        };
        // A quiz that the content no longer has is left out.
        let quizzes = set.handouts.iter().filter_map(|handout| {
            let lesson = self.library().lesson(&handout.edu_id)?;
            Some(self.quiz(handout, lesson))
        });
        wire::QuizSet {
            set_id: set.id,
            kind: kind.into(),
            date: set.day.to_string(),
            earns: set.earns,
            quizzes: quizzes.collect(),
            totals: Some(totals(set.totals)),
            is_day_done: set.is_day_done,
        }
    }

    /// Its solution only once it is answered.
    fn quiz(&self, handout: &HandoutRow, lesson: &Lesson) -> wire::Quiz {
        let quiz = &lesson.quiz;
        let form = match lesson.form() {
            Form::Single => wire::QuizForm::Single,
            Form::Multiple => wire::QuizForm::Multiple,
            Form::Ox => wire::QuizForm::Ox,
            Form::Number => wire::QuizForm::Number,
        };
        let options = lesson.options().map(|(key, option)| wire::QuizOption {
            key,
            text: option.text.clone(),
        });
        wire::Quiz {
            member_education_id: handout.id,
            quiz_id: quiz.id.clone(),
            form: form.into(),
            level: level(quiz.level),
            theme_id: quiz.theme.clone(),
            theme_name: self.library().theme_name(&quiz.theme).to_owned(),
            question: quiz.question.clone(),
            options: options.collect(),
            answer_count: int(lesson.answer().len()),
            hint: quiz.hint.clone(),
            figure_json: lesson.figure_json.clone(),
            source: quiz.source.clone(),
            as_of: quiz.as_of.clone(),
            solution: handout
                .is_correct
                .map(|is_correct| solution(handout, lesson, is_correct)),
        }
    }

    fn result(&self, is_survey: bool, graded: Graded) -> wire::AnswerResult {
        let handout = &graded.handout;
        let mut result = wire::AnswerResult {
            is_correct: graded.is_correct,
            points: graded.points,
            totals: Some(totals(graded.totals)),
            streak: graded.streak,
            is_day_done: graded.is_day_done,
            replayed: graded.is_replay,
            ..wire::AnswerResult::default()
        };
        if let Some(lesson) = self.library().lesson(&handout.edu_id) {
            let solution = solution(handout, lesson, graded.is_correct);
            result.answer = solution.answer;
            result.explanation = solution.explanation;
            result.misconceptions = solution.misconceptions;
            result.set_bonus = handout.set_bonus;
            let next = handout.next_review_on;
            result.next_review_on = next.map(|day| day.to_string()).unwrap_or_default();
        } else if let Some(reading) = self.library().reading(&handout.edu_id)
            && graded.is_correct
            && !is_survey
        {
            result.answer = vec![reading.answer()];
            result.explanation = reading.article.check.why.clone();
        }
        result
    }
}

fn solution(handout: &HandoutRow, lesson: &Lesson, is_correct: bool) -> wire::Solution {
    let given = handout.given.as_deref().unwrap_or_default();
    let given = given.split('|').filter(|key| !key.is_empty());
    let tempting = lesson.options().filter(|(_, option)| !option.is_right);
    wire::Solution {
        given: given.map(str::to_owned).collect(),
        is_correct,
        answer: lesson.answer(),
        explanation: lesson.quiz.explanation.join("\n\n"),
        misconceptions: tempting
            .map(|(key, option)| wire::QuizOption {
                key,
                text: option.slip.clone(),
            })
            .collect(),
        points: handout.points,
    }
}

pub(super) fn day(progress: &Progress) -> wire::Day {
    wire::Day {
        date: progress.day.to_string(),
        random: Some(set_progress(&progress.random)),
        themes: progress.theme_sets.iter().map(set_progress).collect(),
        points: progress.points,
        cap: DAY_CAP,
        is_done: progress.is_day_done,
    }
}

fn set_progress(set: &SetProgress) -> wire::SetProgress {
    wire::SetProgress {
        set_id: set.id,
        theme_id: set.theme.clone(),
        done: set.done,
        total: set.total,
    }
}
