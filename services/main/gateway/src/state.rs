//! What every worker shares: the services, who is logged in, the limits.

use std::sync::Arc;

use bootstrap::{grpc, redis};
use kernel::Clock;
use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::credential_service_client::CredentialServiceClient;
use proto::auth::v1::member_service_client::MemberServiceClient;
use proto::market::v1::MarketInfo;
use proto::market::v1::like_service_client::LikeServiceClient;
use proto::market::v1::market_service_client::MarketServiceClient;
use proto::market::v1::product_service_client::ProductServiceClient;
use proto::market::v1::search_history_service_client::SearchHistoryServiceClient;
use proto::market::v1::trend_service_client::TrendServiceClient;
use proto::trading::v1::dividend_service_client::DividendServiceClient;
use proto::trading::v1::order_service_client::OrderServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;

use crate::clients::{RetryBudget, Upstream};
use crate::config::Config;
use crate::door::Door;
use crate::limits::Limits;
use crate::origins::Origins;
use crate::recent::Recent;
use crate::routes::first_prices::Brought;
use crate::routes::{self, shared::SharedReads};
use crate::seats::Seats;
use crate::session::Sessions;

pub(crate) type Auth = Upstream<AuthServiceClient<grpc::Client>>;
pub(crate) type Members = Upstream<MemberServiceClient<grpc::Client>>;
pub(crate) type Credentials = Upstream<CredentialServiceClient<grpc::Client>>;
pub(crate) type Trading = Upstream<TradingServiceClient<grpc::Client>>;
pub(crate) type Orders = Upstream<OrderServiceClient<grpc::Client>>;
pub(crate) type Dividends = Upstream<DividendServiceClient<grpc::Client>>;
pub(crate) type Market = Upstream<MarketServiceClient<grpc::Client>>;
pub(crate) type Likes = Upstream<LikeServiceClient<grpc::Client>>;
pub(crate) type Products = Upstream<ProductServiceClient<grpc::Client>>;
pub(crate) type Searches = Upstream<SearchHistoryServiceClient<grpc::Client>>;
pub(crate) type Trends = Upstream<TrendServiceClient<grpc::Client>>;

/// The gateway's own state; none of it is lost data when the process ends.
pub(crate) struct Gateway {
    pub(crate) config: Config,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) origins: Origins,
    pub(crate) auth: Arc<Auth>,
    pub(crate) members: Members,
    pub(crate) credentials: Credentials,
    pub(crate) trading: Trading,
    pub(crate) orders: Orders,
    pub(crate) dividends: Dividends,
    pub(crate) market: Arc<Market>,
    pub(crate) likes: Arc<Likes>,
    pub(crate) shared: SharedReads,
    /// What pages bring along, by the call that would ask for it.
    pub(crate) first_prices: Recent<Brought>,
    /// How market-data runs; nothing while it is away.
    pub(crate) market_info: Recent<Option<MarketInfo>>,
    pub(crate) products: Products,
    pub(crate) searches: Searches,
    pub(crate) trends: Trends,
    pub(crate) sessions: Sessions,
    pub(crate) limits: Limits,
    pub(crate) seats: Seats,
    pub(crate) door: Door,
}

impl Gateway {
    /// Prepares connections to everything `config` names; none is made yet.
    ///
    /// # Errors
    /// When an address is no URL.
    pub(crate) fn new(config: Config, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        let budget = Arc::new(RetryBudget::default());
        let members = grpc::channel(&config.auth_url)?;
        let trading = grpc::channel(&config.trading_url)?;
        let market = grpc::channel(&config.market_url)?;
        let redis = redis::connect(&config.redis_url);
        let auth = Arc::new(upstream_of_auth(
            AuthServiceClient::new(members.clone()),
            &budget,
        ));
        let likes = Arc::new(upstream_of_market(
            LikeServiceClient::new(market.clone()),
            &budget,
        ));
        let quotes = Arc::new(upstream_of_market(
            MarketServiceClient::new(market.clone()),
            &budget,
        ));
        Ok(Self {
            sessions: Sessions::new(Arc::clone(&auth), redis.clone(), Arc::clone(&clock)),
            limits: Limits::new(
                config.rate_limit_per_second,
                config.rate_limit_per_minute,
                redis,
                Arc::clone(&clock),
            ),
            first_prices: Recent::new(Arc::clone(&clock)),
            market_info: Recent::new(Arc::clone(&clock)),
            clock,
            auth,
            members: upstream_of_auth(MemberServiceClient::new(members.clone()), &budget),
            credentials: upstream_of_auth(CredentialServiceClient::new(members), &budget),
            orders: upstream_of_trading(OrderServiceClient::new(trading.clone()), &budget),
            dividends: upstream_of_trading(DividendServiceClient::new(trading.clone()), &budget),
            trading: upstream_of_trading(TradingServiceClient::new(trading), &budget),
            shared: SharedReads::new(Arc::clone(&quotes), Arc::clone(&likes)),
            likes,
            market: quotes,
            products: upstream_of_market(ProductServiceClient::new(market.clone()), &budget),
            searches: upstream_of_market(SearchHistoryServiceClient::new(market.clone()), &budget),
            trends: upstream_of_market(TrendServiceClient::new(market), &budget),
            seats: Seats::default(),
            door: Door::of(&routes::endpoints()),
            origins: Origins::of(&config)?,
            config,
        })
    }

    /// Forgets rate-limit buckets that are full again.
    pub(crate) fn tidy(&self) {
        self.limits.tidy();
    }
}

fn upstream_of_auth<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("auth", client, Arc::clone(budget))
}

fn upstream_of_trading<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("trading", client, Arc::clone(budget))
}

fn upstream_of_market<C: Clone>(client: C, budget: &Arc<RetryBudget>) -> Upstream<C> {
    Upstream::new("market-data", client, Arc::clone(budget))
}
