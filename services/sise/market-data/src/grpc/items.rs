//! Instruments, lists, search and charts.

use std::collections::HashSet;
use std::sync::Arc;

use kernel::{MarketCode, MemberId};
use proto::common::v1::Market as WireMarket;
use proto::convert::{InvalidField, to_instant};
use proto::market::v1 as wire;
use tonic::Status;

use super::Market;
use crate::candles::Period;
use crate::catalogue::Instrument;
use crate::error::MarketError;
use crate::listing::{self, Row, SortOrder};

/// Maximum number of codes in a request.
const MAX_CODES: usize = 1_000;

impl Market {
    pub(super) fn instruments(&self) -> wire::ListInstrumentsResponse {
        let instruments = self.catalogue.instruments().iter();
        wire::ListInstrumentsResponse {
            instruments: instruments
                .map(|instrument| listing::instrument_to_wire(instrument, &self.board))
                .collect(),
        }
    }

    pub(super) fn item(&self, code: &str) -> Result<wire::Item, MarketError> {
        let instrument = self.catalogue.get(code).ok_or_else(|| not_found(code))?;
        Ok(listing::item(instrument, &self.board))
    }

    pub(super) fn items(
        &self,
        request: &wire::GetQuotesRequest,
    ) -> Result<wire::Items, InvalidField> {
        let wire::GetQuotesRequest { codes, member_ids } = request;
        if codes.len() > MAX_CODES {
            return Err(InvalidField("codes"));
        }
        if member_ids.len() > MAX_CODES {
            return Err(InvalidField("member_ids"));
        }
        let known = codes.iter().filter_map(|code| self.item(code).ok());
        let named: HashSet<&String> = codes.iter().collect();
        let remembered = member_ids.iter().filter_map(|member_id| {
            let liked = self.likes.cached(MemberId(*member_id))?;
            let both = liked.codes.iter().filter(|code| named.contains(code));
            Some(wire::LikedCodes {
                member_id: *member_id,
                codes: both.cloned().collect(),
            })
        });
        Ok(wire::Items {
            items: known.collect(),
            liked: remembered.collect(),
        })
    }

    pub(super) fn browse(
        &self,
        request: &wire::BrowseItemsRequest,
    ) -> Result<wire::ItemPage, InvalidField> {
        let mut rows = self.rows(&markets(&request.markets)?);
        SortOrder::from_wire(request.sort()).sort(&mut rows);
        let sorted: Vec<_> = rows.iter().map(|row| &row.instrument).collect();
        Ok(self.page_of(&sorted, request.page))
    }

    pub(super) async fn most_popular(
        &self,
        request: &wire::ListPopularRequest,
    ) -> Result<wire::ItemPage, InvalidField> {
        let markets = markets(&request.markets)?;
        let codes = self.popular.codes(&markets, || self.rows(&markets)).await;
        let instruments = codes.iter().filter_map(|code| self.catalogue.get(code));
        let instruments: Vec<_> = instruments.collect();
        Ok(self.page_of(&instruments, 1))
    }

    pub(super) async fn find(
        &self,
        request: &wire::SearchItemsRequest,
    ) -> Result<wire::ItemPage, InvalidField> {
        let markets = markets(&request.markets)?;
        let popular = self.popular.codes(&[], || self.rows(&[])).await;
        let found = self
            .search
            .find(&request.text, &markets, &popular, request.page);
        let found_items = found.items.iter();
        Ok(wire::ItemPage {
            items: found_items
                .map(|instrument| listing::item(instrument, &self.board))
                .collect(),
            page: found.page,
            total: i64::try_from(found.total).unwrap_or(i64::MAX),
        })
    }

    pub(super) async fn chart(
        &self,
        request: &wire::GetCandlesRequest,
    ) -> Result<wire::Candles, Status> {
        let code = &request.code;
        let instrument = self.catalogue.get(code).ok_or_else(|| not_found(code))?;
        let period = Period::from_wire(request.period()).ok_or(InvalidField("period"))?;
        let before = match request.before_us {
            0 => None,
            micros => Some(to_instant(micros, "before_us")?),
        };
        let read = self
            .candles
            .candles(code, instrument.venue(), period, before);
        let candles = read.await.map_err(|error| {
            tracing::warn!(%error, code, "Chart could not be read");
            MarketError::CandlesUnavailable
        })?;
        Ok(wire::Candles {
            candles: candles.into_iter().map(Into::into).collect(),
            instrument: Some(listing::instrument_to_wire(instrument, &self.board)),
        })
    }

    /// Best effort: a lost opening affects only the popular lists.
    pub(super) async fn record_opening(&self, request: &wire::NoteItemOpenedRequest) {
        if request.member_id <= 0 || self.catalogue.get(&request.code).is_none() {
            return;
        }
        let member = MemberId(request.member_id);
        let clock = self.clock.as_ref();
        let noted = self.store.note_opening(member, &request.code, clock).await;
        if let Err(error) = noted {
            tracing::debug!(%error, "Opening could not be recorded");
        }
    }

    /// All `instruments` as one page.
    pub(super) fn all_of(&self, instruments: &[&Arc<Instrument>]) -> wire::ItemPage {
        let items = instruments.iter();
        wire::ItemPage {
            items: items
                .map(|instrument| listing::item(instrument, &self.board))
                .collect(),
            page: 1,
            total: i64::try_from(instruments.len()).unwrap_or(i64::MAX),
        }
    }

    fn page_of(&self, instruments: &[&Arc<Instrument>], page: i32) -> wire::ItemPage {
        let (shown, page) = listing::page(instruments, page);
        let items = shown.iter();
        wire::ItemPage {
            items: items
                .map(|instrument| listing::item(instrument, &self.board))
                .collect(),
            page,
            total: i64::try_from(instruments.len()).unwrap_or(i64::MAX),
        }
    }

    pub(super) fn rows(&self, markets: &[MarketCode]) -> Vec<Row> {
        let dollar_won = self.exchange.dollar_won();
        listing::rows(&self.catalogue, &self.board, markets, dollar_won)
    }
}

pub(super) fn markets(wanted: &[i32]) -> Result<Vec<MarketCode>, InvalidField> {
    let read = |market: &i32| {
        let market = WireMarket::try_from(*market);
        market
            .map_err(|_unknown| InvalidField("markets"))?
            .to_kernel()
    };
    wanted.iter().map(read).collect()
}

pub(super) fn not_found(code: &str) -> MarketError {
    MarketError::InstrumentNotFound {
        code: code.to_owned(),
    }
}
