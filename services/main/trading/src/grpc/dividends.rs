//! `DividendService`: dividends of a member, due and paid.

use kernel::MemberId;
use proto::trading::v1 as wire;
use proto::trading::v1::dividend_service_server::{DividendService, DividendServiceServer};
use tonic::{Request, Response, Status};

use super::{member, with_timeout};
use crate::error::TradingError;
use crate::store::{Listed, Store};

const DEFAULT_PAGE: i32 = 20;
const MAX_PAGE: i32 = 100;

#[derive(Clone)]
pub struct DividendList {
    store: Store,
}

impl DividendList {
    #[must_use]
    pub fn server(store: Store) -> DividendServiceServer<Self> {
        DividendServiceServer::new(Self { store })
    }
}

#[tonic::async_trait]
impl DividendService for DividendList {
    async fn list_dividends(
        &self,
        request: Request<wire::ListDividendsRequest>,
    ) -> Result<Response<wire::Dividends>, Status> {
        let request = request.into_inner();
        let member_id: MemberId = member(request.member_id)?;
        let before = (request.before_id > 0).then_some(request.before_id);
        let size = match request.size {
            ..=0 => DEFAULT_PAGE,
            size => size.min(MAX_PAGE),
        };
        let listed = match request.state() {
            wire::DividendState::Unspecified => Listed::All,
            wire::DividendState::Due => Listed::Due,
            wire::DividendState::Paid => Listed::Paid,
            wire::DividendState::Announced => {
                return Err(TradingError::Malformed("state").into());
            }
        };
        let store = self.store.clone();
        let page = with_timeout(async move {
            let page = store.member_dividends(member_id, listed, before, i64::from(size));
            page.await
        });
        Ok(Response::new(page.await?))
    }
}
