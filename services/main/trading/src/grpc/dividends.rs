//! What members are paid for their shares.

use kernel::MemberId;
use proto::trading::v1 as wire;
use proto::trading::v1::dividend_service_server::{DividendService, DividendServiceServer};
use tonic::{Request, Response, Status};

use super::{member, patiently};
use crate::error::TradingError;
use crate::store::{Listed, Store};

const USUAL_SIZE: i32 = 20;
const MOST: i32 = 100;

/// The service of dividends.
#[derive(Clone)]
pub struct DividendList {
    store: Store,
}

impl DividendList {
    /// The service over a store.
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
        let wanted = request.into_inner();
        let member_id: MemberId = member(wanted.member_id)?;
        let before = (wanted.before_id > 0).then_some(wanted.before_id);
        let size = match wanted.size {
            ..=0 => USUAL_SIZE,
            size => size.min(MOST),
        };
        let listed = match wanted.state() {
            wire::DividendState::Unspecified => Listed::All,
            wire::DividendState::Due => Listed::Due,
            wire::DividendState::Paid => Listed::Paid,
            wire::DividendState::Announced => {
                return Err(TradingError::Malformed("state").into());
            }
        };
        let store = self.store.clone();
        let page = patiently(async move {
            let page = store.member_dividends(member_id, listed, before, i64::from(size));
            page.await
        });
        Ok(Response::new(page.await?))
    }
}
