//! Load for the order endpoint: as many limit buys as the service accepts, from many clients in a
//! closed loop. `benches/order_limit.pgbench` commits the same rows without our code; run both in
//! turn and compare the medians. Raise the placing limits of the service first
//! (`ORDERS_PER_SECOND`, `ORDERS_PER_MINUTE`, `OPEN_ORDERS_MAX`, `INITIAL_DEPOSIT_WON`).

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc;
use clap::Parser;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::{
    GetBalancesRequest, GetOrderCapacityRequest, OrderCategory, OrderSide, PlaceOrderRequest,
};
use tokio::task::JoinSet;

type Service = TradingServiceClient<grpc::Client>;

/// Places limit buys as fast as they are accepted.
#[derive(Clone, Debug, Parser)]
struct Arguments {
    /// The service.
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    trading_url: String,
    /// Clients at a time, each with one order under way.
    #[arg(long, env = "BENCH_CLIENTS", default_value_t = 64)]
    clients: i64,
    /// Members whose accounts they use.
    #[arg(long, env = "BENCH_MEMBERS", default_value_t = 2_000)]
    members: i64,
    /// How long, in seconds, after a second of warm-up.
    #[arg(long, env = "BENCH_SECONDS", default_value_t = 6)]
    seconds: u64,
    /// What is ordered.
    #[arg(long, env = "BENCH_CODE", default_value = "005930")]
    code: String,
}

const FIRST_MEMBER: i64 = 3_000_000;
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let mut service = Service::new(grpc::channel(&arguments.trading_url)?);
    let order = template(&arguments, &mut service).await?;
    open_accounts(&arguments, &service).await?;

    let started = Instant::now() + WARM_UP;
    let until = started + Duration::from_secs(arguments.seconds);
    let mut clients = JoinSet::new();
    for index in 0..arguments.clients {
        // All over one connection, as a gateway comes.
        let client = place(
            arguments.clone(),
            service.clone(),
            order.clone(),
            index,
            started,
            until,
        );
        clients.spawn(client);
    }
    let mut times = Vec::new();
    let mut refused = 0_u64;
    while let Some(client) = clients.join_next().await {
        let (measured, failures) = client??;
        times.extend(measured);
        refused += failures;
    }
    times.sort_unstable();
    let count = u64::try_from(times.len())?;
    let at = |permille: usize| times.get(times.len() * permille / 1_000).copied();
    println!(
        "orders {count} in {} s: {} a second, p50 {:?}, p99 {:?}, not accepted {refused}",
        arguments.seconds,
        count / arguments.seconds.max(1),
        at(500).unwrap_or_default(),
        at(990).unwrap_or_default(),
    );
    if count == 0 {
        bail!("no order was accepted");
    }
    Ok(())
}

/// A buy of one share at the day's lower limit: it waits, and never fills.
async fn template(
    arguments: &Arguments,
    service: &mut Service,
) -> anyhow::Result<PlaceOrderRequest> {
    let sheet = service.get_order_capacity(GetOrderCapacityRequest {
        member_id: FIRST_MEMBER,
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

async fn open_accounts(arguments: &Arguments, service: &Service) -> anyhow::Result<()> {
    let mut opening = JoinSet::new();
    for part in 0..16 {
        let mut service = service.clone();
        let members = arguments.members;
        opening.spawn(async move {
            for offset in (part..members).step_by(16) {
                let request = GetBalancesRequest {
                    member_id: FIRST_MEMBER + offset,
                };
                let call = service.get_balances(request);
                deadline::scope(Deadline::within(CALL_TIMEOUT), call).await?;
            }
            Ok::<_, tonic::Status>(())
        });
    }
    while let Some(opened) = opening.join_next().await {
        opened??;
    }
    Ok(())
}

/// Places one order after another; answers how long each accepted one took.
async fn place(
    arguments: Arguments,
    mut service: Service,
    order: PlaceOrderRequest,
    index: i64,
    started: Instant,
    until: Instant,
) -> anyhow::Result<(Vec<Duration>, u64)> {
    let mut times = Vec::new();
    let mut refused = 0;
    let mut turn = 0_i64;
    loop {
        let asked = Instant::now();
        if asked >= until {
            return Ok((times, refused));
        }
        turn += 1;
        let offset = (index * 31 + turn * arguments.clients) % arguments.members.max(1);
        let mut request = order.clone();
        request.member_id = FIRST_MEMBER + offset;
        let call = service.place_order(request);
        match deadline::scope(Deadline::within(CALL_TIMEOUT), call).await {
            Ok(_) if asked >= started => times.push(asked.elapsed()),
            Ok(_) => {}
            Err(_) => refused += 1,
        }
    }
}
