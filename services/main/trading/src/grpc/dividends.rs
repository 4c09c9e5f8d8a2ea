//! `DividendService`: dividends of a member, due and paid.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::common::v1::{Currency, Market};
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;
use proto::trading::v1::dividend_service_server::DividendService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::parse::{Page, page};
use crate::dividends::list::{DividendFilter, DividendPage, DividendState, MemberDividend};
use crate::error::TradingError;

#[tonic::async_trait]
impl DividendService for Service {
    async fn list_dividends(
        &self,
        request: Request<wire::ListDividendsRequest>,
    ) -> Reply<wire::Dividends> {
        let request = request.into_inner();
        let member_id: MemberId = member(request.member_id)?;
        let Page { before, size } = page(request.before_id, request.size);
        let filter = match request.state() {
            wire::DividendState::Unspecified => DividendFilter::All,
            wire::DividendState::Due => DividendFilter::Due,
            wire::DividendState::Paid => DividendFilter::Paid,
            wire::DividendState::Announced => {
                return Err(TradingError::Malformed("state").into());
            }
        };
        let store = self.store.clone();
        let page = with_timeout(async move {
            let page = store.member_dividends(member_id, filter, before, size.into());
            page.await
        });
        Ok(Response::new(view(page.await?)))
    }
}

fn view(page: DividendPage) -> wire::Dividends {
    wire::Dividends {
        dividends: page.dividends.into_iter().map(dividend).collect(),
        next_before_id: page.next.unwrap_or(0),
        announced: page.announced.into_iter().map(dividend).collect(),
    }
}

fn dividend(dividend: MemberDividend) -> wire::Dividend {
    let state = match dividend.state {
        DividendState::Announced => wire::DividendState::Announced,
        DividendState::Due => wire::DividendState::Due,
        DividendState::Paid => wire::DividendState::Paid,
    };
    wire::Dividend {
        dividend_id: dividend.id,
        account_no: dividend.account_no,
        instrument_code: dividend.instrument_code,
        instrument_name: dividend.instrument_name,
        state: state.into(),
        ex_day: dividend.ex_day,
        pay_day: dividend.pay_day,
        quantity: Some(decimal(dividend.quantity.normalize())),
        amount: Some(decimal(dividend.amount.normalize())),
        currency: Currency::from(dividend.currency).into(),
        gross_won: dividend.gross_won,
        tax_won: dividend.tax_won,
        net_won: dividend.gross_won - dividend.tax_won,
        fx_rate: dividend.fx_rate.map(|rate| decimal(rate.normalize())),
        paid_at_us: dividend.paid_at.map_or(0, micros),
        market: Market::from(dividend.market).into(),
    }
}
