//! One act of a member, and what must be there before.

use anyhow::Context;
use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::{self, Client};
use proto::trading::v1::item_service_client::ItemServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::transfer_service_client::TransferServiceClient;
use proto::trading::v1::{
    BuyItemRequest, GetBalancesRequest, GetOrderCapacityRequest, OrderCategory, OrderSide,
    PlaceOrderRequest, TransferRequest,
};
use tokio::task::JoinSet;
use tonic::Status;
use uuid::Uuid;

use super::{Arguments, CALL_TIMEOUT, Mode};

/// Accounts that are opened at a time.
const OPENED_AT_ONCE: i64 = 16;
const MOVED_WON: i64 = 1_000;

/// Cheap to clone.
#[derive(Clone)]
pub(crate) enum Act {
    Order(TradingServiceClient<Client>, PlaceOrderRequest),
    Transfer(TransferServiceClient<Client>),
    Purchase(ItemServiceClient<Client>, i64),
}

impl Act {
    pub(crate) async fn connect(arguments: &Arguments) -> anyhow::Result<Self> {
        let client = grpc::channel(&arguments.trading_url)?;
        Ok(match arguments.mode {
            Mode::Orders => {
                let mut service = TradingServiceClient::new(client);
                let order = template(arguments, &mut service).await?;
                Self::Order(service, order)
            }
            Mode::Transfers => Self::Transfer(TransferServiceClient::new(client)),
            Mode::Purchases => Self::Purchase(ItemServiceClient::new(client), arguments.item),
        })
    }

    /// Opens what the members need.
    pub(crate) async fn open_accounts(&self, arguments: &Arguments) -> anyhow::Result<()> {
        let trading = TradingServiceClient::new(grpc::channel(&arguments.trading_url)?);
        let mut opening = JoinSet::new();
        for part in 0..OPENED_AT_ONCE {
            let (mut trading, mut act) = (trading.clone(), self.clone());
            let (first, members) = (arguments.mode.first_member(), arguments.members);
            opening.spawn(async move {
                for offset in (part..members).step_by(usize::try_from(OPENED_AT_ONCE)?) {
                    let member_id = first + offset;
                    let call = trading.get_balances(GetBalancesRequest { member_id });
                    within(call).await?;
                    // The first transfer opens the other account.
                    if let Self::Transfer(service) = &mut act {
                        transfer(service, member_id, "the-first-transfer".to_owned()).await?;
                    }
                }
                anyhow::Ok(())
            });
        }
        while let Some(opened) = opening.join_next().await {
            opened??;
        }
        Ok(())
    }

    pub(crate) async fn run(&mut self, member_id: i64) -> Result<(), Status> {
        match self {
            Self::Order(service, order) => {
                let request = PlaceOrderRequest {
                    member_id,
                    ..order.clone()
                };
                within(service.place_order(request)).await
            }
            Self::Transfer(service) => {
                transfer(service, member_id, Uuid::new_v4().to_string()).await
            }
            Self::Purchase(service, item_id) => {
                let request = BuyItemRequest {
                    member_id,
                    request_id: Uuid::new_v4().to_string(),
                    item_id: *item_id,
                    quantity: 1,
                };
                within(service.buy_item(request)).await
            }
        }
    }
}

async fn transfer(
    service: &mut TransferServiceClient<Client>,
    member_id: i64,
    request_id: String,
) -> Result<(), Status> {
    let request = TransferRequest {
        member_id,
        request_id,
        from_account_no: "00".to_owned(),
        to_account_no: "01".to_owned(),
        amount_won: MOVED_WON,
    };
    within(service.transfer(request)).await
}

async fn within<T>(call: impl Future<Output = Result<T, Status>>) -> Result<(), Status> {
    let answered = deadline::scope(Deadline::within(CALL_TIMEOUT), call);
    answered.await.map(drop)
}

/// A buy of one share at the day's lower limit: it waits, and never fills.
async fn template(
    arguments: &Arguments,
    service: &mut TradingServiceClient<Client>,
) -> anyhow::Result<PlaceOrderRequest> {
    let sheet = service.get_order_capacity(GetOrderCapacityRequest {
        member_id: arguments.mode.first_member(),
        instrument_code: arguments.code.clone(),
        ..GetOrderCapacityRequest::default()
    });
    let sheet = deadline::scope(Deadline::within(CALL_TIMEOUT), sheet).await?;
    let price = sheet.into_inner().lower_limit;
    Ok(PlaceOrderRequest {
        instrument_code: arguments.code.clone(),
        side: OrderSide::Buy.into(),
        category: OrderCategory::Stock.into(),
        price: Some(price.context("the instrument has no daily limit")?),
        quantity: Some(proto::convert::decimal(1.into())),
        ..PlaceOrderRequest::default()
    })
}
