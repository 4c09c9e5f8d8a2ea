//! What the market was at the end of past days.

use bootstrap::grpc::Reply;
use chrono::NaiveDate;
use proto::convert::{InvalidField, decimal, to_instant};
use proto::market::v1 as wire;
use proto::market::v1::close_service_server::CloseService;
use tonic::{Request, Response};

use super::Market;
use crate::closes::{self, DayClose, korean_day};
use crate::config::MarketClock;
use crate::error::MarketError;
use crate::model::session::yyyymmdd;
use crate::sessions::date_of;

const DOLLAR: &str = "USD";
/// The indices whose days are told.
const INDICES: [&str; 2] = ["0001", "SPX"];

#[tonic::async_trait]
impl CloseService for Market {
    async fn list_prices_at(
        &self,
        request: Request<wire::ListPricesAtRequest>,
    ) -> Reply<wire::PricesAt> {
        let at_us = request.into_inner().at_us;
        let at = to_instant(at_us, "at_us")?;
        let us_day_is_korean = match self.market_clock {
            MarketClock::Practice | MarketClock::Replay => true,
            MarketClock::Exchange => false,
        };
        let prices = self
            .candles
            .prices_at(at, us_day_is_korean)
            .await
            .map_err(MarketError::from)?
            .ok_or(MarketError::DayNotOver)?;
        let day = korean_day(at_us - 1).ok_or(InvalidField("at_us"))?;
        let dollar_won = if let Some(rate) = closes::ended(&self.rates, DOLLAR, day) {
            Some(rate)
        } else {
            let known = self.closes.last_until(DOLLAR, day).await;
            let known = known.map_err(MarketError::from)?;
            known.or_else(|| self.exchange.dollar_won())
        };
        Ok(Response::new(wire::PricesAt {
            prices: prices
                .into_iter()
                .map(|at| wire::PriceAt {
                    code: at.code,
                    price: Some(decimal(at.price.normalize())),
                    tick_seq: at.tick_seq,
                })
                .collect(),
            dollar_won: dollar_won.map(|rate| decimal(rate.normalize())),
        }))
    }

    async fn list_index_closes(
        &self,
        request: Request<wire::ListIndexClosesRequest>,
    ) -> Reply<wire::IndexCloses> {
        let request = request.into_inner();
        let from = day(request.from_day, "from_day")?;
        let to = day(request.to_day, "to_day")?;
        let closes = self.closes.list(&INDICES, (from, to)).await;
        let closes = closes.map_err(MarketError::from)?;
        let indices = INDICES
            .iter()
            .filter_map(|code| self.index_history(code, &closes));
        Ok(Response::new(wire::IndexCloses {
            indices: indices.collect(),
        }))
    }

    async fn list_day_volumes(
        &self,
        _request: Request<wire::ListDayVolumesRequest>,
    ) -> Reply<wire::DayVolumes> {
        let ticks = self.board.snapshot(&[]).ticks;
        let (codes, days): (Vec<String>, Vec<i32>) = ticks
            .into_iter()
            .map(|tick| (tick.code, tick.trading_day))
            .unzip();
        let known = self.candles.volumes_before(&codes, &days).await;
        let known = known.map_err(MarketError::from)?;
        let volumes = known
            .into_iter()
            .map(|(code, trading_day, volume)| wire::DayVolume {
                code,
                trading_day,
                volume_before: Some(decimal(volume.normalize())),
            });
        Ok(Response::new(wire::DayVolumes {
            volumes: volumes.collect(),
        }))
    }
}

impl Market {
    /// `None` where nothing is known of the index.
    fn index_history(&self, code: &str, closes: &[DayClose]) -> Option<wire::IndexHistory> {
        let mut known = self.catalogue.indices().iter();
        let index = known.find(|index| index.code == code)?;
        let mine = closes.iter().filter(|close| close.code == code);
        let closes: Vec<wire::IndexClose> = mine
            .map(|close| wire::IndexClose {
                day: yyyymmdd(close.day),
                value: Some(decimal(close.value.normalize())),
            })
            .collect();
        (!closes.is_empty()).then(|| wire::IndexHistory {
            code: index.code.clone(),
            name: index.korean_name.clone(),
            closes,
        })
    }
}

fn day(yyyymmdd: i32, field: &'static str) -> Result<NaiveDate, InvalidField> {
    date_of(yyyymmdd).ok_or(InvalidField(field))
}
