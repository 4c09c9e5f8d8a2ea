//! How PostgreSQL finds the rows of every statement once the tables have grown: those that grow
//! with members and time are never read from end to end.

mod cma;
mod competitions;
mod due_contracts;
mod entrants;
mod large;
mod orders;
mod profits;
mod ranks;
mod seasons;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use kernel::clock::KST;
use parking_lot::Mutex;
use proto::common::v1::Currency;
use proto::trading::v1 as wire;
use proto::trading::v1::dividend_service_client::DividendServiceClient;
use serde_json::Value;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use trading::concentration;
use trading::dividends::DividendWorker;
use trading::domain::split::SplitRatio;
use trading::matching::StaleQueuePositions;
use trading::tick_log::{Scope, SessionRecordKind};

use crate::dividends::{EX_DAY, PAY_DAY, dividend};
use crate::equity::closes::Closes;
use crate::world::{APPLE, DAY, SAMSUNG, World, buy, dec, member, sell};

const ME: i64 = 100_001;

/// What the server told of its plans, newest last.
static PLANS: LazyLock<Arc<Mutex<Vec<Value>>>> = LazyLock::new(Arc::default);

struct PlanReader;

struct Message(String);

impl Visit for Message {
    // As debug output it would be quoted, and no JSON.
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.0 = value.to_owned();
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

impl<S: Subscriber> Layer<S> for PlanReader {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if event.metadata().target() != "sqlx::postgres::notice" {
            return;
        }
        let mut message = Message(String::new());
        event.record(&mut message);
        let plan = message.0.find('{').map(|begin| &message.0[begin..]);
        if let Some(plan) = plan.and_then(|json| serde_json::from_str(json).ok()) {
            PLANS.lock().push(plan);
        }
    }
}

/// Connections on which the server explains every statement, also those inside functions; with `analyze`
/// "on" it tells what it read.
async fn explained(pool: &PgPool, analyze: &str) -> PgPool {
    let options = pool.connect_options().as_ref().clone().options([
        ("auto_explain.log_analyze", analyze),
        ("session_preload_libraries", "auto_explain"),
        ("auto_explain.log_min_duration", "0"),
        ("auto_explain.log_nested_statements", "on"),
        ("auto_explain.log_format", "json"),
        ("client_min_messages", "log"),
        // The large tables fit the memory of a test, and must not look cheap for it.
        ("effective_cache_size", "64MB"),
    ]);
    let pool = PgPoolOptions::new().max_connections(6);
    pool.connect_with(options).await.unwrap()
}

/// The large tables that a plan reads from end to end.
fn scanned<'a>(plan: &'a Value, found: &mut Vec<&'a str>) {
    if plan["Node Type"] == "Seq Scan" {
        let table = plan["Relation Name"].as_str().unwrap_or_default();
        if large::TABLES.contains(&table) {
            found.push(table);
        }
    }
    for child in plan["Plans"].as_array().into_iter().flatten() {
        scanned(child, found);
    }
}

/// The statements that read a large table from end to end, each once.
fn sequential_scans() -> Vec<String> {
    let plans = PLANS.lock();
    let mut statements = Vec::new();
    for explained in plans.iter() {
        let mut tables = Vec::new();
        scanned(&explained["Plan"], &mut tables);
        let text = explained["Query Text"].as_str().unwrap_or_default();
        let statement = format!("{}: {text}", tables.join(", "));
        if !tables.is_empty() && !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    statements
}

/// The indexes by which a statement finds rows of a table, with what they are searched for.
fn indexes_of(table: &str, text: &str) -> BTreeSet<String> {
    fn add(plan: &Value, table: &str, found: &mut BTreeSet<String>) {
        let name = plan["Index Name"].as_str();
        let name = name.filter(|name| name.starts_with(table) && plan["Index Cond"].is_string());
        found.extend(name.map(str::to_owned));
        for child in plan["Plans"].as_array().into_iter().flatten() {
            add(child, table, found);
        }
    }
    let plans = PLANS.lock();
    let mut found = BTreeSet::new();
    for plan in plans.iter() {
        let query = plan["Query Text"].as_str().unwrap_or_default();
        if query.contains(text) {
            add(&plan["Plan"], table, &mut found);
        }
    }
    found
}

/// Whether a statement was seen, and always found rows by this index.
fn is_found_by(index: &str, text: &str) -> bool {
    fn reads(plan: &Value, index: &str) -> bool {
        let mut children = plan["Plans"].as_array().into_iter().flatten();
        plan["Index Name"] == index || children.any(|child| reads(child, index))
    }
    let plans = PLANS.lock();
    let mut seen = plans.iter().filter(|plan| {
        let query = plan["Query Text"].as_str().unwrap_or_default();
        query.contains(text)
    });
    let is_first = seen.next().is_some_and(|plan| reads(&plan["Plan"], index));
    is_first && seen.all(|plan| reads(&plan["Plan"], index))
}

/// What each execution of a statement has read, as `rows` counts it at a node of its plan.
fn rows_read(text: &str, rows: fn(&Value) -> u64) -> Vec<u64> {
    fn read(plan: &Value, rows: fn(&Value) -> u64) -> u64 {
        let children = plan["Plans"].as_array().into_iter().flatten();
        rows(plan) + children.map(|child| read(child, rows)).sum::<u64>()
    }
    let plans = PLANS.lock();
    let seen = plans.iter().filter(|plan| {
        let query = plan["Query Text"].as_str().unwrap_or_default();
        query.contains(text)
    });
    seen.map(|plan| read(&plan["Plan"], rows)).collect()
}

/// Rows that a node has read in all its loops.
fn rows_of(node: &Value) -> u64 {
    let number = |name: &str| node[name].as_u64().unwrap_or(0);
    (number("Actual Rows") + number("Rows Removed by Filter")) * number("Actual Loops")
}

fn saw(text: &str) -> bool {
    let plans = PLANS.lock();
    plans.iter().any(|plan| {
        plan["Query Text"]
            .as_str()
            .unwrap_or_default()
            .contains(text)
    })
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn no_statement_reads_a_large_table_from_end_to_end(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    large::fill(&pool).await;
    let own = explained(&pool, "off").await;
    let mut world = World::new(own.clone()).await;
    members_act(&mut world).await;
    competitions::compete(&mut world).await;
    members_look(&world).await;
    time_passes(&mut world).await;
    for statement in [
        "insert into trade_order",
        "insert into fill",
        "from request",
        "side = 'BUY' order by id",
    ] {
        assert!(
            saw(statement),
            "no plan of {statement} was seen in {:?}",
            PLANS
                .lock()
                .iter()
                .map(|p| p["Query Text"]
                    .as_str()
                    .unwrap_or("?")
                    .chars()
                    .take(60)
                    .collect::<String>())
                .collect::<BTreeSet<_>>()
        );
    }
    assert_eq!(sequential_scans(), Vec::<String>::new());
    let found = indexes_of("dividend_share", "as is_used");
    assert_eq!(found, ["dividend_share_of_member".to_owned()].into());
    // Two begin with the account: what it has of an item, or of the last days; one with the member, for what
    // came after the fills that are known.
    let expected = ["fill_of_holding", "fill_of_day", "fill_of_member"].map(str::to_owned);
    let found = indexes_of("fill", competitions::FILLS_OF_DAY);
    assert!(
        found.contains("fill_of_member") && found.len() > 1 && found.is_subset(&expected.into()),
        "{found:?}"
    );

    for (index, text) in competitions::INDEXED {
        assert!(is_found_by(index, text), "{index}: {text}");
    }

    // What this would find if there were one.
    world
        .count("select count(*) from fill where model_version = ''")
        .await;
    assert_eq!(sequential_scans().len(), 1);
}

/// Orders of every kind.
async fn members_act(world: &mut World) {
    let joined = uuid::Uuid::new_v4();
    let opened = world.store.open_for_joined(joined, member(ME + 1));
    opened.await.unwrap();
    for code in [SAMSUNG, APPLE] {
        world.placed(buy(ME, code, "", "4")).await;
    }
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.trade(APPLE, "230.50", 1_000).await;
    for price in ["71500", "71600", "71700"] {
        world.placed(sell(ME, SAMSUNG, price, "1")).await;
    }
    world.trade(SAMSUNG, "71600", 1_000).await;
    let emptied = world.moved("00", "01", 1_000).await.to_account_no;
    world.moved(&emptied, "00", 1_000).await;
    world.close(&emptied, "close-emptied").await.unwrap();
    let canceled = world.placed(buy(ME, SAMSUNG, "60000", "1")).await;
    world.cancel(&canceled, ME).await.unwrap();
    let modified = world.placed(buy(ME, SAMSUNG, "60100", "2")).await;
    let request = wire::ModifyOrderRequest {
        member_id: ME,
        order_id: modified.order_id,
        side: modified.side,
        category: modified.category,
        quantity: dec("1"),
        ..wire::ModifyOrderRequest::default()
    };
    world.orders.clone().modify_order(request).await.unwrap();
    world.trade(SAMSUNG, "71600", 1_000).await;
}

/// Everything a member may read, with and without what narrows it down.
async fn members_look(world: &World) {
    use wire::OrderHistoryKind::{All, Canceled, Filled, Wait};
    let stock = i32::from(wire::OrderCategory::Stock);
    for member in [ME, large::FIRST + 7] {
        for kind in [All, Filled, Wait, Canceled] {
            for before_order_id in [0, large::FIRST + 100] {
                let request = wire::ListOrderHistoryRequest {
                    member_id: member,
                    category: stock,
                    kind: kind.into(),
                    before_order_id,
                    ..wire::ListOrderHistoryRequest::default()
                };
                let page = world.orders.clone().list_order_history(request).await;
                let page = page.unwrap().into_inner();
                for order in page.orders {
                    world.detail(member, order.order_id).await;
                }
            }
        }
        world.summary(member).await;
        world.holdings(member).await;
        world.waiting(member).await;
        narrowed(world, member, stock).await;
        dividends_of(world, member).await;
        profits::listed(world, member).await;
        let request = wire::ListMemberFillsRequest {
            member_id: member,
            after_seq: 0,
        };
        world
            .client
            .clone()
            .list_member_fills(request)
            .await
            .unwrap();
        let request = wire::GetBalancesRequest { member_id: member };
        world.client.clone().get_balances(request).await.unwrap();
    }
}

async fn narrowed(world: &World, member: i64, category: i32) {
    let account_no = "00".to_owned();
    let instrument_code = SAMSUNG.to_owned();
    let mut client = world.client.clone();
    let request = wire::ListWaitingOrdersRequest {
        member_id: member,
        account_no: account_no.clone(),
        category,
        instrument_code: instrument_code.clone(),
    };
    client.list_waiting_orders(request).await.unwrap();
    let request = wire::ListHoldingsRequest {
        member_id: member,
        account_no: account_no.clone(),
        category,
        instrument_code: instrument_code.clone(),
    };
    client.list_holdings(request).await.unwrap();
    let request = wire::GetOrderCapacityRequest {
        member_id: member,
        account_no: account_no.clone(),
        instrument_code: instrument_code.clone(),
        ..wire::GetOrderCapacityRequest::default()
    };
    client.get_order_capacity(request).await.unwrap();
    let request = wire::PreviewOrderRequest {
        member_id: member,
        account_no,
        instrument_code,
        side: wire::OrderSide::Buy.into(),
        quantity: dec("1"),
        ..wire::PreviewOrderRequest::default()
    };
    world.orders.clone().preview_order(request).await.unwrap();
}

async fn dividends_of(world: &World, member: i64) {
    use wire::DividendState::{Due, Paid, Unspecified};
    let mut client = DividendServiceClient::connect(world.served.url.clone())
        .await
        .unwrap();
    for state in [Unspecified, Due, Paid] {
        let request = wire::ListDividendsRequest {
            member_id: member,
            state: state.into(),
            before_id: large::FIRST + 7,
            ..wire::ListDividendsRequest::default()
        };
        client.list_dividends(request).await.unwrap();
    }
}

/// A split, a dividend from its announcement to its payment, and what is tidied up.
async fn time_passes(world: &mut World) {
    let told = [dividend(1, SAMSUNG, "361", Currency::Krw)];
    world.store.receive_dividends(&told).await.unwrap();
    let split = SessionRecordKind::Split(SplitRatio {
        numerator: 2,
        denominator: 1,
    });
    let split = world.session_record(split, Scope::Code(APPLE.to_owned()), DAY + 1);
    world.log(vec![split]).await;
    world.day(EX_DAY, 3).await;
    let mut booker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut booker).await;
    let closes = Closes::new().await;
    closes.tell(&[]);
    let mut closer = closes.worker(world);
    let yesterday = |now: DateTime<Utc>| now.with_timezone(&KST).date_naive().pred_opt().unwrap();
    // Of the first one only its end is noted.
    world.day_closed(&mut closer, yesterday(world.now)).await;
    world.day(PAY_DAY, 2).await;
    world.day_closed(&mut closer, yesterday(world.now)).await;
    booker.step().await.unwrap();
    let before = world.clock.now() - TimeDelta::days(30);
    world.store.delete_requests_before(before).await.unwrap();
    world.store.delete_events_before(before).await.unwrap();
    let mut queue_positions = StaleQueuePositions::default();
    queue_positions.delete(&world.store).await.unwrap();
    let stepped = concentration::step(&world.store, &world.pool).await;
    stepped.unwrap();
}
