//! Statements over whole tables: keeping a copy, putting it back, beginning anew.

/// Tables that a test tampers with, and how they are put back.
pub(crate) const KEEP: &str = "
    create schema keep;
    create table keep.account as table account;
    create table keep.balance as table balance;
    create table keep.entry as table entry;
    create table keep.holding as table holding;
    create table keep.hold as table hold;
    create table keep.fill as table fill;
    create table keep.trade_order as table trade_order;
    create table keep.journal as table journal;
    create table keep.order_event as table order_event;
    create table keep.outbox as table outbox;
    create table keep.member_fill_seq as table member_fill_seq;
    create table keep.holding_split as table holding_split;
    create table keep.dividend as table dividend;
    create table keep.transfer as table transfer;
    create table keep.cash_movement as table cash_movement;
    create table keep.point_change as table point_change;
    create table keep.point_total as table point_total;
    create table keep.cash_change as table cash_change;
    create table keep.item as table item;
    create table keep.purchase as table purchase;
    create table keep.member_item as table member_item;
    create table keep.dividend_share as table dividend_share;
    create table keep.contract as table contract;
    create table keep.contract_payment as table contract_payment;
    create table keep.contract_interest as table contract_interest;
    create table keep.cma_interest as table cma_interest;
    create table keep.past_season as table past_season;
    create table keep.competition as table competition;
    create table keep.competition_entry as table competition_entry;
    create table keep.competition_price as table competition_price;
    create table keep.competition_result as table competition_result;
    create table keep.competition_rank as table competition_rank;
    create table keep.competition_award as table competition_award;
    create table keep.competition_objection as table competition_objection;
    create table keep.competition_prize as table competition_prize;
    create table keep.ended_holding as table ended_holding;";

pub(crate) const RESTORE: &str = "
    begin;
    set local session_replication_role = replica;
    delete from account; insert into account table keep.account;
    delete from balance; insert into balance table keep.balance;
    delete from entry; insert into entry table keep.entry;
    delete from holding; insert into holding table keep.holding;
    delete from hold; insert into hold table keep.hold;
    delete from fill; insert into fill table keep.fill;
    delete from trade_order; insert into trade_order table keep.trade_order;
    delete from journal; insert into journal table keep.journal;
    delete from order_event; insert into order_event overriding system value table keep.order_event;
    delete from outbox; insert into outbox overriding system value table keep.outbox;
    delete from member_fill_seq; insert into member_fill_seq table keep.member_fill_seq;
    delete from holding_split; insert into holding_split table keep.holding_split;
    delete from dividend; insert into dividend table keep.dividend;
    delete from transfer; insert into transfer table keep.transfer;
    delete from cash_movement; insert into cash_movement table keep.cash_movement;
    delete from point_change;
    insert into point_change overriding system value table keep.point_change;
    delete from point_total; insert into point_total table keep.point_total;
    delete from cash_change;
    insert into cash_change overriding system value table keep.cash_change;
    delete from item; insert into item table keep.item;
    delete from purchase; insert into purchase overriding system value table keep.purchase;
    delete from member_item; insert into member_item table keep.member_item;
    delete from dividend_share;
    insert into dividend_share overriding system value table keep.dividend_share;
    delete from contract; insert into contract table keep.contract;
    delete from contract_payment; insert into contract_payment table keep.contract_payment;
    delete from contract_interest; insert into contract_interest table keep.contract_interest;
    delete from cma_interest; insert into cma_interest table keep.cma_interest;
    delete from past_season; insert into past_season table keep.past_season;
    delete from competition_award; insert into competition_award table keep.competition_award;
    delete from competition_objection;
    insert into competition_objection overriding system value table keep.competition_objection;
    delete from competition_prize; insert into competition_prize table keep.competition_prize;
    delete from competition_rank; insert into competition_rank table keep.competition_rank;
    delete from competition_result; insert into competition_result table keep.competition_result;
    delete from competition_price; insert into competition_price table keep.competition_price;
    delete from competition_entry; insert into competition_entry table keep.competition_entry;
    delete from competition; insert into competition overriding system value table keep.competition;
    delete from ended_holding; insert into ended_holding table keep.ended_holding;
    commit;";

pub(crate) const EMPTY: &str = "
    begin;
    set local session_replication_role = replica;
    truncate transfer, cash_movement, account, balance, journal, entry, trade_order, new_order, order_taken, order_place, hold,
        order_event, fill, member_fill_seq, holding, holding_split, request, matcher_offset,
        point_change, point_total, cash_change, purchase, member_item, streak_freeze,
        outbox, inbox, share_split, dividend, dividend_share, contract,
        contract_payment, contract_interest, cma_interest, past_season, ended_holding,
        competition, competition_entry, competition_price, competition_result, competition_rank,
        competition_standing, competition_edition, competition_edition_place, competition_award, competition_objection, competition_prize, equity_run, equity_price, equity_day, audit_progress,
        audit_account, audit_gain, audit_holding, audit_split, audit_finding, audit_matcher;
    alter sequence account_id_seq restart;
    alter sequence journal_id_seq restart;
    alter sequence order_id_seq restart;
    alter sequence fill_id_seq restart;
    commit;";
