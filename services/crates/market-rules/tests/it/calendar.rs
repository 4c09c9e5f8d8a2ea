use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, Utc};
use market_rules::TradingHours;
use market_rules::calendar::{Calendar, Phase, Venue, practice_day, practice_hours};

fn calendar() -> Calendar {
    Calendar::embedded().expect("the project's calendar is readable")
}

fn is_trading_day(calendar: &Calendar, venue: Venue, day: NaiveDate) -> bool {
    calendar.hours(venue, day).is_some()
}

fn phase_at(hours: &TradingHours, instant: DateTime<Utc>) -> Phase {
    if instant < hours.auction_from || instant >= hours.close {
        Phase::Closed
    } else if instant < hours.open || instant >= hours.closing_auction_from {
        Phase::Auction
    } else {
        Phase::Open
    }
}

/// The phase, and the day of the session that began last.
fn state_at(calendar: &Calendar, venue: Venue, instant: DateTime<Utc>) -> (Phase, NaiveDate) {
    let today = instant.with_timezone(&venue.time_zone()).date_naive();
    let mut sessions = (0..30)
        .map(|back| today - Days::new(back))
        .filter_map(|day| calendar.hours(venue, day));
    let session = sessions
        .find(|hours| instant >= hours.auction_from)
        .unwrap();
    (phase_at(&session, instant), session.trading_day)
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[test]
fn korean_hours_have_two_auctions() {
    let calendar = calendar();
    for (instant, phase, trading_day) in [
        ("2026-11-20T08:29:59+09:00", Phase::Closed, "2026-11-19"),
        ("2026-11-20T08:30:00+09:00", Phase::Auction, "2026-11-20"),
        ("2026-11-20T09:00:00+09:00", Phase::Open, "2026-11-20"),
        ("2026-11-20T15:19:59+09:00", Phase::Open, "2026-11-20"),
        ("2026-11-20T15:20:00+09:00", Phase::Auction, "2026-11-20"),
        ("2026-11-20T15:30:00+09:00", Phase::Closed, "2026-11-20"),
        ("2026-11-21T12:00:00+09:00", Phase::Closed, "2026-11-20"),
        ("2026-11-23T00:00:00+09:00", Phase::Closed, "2026-11-20"),
    ] {
        for venue in [Venue::Krx, Venue::Gold] {
            assert_eq!(
                state_at(&calendar, venue, at(instant)),
                (phase, day(trading_day)),
                "{venue:?} {instant}"
            );
        }
    }
}

#[test]
fn a_us_session_that_passes_korean_midnight_is_one_day() {
    let calendar = calendar();
    for (instant, phase, trading_day) in [
        // Standard time: 23:30 to 06:00 in Korea.
        ("2026-11-20T23:29:59+09:00", Phase::Closed, "2026-11-19"),
        ("2026-11-20T23:30:00+09:00", Phase::Open, "2026-11-20"),
        ("2026-11-21T05:59:59+09:00", Phase::Open, "2026-11-20"),
        ("2026-11-21T06:00:00+09:00", Phase::Closed, "2026-11-20"),
        // Daylight saving: 22:30 to 05:00 in Korea.
        ("2026-10-30T22:30:00+09:00", Phase::Open, "2026-10-30"),
        ("2026-10-31T05:00:00+09:00", Phase::Closed, "2026-10-30"),
        // The Monday after the clocks change is an hour later in Korea.
        ("2026-11-02T22:30:00+09:00", Phase::Closed, "2026-10-30"),
        ("2026-03-09T22:30:00+09:00", Phase::Open, "2026-03-09"),
        ("2027-03-15T22:30:00+09:00", Phase::Open, "2027-03-15"),
        // The day after Thanksgiving closes at 13:00.
        ("2026-11-27T12:59:59-05:00", Phase::Open, "2026-11-27"),
        ("2026-11-27T13:00:00-05:00", Phase::Closed, "2026-11-27"),
        ("2026-11-26T12:00:00-05:00", Phase::Closed, "2026-11-25"),
    ] {
        assert_eq!(
            state_at(&calendar, Venue::Us, at(instant)),
            (phase, day(trading_day)),
            "{instant}"
        );
    }
}

#[test]
fn coins_never_close() {
    let calendar = calendar();
    let night = at("2027-01-01T03:00:00+09:00");
    assert_eq!(
        state_at(&calendar, Venue::Coin, night),
        (Phase::Open, day("2027-01-01"))
    );
    let hours = calendar.hours(Venue::Coin, day("2026-11-21")).unwrap();
    assert_eq!(hours.open, at("2026-11-21T00:00:00+09:00"));
    assert_eq!(hours.close, at("2026-11-22T00:00:00+09:00"));
}

#[test]
fn special_days_have_hours_of_their_own() {
    let calendar = calendar();
    for (venue, date, open, close) in [
        (Venue::Krx, "2026-11-19", "10:00", "16:30"),
        (Venue::Gold, "2026-11-19", "10:00", "15:30"),
        (Venue::Krx, "2026-01-02", "10:00", "15:30"),
        (Venue::Krx, "2027-01-04", "10:00", "15:30"),
        (Venue::Krx, "2026-11-20", "09:00", "15:30"),
    ] {
        let hours = calendar.hours(venue, day(date)).unwrap();
        assert_eq!(hours.open, at(&format!("{date}T{open}:00+09:00")), "{date}");
        assert_eq!(
            hours.close,
            at(&format!("{date}T{close}:00+09:00")),
            "{date}"
        );
        assert_eq!(hours.open - hours.auction_from, TimeDelta::minutes(30));
        assert_eq!(
            hours.close - hours.closing_auction_from,
            TimeDelta::minutes(10)
        );
    }
}

#[test]
fn the_days_other_calendars_get_wrong_are_right() {
    let calendar = calendar();
    for closed in [
        "2025-01-27",
        "2025-06-03",
        "2026-05-25",
        "2026-06-03",
        "2026-07-17",
        "2026-12-31",
        "2027-05-03",
        "2027-07-19",
        "2027-12-31",
    ] {
        assert!(
            !is_trading_day(&calendar, Venue::Krx, day(closed)),
            "{closed}"
        );
        assert!(
            !is_trading_day(&calendar, Venue::Gold, day(closed)),
            "{closed}"
        );
    }
    assert!(is_trading_day(&calendar, Venue::Krx, day("2027-06-07")));
    assert!(!is_trading_day(&calendar, Venue::Us, day("2025-01-09")));
    assert!(is_trading_day(&calendar, Venue::Us, day("2026-07-17")));
}

#[test]
fn long_closures_are_closed_from_end_to_end() {
    let calendar = calendar();
    for (venue, last, next) in [
        (Venue::Krx, "2025-10-02", "2025-10-10"),
        (Venue::Krx, "2026-02-13", "2026-02-19"),
        (Venue::Us, "2026-11-25", "2026-11-27"),
        (Venue::Coin, "2026-12-31", "2027-01-01"),
    ] {
        let open: Vec<NaiveDate> = day(last)
            .iter_days()
            .take_while(|date| *date <= day(next))
            .filter(|date| is_trading_day(&calendar, venue, *date))
            .collect();
        assert_eq!(open, [day(last), day(next)], "{venue:?}");
    }
}

#[test]
fn a_calendar_that_runs_out_says_so() {
    let calendar = calendar();
    assert_eq!(calendar.covered_until(Venue::Krx), Some(day("2027-12-31")));
    assert_eq!(calendar.covered_until(Venue::Coin), None);
    assert!(calendar.running_out(day("2026-11-21")).is_empty());
    let short = calendar.running_out(day("2027-11-30"));
    let venues: Vec<Venue> = short.iter().map(|(venue, _)| *venue).collect();
    assert_eq!(venues, [Venue::Krx, Venue::Us, Venue::Gold]);
    assert!(short.iter().all(|(_, left)| *left == 31));
}

#[test]
fn a_bad_line_is_named() {
    let sessions = include_str!("../../data/sessions.csv");
    let header = "venue,day,kind,open,close,name\n";
    for (rows, fault) in [
        ("KRX,2026-13-01,CLOSED,,,x\n", "special_days.csv:2"),
        (
            "KRX,2026-01-01,CLOSED,,,x\nXYZ,2026-01-02,CLOSED,,,x\n",
            "special_days.csv:3: unknown venue",
        ),
        (
            "KRX,2026-01-01,SHORT,,,x\n",
            "special_days.csv:2: unknown kind",
        ),
        (
            "KRX,2026-01-01,LATE_OPEN,16:00,15:30,x\n",
            "special_days.csv:2",
        ),
        (
            "KRX,2026-01-01,CLOSED,,,x\nKRX,2026-01-01,CLOSED,,,x\n",
            "special_days.csv:3: KRX 2026-01-01 is listed twice",
        ),
    ] {
        let error = Calendar::parse(sessions, &format!("{header}{rows}")).unwrap_err();
        assert!(error.to_string().starts_with(fault), "{error}");
    }
    let only_krx: String = sessions
        .lines()
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(Calendar::parse(&only_krx, header).is_err());
}

#[test]
fn a_practice_day_is_a_korean_calendar_day() {
    let hours = practice_hours(day("2026-11-21"));
    assert_eq!(hours.open, at("2026-11-21T00:00:00+09:00"));
    assert_eq!(hours.close, at("2026-11-22T00:00:00+09:00"));
    assert_eq!(
        phase_at(&hours, at("2026-11-21T12:00:00+09:00")),
        Phase::Open
    );
    assert_eq!(practice_day(at("2026-11-20T14:59:59Z")), day("2026-11-20"));
    assert_eq!(practice_day(at("2026-11-20T15:00:00Z")), day("2026-11-21"));
}

#[test]
fn every_year_has_about_250_trading_days() {
    let calendar = calendar();
    for venue in [Venue::Krx, Venue::Us] {
        for year in 2020..=2027 {
            let first = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
            let days = first.iter_days().take_while(|day| day.year() == year);
            let open = days
                .filter(|day| is_trading_day(&calendar, venue, *day))
                .count();
            assert!((241..=254).contains(&open), "{venue:?} {year}: {open}");
        }
    }
}
