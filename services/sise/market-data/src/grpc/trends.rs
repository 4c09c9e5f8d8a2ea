//! Trends, sparklines and the price of gold over gRPC.

use std::collections::HashSet;

use bootstrap::grpc::Reply;
use kernel::{Currency, MarketCode};
use market_rules::Venue;
use proto::convert::{InvalidField, decimal, micros, to_optional_decimal};
use proto::market::v1 as wire;
use proto::market::v1::trend_service_server::TrendService;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use tonic::{Request, Response};

use super::Market;
use super::items::not_found;
use crate::catalogue::Instrument;
use crate::error::MarketError;
use crate::index_constituents::{self, IndexRule};
use crate::listing::{self, Row};
use crate::sessions::wire_venue;
use crate::trends::{self, Reference, Scope};

/// The gold that stands for gold here, and gold in the world.
const DOMESTIC_GOLD: &str = "04020000";
const WORLD_GOLD: &str = "XAUUSD";
/// Where gold is traded by the gram.
const GOLD_EXCHANGE: &str = "KRXGOLD";
/// Instruments of one answer: more rows than any screen shows.
const MOST_SPARKLINES: usize = 100;

#[tonic::async_trait]
impl TrendService for Market {
    async fn get_trend(&self, request: Request<wire::GetTrendRequest>) -> Reply<wire::Trend> {
        let kind = request.into_inner().kind();
        let scope = trends::scope(kind).ok_or(InvalidField("kind"))?;
        let trend = self.trends.market(kind, || self.trend(scope)).await;
        Ok(Response::new(wire::Trend::clone(&trend)))
    }

    async fn get_gold_trend(
        &self,
        _request: Request<wire::GetGoldTrendRequest>,
    ) -> Reply<wire::GoldTrend> {
        let trend = self.trends.gold(|| self.gold_trend()).await;
        Ok(Response::new(wire::GoldTrend::clone(&trend)))
    }

    async fn get_commodity_price(
        &self,
        request: Request<wire::GetCommodityPriceRequest>,
    ) -> Reply<wire::CommodityPrice> {
        let code = request.into_inner().code;
        let found = self.catalogue.get(&code);
        let instrument = found
            .filter(|instrument| instrument.market == MarketCode::Gold)
            .ok_or_else(|| not_found(&code))?;
        Ok(Response::new(wire::CommodityPrice {
            item: Some(listing::item(instrument, &self.board)),
            premium: self.premium(instrument),
        }))
    }

    async fn list_index_constituents(
        &self,
        request: Request<wire::ListIndexConstituentsRequest>,
    ) -> Reply<wire::IndexConstituents> {
        let code = request.into_inner().code;
        let fund = self.catalogue.get(&code).ok_or_else(|| not_found(&code))?;
        let Some(rule) = index_constituents::followed_by(fund) else {
            return Ok(Response::new(wire::IndexConstituents::default()));
        };
        let index = self.trends.index(rule, || self.index_constituents(&rule));
        Ok(Response::new(wire::IndexConstituents::clone(&*index.await)))
    }

    async fn list_sparklines(
        &self,
        request: Request<wire::ListSparklinesRequest>,
    ) -> Reply<wire::Sparklines> {
        let codes = request.into_inner().codes;
        let distinct: HashSet<&String> = codes.iter().collect();
        if !(1..=MOST_SPARKLINES).contains(&codes.len()) || distinct.len() < codes.len() {
            return Err(InvalidField("codes").into());
        }
        let is_unknown = |code: &&String| self.catalogue.get(code).is_none();
        if let Some(code) = codes.iter().find(is_unknown) {
            return Err(not_found(code).into());
        }
        let sparklines = self.sparklines.list(&codes).await.map_err(|error| {
            tracing::warn!(%error, "Sparklines cannot be read");
            MarketError::CandlesUnavailable
        })?;
        Ok(Response::new(wire::Sparklines { sparklines }))
    }
}

impl Market {
    fn trend(&self, scope: Scope) -> wire::Trend {
        let rows = self.rows(scope.markets);
        let breadth = trends::breadth(&rows);
        let items = |rows: Vec<Row>| {
            let rows = rows.iter();
            rows.map(|row| listing::item(&row.instrument, &self.board))
                .collect()
        };
        let sectors = trends::sectors(&rows).into_iter();
        wire::Trend {
            index: match scope.reference {
                Reference::Index(code) => self.index(code, scope.markets),
                Reference::Price(code) => {
                    self.catalogue.get(code).and_then(|item| self.price(item))
                }
            },
            up: breadth.up,
            flat: breadth.flat,
            down: breadth.down,
            gainers: items(trends::gainers(&rows)),
            losers: items(trends::losers(&rows)),
            most_volume: items(trends::most_volume(&rows)),
            most_value: items(trends::most_value(&rows)),
            sectors: sectors
                .map(|sector| wire::SectorRate {
                    code: sector.code,
                    name: sector.name,
                    rate: Some(decimal(sector.rate)),
                })
                .collect(),
            as_of_us: micros(self.clock.now()),
        }
    }

    fn gold_trend(&self) -> wire::GoldTrend {
        let domestic = self.catalogue.get(DOMESTIC_GOLD);
        let listed = self.catalogue.instruments().iter();
        let listed = listed.filter(|instrument| instrument.market == MarketCode::Gold);
        wire::GoldTrend {
            index: domestic.and_then(|gold| self.price(gold)),
            premium: domestic.and_then(|gold| self.premium(gold)),
            items: listed
                .map(|instrument| listing::item(instrument, &self.board))
                .collect(),
            as_of_us: micros(self.clock.now()),
        }
    }

    /// The latest value of the index from the feed.
    fn index(&self, code: &str, markets: &[MarketCode]) -> Option<wire::IndexValue> {
        let told = self.rates.indices().into_iter();
        let rate = told.into_iter().find(|rate| rate.code == code)?;
        let two_decimals = |value: Decimal| Some(decimal(value.round_dp(2)));
        Some(wire::IndexValue {
            name: rate.korean_name,
            value: two_decimals(rate.value),
            previous: two_decimals(rate.previous),
            delayed: markets
                .iter()
                .any(|market| self.is_delayed(*market, rate.as_of_us)),
            as_of_us: rate.as_of_us,
        })
    }

    /// The largest members of an index, at present prices.
    fn index_constituents(&self, rule: &IndexRule) -> wire::IndexConstituents {
        let rows = self.rows(&[rule.market]);
        let (largest, total) = index_constituents::largest(rule, &rows, |instrument| {
            let shares = index_constituents::seeded_shares(instrument).to_i64();
            let today = self
                .board
                .in_todays_shares(&instrument.code, shares.unwrap_or(0));
            Decimal::from(today)
        });
        let members = largest.into_iter();
        wire::IndexConstituents {
            constituents: members
                .map(|member| wire::IndexConstituent {
                    item: Some(listing::item(&member.row.instrument, &self.board)),
                    weight: Some(decimal(member.weight)),
                })
                .collect(),
            total: i32::try_from(total).unwrap_or(i32::MAX),
        }
    }

    /// The price of an instrument in place of an index.
    fn price(&self, instrument: &Instrument) -> Option<wire::IndexValue> {
        let quote = self.board.quote(&instrument.code)?;
        Some(wire::IndexValue {
            name: instrument.korean_name.clone(),
            value: quote.price,
            previous: quote.prev_close,
            delayed: self.is_delayed(instrument.market, quote.event_time_us),
            as_of_us: quote.event_time_us,
        })
    }

    fn is_delayed(&self, market: MarketCode, as_of_us: i64) -> bool {
        let venue = Venue::of_market(market);
        let sessions = self.board.venues();
        let session = sessions
            .iter()
            .find(|session| session.venue() == wire_venue(venue));
        session.is_some_and(|session| {
            let age_us = micros(self.clock.now()) - as_of_us;
            trends::is_delayed(venue, session.state(), age_us)
        })
    }

    /// What `gold` costs more than gold in the world; nothing but gold of the exchange here does.
    fn premium(&self, gold: &Instrument) -> Option<wire::GoldPremium> {
        if gold.exchange != GOLD_EXCHANGE || gold.currency != Currency::Krw {
            return None;
        }
        let price = |code: &str| -> Option<(Decimal, i64)> {
            let quote = self.board.quote(code)?;
            let price = to_optional_decimal(quote.price.as_ref(), "price").ok()??;
            Some((price, quote.event_time_us))
        };
        let (domestic, domestic_at_us) = price(&gold.code)?;
        let (per_ounce, world_at_us) = price(WORLD_GOLD)?;
        let dollar_won = self.exchange.dollar_won()?;
        let premium = trends::premium(domestic, per_ounce, dollar_won)?;
        Some(wire::GoldPremium {
            rate: Some(decimal(premium.rate)),
            domestic_price: Some(decimal(domestic)),
            world_price: Some(decimal(premium.world_won_per_gram)),
            world_dollars_per_ounce: Some(decimal(per_ounce)),
            dollar_won: Some(decimal(dollar_won)),
            as_of_us: domestic_at_us.max(world_at_us),
        })
    }
}
