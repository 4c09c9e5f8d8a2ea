//! What entrants see of what others own.

use chrono::TimeDelta;
use proto::trading::v1 as wire;
use rust_decimal::Decimal;
use sqlx::PgPool;
use tonic::Status;

use super::{APPLE, CompetitionWorld, ME, OTHER, SAMSUNG, in_competition, number, reason};
use crate::world::{buy, sell};

impl CompetitionWorld {
    async fn owned(
        &self,
        member: i64,
        id: i64,
        entrant: i64,
    ) -> Result<wire::EntrantHoldings, Status> {
        let request = wire::ListEntrantHoldingsRequest {
            member_id: member,
            competition_id: id,
            entrant_id: entrant,
        };
        let owned = self.client.clone().list_entrant_holdings(request).await;
        owned.map(tonic::Response::into_inner)
    }

    async fn shows_holdings(&self, id: i64) {
        let show = "update competition set shows_holdings = true where id = $1";
        let show = sqlx::query(show).bind(id);
        show.execute(&self.world.pool).await.unwrap();
    }

    async fn passes(&mut self, minutes: i64) {
        self.world.now += TimeDelta::minutes(minutes);
        self.world.clock.set(self.world.now);
        self.world.log(Vec::new()).await;
    }
}

fn weights(owned: &wire::EntrantHoldings) -> Vec<(&str, Decimal)> {
    let holdings = owned.holdings.iter();
    holdings
        .map(|one| (one.code.as_str(), number(&one.weight)))
        .collect()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn holdings_are_seen_a_quarter_of_an_hour_late_and_in_percent(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    for member in [ME, OTHER] {
        world.compete(member).await;
    }
    let id = world.running().await.competition_id;
    let refused = world.owned(OTHER, id, ME).await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_HOLDINGS_HIDDEN");
    world.shows_holdings(id).await;
    assert!(world.get(OTHER, id).await.shows_holdings);

    for (code, shares, price) in [(SAMSUNG, "40", "71300"), (APPLE, "2", "230.50")] {
        let order = in_competition(buy(ME, code, "", shares));
        world.world.placed(order).await;
        world.world.trade(code, price, 100_000).await;
    }
    let seen = world.owned(OTHER, id, ME).await.unwrap();
    assert_eq!(seen.holdings, [], "bought just now");
    assert_eq!(number(&seen.cash_weight), 100.into());
    world.passes(16).await;
    let seen = world.owned(OTHER, id, ME).await.unwrap();
    let [(first, large), (second, small)] = weights(&seen)[..] else {
        panic!("{seen:?}");
    };
    assert_eq!((first, second), (SAMSUNG, APPLE));
    assert!(large > 28.into() && large < 29.into(), "{large}");
    assert!(small > 6.into() && small < 7.into(), "{small}");
    let all = large + small + number(&seen.cash_weight);
    assert!(
        (all - Decimal::ONE_HUNDRED).abs() <= Decimal::new(2, 2),
        "{all}"
    );

    // Sold now, seen later.
    world.world.trade(SAMSUNG, "71300", 1_000).await;
    let order = in_competition(sell(ME, SAMSUNG, "", "40"));
    world.world.placed(order).await;
    world.world.trade(SAMSUNG, "71300", 100_000).await;
    let seen = world.owned(OTHER, id, ME).await.unwrap();
    assert_eq!(weights(&seen)[0].0, SAMSUNG);
    world.passes(16).await;
    let seen = world.owned(OTHER, id, ME).await.unwrap();
    assert_eq!(weights(&seen).len(), 1);
    assert_eq!(weights(&seen)[0].0, APPLE);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn holdings_are_those_of_entrants_and_of_nobody_else(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    let id = world.running().await.competition_id;
    world.shows_holdings(id).await;
    let stranger = world.owned(ME, id, OTHER).await.unwrap_err();
    assert_eq!(reason(&stranger), "COMPETITION_ENTRANT_NOT_FOUND");
    // Official events are seen by everybody; what one owns outside is not.
    world.set_mode(ME, false, 0).await.unwrap();
    world.world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world.trade(SAMSUNG, "71300", 100_000).await;
    world.passes(16).await;
    let seen = world.owned(OTHER, id, ME).await.unwrap();
    assert_eq!(seen.holdings, []);
    world.leave(ME, id, "leave-me").await.unwrap();
    let gone = world.owned(OTHER, id, ME).await.unwrap_err();
    assert_eq!(reason(&gone), "COMPETITION_ENTRANT_NOT_FOUND");
    let none = world.owned(ME, 999, OTHER).await.unwrap_err();
    assert_eq!(reason(&none), "COMPETITION_NOT_FOUND");
    let odd = world.owned(ME, id, 0).await.unwrap_err();
    assert_eq!(odd.code(), tonic::Code::InvalidArgument);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_league_shows_holdings_to_its_members_where_its_host_chose_so(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let request = |key: &str, shows_holdings| wire::CreateLeagueRequest {
        member_id: ME,
        request_id: key.to_owned(),
        title: "우리끼리".to_owned(),
        days: 7,
        start_cash_won: 1_000_000,
        most_entrants: 10,
        shows_holdings,
    };
    for (key, shows) in [("league-open", true), ("league-shut", false)] {
        let made = world
            .client
            .clone()
            .create_league(request(key, shows))
            .await;
        let id = made.unwrap().into_inner().competition_id;
        assert_eq!(world.get(ME, id).await.shows_holdings, shows);
        let refused = world.owned(OTHER, id, ME).await.unwrap_err();
        assert_eq!(reason(&refused), "COMPETITION_NOT_FOUND", "no member");
        let own = world.owned(ME, id, ME).await;
        assert_eq!(own.is_ok(), shows);
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn after_the_end_holdings_are_those_of_the_end(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    world.shows_holdings(id).await;
    world.closed(id).await;
    world.world.trade(SAMSUNG, "50000", 100_000).await;
    let seen = world.owned(OTHER, id, ME).await.unwrap();
    let [(first, weight), _] = weights(&seen)[..] else {
        panic!("{seen:?}");
    };
    let equity = world.get(ME, id).await.entry.unwrap().equity_won;
    let exact = Decimal::from(40 * 72_000 * 100) / Decimal::from(equity);
    assert_eq!((first, weight), (SAMSUNG, exact.round_dp(2)));
}
