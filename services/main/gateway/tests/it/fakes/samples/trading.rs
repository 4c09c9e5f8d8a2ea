//! Orders, holdings, accounts and dividends.

use proto::common::v1::{Currency, Market};
use proto::trading::v1 as trading;

use super::{INSTANT_US, decimal};

pub(crate) fn order(status: trading::OrderStatus) -> trading::Order {
    trading::Order {
        order_id: 7_001,
        account_no: "000000004200".to_owned(),
        instrument_code: "005930".to_owned(),
        instrument_name: "삼성전자".to_owned(),
        market: Market::Kospi.into(),
        side: trading::OrderSide::Buy.into(),
        category: trading::OrderCategory::Stock.into(),
        status: status.into(),
        price: decimal("71300"),
        quantity: decimal("3"),
        filled_quantity: decimal("1"),
        remaining_quantity: decimal("2"),
        average_price: decimal("71250.5"),
        fee_won: 10,
        filled_amount_won: 71_251,
        placed_at_us: INSTANT_US,
        held_won: 142_621,
        currency: Currency::Krw.into(),
        ..trading::Order::default()
    }
}

pub(in crate::fakes) fn fill() -> trading::Fill {
    trading::Fill {
        fill_id: 9_001,
        order_id: 7_001,
        tick_seq: 42,
        event_time_us: INSTANT_US,
        tick_price: decimal("71200"),
        rule: "MARKET_ONE_TICK_WORSE".to_owned(),
        slippage_ticks: 1,
        slippage_won: Some(100),
        quantity: decimal("1"),
        price: decimal("71300"),
        amount_won: 71_300,
        fee_won: 10,
        model_version: "v1".to_owned(),
        ..trading::Fill::default()
    }
}

pub(in crate::fakes) fn holding() -> trading::Holding {
    trading::Holding {
        account_no: "000000004200".to_owned(),
        instrument_code: "005930".to_owned(),
        instrument_name: "삼성전자".to_owned(),
        market: Market::Kospi.into(),
        currency: Currency::Krw.into(),
        quantity: decimal("3"),
        average_price: decimal("70000"),
        cost_won: 210_000,
        last_price: decimal("71300"),
        value_won: 213_900,
        profit_won: 3_900,
        prev_close: decimal("70000"),
        warning_code: "02".to_owned(),
        ..trading::Holding::default()
    }
}

/// A US dividend that is paid, due without a known exchange rate, or announced with one.
pub(in crate::fakes) fn dividend(state: trading::DividendState) -> trading::Dividend {
    let paid = state == trading::DividendState::Paid;
    let reckoned = state != trading::DividendState::Due;
    trading::Dividend {
        dividend_id: if state == trading::DividendState::Announced {
            0
        } else {
            501
        },
        account_no: "000000004200".to_owned(),
        instrument_code: "AAPL".to_owned(),
        instrument_name: "애플".to_owned(),
        state: state.into(),
        ex_day: 20_261_109,
        pay_day: 20_261_121,
        quantity: decimal("11"),
        amount: decimal("0.26"),
        currency: Currency::Usd.into(),
        gross_won: if reckoned { 4_199 } else { 0 },
        tax_won: if reckoned { 629 } else { 0 },
        net_won: if reckoned { 3_570 } else { 0 },
        fx_rate: reckoned.then(|| decimal("1470")).flatten(),
        paid_at_us: if paid { INSTANT_US } else { 0 },
        market: Market::Global.into(),
    }
}

/// One with a gain, and one in which all that was put in was spent on items.
pub(in crate::fakes) fn seasons() -> trading::Seasons {
    let past = trading::PastSeason {
        season: 2,
        began_at_us: INSTANT_US,
        ended_at_us: INSTANT_US,
        total_won: 5_500_000,
        base_won: 5_000_000,
        profit_rate: decimal("10"),
    };
    let spent = trading::PastSeason {
        season: 1,
        total_won: 10,
        base_won: 0,
        profit_rate: None,
        ..past.clone()
    };
    trading::Seasons {
        present_season: 3,
        past: vec![past, spent],
        next_free_at_us: 0,
        tickets: 1,
        deposit_won: 5_000_000,
    }
}

pub(in crate::fakes) fn mode(is_on: bool) -> trading::CompetitionMode {
    if !is_on {
        return trading::CompetitionMode::default();
    }
    trading::CompetitionMode {
        is_on,
        account_id: 44,
        account_no: "000000004499".to_owned(),
        competition_id: 2,
        title: "첫걸음 투자 대회".to_owned(),
        ends_at_us: INSTANT_US,
    }
}

/// One that runs, in which the member takes part.
pub(in crate::fakes) fn competition() -> trading::Competition {
    trading::Competition {
        competition_id: 2,
        kind: trading::CompetitionKind::Official.into(),
        title: "첫걸음 투자 대회".to_owned(),
        status: trading::CompetitionStatus::Ongoing.into(),
        starts_at_us: INSTANT_US,
        ends_at_us: INSTANT_US,
        join_from_us: INSTANT_US,
        join_until_us: INSTANT_US,
        start_cash_won: 10_000_000,
        entrants: 3,
        can_join: true,
        entry: Some(trading::CompetitionEntry {
            account_no: "000000004499".to_owned(),
            account_id: 44,
            joined_at_us: INSTANT_US,
            ranked_from_us: INSTANT_US,
            equity_won: 10_123_400,
            return_rate: decimal("1.234"),
            buys: 1,
            items: 1,
            days: 1,
            needed_buys: 3,
            needed_items: 2,
            needed_days: 2,
            ..trading::CompetitionEntry::default()
        }),
        ..trading::Competition::default()
    }
}

pub(in crate::fakes) fn level(member_id: i64) -> trading::MemberLevel {
    trading::MemberLevel {
        member_id,
        level: 3,
        level_name: "중산층".to_owned(),
        from_won: 30_000_000,
    }
}

/// After its end, with a prize that the member received.
pub(in crate::fakes) fn awarded_competition() -> trading::Competition {
    trading::Competition {
        status: trading::CompetitionStatus::Ended.into(),
        can_join: false,
        prizes: vec![trading::Prize {
            board: trading::BoardKind::Calm.into(),
            first_place: 2,
            last_place: 3,
            points: 200,
        }],
        award_at_us: INSTANT_US,
        is_awarded: true,
        awards: vec![trading::Award {
            board: trading::BoardKind::Calm.into(),
            place: 2,
            points: 200,
            is_withheld: false,
        }],
        objection: Some(objection("왜 두 번째인지 궁금해요.".to_owned())),
        ..competition()
    }
}

pub(in crate::fakes) fn objection(text: String) -> trading::Objection {
    trading::Objection {
        text,
        filed_at_us: INSTANT_US,
        status: trading::ObjectionStatus::Dismissed.into(),
        answer: "가격을 다시 확인했어요.".to_owned(),
    }
}

/// The member second, beside one who is gone.
pub(in crate::fakes) fn board() -> trading::Board {
    let first = trading::BoardRow {
        place: 1,
        rank: 1,
        member_id: super::GONE,
        return_rate: decimal("2.5"),
        gained: None,
    };
    let mine = trading::BoardRow {
        place: 2,
        rank: 2,
        member_id: crate::fakes::MEMBER,
        return_rate: decimal("1.234"),
        gained: Some(-1),
    };
    trading::Board {
        rows: vec![first, mine.clone()],
        next_after: 2,
        ranked: 9,
        valued_at_us: INSTANT_US,
        mine: Some(mine),
        is_final: false,
    }
}

pub(in crate::fakes) fn entrant_holdings() -> trading::EntrantHoldings {
    trading::EntrantHoldings {
        holdings: vec![trading::EntrantHolding {
            code: "005930".to_owned(),
            name: "삼성전자".to_owned(),
            market: Market::Kospi.into(),
            weight: decimal("38.5"),
        }],
        cash_weight: decimal("61.5"),
        as_of_us: INSTANT_US,
    }
}

/// Today alone for the window of a day, else two days with money put in on the second.
pub(in crate::fakes) fn equity(window: trading::ProfitWindow) -> trading::Equity {
    let today = trading::EquityDay {
        day: 20_261_121,
        equity_won: 5_160_000,
        base_won: 5_100_000,
        flow_won: 100_000,
    };
    let rates = (decimal("1.1765"), decimal("0"));
    let yesterday = trading::EquityDay {
        day: 20_261_120,
        equity_won: 5_000_000,
        base_won: 5_000_000,
        flow_won: 0,
    };
    let (days, (return_rate, drawdown_rate), from_day) = if window == trading::ProfitWindow::Day {
        (vec![today], (None, None), 20_261_121)
    } else {
        (vec![yesterday, today], rates, 0)
    };
    trading::Equity {
        season: 3,
        from_day,
        to_day: 20_261_121,
        days,
        return_rate,
        drawdown_rate,
    }
}

/// A US stock of which a part was sold, and a CMA account, with a page after them.
pub(in crate::fakes) fn profits() -> trading::Profits {
    let stock = trading::ProfitRow {
        key: "AAPL".to_owned(),
        day: 20_261_121,
        name: "애플".to_owned(),
        code: "AAPL".to_owned(),
        market: Market::Global.into(),
        currency: Currency::Usd.into(),
        quantity: decimal("2"),
        buy_average: decimal("230.5"),
        sell_price: decimal("231.37"),
        profit_won: 1_001,
        price_part_won: 2_557,
        fx_part_won: 1_320,
        cost_won: 2_876,
        cost_basis_won: 678_000,
        order_id: 0,
        sale_count: 1,
        ..trading::ProfitRow::default()
    };
    let interest = trading::ProfitRow {
        key: "000000004205".to_owned(),
        day: 20_261_120,
        name: "CMA".to_owned(),
        code: "000000004205".to_owned(),
        profit_won: 58,
        income_won: 68,
        cost_won: 10,
        ..trading::ProfitRow::default()
    };
    trading::Profits {
        summary: Some(trading::ProfitSummary {
            realized_won: 3_877,
            unrealized_won: -500,
            income_won: 68,
            fee_won: 1_700,
            tax_won: 510,
            fx_won: 678,
            total_won: 557,
            cost_basis_won: 1_000_000,
            this_month_won: 1_001,
        }),
        rows: vec![stock, interest],
        total_count: 3,
        has_more: true,
        season: 1,
        from_day: 0,
        to_day: 20_261_121,
        flows: Some(trading::CapitalFlows {
            initial_won: 5_000_000,
            items_won: -100_000,
            ..trading::CapitalFlows::default()
        }),
    }
}

pub(in crate::fakes) fn account_summary() -> trading::AccountSummary {
    trading::AccountSummary {
        accounts: vec![trading::Account {
            account_no: "000000004200".to_owned(),
            account_code: "00".to_owned(),
            account_type: "BASIC".to_owned(),
            deposit_won: 9_790_000,
            available_won: 9_790_000,
            initial_deposit_won: 10_000_000,
            holdings_value_won: 213_900,
            holdings_cost_won: 210_000,
            account_name: "기본 계좌".to_owned(),
            transferable_won: 9_790_000,
            total_won: 10_003_900,
            base_won: 10_000_000,
            profit_rate: decimal("0.04"),
            ..trading::Account::default()
        }],
        total_won: 10_003_900,
        base_won: 10_000_000,
        profit_rate: decimal("0.04"),
        level: 2,
        level_name: "빈곤층".to_owned(),
        level_gauge_percent: decimal("0.02"),
        to_next_level_won: 19_996_100,
        multiplier_tenths: 11,
        day_traded_won: Some(-1_250),
        day_traded_dollars: vec![trading::DayTradedDollars {
            instrument_code: "AAPL".to_owned(),
            dollars: decimal("-228.37"),
            won: -335_704,
        }],
    }
}

pub(in crate::fakes) fn capacity() -> trading::OrderCapacity {
    let band = |from, tick| trading::TickBand {
        from: decimal(from),
        tick: decimal(tick),
    };
    trading::OrderCapacity {
        account_no: "000000004200".to_owned(),
        instrument_code: "005930".to_owned(),
        available_won: 9_790_000,
        max_buy_quantity: decimal("137"),
        sellable_quantity: decimal("3"),
        fee_rate: decimal("0.00015"),
        sell_tax_rate: decimal("0.0020"),
        tick_table: vec![band("0", "1"), band("50000", "100")],
        lower_limit: decimal("49000"),
        upper_limit: decimal("91000"),
        session: "OPEN".to_owned(),
        quantity_step: decimal("1"),
        tradable: true,
        last_price: decimal("71300"),
        currency: Currency::Krw.into(),
        ..trading::OrderCapacity::default()
    }
}

/// The basic account, and a sub-account that is open and one that is not.
pub(in crate::fakes) fn transfer_sheet() -> trading::TransferSheet {
    let account = |number: &str, name: &str, deposit, held| trading::TransferAccount {
        account_no: number.to_owned(),
        account_name: name.to_owned(),
        deposit_won: deposit,
        held_won: held,
        unsettled_won: 0,
        transferable_won: deposit - held,
        is_open: number.len() > 2,
    };
    trading::TransferSheet {
        source: Some(account("000000004200", "기본 계좌", 9_790_000, 90_000)),
        targets: vec![
            account("000000004301", "주식 계좌", 100_000, 0),
            account("02", "코인 계좌", 0, 0),
        ],
    }
}

/// A transfer and a dividend.
pub(in crate::fakes) fn cash_movements() -> Vec<trading::CashMovement> {
    vec![
        trading::CashMovement {
            movement_id: 8_001,
            kind: "TRANSFERRED".to_owned(),
            amount_won: 100_000,
            from_account_no: "000000004200".to_owned(),
            from_account_name: "기본 계좌".to_owned(),
            to_account_no: "000000004301".to_owned(),
            to_account_name: "주식 계좌".to_owned(),
            occurred_at_us: INSTANT_US,
            request_id: "request-0001".to_owned(),
            from_deposit_won: Some(9_690_000),
            to_deposit_won: Some(100_000),
        },
        trading::CashMovement {
            movement_id: 8_000,
            kind: "DIVIDEND_PAID".to_owned(),
            amount_won: 3_570,
            to_account_no: "000000004200".to_owned(),
            to_account_name: "기본 계좌".to_owned(),
            occurred_at_us: INSTANT_US,
            ..trading::CashMovement::default()
        },
    ]
}
