use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, Utc};
use market_rules::calendar::{Calendar, Phase, Venue, practice_day, practice_hours};
use proptest::prelude::*;

fn calendar() -> Calendar {
    Calendar::embedded().expect("the project's calendar is readable")
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
            let state = calendar.state_at(venue, at(instant));
            assert_eq!(
                (state.phase, state.trading_day),
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
        let state = calendar.state_at(Venue::Us, at(instant));
        assert_eq!(
            (state.phase, state.trading_day),
            (phase, day(trading_day)),
            "{instant}"
        );
    }
}

#[test]
fn coins_never_close() {
    let calendar = calendar();
    let state = calendar.state_at(Venue::Coin, at("2027-01-01T03:00:00+09:00"));
    assert_eq!(
        (state.phase, state.trading_day),
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
            !calendar.is_trading_day(Venue::Krx, day(closed)),
            "{closed}"
        );
        assert!(
            !calendar.is_trading_day(Venue::Gold, day(closed)),
            "{closed}"
        );
    }
    assert!(calendar.is_trading_day(Venue::Krx, day("2027-06-07")));
    assert!(!calendar.is_trading_day(Venue::Us, day("2025-01-09")));
    assert!(calendar.is_trading_day(Venue::Us, day("2026-07-17")));
}

#[test]
fn neighbouring_trading_days_skip_what_is_closed() {
    let calendar = calendar();
    assert_eq!(
        calendar.next_trading_day(Venue::Krx, day("2025-10-02")),
        day("2025-10-10")
    );
    assert_eq!(
        calendar.previous_trading_day(Venue::Krx, day("2025-10-10")),
        day("2025-10-02")
    );
    assert_eq!(
        calendar.next_trading_day(Venue::Us, day("2026-11-25")),
        day("2026-11-27")
    );
    assert_eq!(
        calendar.next_trading_day(Venue::Coin, day("2026-12-31")),
        day("2027-01-01")
    );
    let before = calendar.trading_days_before(Venue::Krx, day("2026-02-19"), 2);
    assert_eq!(before, [day("2026-02-12"), day("2026-02-13")]);
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
    assert_eq!(hours.phase_at(at("2026-11-21T12:00:00+09:00")), Phase::Open);
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
                .filter(|day| calendar.is_trading_day(venue, *day))
                .count();
            assert!((241..=254).contains(&open), "{venue:?} {year}: {open}");
        }
    }
}

proptest! {
    #[test]
    fn phases_change_only_where_the_next_change_says(
        venue in prop::sample::select(Venue::ALL.to_vec()),
        minute in 0_i64..(3 * 365 * 24 * 60),
    ) {
        let calendar = calendar();
        let instant = at("2025-01-01T00:00:00Z") + TimeDelta::minutes(minute);
        let before = calendar.state_at(venue, instant);
        if let Some((change, after)) = calendar.next_change(venue, instant) {
            prop_assert!(change > instant);
            let just_before = calendar.phase_at(venue, change - TimeDelta::microseconds(1));
            prop_assert_eq!(just_before, before.phase);
            prop_assert_ne!(after, before);
        } else {
            prop_assert!(false, "no change within a month");
        }
    }

    #[test]
    fn next_and_previous_trading_days_mirror_each_other(
        venue in prop::sample::select(Venue::ALL.to_vec()),
        offset in 0_u64..1000,
    ) {
        let calendar = calendar();
        let date = day("2025-01-01") + Days::new(offset);
        let next = calendar.next_trading_day(venue, date);
        prop_assert!(next > date && calendar.is_trading_day(venue, next));
        let back = calendar.previous_trading_day(venue, next);
        prop_assert_eq!(back == date, calendar.is_trading_day(venue, date));
    }
}
