//! One instrument's present state in decimals.

use kernel::Price;
use market_rules::Venue;
use proto::common::v1::Market;
use proto::convert::scaled;
use proto::market::v1 as wire;
use rust_decimal::Decimal;

use crate::catalogue::Instrument;

/// What a list or a detail page shows of an instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    /// Last price.
    pub price: Price,
    /// Close of the trading day before.
    pub prev_close: Price,
    /// First price of the day.
    pub open: Price,
    /// Highest price of the day.
    pub high: Price,
    /// Lowest price of the day.
    pub low: Price,
    /// Best price a buyer offers; `None` = nobody does.
    pub bid: Option<Price>,
    /// Best price a seller asks; `None` = nobody does.
    pub ask: Option<Price>,
    /// Quantity traded since the day began.
    pub day_volume: Decimal,
    /// Quantity of the last trade; `None` = the feed does not tell.
    pub last_volume: Option<Decimal>,
    /// Number of the last tick.
    pub tick_seq: i64,
    /// Market time of the last tick, microseconds since the epoch.
    pub event_time_us: i64,
    /// The day the quote counts for, as yyyymmdd.
    pub trading_day: i32,
    /// What its venue, or its own halt, allows now.
    pub session: wire::SessionState,
    /// Won per dollar; `None` for prices in won.
    pub fx_rate: Option<Decimal>,
    /// Lowest price of the day; `None` = no limit.
    pub lower_limit: Option<Price>,
    /// Highest price of the day; `None` = no limit.
    pub upper_limit: Option<Price>,
}

impl Quote {
    /// Reads a tick with the base price and limits of its (or a later) day. Before the first
    /// trade of a new day everything stands at its base price. `None` for a tick whose scale no
    /// price can have; the pipeline lets none pass.
    pub(super) fn of(
        tick: &wire::Tick,
        base: Option<(i32, &wire::DayBase)>,
        session: wire::SessionState,
    ) -> Option<Self> {
        let price = |units| scaled(units, tick.price_scale, "price").ok().map(Price);
        let volume = |units| scaled(units, tick.volume_scale, "volume").ok();
        let side = |units| if units > 0 { price(units) } else { None };
        let mut quote = Self {
            price: price(tick.price_units)?,
            prev_close: price(tick.prev_close_units)?,
            open: price(tick.open_units)?,
            high: price(tick.high_units)?,
            low: price(tick.low_units)?,
            bid: side(tick.bid_units),
            ask: side(tick.ask_units),
            day_volume: volume(tick.acc_volume_units)?,
            last_volume: volume(tick.volume_units).filter(|_| tick.has_volume),
            tick_seq: tick.tick_seq,
            event_time_us: tick.event_time_us,
            trading_day: tick.trading_day,
            session,
            fx_rate: match tick.fx_rate_e4 {
                0 => None,
                units => scaled(units, 4, "fx_rate").ok(),
            },
            lower_limit: None,
            upper_limit: None,
        };
        if let Some((trading_day, base)) = base {
            let limit = |units| {
                let limit = scaled(units, base.price_scale, "limit").ok().map(Price);
                limit.filter(|limit| limit.is_positive())
            };
            quote.lower_limit = limit(base.lower_limit_units);
            quote.upper_limit = limit(base.upper_limit_units);
            if trading_day > tick.trading_day
                && let Some(base_price) = limit(base.base_units)
            {
                quote.start_day(trading_day, base_price);
            }
        }
        Some(quote)
    }

    /// What is known of an instrument that has not traded yet: the price it begins with.
    #[must_use]
    pub fn before_first_tick(instrument: &Instrument) -> Self {
        let price = instrument.base_price;
        let limits = instrument.daily_limits(price);
        Self {
            price,
            prev_close: price,
            open: price,
            high: price,
            low: price,
            bid: None,
            ask: None,
            day_volume: Decimal::ZERO,
            last_volume: None,
            tick_seq: 0,
            event_time_us: 0,
            trading_day: 0,
            session: wire::SessionState::Closed,
            fx_rate: None,
            lower_limit: limits.map(|limits| limits.lower),
            upper_limit: limits.map(|limits| limits.upper),
        }
    }

    /// Price × quantity traded today, in won.
    #[must_use]
    pub fn day_value_won(&self) -> Decimal {
        let value = self.price.0.saturating_mul(self.day_volume);
        value.saturating_mul(self.fx_rate.unwrap_or(Decimal::ONE))
    }

    /// Change against the day before in percent.
    #[must_use]
    pub fn change_percent(&self) -> Decimal {
        let change = self.price.0.saturating_sub(self.prev_close.0);
        let share = change.checked_div(self.prev_close.0).unwrap_or_default();
        share.saturating_mul(Decimal::ONE_HUNDRED)
    }

    /// The wire form.
    #[must_use]
    pub fn to_wire(&self, code: &str) -> wire::Quote {
        let decimal = proto::convert::decimal;
        wire::Quote {
            code: code.to_owned(),
            price: Some(self.price.into()),
            prev_close: Some(self.prev_close.into()),
            open: Some(self.open.into()),
            high: Some(self.high.into()),
            low: Some(self.low.into()),
            bid: self.bid.map(Into::into),
            ask: self.ask.map(Into::into),
            acc_volume: Some(decimal(self.day_volume)),
            last_volume: self.last_volume.map(decimal),
            tick_seq: self.tick_seq,
            event_time_us: self.event_time_us,
            trading_day: self.trading_day,
            session: self.session.into(),
            fx_rate: self.fx_rate.map(decimal),
            lower_limit: self.lower_limit.map(Into::into),
            upper_limit: self.upper_limit.map(Into::into),
        }
    }

    fn start_day(&mut self, trading_day: i32, base: Price) {
        self.trading_day = trading_day;
        self.price = base;
        self.prev_close = base;
        self.open = base;
        self.high = base;
        self.low = base;
        self.bid = None;
        self.ask = None;
        self.day_volume = Decimal::ZERO;
        self.last_volume = None;
    }
}

/// The venue of a market, as session records name it.
pub(super) fn venue_of(market: Market) -> wire::Venue {
    match market.to_kernel().map(Venue::of_market) {
        Ok(venue) => venue_to_wire(venue),
        Err(_unspecified) => wire::Venue::Unspecified,
    }
}

/// A venue in the wire's words.
#[must_use]
pub fn venue_to_wire(venue: Venue) -> wire::Venue {
    match venue {
        Venue::Krx => wire::Venue::Krx,
        Venue::Us => wire::Venue::Us,
        Venue::Coin => wire::Venue::Coin,
        Venue::Gold => wire::Venue::Gold,
    }
}
