//! What the audit reads of the ranks of a large event.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;
use trading::audit;
use trading::competitions::BoardKind;
use trading::competitions::ranking::{Ranked, Standing, rank};

use super::{ME, PLANS, PlanReader, explained};
use crate::world::World;

const CHECK: &str = "ranks follow from results";
/// Two slices and a part of a third. Every tenth is not eligible.
const ENTRANTS: i64 = 12_000;
const FIRST: i64 = 500_000;
/// What a statement returns at most.
const SLICE: u64 = 5_000;
/// Nothing relays the outbox here.
const ANY_AGE: i64 = 4_294_967_295;

/// An event of a week that is closed, whose first member has an account.
const EVENT: &str = "
    begin;
    set local session_replication_role = replica;
    insert into competition (kind, title, starts_at, ends_at, join_from, join_until, start_cash_won,
            created_at, closing_at, closed_at)
        values ('OFFICIAL', 'Large', '2026-11-01', '2026-11-08', '2026-11-01', '2026-11-02', 10000000,
            '2026-11-01', '2026-11-08', '2026-11-08');
    insert into competition_entry (competition_id, member_id, account_id, joined_at, ranked_from)
        select c.id, a.member_id, a.id, '2026-11-01', '2026-11-01'
        from competition c, account a where c.title = 'Large' and a.member_id = 100001;
    insert into competition_entry (competition_id, member_id, account_id, joined_at, ranked_from)
        select c.id, 500000 + n, 5000000 + n,
            '2026-11-01T00:00:00Z'::timestamptz + n % 100 * interval '1 minute', '2026-11-01'
        from competition c, generate_series(1, 12000) n where c.title = 'Large';
    insert into competition_result (competition_id, member_id, cash_won, holdings_won, return_rate,
            drawdown_rate, buys, items, days)
        select c.id, 500000 + n, 0, 0, n % 4000 - 2000, n % 7, case when n % 10 = 0 then 0 else 3 end, 2, 2
        from competition c, generate_series(1, 12000) n where c.title = 'Large';
    commit;
    analyze";
const RANKS: &str = "
    insert into competition_rank (competition_id, board, place, rank, member_id)
    select c.id, $1, place, rank, member_id from competition c,
        unnest($2::integer[], $3::integer[], $4::bigint[]) as d (place, rank, member_id)
    where c.title = 'Large'";
/// A rank of the last slice, one that is missing, and one too many.
const TAMPERED: &str = "
    begin;
    set local session_replication_role = replica;
    update competition_rank set rank = 1 where board = 'CALM' and member_id = 511998;
    delete from competition_rank where board = 'RETURN' and member_id = 500001;
    insert into competition_rank (competition_id, board, place, rank, member_id)
        select id, 'RETURN', 20000, 1, 500010 from competition where title = 'Large';
    commit";

fn standings() -> Vec<Standing> {
    let begun: DateTime<Utc> = "2026-11-01T00:00:00Z".parse().unwrap();
    let eligible = (1..=ENTRANTS).filter(|n| n % 10 != 0);
    eligible
        .map(|n| Standing {
            member_id: MemberId(FIRST + n),
            joined_at: begun + TimeDelta::minutes(n % 100),
            return_e4: (n % 4_000 - 2_000) * 10_000,
            drawdown_e4: n % 7 * 10_000,
        })
        .collect()
}

async fn write_ranks(pool: &PgPool, board: &str, ranked: &[Ranked]) {
    let places: Vec<i32> = ranked.iter().map(|one| one.place).collect();
    let ranks: Vec<i32> = ranked.iter().map(|one| one.rank).collect();
    let members: Vec<i64> = ranked.iter().map(|one| one.member_id.0).collect();
    let written = sqlx::query(RANKS)
        .bind(board)
        .bind(places)
        .bind(ranks)
        .bind(members);
    written.execute(pool).await.unwrap();
}

/// Rows and details of what is wrong with ranks.
async fn wrong_ranks(pool: &PgPool) -> Vec<(String, String)> {
    let report = audit::run(pool, ANY_AGE).await.unwrap();
    let findings = report.findings.into_iter();
    let ranks = findings.filter(|one| one.check == CHECK);
    let mut wrong: Vec<(String, String)> = ranks.map(|one| (one.row, one.detail)).collect();
    wrong.sort();
    wrong
}

/// The largest number of rows that a statement has returned.
fn most_returned(text: &str) -> Option<u64> {
    let plans = PLANS.lock();
    let of_text = plans.iter().filter(|one| {
        let query = one["Query Text"].as_str().unwrap_or_default();
        query.contains(text)
    });
    of_text
        .filter_map(|one| one["Plan"]["Actual Rows"].as_u64())
        .max()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn ranks_of_a_large_event_are_audited_in_slices(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let own = explained(&pool, "on").await;
    let world = World::new(pool.clone()).await;
    world.basic(ME).await;
    sqlx::raw_sql(EVENT).execute(&pool).await.unwrap();
    let by_return = rank(standings(), BoardKind::Return);
    let by_calm = rank(standings(), BoardKind::Calm);
    write_ranks(&pool, "RETURN", &by_return).await;
    write_ranks(&pool, "CALM", &by_calm).await;
    assert_eq!(wrong_ranks(&own).await, []);
    for read in ["from competition_result r", "from competition_rank"] {
        assert_eq!(most_returned(read), Some(SLICE), "{read}");
    }

    sqlx::raw_sql(TAMPERED).execute(&pool).await.unwrap();
    let id: i64 = sqlx::query_scalar("select id from competition where title = 'Large'")
        .fetch_one(&pool)
        .await
        .unwrap();
    let place = |ranked: &[Ranked], member: i64| {
        let mut of_member = ranked.iter().filter(|one| one.member_id.0 == member);
        let found = of_member.next().unwrap();
        (found.rank, found.place)
    };
    let (calm, calm_place) = place(&by_calm, 511_998);
    assert!(calm > 1);
    let (first, first_place) = place(&by_return, 500_001);
    let expected = [
        (
            format!("competition {id} CALM member 511998"),
            format!("rank 1 at {calm_place}, results {calm} at {calm_place}"),
        ),
        (
            format!("competition {id} RETURN member 500001"),
            format!("rank 0 at 0, results {first} at {first_place}"),
        ),
        (
            format!("competition {id} RETURN member 500010"),
            "rank 1 at 20000, results 0 at 0".to_owned(),
        ),
    ];
    assert_eq!(wrong_ranks(&own).await, expected);
}
