//! The service on a database of its own, with a clock that tests move and a trading that takes points.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use education::grpc::Service;
use education::repair::Repairs;
use education::store::Store;
use education::{Content, Library, jobs};
use kernel::FixedClock;
use proto::education::v1::article_service_client::ArticleServiceClient;
use proto::education::v1::card_service_client::CardServiceClient;
use proto::education::v1::progress_service_client::ProgressServiceClient;
use proto::education::v1::quiz_service_client::QuizServiceClient;
use proto::education::v1::{
    AnswerRequest, AnswerResult, GetProgressRequest, OpenRandomSetRequest, OpenThemeSetRequest,
    Progress, Quiz, QuizSet, RepairStreakRequest, Streak,
};
use proto::trading::v1::point_service_server::{PointService, PointServiceServer};
use proto::trading::v1::{
    GetPointsRequest, ListPointChangesRequest, MovePointsReply, MovePointsRequest, PointChanges,
    Points, SeeTransferPopupReply, SeeTransferPopupRequest, SpendPointsReply, SpendPointsRequest,
};
use sqlx::PgPool;
use testkit::Served;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};

pub(crate) const MEMBER: i64 = 100_007;
pub(crate) const OTHER: i64 = 100_008;

pub(crate) struct World {
    pub(crate) pool: PgPool,
    pub(crate) clock: FixedClock,
    pub(crate) store: Store,
    pub(crate) content: Content,
    pub(crate) trading: Arc<Trading>,
    pub(crate) quizzes: QuizServiceClient<Channel>,
    pub(crate) articles: ArticleServiceClient<Channel>,
    pub(crate) progress: ProgressServiceClient<Channel>,
    pub(crate) cards: CardServiceClient<Channel>,
    repairs: Repairs,
    _served: [Served; 2],
}

impl World {
    /// At a time in Korea, as `2026-11-23T09:00`, a Monday.
    pub(crate) async fn at(pool: PgPool, time: &str) -> Self {
        let clock = FixedClock::at(kst(time));
        let library = Arc::new(Library::embedded().unwrap());
        let store = Store::new(pool.clone(), library, Arc::new(clock.clone()));
        let trading = Arc::<Trading>::default();
        let fake = PointServiceServer::from_arc(Arc::clone(&trading));
        let trading_served = testkit::serve(Routes::new(fake)).await;
        let repairs = Repairs::connect(store.clone(), &trading_served.url).unwrap();
        let service = Service::new(store.clone(), repairs.clone());
        let served = testkit::serve(service.into_routes()).await;
        let url = served.url.clone();
        Self {
            pool,
            clock,
            store,
            content: Content::embedded().unwrap(),
            trading,
            quizzes: QuizServiceClient::connect(url.clone()).await.unwrap(),
            articles: ArticleServiceClient::connect(url.clone()).await.unwrap(),
            progress: ProgressServiceClient::connect(url.clone()).await.unwrap(),
            cards: CardServiceClient::connect(url).await.unwrap(),
            repairs,
            _served: [served, trading_served],
        }
    }

    pub(crate) fn set_time(&self, time: &str) {
        self.clock.set(kst(time));
    }

    pub(crate) async fn random_set(&self, member_id: i64) -> QuizSet {
        let request = OpenRandomSetRequest { member_id };
        let answer = self.quizzes.clone().open_random_set(request).await;
        answer.unwrap().into_inner()
    }

    pub(crate) async fn theme_set(&self, member_id: i64, theme: &str) -> QuizSet {
        let request = OpenThemeSetRequest {
            member_id,
            theme_id: theme.to_owned(),
        };
        let answer = self.quizzes.clone().open_theme_set(request).await;
        answer.unwrap().into_inner()
    }

    /// The keys of the right options, as the content has them.
    pub(crate) fn right(&self, quiz: &Quiz) -> Vec<String> {
        let options = &self.content.quizzes[&quiz.quiz_id].options;
        let keyed = (1..).zip(options).filter(|(_, option)| option.is_right);
        keyed.map(|(key, _): (i32, _)| key.to_string()).collect()
    }

    /// A key that is wrong.
    pub(crate) fn wrong(&self, quiz: &Quiz) -> Vec<String> {
        let options = &self.content.quizzes[&quiz.quiz_id].options;
        let mut keyed = (1..).zip(options).filter(|(_, option)| !option.is_right);
        let (key, _): (i32, _) = keyed.next().unwrap();
        vec![key.to_string()]
    }

    pub(crate) async fn try_answer(&self, request: AnswerRequest) -> Result<AnswerResult, Status> {
        let answer = self.quizzes.clone().answer(request).await;
        answer.map(Response::into_inner)
    }

    pub(crate) async fn answer(
        &self,
        member_id: i64,
        handout: i64,
        answers: Vec<String>,
    ) -> AnswerResult {
        self.try_answer(answer_of(member_id, handout, answers))
            .await
            .unwrap()
    }

    /// Answers what is open of a set correctly.
    pub(crate) async fn complete(&self, member_id: i64, set: &QuizSet) -> AnswerResult {
        let mut last = AnswerResult::default();
        let open = set.quizzes.iter().filter(|quiz| quiz.solution.is_none());
        for quiz in open {
            let id = quiz.member_education_id;
            last = self.answer(member_id, id, self.right(quiz)).await;
        }
        last
    }

    pub(crate) async fn progress(&self, member_id: i64) -> Progress {
        let request = GetProgressRequest { member_id };
        let answer = self.progress.clone().get_progress(request).await;
        answer.unwrap().into_inner()
    }

    pub(crate) async fn repair(&self, member_id: i64) -> Result<Streak, Status> {
        let request = RepairStreakRequest {
            member_id,
            request_id: "request-0001".to_owned(),
        };
        let answer = self.progress.clone().repair_streak(request).await;
        answer.map(Response::into_inner)
    }

    /// One round of the job.
    pub(crate) async fn work(&self) {
        let shutdown = CancellationToken::new();
        jobs::work(&self.store, &self.repairs, &shutdown)
            .await
            .unwrap();
    }

    /// The events that wait in the outbox: how many, and the points they carry.
    pub(crate) async fn earned(&self, member: i64) -> (i64, i64) {
        let bodies: Vec<Vec<u8>> = sqlx::query_scalar(
            "select body from outbox where aggregate_id = $1 \
             and event_type = 'education.points.earned.v1'",
        )
        .bind(member.to_string())
        .fetch_all(&self.pool)
        .await
        .unwrap();
        let mut keys = std::collections::BTreeSet::new();
        let mut points = 0;
        for body in &bodies {
            let event: proto::education::v1::PointsEarned =
                prost::Message::decode(body.as_slice()).unwrap();
            assert!(keys.insert(event.source_key.clone()), "{event:?} twice");
            points += event.points;
        }
        (i64::try_from(bodies.len()).unwrap(), points)
    }
}

pub(crate) fn answer_of(member_id: i64, handout: i64, answers: Vec<String>) -> AnswerRequest {
    AnswerRequest {
        member_id,
        member_education_id: handout,
        answers,
        ..AnswerRequest::default()
    }
}

pub(crate) fn kst(text: &str) -> DateTime<Utc> {
    format!("{text}:00+09:00").parse().unwrap()
}

/// The reason of a refusal.
pub(crate) fn reason(status: &Status) -> String {
    bootstrap::problem::of(status).map_or_else(|| format!("{status:?}"), |problem| problem.reason)
}

/// Takes points once for each key.
#[derive(Default)]
pub(crate) struct Trading {
    pub(crate) is_away: AtomicBool,
    /// It takes the points, and its answer is lost.
    pub(crate) loses_answer: AtomicBool,
    pub(crate) is_poor: AtomicBool,
    /// It fails for this member.
    pub(crate) fails_for: AtomicI64,
    pub(crate) spent: Mutex<Vec<(String, i64)>>,
}

impl Trading {
    pub(crate) fn total(&self) -> i64 {
        self.spent
            .lock()
            .unwrap()
            .iter()
            .map(|(_, points)| points)
            .sum()
    }
}

#[tonic::async_trait]
impl PointService for Trading {
    async fn spend_points(
        &self,
        request: Request<SpendPointsRequest>,
    ) -> Result<Response<SpendPointsReply>, Status> {
        let request = request.into_inner();
        if self.is_away.load(Ordering::SeqCst) {
            return Err(Status::unavailable("away"));
        }
        if self.fails_for.load(Ordering::SeqCst) == request.member_id {
            return Err(Status::internal("broken"));
        }
        if self.is_poor.load(Ordering::SeqCst) {
            return Err(bootstrap::problem::status(
                Code::FailedPrecondition,
                "INSUFFICIENT_POINTS",
                "포인트가 부족해요",
                [("need", "50".to_owned())],
            ));
        }
        let mut spent = self.spent.lock().unwrap();
        let replayed = spent.iter().any(|(key, _)| *key == request.key);
        if !replayed {
            spent.push((request.key, request.points));
        }
        if self.loses_answer.load(Ordering::SeqCst) {
            return Err(Status::deadline_exceeded("lost"));
        }
        Ok(Response::new(SpendPointsReply {
            education_points: 0,
            replayed,
        }))
    }

    async fn get_points(&self, _: Request<GetPointsRequest>) -> Result<Response<Points>, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn list_point_changes(
        &self,
        _: Request<ListPointChangesRequest>,
    ) -> Result<Response<PointChanges>, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn move_points(
        &self,
        _: Request<MovePointsRequest>,
    ) -> Result<Response<MovePointsReply>, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn see_transfer_popup(
        &self,
        _: Request<SeeTransferPopupRequest>,
    ) -> Result<Response<SeeTransferPopupReply>, Status> {
        Err(Status::unimplemented("not asked"))
    }
}
