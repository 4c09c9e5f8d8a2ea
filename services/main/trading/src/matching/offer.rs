//! Price and quantity of one order at one tick.

use kernel::{Price, Quantity};
use market_rules::{PriceBand, TickTable};

use crate::domain::market::TradingSession;
use crate::matching::fill_model::FillModel;
use crate::orders::order::{Order, Side};
use crate::tick_log::Tick;

/// The rule that set the price of a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillRule {
    /// A market order at the opposite best price.
    MarketBidAsk,
    /// A market order one tick worse than the trade, because best prices are unknown.
    MarketOneTickWorse,
    /// A limit order that was marketable on arrival.
    LimitTaker,
    /// A trade beyond a resting limit.
    LimitThrough,
    /// Volume at the limit itself, beyond the queue ahead.
    LimitAtPrice,
    /// The first price of a session was beyond the limit.
    OpeningGap,
    /// The official price of an auction.
    Auction,
}

impl FillRule {
    /// As on receipts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MarketBidAsk => "MARKET_BID_ASK",
            Self::MarketOneTickWorse => "MARKET_ONE_TICK_WORSE",
            Self::LimitTaker => "LIMIT_TAKER",
            Self::LimitThrough => "LIMIT_THROUGH",
            Self::LimitAtPrice => "LIMIT_AT_PRICE",
            Self::OpeningGap => "OPENING_GAP",
            Self::Auction => "AUCTION",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offer {
    None,
    Trade {
        price: Price,
        rule: FillRule,
        /// Bound by the rule itself; `None` leaves it to the volume cap.
        max_quantity: Option<Quantity>,
    },
    /// The price is too far from its reference; the order is canceled.
    SlippageExceeded,
}

#[derive(Clone, Copy, Debug)]
pub struct TickContext<'a> {
    pub tick: &'a Tick,
    /// Whether the tick is the first of its session.
    pub opening: bool,
    pub band: Option<PriceBand>,
    pub table: &'a TickTable,
}

impl TickContext<'_> {
    fn taker_price(&self, side: Side) -> Option<(Price, FillRule)> {
        let tick = self.tick;
        let book = (tick.bid, tick.ask);
        taker_price(side, tick.price, book, self.band, self.table)
    }
}

/// Decides whether the order trades at this tick, and updates its queue position.
pub fn offer(order: &mut Order, context: &TickContext<'_>) -> Offer {
    match order.price {
        None => market_offer(order, context),
        Some(limit) => limit_offer(order, limit, context),
    }
}

fn market_offer(order: &mut Order, context: &TickContext<'_>) -> Offer {
    let tick = context.tick;
    // A market order that was queued over the night measures slippage from the opening price.
    let reference = *order.reference_price.get_or_insert(tick.price);
    let traded = if tick.session == TradingSession::Auction {
        Some((tick.price, FillRule::Auction))
    } else {
        context.taker_price(order.side)
    };
    let Some((price, rule)) = traded else {
        return Offer::None;
    };
    let adverse = match order.side {
        Side::Buy => price > reference,
        Side::Sell => price < reference,
    };
    if adverse && FillModel::V1.exceeds_slippage(price, reference) {
        return Offer::SlippageExceeded;
    }
    Offer::Trade {
        price,
        rule,
        max_quantity: None,
    }
}

fn limit_offer(order: &mut Order, limit: Price, context: &TickContext<'_>) -> Offer {
    let tick = context.tick;
    let allows = |price: Price| match order.side {
        Side::Buy => price <= limit,
        Side::Sell => price >= limit,
    };
    let trade = |price, rule| Offer::Trade {
        price,
        rule,
        max_quantity: None,
    };
    if tick.session == TradingSession::Auction {
        return if allows(tick.price) {
            trade(tick.price, FillRule::Auction)
        } else {
            Offer::None
        };
    }
    let through = allows(tick.price) && tick.price != limit;
    if context.opening && through {
        return trade(tick.price, FillRule::OpeningGap);
    }
    let mut queued_now = false;
    if !order.resting {
        if let Some((price, _)) = context.taker_price(order.side)
            && allows(price)
        {
            return trade(price, FillRule::LimitTaker);
        }
        order.resting = true;
        order.queue_ahead = displayed_size(order.side, limit, tick);
        queued_now = order.queue_ahead.is_some();
    }
    if through {
        order.queue_ahead = Some(Quantity::ZERO);
        return trade(limit, FillRule::LimitThrough);
    }
    if tick.price != limit || queued_now {
        return Offer::None;
    }
    trade_at_limit(order, limit, tick)
}

/// At the limit, only volume beyond the queue ahead of the order counts.
fn trade_at_limit(order: &mut Order, limit: Price, tick: &Tick) -> Offer {
    let Some(volume) = tick.volume else {
        return Offer::None;
    };
    let ahead = order.queue_ahead.unwrap_or(volume);
    let passed = ahead.min(volume);
    order.queue_ahead = Some(Quantity(ahead.0 - passed.0));
    let beyond = Quantity(volume.0 - passed.0);
    if !beyond.is_positive() {
        return Offer::None;
    }
    Offer::Trade {
        price: limit,
        rule: FillRule::LimitAtPrice,
        max_quantity: Some(beyond),
    }
}

/// The price of an immediate execution after a trade at `last`: the opposite best price, or one tick
/// worse than the trade while best prices are unknown. `None` when that side of the book is empty.
#[must_use]
pub fn taker_price(
    side: Side,
    last: Price,
    (bid, ask): (Option<Price>, Option<Price>),
    band: Option<PriceBand>,
    table: &TickTable,
) -> Option<(Price, FillRule)> {
    if bid.is_some() || ask.is_some() {
        let best = match side {
            Side::Buy => ask,
            Side::Sell => bid,
        };
        return best.map(|price| (price, FillRule::MarketBidAsk));
    }
    let worse = match side {
        Side::Buy => table.next_up(last),
        Side::Sell => table.next_down(last).unwrap_or(last),
    };
    let price = match band {
        Some(band) => worse.max(band.lower).min(band.upper),
        None => worse,
    };
    Some((price, FillRule::MarketOneTickWorse))
}

/// The size displayed at the limit, where that is the best price of the order's side.
fn displayed_size(side: Side, limit: Price, tick: &Tick) -> Option<Quantity> {
    let (best, size) = match side {
        Side::Buy => (tick.bid, tick.bid_size),
        Side::Sell => (tick.ask, tick.ask_size),
    };
    if best == Some(limit) { size } else { None }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use rust_decimal::Decimal;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::domain::sample;

    fn offer_at(order: &mut Order, tick: &Tick, opening: bool) -> Offer {
        let table = order.tick_table();
        let context = TickContext {
            tick,
            opening,
            band: None,
            table: &table,
        };
        offer(order, &context)
    }

    fn trade(price: Decimal, rule: FillRule) -> Offer {
        Offer::Trade {
            price: Price(price),
            rule,
            max_quantity: None,
        }
    }

    #[rstest]
    #[case(Side::Buy, Some(dec!(71_300)), Some(dec!(71_400)), trade(dec!(71_400), FillRule::MarketBidAsk))]
    #[case(Side::Sell, Some(dec!(71_300)), Some(dec!(71_400)), trade(dec!(71_300), FillRule::MarketBidAsk))]
    #[case(Side::Buy, None, None, trade(dec!(71_400), FillRule::MarketOneTickWorse))]
    #[case(Side::Sell, None, None, trade(dec!(71_200), FillRule::MarketOneTickWorse))]
    #[case(Side::Buy, Some(dec!(71_300)), None, Offer::None)]
    fn a_market_order_trades_at_the_opposite_best_price(
        #[case] side: Side,
        #[case] bid: Option<Decimal>,
        #[case] ask: Option<Decimal>,
        #[case] expected: Offer,
    ) {
        let mut order = sample::order(1, side, None, dec!(10));
        let mut tick = sample::tick(1, dec!(71_300), dec!(100));
        tick.bid = bid.map(Price);
        tick.ask = ask.map(Price);
        assert_eq!(offer_at(&mut order, &tick, false), expected);
    }

    #[test]
    fn a_market_order_stops_when_the_price_has_run_away() {
        let mut order = sample::order(1, Side::Buy, None, dec!(10));
        let near = sample::tick(1, dec!(74_700), dec!(100));
        assert_eq!(
            offer_at(&mut order, &near, false),
            trade(dec!(74_800), FillRule::MarketOneTickWorse)
        );
        let far = sample::tick(2, dec!(74_800), dec!(100));
        assert_eq!(offer_at(&mut order, &far, false), Offer::SlippageExceeded);
        let cheaper = sample::tick(3, dec!(60_000), dec!(100));
        assert_eq!(
            offer_at(&mut order, &cheaper, false),
            trade(dec!(60_100), FillRule::MarketOneTickWorse)
        );
    }

    #[test]
    fn a_limit_that_can_trade_on_arrival_is_a_taker_at_the_better_price() {
        let mut order = sample::order(1, Side::Buy, Some(dec!(72_000)), dec!(10));
        let tick = sample::tick(1, dec!(71_300), dec!(100));
        assert_eq!(
            offer_at(&mut order, &tick, false),
            trade(dec!(71_400), FillRule::LimitTaker)
        );
        // The remainder stays a taker while it is marketable.
        assert_eq!(
            offer_at(&mut order, &tick, false),
            trade(dec!(71_400), FillRule::LimitTaker)
        );
    }

    #[test]
    fn a_resting_limit_fills_at_its_limit_when_the_price_goes_through() {
        let mut order = sample::order(1, Side::Buy, Some(dec!(71_000)), dec!(10));
        let above = sample::tick(1, dec!(71_300), dec!(100));
        assert_eq!(offer_at(&mut order, &above, false), Offer::None);
        assert!(order.resting);
        let below = sample::tick(2, dec!(70_500), dec!(100));
        assert_eq!(
            offer_at(&mut order, &below, false),
            trade(dec!(71_000), FillRule::LimitThrough)
        );
    }

    #[test]
    fn at_the_limit_only_volume_beyond_the_queue_counts() {
        let mut order = sample::order(1, Side::Sell, Some(dec!(71_500)), dec!(10));
        let mut below = sample::tick(1, dec!(71_300), dec!(100));
        below.bid = Some(Price(dec!(71_300)));
        below.ask = Some(Price(dec!(71_500)));
        below.ask_size = Some(Quantity(dec!(150)));
        assert_eq!(offer_at(&mut order, &below, false), Offer::None);
        let at = sample::tick(2, dec!(71_500), dec!(100));
        assert_eq!(offer_at(&mut order, &at, false), Offer::None);
        assert_eq!(order.queue_ahead, Some(Quantity(dec!(50))));
        assert_eq!(
            offer_at(&mut order, &at, false),
            Offer::Trade {
                price: Price(dec!(71_500)),
                rule: FillRule::LimitAtPrice,
                max_quantity: Some(Quantity(dec!(50))),
            }
        );
    }

    #[test]
    fn an_unknown_queue_is_the_first_volume_seen_at_the_price() {
        let mut order = sample::order(1, Side::Buy, Some(dec!(71_300)), dec!(10));
        let at = sample::tick(1, dec!(71_300), dec!(40));
        assert_eq!(offer_at(&mut order, &at, false), Offer::None);
        assert_eq!(
            offer_at(&mut order, &at, false),
            Offer::Trade {
                price: Price(dec!(71_300)),
                rule: FillRule::LimitAtPrice,
                max_quantity: Some(Quantity(dec!(40))),
            }
        );
    }

    #[test]
    fn without_volume_a_limit_fills_through_but_never_at_its_price() {
        let mut order = sample::order(1, Side::Buy, Some(dec!(71_300)), dec!(10));
        let mut at = sample::tick(1, dec!(71_300), dec!(0));
        at.volume = None;
        for _ in 0..3 {
            assert_eq!(offer_at(&mut order, &at, false), Offer::None);
        }
        at.price = Price(dec!(71_200));
        assert_eq!(
            offer_at(&mut order, &at, false),
            trade(dec!(71_300), FillRule::LimitThrough)
        );
    }

    #[test]
    fn a_gap_at_the_open_fills_at_the_opening_price() {
        let mut order = sample::order(1, Side::Buy, Some(dec!(71_000)), dec!(10));
        order.resting = true;
        let gap = sample::tick(1, dec!(68_000), dec!(100));
        assert_eq!(
            offer_at(&mut order, &gap, true),
            trade(dec!(68_000), FillRule::OpeningGap)
        );
    }

    #[test]
    fn an_auction_has_one_price_for_all() {
        let mut tick = sample::tick(1, dec!(70_000), dec!(100));
        tick.session = TradingSession::Auction;
        let mut limit = sample::order(1, Side::Buy, Some(dec!(71_000)), dec!(10));
        let mut market = sample::order(2, Side::Sell, None, dec!(10));
        let mut dear = sample::order(3, Side::Sell, Some(dec!(71_000)), dec!(10));
        assert_eq!(
            offer_at(&mut limit, &tick, true),
            trade(dec!(70_000), FillRule::Auction)
        );
        assert_eq!(
            offer_at(&mut market, &tick, true),
            trade(dec!(70_000), FillRule::Auction)
        );
        assert_eq!(offer_at(&mut dear, &tick, true), Offer::None);
    }

    #[test]
    fn a_queued_market_order_takes_the_opening_price_as_its_reference() {
        let mut order = sample::order(1, Side::Buy, None, dec!(10));
        order.reference_price = None;
        let open = sample::tick(1, dec!(90_000), dec!(100));
        assert_eq!(
            offer_at(&mut order, &open, true),
            trade(dec!(90_100), FillRule::MarketOneTickWorse)
        );
        assert_eq!(order.reference_price, Some(Price(dec!(90_000))));
    }
}
