//! Students answer quizzes over gRPC and move what they earn into their accounts, while education,
//! trading and the servers are killed. Each call is retried until it has a response; a repeated
//! answer must have the result of the first.

mod credits;
mod points;

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::bail;
use bootstrap::grpc;
use proto::education::v1::quiz_service_client::QuizServiceClient;
use proto::education::v1::{
    AnswerRequest, AnswerResult, ListThemesRequest, OpenRandomSetRequest, OpenThemeSetRequest,
    Quiz, QuizSet,
};
use proto::trading::v1::point_service_client::PointServiceClient;
use tokio::sync::watch;
use tonic::{Response, Status};

use crate::retries::Retries;
use crate::rng::Rng;

pub(crate) use credits::check;

/// Above the members of the orders; each seed has a range of its own.
const FIRST_STUDENT: i64 = 3_000_000_000_000;

/// Between the ids of the students of two workers.
const RANGE: i64 = 1_000_000;

/// What the students of one worker did.
#[derive(Default)]
pub(crate) struct Studied {
    /// Points granted by the answers of each member.
    pub(crate) granted: BTreeMap<i64, i64>,
    pub(crate) answers: u64,
    pub(crate) repeated: u64,
    /// Calls without a final response, which were retried.
    pub(crate) failed_calls: u64,
    /// Points that each member was told to have moved, and the won for them.
    pub(crate) moved: BTreeMap<i64, (i64, i64)>,
    /// Transfers of points that were done, and refused.
    pub(crate) transfers: u64,
    pub(crate) refused: u64,
    pub(crate) faults: Vec<String>,
}

impl Studied {
    pub(crate) fn add(&mut self, other: Self) {
        self.granted.extend(other.granted);
        self.answers += other.answers;
        self.repeated += other.repeated;
        self.failed_calls += other.failed_calls;
        self.moved.extend(other.moved);
        self.transfers += other.transfers;
        self.refused += other.refused;
        self.faults.extend(other.faults);
    }
}

/// One student after the other.
pub(crate) struct Worker {
    quizzes: QuizServiceClient<grpc::Client>,
    points: PointServiceClient<grpc::Client>,
    rng: Rng,
    next_member: i64,
    retries: Retries,
    studied: Studied,
}

impl Worker {
    pub(crate) fn new(
        education_url: &str,
        trading_url: &str,
        seed: u64,
        index: u64,
        timeout: Duration,
    ) -> anyhow::Result<Self> {
        let of_seed = i64::try_from(seed % 1_000)? * 100 + i64::try_from(index)?;
        Ok(Self {
            quizzes: QuizServiceClient::new(grpc::channel(education_url)?),
            points: PointServiceClient::new(grpc::channel(trading_url)?),
            rng: Rng::new(seed ^ (index << 32)),
            next_member: FIRST_STUDENT + of_seed * RANGE,
            retries: Retries::within(timeout),
            studied: Studied::default(),
        })
    }

    /// Studies until `over`. What a student has earned is credited while the next one studies.
    pub(crate) async fn run(mut self, over: watch::Receiver<bool>) -> Studied {
        let mut earned = None;
        while !*over.borrow() {
            let member = self.next_member;
            self.next_member += 1;
            let studied = self.study(member, &over).await;
            self.record(member, studied);
            if let Some(before) = earned.replace(member) {
                let moved = self.move_points(before).await;
                self.record(before, moved);
            }
        }
        self.studied.failed_calls = self.retries.failed();
        self.studied
    }

    fn record(&mut self, member: i64, outcome: anyhow::Result<()>) {
        if let Err(error) = outcome {
            let fault = format!("student {member}: {error}");
            self.studied.faults.push(fault);
        }
    }

    /// A random set, and sets of some themes.
    async fn study(&mut self, member_id: i64, over: &watch::Receiver<bool>) -> anyhow::Result<()> {
        let open = OpenRandomSetRequest { member_id };
        let set = self
            .retried(|| {
                let mut quizzes = self.quizzes.clone();
                async move { quizzes.open_random_set(open).await }
            })
            .await?;
        self.answer_set(member_id, set).await?;
        let list = ListThemesRequest { member_id };
        let themes = self
            .retried(|| {
                let mut quizzes = self.quizzes.clone();
                async move { quizzes.list_themes(list).await }
            })
            .await?;
        for theme in themes.themes {
            if *over.borrow() || self.rng.below(3) == 0 {
                continue;
            }
            let open = OpenThemeSetRequest {
                member_id,
                theme_id: theme.theme_id,
            };
            let set = self
                .retried(|| {
                    let (mut quizzes, open) = (self.quizzes.clone(), open.clone());
                    async move { quizzes.open_theme_set(open).await }
                })
                .await?;
            self.answer_set(member_id, set).await?;
        }
        Ok(())
    }

    async fn answer_set(&mut self, member_id: i64, set: QuizSet) -> anyhow::Result<()> {
        for quiz in set.quizzes {
            let answer = AnswerRequest {
                member_id,
                member_education_id: quiz.member_education_id,
                answers: self.guess(&quiz),
                ..AnswerRequest::default()
            };
            let first = self.answer(&answer).await?;
            let granted = i64::from(first.points) + i64::from(first.set_bonus);
            *self.studied.granted.entry(member_id).or_default() += granted;
            self.studied.answers += 1;
            if self.rng.below(4) == 0 {
                self.repeat(&quiz, answer, &first).await?;
            }
        }
        Ok(())
    }

    /// Two at a time, with other answers.
    async fn repeat(
        &mut self,
        quiz: &Quiz,
        mut answer: AnswerRequest,
        first: &AnswerResult,
    ) -> anyhow::Result<()> {
        answer.answers = self.guess(quiz);
        let (one, other) = tokio::join!(self.answer(&answer), self.answer(&answer));
        for again in [one?, other?] {
            self.studied.repeated += 1;
            let is_same = again.is_correct == first.is_correct
                && again.points == first.points
                && again.set_bonus == first.set_bonus;
            if !is_same {
                bail!("a repeated answer to {} has another result", quiz.quiz_id);
            }
        }
        Ok(())
    }

    async fn answer(&self, answer: &AnswerRequest) -> anyhow::Result<AnswerResult> {
        self.retried(|| {
            let (mut quizzes, answer) = (self.quizzes.clone(), answer.clone());
            async move { quizzes.answer(answer).await }
        })
        .await
    }

    fn guess(&mut self, quiz: &Quiz) -> Vec<String> {
        let mut keys: Vec<String> = quiz
            .options
            .iter()
            .map(|option| option.key.clone())
            .collect();
        let wanted = usize::try_from(quiz.answer_count).unwrap_or(1).max(1);
        while keys.len() > wanted {
            let place = self.rng.below(u64::try_from(keys.len()).unwrap_or(1));
            keys.swap_remove(usize::try_from(place).unwrap_or(0));
        }
        keys
    }

    async fn retried<T, F>(&self, call: impl Fn() -> F) -> anyhow::Result<T>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        match self.retries.call(call).await?.result {
            Ok(response) => Ok(response),
            Err(status) => bail!("refused: {status}"),
        }
    }
}
