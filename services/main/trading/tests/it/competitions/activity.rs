//! What entrants bought is read slice by slice, and what has been read is not read again.

use proto::trading::v1 as wire;
use sqlx::PgPool;

use super::{CompetitionWorld, ME, OTHER, SAMSUNG, buy, in_competition};

/// As many entrants as one slice, before all others. The first bought something that is no news.
const ENTRANTS: &str = "
    begin;
    set local session_replication_role = replica;
    insert into competition_entry (competition_id, member_id, account_id, joined_at, ranked_from)
        select c.id, 500000 + n, -n, now(), '2026-11-01'
        from competition c, generate_series(1, 1000) n where c.kind = 'PRACTICE';
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        values (1, 1, -1000, 501000, 1, '005930', 'BUY', 1, '2026-11-20', 20261120, 1, 'LIMIT', 0, 1,
            1, 1, 1, 0, 0, 0, 0, 'v1', 1);
    commit";
/// Counts how often the first entrant is read, and refuses to read those of the next slice.
const COUNTED: &str = "
    create sequence reads;
    create table refusing ();
    create function note(account bigint) returns boolean language plpgsql cost 1000000 as $$ begin
        if current_query() like '%least(i.items, 2)%' then
            if account < 0 then
                perform nextval('reads');
            elsif to_regclass('refusing') is not null then
                raise exception 'on purpose';
            end if;
        end if;
        return true;
    end $$;
    alter table fill rename to all_fills;
    create view fill as select * from all_fills where note(account_id)";
const READS: &str = "select last_value - (not is_called)::integer from reads";
const RESTORED: &str = "
    begin;
    drop view fill;
    alter table all_fills rename to fill;
    set local session_replication_role = replica;
    delete from fill where account_id < 0;
    delete from competition_entry where account_id < 0;
    commit";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_valuation_goes_on_where_the_one_before_stopped(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    for member in [ME, OTHER] {
        world.set_mode(member, true, 0).await.unwrap();
    }
    world.sql("select setval('fill_id_seq', 1000000)").await;
    let order = in_competition(buy(ME, SAMSUNG, "", "1"));
    world.world.placed(order).await;
    world.world.trade(SAMSUNG, "71300", 100_000).await;
    let id = world.mode(ME).await.competition_id;
    world.sql(ENTRANTS).await;
    world.sql(COUNTED).await;

    world.new_process();
    world.valued(2).await;
    assert_eq!(world.world.count(READS).await, 1);
    world.sql("drop table refusing").await;
    world.valued(4).await;
    assert_eq!(world.world.count(READS).await, 1);
    let request = wire::GetBoardRequest {
        member_id: ME,
        competition_id: id,
        ..wire::GetBoardRequest::default()
    };
    let board = world.client.clone().get_board(request).await;
    assert_eq!(board.unwrap().into_inner().rows.len(), 2);

    world.sql(RESTORED).await;
    world.world.audit().await;
}
