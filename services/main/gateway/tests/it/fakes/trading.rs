//! The trading service of a test.

use std::sync::Arc;

use proto::trading::v1::competition_service_server::CompetitionService;
use proto::trading::v1::dividend_service_server::DividendService;
use proto::trading::v1::equity_service_server::EquityService;
use proto::trading::v1::order_service_server::OrderService;
use proto::trading::v1::profit_service_server::ProfitService;
use proto::trading::v1::season_service_server::SeasonService;
use proto::trading::v1::trading_service_server::TradingService;
use proto::trading::v1::transfer_service_server::TransferService;
use proto::trading::v1::{
    AccountSummary, Balances, Board, CancelOrderRequest, CashMovements, CloseAccountReply,
    CloseAccountRequest, CloseLeagueRequest, CloseRequestRequest, Competition, CompetitionMode,
    Competitions, CreateLeagueReply, CreateLeagueRequest, DividendState, Dividends,
    EntrantHoldings, Equity, FileObjectionRequest, GetAccountSummaryRequest, GetBalancesRequest,
    GetBoardRequest, GetCompetitionModeRequest, GetCompetitionRequest, GetEquityRequest,
    GetOrderCapacityRequest, GetOrderRequest, GetTransferSheetRequest, Holdings,
    JoinCompetitionReply, JoinCompetitionRequest, LeaveCompetitionReply, LeaveCompetitionRequest,
    Levels, ListCashMovementsRequest, ListCompetitionsRequest, ListDividendsRequest,
    ListEntrantHoldingsRequest, ListHoldingsRequest, ListLevelsRequest, ListMemberFillsRequest,
    ListOrderHistoryRequest, ListProfitsRequest, ListSeasonsRequest, ListWaitingOrdersRequest,
    MemberFills, ModifyOrderRequest, Objection, OrderCapacity, OrderDetail, OrderPage,
    OrderPreview, OrderReply, OrderStatus, Orders, PlaceOrderRequest, PreviewOrderRequest, Profits,
    ResetReply, ResetRequest, Seasons, SetCompetitionModeRequest, TransferReply, TransferRequest,
    TransferSheet,
};

use super::samples::{INSTANT_US, trading as samples};
use super::{Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { TradingService:
    place_order(PlaceOrderRequest) -> OrderReply = |request| OrderReply {
        order: Some(samples::order(OrderStatus::Filled)),
        replayed: request.request_id == "seen-before",
        message: "삼성전자 구매 주문 완료".to_owned(),
        fills: vec![samples::fill()],
    };
    cancel_order(CancelOrderRequest) -> OrderReply = |_| OrderReply {
        order: Some(samples::order(OrderStatus::Canceled)),
        replayed: false,
        message: "삼성전자 구매 취소 완료".to_owned(),
        fills: vec![],
    };
    list_waiting_orders(ListWaitingOrdersRequest) -> Orders =
        |_| Orders { orders: vec![samples::order(OrderStatus::Accepted)] };
    get_order(GetOrderRequest) -> OrderDetail = |_| OrderDetail {
        order: Some(samples::order(OrderStatus::Filled)),
        fills: vec![samples::fill()],
    };
    list_holdings(ListHoldingsRequest) -> Holdings =
        |_| Holdings { holdings: vec![samples::holding()] };
    get_account_summary(GetAccountSummaryRequest) -> AccountSummary =
        |_| samples::account_summary();
    get_order_capacity(GetOrderCapacityRequest) -> OrderCapacity = |_| samples::capacity();
    get_balances(GetBalancesRequest) -> Balances =
        |_| Balances { education_points: 120, cash: 30_000 };
    list_levels(ListLevelsRequest) -> Levels = |request| Levels {
        levels: request.member_ids.iter().map(|id| samples::level(*id)).collect(),
    };
    list_member_fills(ListMemberFillsRequest) -> MemberFills = |_| MemberFills::default();
}

fake! { OrderService:
    modify_order(ModifyOrderRequest) -> OrderReply = |_| OrderReply {
        order: Some(samples::order(OrderStatus::Accepted)),
        replayed: false,
        message: "삼성전자 구매 정정 완료".to_owned(),
        fills: vec![],
    };
    close_request(CloseRequestRequest) -> OrderReply = |_| OrderReply {
        order: Some(samples::order(OrderStatus::Filled)),
        replayed: true,
        message: "삼성전자 구매 주문 완료".to_owned(),
        fills: vec![samples::fill()],
    };
    list_order_history(ListOrderHistoryRequest) -> OrderPage = |_| OrderPage {
        orders: vec![samples::order(OrderStatus::Canceled)],
        next_before_order_id: 7_001,
    };
    preview_order(PreviewOrderRequest) -> OrderPreview = |_| OrderPreview {
        price: Some(proto::common::v1::Decimal { value: "71300".to_owned() }),
        amount_won: 213_900,
        fee_won: 31,
        total_won: 213_931,
        hold_won: Some(224_633),
        quantity: Some(proto::common::v1::Decimal { value: "3".to_owned() }),
        ..OrderPreview::default()
    };
}

fake! { DividendService:
    list_dividends(ListDividendsRequest) -> Dividends = |request| match request.state() {
        DividendState::Due => Dividends {
            dividends: vec![samples::dividend(DividendState::Due)],
            next_before_id: 0,
            announced: vec![samples::dividend(DividendState::Announced)],
        },
        DividendState::Unspecified | DividendState::Paid | DividendState::Announced => Dividends {
            dividends: vec![samples::dividend(DividendState::Paid)],
            next_before_id: 501,
            announced: vec![],
        },
    };
}

fake! { SeasonService:
    reset(ResetRequest) -> ResetReply = |request| ResetReply {
        season: 3,
        deposit_won: 5_000_000,
        used_ticket: request.use_ticket,
        next_free_at_us: if request.use_ticket { INSTANT_US } else { 0 },
        message: "3번째 시즌을 시작했어요".to_owned(),
        replayed: false,
    };
    list_seasons(ListSeasonsRequest) -> Seasons = |_| samples::seasons();
}

fake! { CompetitionService:
    get_competition_mode(GetCompetitionModeRequest) -> CompetitionMode = |_| samples::mode(true);
    set_competition_mode(SetCompetitionModeRequest) -> CompetitionMode =
        |request| samples::mode(request.is_on);
    list_competitions(ListCompetitionsRequest) -> Competitions = |_| Competitions {
        competitions: vec![samples::competition()],
        has_next: true,
    };
    get_competition(GetCompetitionRequest) -> Competition = |request| match request.competition_id {
        8 => samples::awarded_competition(),
        _ => Competition {
            entry: None,
            ..samples::competition()
        },
    };
    join_competition(JoinCompetitionRequest) -> JoinCompetitionReply = |request| JoinCompetitionReply {
        competition_id: request.competition_id,
        account_no: "000000004499".to_owned(),
        account_id: 44,
        start_cash_won: 10_000_000,
        message: "첫걸음 투자 대회에 참여했어요".to_owned(),
        replayed: request.request_id == "seen-before",
    };
    leave_competition(LeaveCompetitionRequest) -> LeaveCompetitionReply = |request| LeaveCompetitionReply {
        competition_id: request.competition_id,
        message: "첫걸음 투자 대회에서 나왔어요".to_owned(),
        replayed: false,
    };
    create_league(CreateLeagueRequest) -> CreateLeagueReply = |_| CreateLeagueReply {
        competition_id: 7,
        invite_code: "ABCD2345".to_owned(),
        account_no: "000000004599".to_owned(),
        message: "우리끼리 리그를 만들었어요".to_owned(),
        replayed: false,
    };
    file_objection(FileObjectionRequest) -> Objection = |request| samples::objection(request.text);
    close_league(CloseLeagueRequest) -> Competition = |_| samples::competition();
    get_board(GetBoardRequest) -> Board = |_| samples::board();
    list_entrant_holdings(ListEntrantHoldingsRequest) -> EntrantHoldings =
        |_| samples::entrant_holdings();
}

fake! { EquityService:
    get_equity(GetEquityRequest) -> Equity = |request| samples::equity(request.window());
}

fake! { ProfitService:
    list_profits(ListProfitsRequest) -> Profits = |_| samples::profits();
}

fake! { TransferService:
    transfer(TransferRequest) -> TransferReply = |request| TransferReply {
        transfer_id: 8_001,
        from_account_no: "000000004200".to_owned(),
        to_account_no: "000000004301".to_owned(),
        amount_won: request.amount_won,
        from_deposit_won: 9_690_000,
        to_deposit_won: 100_000,
        occurred_at_us: INSTANT_US,
        message: "100,000원을 옮겼어요".to_owned(),
        replayed: request.request_id == "seen-before",
    };
    get_transfer_sheet(GetTransferSheetRequest) -> TransferSheet = |_| samples::transfer_sheet();
    list_cash_movements(ListCashMovementsRequest) -> CashMovements = |_| CashMovements {
        movements: samples::cash_movements(),
        next_before_id: 8_000,
    };
    close_account(CloseAccountRequest) -> CloseAccountReply = |request| CloseAccountReply {
        account_no: request.account_no,
        message: "주식 계좌 닫기 완료".to_owned(),
        closed_at_us: INSTANT_US,
        replayed: request.request_id == "seen-before",
    };
}
