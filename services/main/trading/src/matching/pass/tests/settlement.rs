//! Batches over orders, settled from balances.

use kernel::{AccountCode, MemberId, Won};

use super::*;
use crate::accounts::account::Cash;
use crate::accounts::holding::Holding;
use crate::domain::cost::Costs;
use crate::domain::sample;
use crate::domain::split::SplitRatio;
use crate::matching::balances::LockedBalances;

fn locked(cash: i64, held: i64, shares: i64) -> LockedBalances {
    let account_id = AccountId(1);
    let quantity = kernel::Quantity(Decimal::from(shares));
    LockedBalances {
        already_split: std::collections::BTreeSet::new(),
        filled_before: std::collections::BTreeMap::new(),
        cash: [(
            account_id,
            Cash {
                account_id,
                member_id: MemberId(100_000),
                code: AccountCode::Basic,
                balance: Won(cash),
                held: Won(held),
            },
        )]
        .into(),
        holdings: [(
            (account_id, "005930".to_owned()),
            Holding {
                quantity,
                held: quantity,
                cost_won: Won(shares * 70_000),
                cost_quote: Decimal::from(shares * 70_000),
            },
        )]
        .into(),
    }
}

#[test]
fn a_buy_beyond_its_hold_fills_what_is_affordable_and_cancels_the_rest() {
    let mut buy = order(1, Side::Buy, None, dec!(10));
    buy.held_won = Won(100_000);
    let mut pass = pass([buy]);
    let mut balances = locked(300_000, 100_000, 0);
    let settlement = Settlement::Balances(&mut balances, &Costs::standard());
    let effects = pass
        .run(
            &batch(vec![tick_record(1, dec!(71_300), dec!(1_000))]),
            settlement,
        )
        .unwrap();
    assert_eq!(
        described(&effects),
        [
            "1 PARTIAL 4 at 71400 by MARKET_ONE_TICK_WORSE",
            "1 CANCELED INSUFFICIENT_CASH"
        ]
    );
    let cash = balances.cash[&AccountId(1)];
    assert_eq!(
        (cash.balance, cash.held),
        (Won(300_000 - 285_600 - 42), Won(0))
    );
}

#[test]
fn a_buy_by_amount_fills_what_the_amount_affords_and_cancels_the_rest() {
    let mut buy = order(1, Side::Buy, None, dec!(10));
    buy.held_won = Won(300_000);
    buy.order_amount = Some(Won(300_000));
    let mut pass = pass([buy]);
    let mut balances = locked(1_000_000, 300_000, 0);
    let settlement = Settlement::Balances(&mut balances, &Costs::standard());
    let ticks = vec![
        tick_record(1, dec!(71_300), dec!(8)),
        tick_record(2, dec!(71_500), dec!(1_000)),
    ];
    let effects = pass.run(&batch(ticks), settlement).unwrap();
    assert_eq!(
        described(&effects),
        [
            "1 PARTIAL 2 at 71400 by MARKET_ONE_TICK_WORSE",
            "1 PARTIAL 2 at 71600 by MARKET_ONE_TICK_WORSE",
            "1 CANCELED AMOUNT_REACHED"
        ]
    );
    let cash = balances.cash[&AccountId(1)];
    assert_eq!(
        (cash.balance, cash.held),
        (Won(1_000_000 - 286_000 - 42), Won(0))
    );
}

#[test]
fn a_split_changes_orders_and_holdings_alike() {
    let mut buy = order(1, Side::Buy, Some(dec!(70_000)), dec!(2));
    buy.held_won = Won(140_021);
    let mut sell = order(2, Side::Sell, Some(dec!(80_000)), dec!(5));
    sell.market = MarketCode::Kospi;
    let mut pass = pass([buy, sell]);
    let mut balances = locked(1_000_000, 140_021, 5);
    let record = LogRecord::Session(SessionRecord {
        seq: 0,
        kind: SessionRecordKind::Split(SplitRatio {
            numerator: 2,
            denominator: 1,
        }),
        scope: Some(Scope::Code("005930".to_owned())),
        trading_day: DAY,
        time: at(1),
    });
    let settlement = Settlement::Balances(&mut balances, &Costs::standard());
    let effects = pass.run(&batch(vec![record]), settlement).unwrap();
    assert_eq!(
        described(&effects),
        [
            "1 ACCEPTED SHARE_SPLIT",
            "2 ACCEPTED SHARE_SPLIT",
            "split 5 to 10"
        ]
    );
    let holding = &balances.holdings[&(AccountId(1), "005930".to_owned())];
    assert_eq!((holding.quantity.0, holding.held.0), (dec!(10), dec!(10)));
    let buy = &pass.orders[&OrderId(1)];
    assert_eq!(
        (buy.price, buy.quantity.0),
        (Some(Price(dec!(35_000))), dec!(4))
    );
    assert_eq!(balances.cash[&AccountId(1)].held, buy.held_won);
    assert_eq!(sample::DAY, DAY);
}

#[test]
fn a_fraction_of_a_dollar_share_pays_nothing_without_an_exchange_rate() {
    let join = |fx_rate| {
        let mut pass = pass([]);
        let state = pass.instruments.entry("005930".to_owned()).or_default();
        state.venue = Some(Venue::Us);
        state.last_price = Some(Price(dec!(100)));
        state.fx_rate = fx_rate;
        let mut balances = locked(1_000_000, 0, 5);
        let record = LogRecord::Session(SessionRecord {
            seq: 0,
            kind: SessionRecordKind::Split(SplitRatio {
                numerator: 1,
                denominator: 2,
            }),
            scope: Some(Scope::Code("005930".to_owned())),
            trading_day: DAY,
            time: at(1),
        });
        let settlement = Settlement::Balances(&mut balances, &Costs::standard());
        pass.run(&batch(vec![record]), settlement).unwrap();
        balances.cash[&AccountId(1)].balance
    };
    // Five old shares are two and a half new ones of 200 dollars.
    assert_eq!(join(Some(dec!(1470))), Won(1_147_000));
    assert_eq!(join(None), Won(1_000_000));
}
