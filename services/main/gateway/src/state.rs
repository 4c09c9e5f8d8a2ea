//! What all workers share. Nothing in it is data that a restart loses.

use std::sync::Arc;

use bootstrap::{grpc, redis};
use kernel::Clock;
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
use proto::market::v1::MarketInfo;
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

use crate::authentication::Authenticator;
use crate::config::Config;
use crate::middleware::body_read::BodyReadLimit;
use crate::middleware::concurrency::ConcurrencyLimit;
use crate::middleware::rate_limit::RateLimits;
use crate::middleware::upload_turns::UploadTurns;
use crate::origins::Origins;
use crate::upstream::clients::{
    Alerts, Articles, Auth, Cards, Cash, Closes, Comments, Competitions, Contracts, Credentials,
    Dividends, EquityHistories, Files, Items, Likes, Market, Members, Moderation, Notifications,
    Orders, People, Points, Posts, Products, Profits, Progress, Push, Quizzes, RetryBudget,
    Searches, Seasons, Trading, Transfers, Trends, Upstream,
};
use crate::upstream::response_cache::ResponseCache;
use crate::upstream::shared_reads::SharedReads;

/// Bytes of a picture that wait for a phone which reads slowly.
const PICTURE_WINDOW: u32 = 128 * 1024;
/// Those of all pictures of a worker: 512 phones that read nothing hold up no other.
const PICTURES_WINDOW: u32 = 512 * PICTURE_WINDOW;

pub(crate) struct AppState {
    pub(crate) config: Config,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) origins: Origins,
    pub(crate) auth: Arc<Auth>,
    pub(crate) members: Members,
    pub(crate) credentials: Credentials,
    pub(crate) push: Push,
    pub(crate) trading: Trading,
    pub(crate) notifications: Notifications,
    pub(crate) orders: Orders,
    pub(crate) dividends: Dividends,
    pub(crate) transfers: Transfers,
    pub(crate) points: Points,
    pub(crate) cash: Cash,
    pub(crate) items: Items,
    pub(crate) contracts: Contracts,
    pub(crate) profits: Profits,
    pub(crate) seasons: Seasons,
    pub(crate) competitions: Competitions,
    pub(crate) equity: EquityHistories,
    pub(crate) market: Arc<Market>,
    pub(crate) likes: Arc<Likes>,
    pub(crate) shared_reads: SharedReads,
    /// By the URL of the request that a screen makes first.
    pub(crate) first_prices: ResponseCache<Option<Arc<str>>>,
    /// `None` while market-data is away.
    pub(crate) market_info: ResponseCache<Option<MarketInfo>>,
    pub(crate) products: Products,
    pub(crate) searches: Searches,
    pub(crate) alerts: Alerts,
    pub(crate) trends: Trends,
    pub(crate) closes: Closes,
    pub(crate) quizzes: Quizzes,
    pub(crate) articles: Articles,
    pub(crate) cards: Cards,
    pub(crate) progress: Progress,
    pub(crate) posts: Posts,
    pub(crate) comments: Comments,
    pub(crate) people: People,
    pub(crate) moderation: Moderation,
    pub(crate) files: Files,
    /// The same service as `files`, for streams.
    pub(crate) uploads: Files,
    pub(crate) authenticator: Authenticator,
    pub(crate) rate_limits: RateLimits,
    pub(crate) concurrency: ConcurrencyLimit,
    pub(crate) body_reads: BodyReadLimit,
    pub(crate) upload_turns: UploadTurns,
}

impl AppState {
    /// Connects lazily: nothing is connected yet.
    ///
    /// # Errors
    /// When an address in `config` is no URL.
    pub(crate) fn new(config: Config, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        let budget = Arc::new(RetryBudget::default());
        let auth = grpc::channel(&config.auth_url)?;
        let trading = grpc::channel(&config.trading_url)?;
        let market = grpc::channel(&config.market_url)?;
        let education = grpc::channel(&config.education_url)?;
        let community = grpc::channel(&config.community_url)?;
        let pictures =
            grpc::streaming_channel(&config.community_url, PICTURE_WINDOW, PICTURES_WINDOW)?;
        let redis = redis::connect(&config.redis_url);
        let auth_client = Arc::new(of_auth(AuthServiceClient::new(auth.clone()), &budget));
        let likes = Arc::new(of_market(LikeServiceClient::new(market.clone()), &budget));
        let market_client = Arc::new(of_market(MarketServiceClient::new(market.clone()), &budget));
        Ok(Self {
            authenticator: Authenticator::new(
                Arc::clone(&auth_client),
                redis.clone(),
                Arc::clone(&clock),
            ),
            rate_limits: RateLimits::new(&config, redis, Arc::clone(&clock)),
            first_prices: ResponseCache::new(Arc::clone(&clock)),
            market_info: ResponseCache::new(Arc::clone(&clock)),
            clock,
            auth: auth_client,
            members: of_auth(MemberServiceClient::new(auth.clone()), &budget),
            push: of_auth(PushServiceClient::new(auth.clone()), &budget),
            notifications: of_auth(NotificationServiceClient::new(auth.clone()), &budget),
            credentials: of_auth(CredentialServiceClient::new(auth), &budget),
            orders: of_trading(OrderServiceClient::new(trading.clone()), &budget),
            contracts: of_trading(ContractServiceClient::new(trading.clone()), &budget),
            profits: of_trading(ProfitServiceClient::new(trading.clone()), &budget),
            seasons: of_trading(SeasonServiceClient::new(trading.clone()), &budget),
            competitions: of_trading(CompetitionServiceClient::new(trading.clone()), &budget),
            equity: of_trading(EquityServiceClient::new(trading.clone()), &budget),
            dividends: of_trading(DividendServiceClient::new(trading.clone()), &budget),
            transfers: of_trading(TransferServiceClient::new(trading.clone()), &budget),
            points: of_trading(PointServiceClient::new(trading.clone()), &budget),
            cash: of_trading(CashServiceClient::new(trading.clone()), &budget),
            items: of_trading(ItemServiceClient::new(trading.clone()), &budget),
            trading: of_trading(TradingServiceClient::new(trading), &budget),
            shared_reads: SharedReads::new(Arc::clone(&market_client), Arc::clone(&likes)),
            likes,
            market: market_client,
            products: of_market(ProductServiceClient::new(market.clone()), &budget),
            searches: of_market(SearchHistoryServiceClient::new(market.clone()), &budget),
            alerts: of_market(AlertServiceClient::new(market.clone()), &budget),
            closes: of_market(CloseServiceClient::new(market.clone()), &budget),
            trends: of_market(TrendServiceClient::new(market), &budget),
            quizzes: of_education(QuizServiceClient::new(education.clone()), &budget),
            articles: of_education(ArticleServiceClient::new(education.clone()), &budget),
            cards: of_education(CardServiceClient::new(education.clone()), &budget),
            progress: of_education(ProgressServiceClient::new(education), &budget),
            posts: of_community(PostServiceClient::new(community.clone()), &budget),
            comments: of_community(CommentServiceClient::new(community.clone()), &budget),
            people: of_community(PeopleServiceClient::new(community.clone()), &budget),
            moderation: of_community(ModerationServiceClient::new(community.clone()), &budget),
            files: of_community(FileServiceClient::new(pictures), &budget),
            uploads: of_community(FileServiceClient::new(community.streaming()), &budget),
            concurrency: ConcurrencyLimit::default(),
            body_reads: BodyReadLimit::default(),
            upload_turns: UploadTurns::default(),
            origins: Origins::new(&config)?,
            config,
        })
    }
}

fn of_auth<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("auth", client, Arc::clone(budget))
}

fn of_trading<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("trading", client, Arc::clone(budget))
}

fn of_market<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("market-data", client, Arc::clone(budget))
}

fn of_education<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("education", client, Arc::clone(budget))
}

fn of_community<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("community", client, Arc::clone(budget))
}
