//! The gRPC clients with their retry policy: an idempotent call is made a second time when its
//! service was unavailable and the retry budget allows it, and a circuit breaker stops calls to a
//! service that keeps failing.

use std::sync::Arc;
use std::time::Instant;

use bootstrap::{grpc, problem};
use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::credential_service_client::CredentialServiceClient;
use proto::auth::v1::member_service_client::MemberServiceClient;
use proto::auth::v1::notification_service_client::NotificationServiceClient;
use proto::auth::v1::push_service_client::PushServiceClient;
use proto::community::v1::comment_service_client::CommentServiceClient;
use proto::community::v1::file_service_client::FileServiceClient;
use proto::community::v1::moderation_service_client::ModerationServiceClient;
use proto::community::v1::people_service_client::PeopleServiceClient;
use proto::community::v1::post_service_client::PostServiceClient;
use proto::education::v1::article_service_client::ArticleServiceClient;
use proto::education::v1::card_service_client::CardServiceClient;
use proto::education::v1::progress_service_client::ProgressServiceClient;
use proto::education::v1::quiz_service_client::QuizServiceClient;
use proto::market::v1::alert_service_client::AlertServiceClient;
use proto::market::v1::close_service_client::CloseServiceClient;
use proto::market::v1::like_service_client::LikeServiceClient;
use proto::market::v1::market_service_client::MarketServiceClient;
use proto::market::v1::product_service_client::ProductServiceClient;
use proto::market::v1::search_history_service_client::SearchHistoryServiceClient;
use proto::market::v1::trend_service_client::TrendServiceClient;
use proto::trading::v1::cash_service_client::CashServiceClient;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;
use proto::trading::v1::contract_service_client::ContractServiceClient;
use proto::trading::v1::dividend_service_client::DividendServiceClient;
use proto::trading::v1::equity_service_client::EquityServiceClient;
use proto::trading::v1::item_service_client::ItemServiceClient;
use proto::trading::v1::order_service_client::OrderServiceClient;
use proto::trading::v1::point_service_client::PointServiceClient;
use proto::trading::v1::profit_service_client::ProfitServiceClient;
use proto::trading::v1::season_service_client::SeasonServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::transfer_service_client::TransferServiceClient;
use tonic::{Code, Response, Status};

use super::breaker::CircuitBreaker;
pub(crate) use super::retry_budget::RetryBudget;
use crate::error::{ApiError, Reason};

pub(crate) type Auth = Upstream<AuthServiceClient<grpc::Client>>;
pub(crate) type Members = Upstream<MemberServiceClient<grpc::Client>>;
pub(crate) type Push = Upstream<PushServiceClient<grpc::Client>>;
pub(crate) type Notifications = Upstream<NotificationServiceClient<grpc::Client>>;
pub(crate) type Credentials = Upstream<CredentialServiceClient<grpc::Client>>;
pub(crate) type Trading = Upstream<TradingServiceClient<grpc::Client>>;
pub(crate) type Orders = Upstream<OrderServiceClient<grpc::Client>>;
pub(crate) type Contracts = Upstream<ContractServiceClient<grpc::Client>>;
pub(crate) type Dividends = Upstream<DividendServiceClient<grpc::Client>>;
pub(crate) type Transfers = Upstream<TransferServiceClient<grpc::Client>>;
pub(crate) type Points = Upstream<PointServiceClient<grpc::Client>>;
pub(crate) type Competitions = Upstream<CompetitionServiceClient<grpc::Client>>;
pub(crate) type Seasons = Upstream<SeasonServiceClient<grpc::Client>>;
pub(crate) type Profits = Upstream<ProfitServiceClient<grpc::Client>>;
pub(crate) type EquityHistories = Upstream<EquityServiceClient<grpc::Client>>;
pub(crate) type Cash = Upstream<CashServiceClient<grpc::Client>>;
pub(crate) type Items = Upstream<ItemServiceClient<grpc::Client>>;
pub(crate) type Market = Upstream<MarketServiceClient<grpc::Client>>;
pub(crate) type Alerts = Upstream<AlertServiceClient<grpc::Client>>;
pub(crate) type Likes = Upstream<LikeServiceClient<grpc::Client>>;
pub(crate) type Products = Upstream<ProductServiceClient<grpc::Client>>;
pub(crate) type Searches = Upstream<SearchHistoryServiceClient<grpc::Client>>;
pub(crate) type Quizzes = Upstream<QuizServiceClient<grpc::Client>>;
pub(crate) type Articles = Upstream<ArticleServiceClient<grpc::Client>>;
pub(crate) type Cards = Upstream<CardServiceClient<grpc::Client>>;
pub(crate) type Progress = Upstream<ProgressServiceClient<grpc::Client>>;
pub(crate) type Posts = Upstream<PostServiceClient<grpc::Client>>;
pub(crate) type Comments = Upstream<CommentServiceClient<grpc::Client>>;
pub(crate) type Moderation = Upstream<ModerationServiceClient<grpc::Client>>;
pub(crate) type Files = Upstream<FileServiceClient<grpc::Client>>;
pub(crate) type People = Upstream<PeopleServiceClient<grpc::Client>>;
pub(crate) type Closes = Upstream<CloseServiceClient<grpc::Client>>;
pub(crate) type Trends = Upstream<TrendServiceClient<grpc::Client>>;

/// A client of one gRPC service.
pub(crate) struct Upstream<C> {
    /// In metrics.
    name: &'static str,
    client: C,
    breaker: CircuitBreaker,
    /// Shared by all clients.
    budget: Arc<RetryBudget>,
}

impl<C: Clone> Upstream<C> {
    pub(crate) fn new(name: &'static str, client: C, budget: Arc<RetryBudget>) -> Self {
        Self {
            name,
            client,
            breaker: CircuitBreaker::default(),
            budget,
        }
    }

    /// Retries once when the service is unavailable: only for calls that may be repeated.
    pub(crate) async fn call_idempotent<T>(
        &self,
        call: impl AsyncFn(C) -> Result<Response<T>, Status>,
    ) -> Result<T, ApiError> {
        self.budget.record_request();
        let first = self.attempt(call(self.client.clone())).await;
        let answer = match first {
            Err(status) if status.code() == Code::Unavailable && self.budget.try_spend() => {
                metrics::counter!("gateway_retries_total", "service" => self.name).increment(1);
                self.attempt(call(self.client.clone())).await
            }
            other => other,
        };
        answer.map_err(ApiError::from)
    }

    /// Makes the call once; whether to repeat it is the client's decision.
    pub(crate) async fn call<T>(
        &self,
        call: impl AsyncFnOnce(C) -> Result<Response<T>, Status>,
    ) -> Result<T, ApiError> {
        self.budget.record_request();
        Ok(self.attempt(call(self.client.clone())).await?)
    }

    async fn attempt<T>(
        &self,
        call: impl Future<Output = Result<Response<T>, Status>>,
    ) -> Result<T, Status> {
        let Some(ticket) = self.breaker.admit(Instant::now()) else {
            metrics::counter!("gateway_breaker_refusals_total", "service" => self.name)
                .increment(1);
            // Not UNAVAILABLE, which would be retried at once.
            return Err(problem::status(
                Code::ResourceExhausted,
                Reason::Unavailable.as_str(),
                Reason::Unavailable.sentence(),
                [],
            ));
        };
        let answer = call.await;
        let failed = answer.as_ref().err().is_some_and(is_outage);
        self.breaker.record(ticket, Instant::now(), !failed);
        if failed {
            metrics::counter!("gateway_upstream_failures_total", "service" => self.name)
                .increment(1);
        }
        answer.map(Response::into_inner)
    }
}

/// Whether the service could not answer, as opposed to having rejected the call.
fn is_outage(status: &Status) -> bool {
    // tonic reports its own timeout as CANCELLED.
    let away = matches!(
        status.code(),
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled
    );
    let outages = ["UNAVAILABLE", "DEADLINE"];
    away && problem::of(status).is_none_or(|problem| outages.contains(&problem.reason.as_str()))
}
