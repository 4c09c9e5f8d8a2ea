//! Profit and loss: to the won from what happened, by item, day and sale, and of nobody else.

mod at_once;
mod products;
mod turns;

use chrono::TimeDelta;
use proto::common::v1::Currency;
use proto::trading::v1::profit_service_client::ProfitServiceClient;
use proto::trading::v1::{
    self as wire, ProfitGrouping as Group, ProfitKind as Kind, ProfitScope as Scope,
    ProfitWindow as Window,
};
use rust_decimal_macros::dec;
use sqlx::PgPool;
use tonic::{Code, Status};
use trading::dividends::DividendWorker;
use trading::domain::split::SplitRatio;
use trading::tick_log::{LogRecord, Scope as LogScope, SessionRecordKind};

use crate::dividends::{EARLY, EX_DAY, PAY_DAY, dividend};
use crate::world::{APPLE, BITCOIN, DAY, GOLD, SAMSUNG, World, buy, number, reason, sell};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;

pub(crate) fn all(member: i64) -> wire::ListProfitsRequest {
    wire::ListProfitsRequest {
        member_id: member,
        ..wire::ListProfitsRequest::default()
    }
}

impl World {
    pub(crate) async fn listed_profits(
        &self,
        request: wire::ListProfitsRequest,
    ) -> Result<wire::Profits, Status> {
        let client = ProfitServiceClient::connect(self.served.url.clone()).await;
        let listed = client.unwrap().list_profits(request).await;
        listed.map(tonic::Response::into_inner)
    }

    pub(crate) async fn profits(&self, request: wire::ListProfitsRequest) -> wire::Profits {
        self.listed_profits(request).await.unwrap()
    }

    /// The identity: of the member and of every open account, what is gained is what it is worth
    /// less its base, and the base is what was put in. Each kind of rows sums to its part.
    pub(crate) async fn gains_add_up(&self, member: i64) -> wire::ProfitSummary {
        let account = self.summary(member).await;
        let listed = self.profits(all(member)).await;
        let sums = listed.summary.unwrap();
        assert_eq!(
            sums.total_won,
            account.total_won - account.base_won,
            "{sums:?}"
        );
        assert_eq!(put_in(&listed), account.base_won, "{listed:?}");
        for one in &account.accounts {
            let request = wire::ListProfitsRequest {
                account_no: one.account_no.clone(),
                ..all(member)
            };
            let listed = self.profits(request).await;
            let gained = listed.summary.as_ref().unwrap().total_won;
            assert_eq!(gained, one.total_won - one.base_won, "{one:?}");
            assert_eq!(put_in(&listed), one.base_won, "{listed:?}");
        }
        let costs = sums.fee_won + sums.tax_won + sums.fx_won;
        for grouping in [Group::Unspecified, Group::Day, Group::Month, Group::Year] {
            let sum = async |kind: Kind, of: fn(&wire::ProfitRow) -> i64| {
                let request = wire::ListProfitsRequest {
                    kind: kind.into(),
                    grouping: grouping.into(),
                    size: 100,
                    ..all(member)
                };
                let listed = self.profits(request).await;
                assert!(!listed.has_more);
                listed.rows.iter().map(of).sum::<i64>()
            };
            let profit = |row: &wire::ProfitRow| row.profit_won;
            let parts = |row: &wire::ProfitRow| row.price_part_won + row.fx_part_won;
            assert_eq!(sum(Kind::Unspecified, profit).await, sums.total_won);
            assert_eq!(sum(Kind::Realized, parts).await, sums.realized_won);
            assert_eq!(sum(Kind::Unrealized, profit).await, sums.unrealized_won);
            let interest = sum(Kind::Interest, |row| row.income_won).await;
            let dividends = sum(Kind::Dividend, |row| row.income_won).await;
            assert_eq!(interest + dividends, sums.income_won);
            assert_eq!(sum(Kind::Cost, profit).await, -costs);
        }
        sums
    }
}

fn put_in(listed: &wire::Profits) -> i64 {
    let flows = listed.flows.unwrap();
    flows.initial_won
        + flows.education_points_won
        + flows.bought_won
        + flows.items_won
        + flows.transfers_won
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_round_trips_and_a_partial_sale_are_exact(pool: PgPool) {
    let mut world = World::new(pool).await;
    let none = world.profits(all(ME)).await;
    assert_eq!(
        (none.rows.len(), none.total_count, none.has_more),
        (0, 0, false)
    );
    assert_eq!((none.season, none.from_day, none.to_day), (1, 0, DAY));
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "73000", 1_000).await;
    world.placed(buy(ME, SAMSUNG, "", "3")).await;
    world.trade(SAMSUNG, "72000", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "", "2")).await;
    world.trade(SAMSUNG, "70000", 1_000).await;
    let sums = world.gains_add_up(ME).await;
    // Bought 10 × 71,400 and 3 × 72,100; sold 10 × 72,900 and 2 × 69,900.
    let realized = 10 * (72_900 - 71_400) + 2 * (69_900 - 72_100);
    assert_eq!(sums.realized_won, realized);
    assert_eq!(sums.unrealized_won, 70_000 - 72_100);
    assert_eq!(
        (sums.fee_won, sums.tax_won),
        (107 + 109 + 32 + 20, 1_458 + 279)
    );
    assert_eq!((sums.fx_won, sums.income_won), (0, 0));
    let of_sales = realized - 109 - 20 - 1_458 - 279;
    assert_eq!(sums.this_month_won, of_sales);
    assert_eq!(sums.cost_basis_won, 10 * 71_400 + 3 * 72_100);

    let realized_rows = wire::ListProfitsRequest {
        kind: Kind::Realized.into(),
        ..all(ME)
    };
    let item = world.profits(realized_rows.clone()).await.rows.remove(0);
    assert_eq!(
        (item.key.as_str(), item.name.as_str()),
        (SAMSUNG, "삼성전자")
    );
    assert_eq!((item.day, item.sale_count, item.order_id), (DAY, 2, 0));
    assert_eq!(number(&item.quantity), dec!(12));
    // 10 at 71,400 and 2 at 72,100.
    assert_eq!(number(&item.buy_average), dec!(71516.66666667));
    assert_eq!(number(&item.sell_price), dec!(72400));
    assert_eq!(
        (item.profit_won, item.cost_won),
        (of_sales, 109 + 20 + 1_458 + 279)
    );

    let sales = wire::ListProfitsRequest {
        grouping: Group::Sale.into(),
        instrument_code: SAMSUNG.to_owned(),
        ..realized_rows
    };
    let sales = world.profits(sales).await.rows;
    let gains: Vec<i64> = sales.iter().map(|sale| sale.profit_won).collect();
    assert_eq!(
        gains,
        [2 * (69_900 - 72_100) - 20 - 279, 15_000 - 109 - 1_458]
    );
    for sale in &sales {
        // The receipts say the same.
        let detail = world.detail(ME, sale.order_id).await;
        let receipts: i64 = detail.fills.iter().filter_map(|fill| fill.profit_won).sum();
        assert_eq!(receipts, sale.profit_won);
    }
    assert_eq!(world.profits(all(OTHER)).await.total_count, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn dollars_have_a_part_of_the_price_and_one_of_the_rate(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, APPLE, "", "3")).await;
    world.trade(APPLE, "230.50", 1_000).await;
    world.placed(sell(ME, APPLE, "", "2")).await;
    world.log(Vec::new()).await;
    let mut tick = world.tick(APPLE, dec!(230.52), 1_000);
    if let LogRecord::Tick(tick) = &mut tick {
        tick.fx_rate = Some(dec!(1_500));
    }
    world.log(vec![tick]).await;
    let sums = world.gains_add_up(ME).await;
    // 3 × 230.51 $ at 1,470 × 1.001 won were 1,017,566; two of three were sold for 230.51 $ at 1,500.
    let cost = 1_017_566 * 2 / 3;
    assert_eq!(sums.realized_won, 691_530 - cost);
    assert_eq!(sums.fx_won, 692);
    let request = wire::ListProfitsRequest {
        kind: Kind::Realized.into(),
        scope: Scope::Stock.into(),
        ..all(ME)
    };
    let row = world.profits(request).await.rows.remove(0);
    assert_eq!(row.currency(), Currency::Usd);
    assert_eq!((row.price_part_won, row.fx_part_won), (0, 691_530 - cost));
    assert_eq!(number(&row.buy_average), dec!(230.51));
    let owned = wire::ListProfitsRequest {
        kind: Kind::Unrealized.into(),
        ..all(ME)
    };
    let row = world.profits(owned).await.rows.remove(0);
    // One cent up at 1,500 won.
    assert_eq!((row.price_part_won, number(&row.quantity)), (15, dec!(1)));
    assert_eq!(number(&row.sell_price), dec!(230.52));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_split_that_pays_out_and_a_dividend_are_gains_of_their_day(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(EARLY, SAMSUNG, "", "7")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.day(DAY + 1, 1).await;
    let split = SessionRecordKind::Split(SplitRatio {
        numerator: 1,
        denominator: 2,
    });
    let code = LogScope::Code(SAMSUNG.to_owned());
    let split = world.session_record(split, code, DAY + 1);
    world.log(vec![split]).await;
    let told = [dividend(1, SAMSUNG, "361", Currency::Krw)];
    world.store.receive_dividends(&told).await.unwrap();
    world.day(EX_DAY, 2).await;
    world.traded_on(SAMSUNG, "142600", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    world.day(PAY_DAY, 2).await;
    world.clock.advance(TimeDelta::days(5));
    worker.step().await.unwrap();
    let sums = world.gains_add_up(EARLY).await;
    // Half a share of 142,600 was paid out, of 7 × 71,400 that 3.5 had cost.
    assert_eq!(sums.realized_won, 71_300 - 71_400);
    // 3 × 361, of which 1,083 × 14 % are 150 and of those a tenth 10.
    assert_eq!((sums.income_won, sums.tax_won), (1_083, 160));
    let days = wire::ListProfitsRequest {
        grouping: Group::Day.into(),
        ..all(EARLY)
    };
    let days = world.profits(days).await.rows;
    let days: Vec<i32> = days.iter().map(|row| row.day).collect();
    assert_eq!(days, [PAY_DAY, DAY + 1, DAY]);
    let dividends = wire::ListProfitsRequest {
        kind: Kind::Dividend.into(),
        window: Window::Day.into(),
        ..all(EARLY)
    };
    let row = world.profits(dividends).await.rows.remove(0);
    assert_eq!((row.name.as_str(), row.profit_won), ("삼성전자", 923));
    assert_eq!(row.quantity, None);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_span_has_what_happened_in_it(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "73000", 1_000).await;
    world.day(DAY + 8, 8).await;
    world.placed(sell(ME, SAMSUNG, "", "2")).await;
    world.traded_on(SAMSUNG, "72000", DAY + 8).await;
    world.day(20_261_205, 7).await;
    let realized = async |request: wire::ListProfitsRequest| {
        let listed = world.profits(request).await;
        let sums = listed.summary.unwrap();
        (
            sums.realized_won,
            sums.unrealized_won,
            sums.this_month_won,
            listed.from_day,
        )
    };
    let within = |window: Window| wire::ListProfitsRequest {
        window: window.into(),
        ..all(ME)
    };
    let (first, second) = (72_900 - 71_400, 2 * (71_900 - 71_400));
    let owned = 7 * (72_000 - 71_400);
    // November is over.
    assert_eq!(
        realized(within(Window::Day)).await,
        (0, owned, 0, 20_261_205)
    );
    assert_eq!(
        realized(within(Window::Week)).await,
        (0, owned, 0, 20_261_129)
    );
    let month = realized(within(Window::Month)).await;
    assert_eq!(month, (first + second, owned, 0, 20_261_106));
    let only = wire::ListProfitsRequest {
        from_day: DAY + 8,
        to_day: DAY + 8,
        ..all(ME)
    };
    assert_eq!(realized(only.clone()).await, (second, 0, 0, DAY + 8));
    let flows = world.profits(only).await.flows.unwrap();
    assert_eq!(flows.initial_won, 0);
    world.gains_add_up(ME).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn pages_go_on_where_they_ended_though_rows_come(pool: PgPool) {
    let mut world = World::new(pool).await;
    for (code, price) in [(SAMSUNG, "71300"), (GOLD, "190000"), (BITCOIN, "150000000")] {
        let quantity = if code == BITCOIN { "0.001" } else { "1" };
        world.placed(buy(ME, code, "", quantity)).await;
        world.trade(code, price, 1_000).await;
        world.placed(sell(ME, code, "", quantity)).await;
        world.trade(code, price, 1_000).await;
    }
    let sold = wire::ListProfitsRequest {
        kind: Kind::Realized.into(),
        size: 1,
        ..all(ME)
    };
    let mut seen = Vec::new();
    let mut request = sold.clone();
    for left in [true, true, false] {
        let listed = world.profits(request.clone()).await;
        assert_eq!((listed.total_count, listed.has_more), (3, left));
        let row = &listed.rows[0];
        (request.after_day, request.after_key) = (row.day, row.key.clone());
        seen.push(row.key.clone());
    }
    assert_eq!(seen, [BITCOIN, GOLD, SAMSUNG]);
    request.after_key = "0".to_owned();
    assert_eq!(world.profits(request).await.rows, []);
    let third = wire::ListProfitsRequest { page: 2, ..sold };
    assert_eq!(world.profits(third).await.rows[0].key, SAMSUNG);
    for (scope, codes) in [
        (Scope::Stock, vec![SAMSUNG]),
        (Scope::Coin, vec![BITCOIN]),
        (Scope::Gold, vec![GOLD]),
        (Scope::Etf, vec![]),
        (Scope::Product, vec![]),
        (Scope::Competition, vec![]),
    ] {
        let request = wire::ListProfitsRequest {
            scope: scope.into(),
            ..all(ME)
        };
        let rows = world.profits(request).await.rows;
        let found: Vec<&str> = rows.iter().map(|row| row.key.as_str()).collect();
        assert_eq!(found, codes, "{scope:?}");
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn another_members_account_and_odd_requests_are_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let mine = world.basic(ME).await.account_no;
    let refused = async |request: wire::ListProfitsRequest| {
        let status = world.listed_profits(request).await.unwrap_err();
        (status.code(), reason(&status))
    };
    let theirs = wire::ListProfitsRequest {
        account_no: mine,
        ..all(OTHER)
    };
    let forbidden = (Code::PermissionDenied, "ACCOUNT_FORBIDDEN".to_owned());
    assert_eq!(refused(theirs).await, forbidden);
    let none = wire::ListProfitsRequest {
        account_no: "99".to_owned(),
        ..all(ME)
    };
    assert_eq!(refused(none).await, forbidden);
    let later = wire::ListProfitsRequest {
        season: 2,
        ..all(ME)
    };
    let unknown = (Code::NotFound, "SEASON_NOT_FOUND".to_owned());
    assert_eq!(refused(later).await, unknown);
    for odd in [
        wire::ListProfitsRequest {
            from_day: 20_261_232,
            ..all(ME)
        },
        wire::ListProfitsRequest {
            size: 101,
            ..all(ME)
        },
        all(0),
    ] {
        assert_eq!(refused(odd).await.0, Code::InvalidArgument);
    }
}
