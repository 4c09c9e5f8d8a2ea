//! Which gains are asked for, and over which days.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc};
use kernel::MarketCode;

use crate::accounts::open::AccountChoice;
use crate::contracts;
use crate::named::named;

named! {
    /// Whose gains: what the assets are, or where they are.
    pub enum ProfitScope {
        /// Everything but competitions.
        All = "ALL",
        Stock = "STOCK",
        Etf = "ETF",
        Coin = "COIN",
        Gold = "GOLD",
        /// Contracts and CMA accounts.
        Product = "PRODUCT",
        /// Everything in competition accounts.
        Competition = "COMPETITION",
    }
}

named! {
    /// Where a gain comes from.
    pub enum ProfitKind {
        All = "ALL",
        Realized = "REALIZED",
        Unrealized = "UNREALIZED",
        Interest = "INTEREST",
        Dividend = "DIVIDEND",
        /// What all the others cost, and what purchases cost.
        Cost = "COST",
    }
}

named! {
    pub enum ProfitGrouping {
        /// An instrument, a contract or a CMA account.
        Item = "ITEM",
        Day = "DAY",
        Month = "MONTH",
        Year = "YEAR",
        /// A sell order with fills.
        Sale = "SALE",
    }
}

/// A span that ends with the present day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfitWindow {
    Day,
    Week,
    Month,
    ThreeMonths,
    Year,
    FiveYears,
    All,
}

/// First and last Korean day of market time; `from` is absent for everything up to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Option<NaiveDate>,
    pub to: NaiveDate,
}

#[derive(Clone, Debug)]
pub struct ProfitFilter {
    pub scope: ProfitScope,
    pub kind: ProfitKind,
    pub grouping: ProfitGrouping,
    pub window: ProfitWindow,
    /// These days replace those of the window.
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    /// `None` is the present one.
    pub season: Option<i32>,
    /// `None`: all of the member's accounts that the scope has.
    pub account: Option<AccountChoice>,
    pub instrument_code: Option<String>,
    /// Pages that are passed over, unless `after` says where to go on.
    pub page: i64,
    pub size: i64,
    /// Day and key of the last row of the page before.
    pub after: Option<(NaiveDate, String)>,
}

/// The market of a row that belongs to no instrument.
pub(super) const PRODUCT: &str = "PRODUCT";

impl ProfitScope {
    /// The markets of its rows; `None` means all.
    pub(super) fn markets(self) -> Option<Vec<&'static str>> {
        match self {
            Self::All | Self::Competition => None,
            Self::Stock => {
                let stocks = [MarketCode::Kospi, MarketCode::Kosdaq, MarketCode::Global];
                Some(stocks.map(MarketCode::as_str).to_vec())
            }
            Self::Etf => Some(vec![MarketCode::Etf.as_str()]),
            Self::Coin => Some(vec![MarketCode::Coin.as_str()]),
            Self::Gold => Some(vec![MarketCode::Gold.as_str()]),
            Self::Product => Some(vec![PRODUCT]),
        }
    }
}

impl ProfitGrouping {
    /// The first day of the group to which a day belongs.
    pub(super) fn first_day(self, day: NaiveDate) -> NaiveDate {
        match self {
            Self::Item | Self::Day | Self::Sale => day,
            Self::Month => month_start(day),
            Self::Year => day.with_ordinal(1).unwrap_or(day),
        }
    }

    /// The first day of the group after that.
    pub(super) fn next_day(self, day: NaiveDate) -> NaiveDate {
        let first = self.first_day(day);
        let next = match self {
            Self::Item | Self::Day | Self::Sale => first.succ_opt(),
            Self::Month => first.checked_add_months(Months::new(1)),
            Self::Year => first.checked_add_months(Months::new(12)),
        };
        next.unwrap_or(first)
    }

    /// Whether a row is of one item.
    pub(super) fn is_item(self) -> bool {
        matches!(self, Self::Item | Self::Sale)
    }
}

impl ProfitWindow {
    pub(crate) fn first_day(self, today: NaiveDate) -> Option<NaiveDate> {
        let months = |count| {
            let day = today.checked_sub_months(Months::new(count))?;
            day.succ_opt()
        };
        match self {
            Self::Day => Some(today),
            Self::Week => today.checked_sub_days(Days::new(6)),
            Self::Month => months(1),
            Self::ThreeMonths => months(3),
            Self::Year => months(12),
            Self::FiveYears => months(60),
            Self::All => None,
        }
    }
}

impl ProfitFilter {
    /// The days that are asked for.
    #[must_use]
    pub fn span(&self, today: NaiveDate) -> Span {
        Span {
            from: self.from.or_else(|| self.window.first_day(today)),
            to: self.to.unwrap_or(today),
        }
    }
}

impl Span {
    /// Whether what is owned now belongs to it.
    #[must_use]
    pub fn includes(&self, day: NaiveDate) -> bool {
        day <= self.to && self.from.is_none_or(|from| from <= day)
    }

    /// Without an end where it ends today: dividends and interest may be dated by another clock than market
    /// time, and what happened belongs to the present.
    pub(super) fn open_ended(self, today: NaiveDate) -> Self {
        if self.to < today {
            return self;
        }
        let to = NaiveDate::from_ymd_opt(9999, 12, 30).unwrap_or(self.to);
        Self { to, ..self }
    }

    /// The instants at which it begins and after which it has ended.
    pub(super) fn instants(&self) -> (DateTime<Utc>, DateTime<Utc>) {
        let from = self.from.map_or(DateTime::UNIX_EPOCH, contracts::midnight);
        let after = self.to.succ_opt().unwrap_or(self.to);
        (from, contracts::midnight(after))
    }
}

/// The first day of its month.
pub(super) fn month_start(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_window_ends_with_today_and_a_month_is_a_whole_one() {
        let from = |window: ProfitWindow, today| window.first_day(day(today));
        assert_eq!(
            from(ProfitWindow::Day, "2026-11-25"),
            Some(day("2026-11-25"))
        );
        assert_eq!(
            from(ProfitWindow::Week, "2026-11-25"),
            Some(day("2026-11-19"))
        );
        assert_eq!(
            from(ProfitWindow::Month, "2026-03-31"),
            Some(day("2026-03-01"))
        );
        assert_eq!(
            from(ProfitWindow::ThreeMonths, "2026-11-25"),
            Some(day("2026-08-26"))
        );
        assert_eq!(
            from(ProfitWindow::Year, "2028-02-29"),
            Some(day("2027-03-01"))
        );
        assert_eq!(from(ProfitWindow::All, "2026-11-25"), None);
    }

    #[test]
    fn groups_of_days_follow_each_other() {
        let around = |grouping: ProfitGrouping, of: &str| {
            let of = day(of);
            (grouping.first_day(of), grouping.next_day(of))
        };
        for (grouping, first, next) in [
            (ProfitGrouping::Day, "2028-02-29", "2028-03-01"),
            (ProfitGrouping::Sale, "2028-02-29", "2028-03-01"),
            (ProfitGrouping::Month, "2028-02-01", "2028-03-01"),
            (ProfitGrouping::Year, "2028-01-01", "2029-01-01"),
        ] {
            assert_eq!(around(grouping, "2028-02-29"), (day(first), day(next)));
        }
    }

    #[test]
    fn a_day_ends_at_midnight_in_korea() {
        let today = day("2026-11-25");
        let span = Span {
            from: Some(today),
            to: today,
        };
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        assert_eq!(
            span.instants(),
            (at("2026-11-24T15:00:00Z"), at("2026-11-25T15:00:00Z"))
        );
        assert!(span.includes(today));
        assert!(!span.includes(day("2026-11-26")));
    }
}
