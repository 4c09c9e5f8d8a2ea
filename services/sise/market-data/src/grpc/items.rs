//! Instruments, lists, search and charts.

use std::collections::HashMap;

use kernel::{MarketCode, MemberId};
use proto::common::v1::Market as WireMarket;
use proto::convert::InvalidField;
use proto::market::v1 as wire;

use super::Market;
use crate::error::MarketError;
use crate::listing::{self, Order, Row};

impl Market {
    pub(super) fn instruments(&self) -> wire::ListInstrumentsResponse {
        let instruments = self.catalogue.instruments().iter();
        wire::ListInstrumentsResponse {
            instruments: instruments
                .map(|instrument| listing::instrument_to_wire(instrument))
                .collect(),
        }
    }

    pub(super) fn item(&self, code: &str) -> Result<wire::Item, MarketError> {
        let instrument = self.catalogue.get(code).ok_or_else(|| not_found(code))?;
        Ok(wire::Item {
            instrument: Some(listing::instrument_to_wire(instrument)),
            quote: self.board.quote(code),
        })
    }

    pub(super) fn browse(
        &self,
        request: &wire::BrowseItemsRequest,
    ) -> Result<wire::ItemPage, InvalidField> {
        let mut rows = self.rows(&markets(&request.markets)?);
        Order::from_wire(request.sort()).sort(&mut rows);
        Ok(page_of(&rows, request.page))
    }

    pub(super) async fn most_popular(
        &self,
        request: &wire::ListPopularRequest,
    ) -> Result<wire::ItemPage, InvalidField> {
        let markets = markets(&request.markets)?;
        let codes = self.popular.codes(&markets, || self.rows(&markets)).await;
        let instruments = codes.iter().filter_map(|code| self.catalogue.get(code));
        let dollar_won = self.exchange.dollar_won();
        let rows: Vec<Row> = instruments
            .map(|instrument| Row::of(instrument, &self.board, dollar_won))
            .collect();
        Ok(page_of(&rows, 1))
    }

    pub(super) async fn find(
        &self,
        request: &wire::SearchItemsRequest,
    ) -> Result<wire::ItemPage, InvalidField> {
        let markets = markets(&request.markets)?;
        let popular = self.popular.codes(&[], || self.rows(&[])).await;
        let places = popular.iter().rev().cloned().zip(0_i64..);
        let popularity: HashMap<String, i64> = places.collect();
        let found = self.search.find(&request.text, &markets, &popularity);
        let (shown, page) = listing::page(&found, request.page);
        let dollar_won = self.exchange.dollar_won();
        let items = shown.iter().map(|instrument| {
            let row = Row::of(instrument, &self.board, dollar_won);
            row.to_wire()
        });
        Ok(wire::ItemPage {
            items: items.collect(),
            page,
            total: count(found.len()),
        })
    }

    pub(super) async fn candles(
        &self,
        request: &wire::GetCandlesRequest,
    ) -> Result<wire::Candles, MarketError> {
        let code = &request.code;
        self.catalogue.get(code).ok_or_else(|| not_found(code))?;
        Err(MarketError::CandlesUnavailable)
    }

    /// Best effort: an opening that cannot be noted is only lost to the popular lists.
    pub(super) async fn note_opened(&self, request: &wire::NoteItemOpenedRequest) {
        if request.member_id <= 0 || self.catalogue.get(&request.code).is_none() {
            return;
        }
        let member = MemberId(request.member_id);
        let clock = self.clock.as_ref();
        let noted = self.store.note_opening(member, &request.code, clock).await;
        if let Err(error) = noted {
            tracing::debug!(%error, "An opening was not noted");
        }
    }

    fn rows(&self, markets: &[MarketCode]) -> Vec<Row> {
        let dollar_won = self.exchange.dollar_won();
        listing::rows(&self.catalogue, &self.board, markets, dollar_won)
    }
}

fn markets(wanted: &[i32]) -> Result<Vec<MarketCode>, InvalidField> {
    let read = |market: &i32| {
        let market = WireMarket::try_from(*market);
        market.map_err(|_unknown| InvalidField("markets"))?.to_kernel()
    };
    wanted.iter().map(read).collect()
}

fn page_of(rows: &[Row], page: i32) -> wire::ItemPage {
    let (shown, page) = listing::page(rows, page);
    wire::ItemPage {
        items: shown.iter().map(Row::to_wire).collect(),
        page,
        total: count(rows.len()),
    }
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

fn not_found(code: &str) -> MarketError {
    MarketError::InstrumentNotFound {
        code: code.to_owned(),
    }
}
