//! Fake services that answer from samples. A test can make a call fail or wait, and see the calls that
//! were made.

mod auth;
mod community;
pub(crate) mod contracts;
mod education;
mod interests;
mod market;
mod members;
mod notifications;
mod points;
mod products;
pub(crate) mod samples;
mod trading;
mod trends;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tonic::Status;
use tonic::service::Routes;

use proto::auth::v1::auth_service_server::AuthServiceServer;
use proto::auth::v1::credential_service_server::CredentialServiceServer;
use proto::auth::v1::member_service_server::MemberServiceServer;
use proto::auth::v1::notification_service_server::NotificationServiceServer;
use proto::auth::v1::push_service_server::PushServiceServer;
use proto::community::v1::comment_service_server::CommentServiceServer;
use proto::community::v1::file_service_server::FileServiceServer;
use proto::community::v1::moderation_service_server::ModerationServiceServer;
use proto::community::v1::people_service_server::PeopleServiceServer;
use proto::community::v1::post_service_server::PostServiceServer;
use proto::education::v1::article_service_server::ArticleServiceServer;
use proto::education::v1::card_service_server::CardServiceServer;
use proto::education::v1::progress_service_server::ProgressServiceServer;
use proto::education::v1::quiz_service_server::QuizServiceServer;
use proto::market::v1::alert_service_server::AlertServiceServer;
use proto::market::v1::close_service_server::CloseServiceServer;
use proto::market::v1::like_service_server::LikeServiceServer;
use proto::market::v1::market_service_server::MarketServiceServer;
use proto::market::v1::product_service_server::ProductServiceServer;
use proto::market::v1::search_history_service_server::SearchHistoryServiceServer;
use proto::market::v1::trend_service_server::TrendServiceServer;
use proto::trading::v1::cash_service_server::CashServiceServer;
use proto::trading::v1::competition_service_server::CompetitionServiceServer;
use proto::trading::v1::contract_service_server::ContractServiceServer;
use proto::trading::v1::dividend_service_server::DividendServiceServer;
use proto::trading::v1::equity_service_server::EquityServiceServer;
use proto::trading::v1::item_service_server::ItemServiceServer;
use proto::trading::v1::order_service_server::OrderServiceServer;
use proto::trading::v1::point_service_server::PointServiceServer;
use proto::trading::v1::profit_service_server::ProfitServiceServer;
use proto::trading::v1::season_service_server::SeasonServiceServer;
use proto::trading::v1::trading_service_server::TradingServiceServer;
use proto::trading::v1::transfer_service_server::TransferServiceServer;

pub(crate) use samples::market_data::REMEMBERED;
pub(crate) use samples::{ENDED_SESSION, MEMBER, OTHER};

/// How the fakes behave, and the calls they received.
#[derive(Default)]
pub(crate) struct Scenario {
    calls: Mutex<Vec<String>>,
    refusals: Mutex<HashMap<&'static str, Status>>,
    delays: Mutex<HashMap<&'static str, Duration>>,
}

impl Scenario {
    /// Makes every later call of `rpc` fail with `status`.
    pub(crate) fn refuse(&self, rpc: &'static str, status: Status) {
        self.refusals.lock().unwrap().insert(rpc, status);
    }

    /// Lets every later call of `rpc` succeed again.
    pub(crate) fn allow(&self, rpc: &'static str) {
        self.refusals.lock().unwrap().remove(rpc);
    }

    /// Makes every later call of `rpc` wait.
    pub(crate) fn delay(&self, rpc: &'static str, wait: Duration) {
        self.delays.lock().unwrap().insert(rpc, wait);
    }

    /// The calls since the last take, as `rpc request`.
    pub(crate) fn take_calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    /// As [`Self::take_calls`], without the calls of authentication.
    pub(crate) fn take_business_calls(&self) -> Vec<String> {
        let mut calls = self.take_calls();
        calls.retain(|call| !call.starts_with("check_session") && !call.starts_with("get_jwks"));
        calls
    }

    pub(crate) async fn enter(
        &self,
        rpc: &'static str,
        request: &impl std::fmt::Debug,
    ) -> Result<(), Status> {
        self.calls
            .lock()
            .unwrap()
            .push(format!("{rpc} {request:?}"));
        let wait = self.delays.lock().unwrap().get(rpc).copied();
        if let Some(wait) = wait {
            tokio::time::sleep(wait).await;
        }
        match self.refusals.lock().unwrap().get(rpc) {
            Some(status) => Err(status.clone()),
            None => Ok(()),
        }
    }
}

/// All services on one port.
pub(crate) fn routes(scenario: &Arc<Scenario>) -> Routes {
    Routes::new(AuthServiceServer::new(auth::Fake(Arc::clone(scenario))))
        .add_service(MemberServiceServer::new(members::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(PushServiceServer::new(members::Fake(Arc::clone(scenario))))
        .add_service(NotificationServiceServer::new(notifications::Fake(
            Arc::clone(scenario),
        )))
        .add_service(CredentialServiceServer::new(members::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(TradingServiceServer::new(trading::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(OrderServiceServer::new(trading::Fake(Arc::clone(scenario))))
        .add_service(DividendServiceServer::new(trading::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(SeasonServiceServer::new(trading::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(CompetitionServiceServer::new(trading::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(EquityServiceServer::new(trading::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(ProfitServiceServer::new(trading::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(TransferServiceServer::new(trading::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(PointServiceServer::new(points::Fake(Arc::clone(scenario))))
        .add_service(CashServiceServer::new(points::Fake(Arc::clone(scenario))))
        .add_service(ItemServiceServer::new(points::Fake(Arc::clone(scenario))))
        .add_service(ContractServiceServer::new(contracts::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(CloseServiceServer::new(trends::Fake(Arc::clone(scenario))))
        .add_service(MarketServiceServer::new(market::Fake(Arc::clone(scenario))))
        .add_service(LikeServiceServer::new(interests::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(AlertServiceServer::new(interests::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(SearchHistoryServiceServer::new(interests::Fake(
            Arc::clone(scenario),
        )))
        .add_service(ProductServiceServer::new(products::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(QuizServiceServer::new(education::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(ArticleServiceServer::new(education::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(CardServiceServer::new(education::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(ProgressServiceServer::new(education::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(PostServiceServer::new(community::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(CommentServiceServer::new(community::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(ModerationServiceServer::new(community::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(FileServiceServer::new(community::files::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(PeopleServiceServer::new(community::Fake(Arc::clone(
            scenario,
        ))))
        .add_service(TrendServiceServer::new(trends::Fake(Arc::clone(scenario))))
}

/// Implements a service for the `Fake` of its file: every call is recorded and may fail.
macro_rules! fake {
    ($service:ident: $($name:ident($request:ty) -> $reply:ty = $answer:expr;)+) => {
        #[tonic::async_trait]
        impl $service for Fake {
            $(
                async fn $name(
                    &self,
                    request: tonic::Request<$request>,
                ) -> Result<tonic::Response<$reply>, tonic::Status> {
                    let request = request.into_inner();
                    self.0.enter(stringify!($name), &request).await?;
                    let answer: fn($request) -> $reply = $answer;
                    Ok(tonic::Response::new(answer(request)))
                }
            )+
        }
    };
}
use fake;
