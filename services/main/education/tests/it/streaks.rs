//! Streaks: judged at noon, with freezes, rest days and repairs, and compared with a model.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use chrono::{Datelike, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone};
use education::MIGRATOR;
use education::store::RepairStep;
use kernel::MemberId;
use kernel::clock::KST;
use proto::convert::micros;
use proto::education::v1::{AnswerRequest, GetCalendarRequest, SetRestDayRequest};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, answer_of, reason};

const MONDAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 23).unwrap();

fn set_hour(world: &World, day: NaiveDate, hour: u32) {
    let local = day.and_time(NaiveTime::from_hms_opt(hour, 0, 0).unwrap());
    world
        .clock
        .set(KST.from_local_datetime(&local).unwrap().to_utc());
}

async fn study(world: &World, day: NaiveDate) -> i32 {
    set_hour(world, day, 20);
    let set = world.random_set(MEMBER).await;
    world.complete(MEMBER, &set).await.streak
}

async fn rest_on(world: &World, weekday: i32) {
    let request = SetRestDayRequest {
        member_id: MEMBER,
        weekday,
    };
    world.progress.clone().set_rest_day(request).await.unwrap();
}

async fn streak(world: &World) -> proto::education::v1::Streak {
    world.progress(MEMBER).await.streak.unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn seven_days_bring_a_freeze_and_a_bonus_once(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    for ahead in 0..7 {
        let shown = study(&world, MONDAY + Days::new(ahead)).await;
        assert_eq!(shown, i32::try_from(ahead).unwrap() + 1);
    }
    let before = world.earned(MEMBER).await.1;
    set_hour(&world, MONDAY + Days::new(7), 12);
    for _ in 0..3 {
        world.work().await;
    }
    assert_eq!(world.earned(MEMBER).await.1, before + 30);
    let now = streak(&world).await;
    assert_eq!((now.current, now.best, now.freezes), (7, 7, 1));
    // A day is missed, and the freeze covers it.
    set_hour(&world, MONDAY + Days::new(8), 12);
    world.work().await;
    let now = streak(&world).await;
    assert_eq!((now.current, now.freezes, now.repair), (7, 0, None));
    set_hour(&world, MONDAY + Days::new(9), 12);
    world.work().await;
    assert_eq!(streak(&world).await.current, 0);
    let reasons: Vec<String> = sqlx::query_scalar("select reason from streak_change order by id")
        .fetch_all(&world.pool)
        .await
        .unwrap();
    let done = std::iter::repeat_n("DONE", 7);
    let expected: Vec<&str> = done.chain(["FREEZE_EARNED", "FREEZE", "MISSED"]).collect();
    assert_eq!(reasons, expected);
    let request = GetCalendarRequest {
        member_id: MEMBER,
        month: "2026-12".to_owned(),
    };
    let calendar = world.progress.clone().get_calendar(request).await.unwrap();
    let days = calendar.into_inner().days;
    let days: Vec<(&str, &str)> = days
        .iter()
        .map(|day| (day.date.as_str(), day.streak.as_str()))
        .collect();
    assert_eq!(days, [("2026-12-01", "MISSED")]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repair_is_paid_once_whatever_breaks(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    for ahead in 0..3 {
        study(&world, MONDAY + Days::new(ahead)).await;
    }
    let after = MONDAY + Days::new(4);
    set_hour(&world, after, 12);
    world.work().await;
    let lost = streak(&world).await;
    assert_eq!(lost.current, 0);
    assert_eq!(lost.repair.unwrap().streak, 3);
    world.trading.is_poor.store(true, Ordering::SeqCst);
    let poor = world.repair(MEMBER).await.unwrap_err();
    assert_eq!(reason(&poor), "INSUFFICIENT_POINTS");
    assert_eq!(streak(&world).await.current, 0);
    world.trading.is_poor.store(false, Ordering::SeqCst);
    world.trading.is_away.store(true, Ordering::SeqCst);
    world.repair(MEMBER).await.unwrap_err();
    world.trading.is_away.store(false, Ordering::SeqCst);
    world.trading.loses_answer.store(true, Ordering::SeqCst);
    world.repair(MEMBER).await.unwrap_err();
    assert_eq!(streak(&world).await.current, 0);
    world.trading.loses_answer.store(false, Ordering::SeqCst);
    // The day after, when nothing could be asked for any more, the job finishes it, also when the
    // member learns before.
    set_hour(&world, after + Days::new(1), 13);
    let set = world.random_set(MEMBER).await;
    let first = &set.quizzes[0];
    world
        .answer(MEMBER, first.member_education_id, world.right(first))
        .await;
    for _ in 0..3 {
        world.work().await;
    }
    assert_eq!(world.trading.total(), 50);
    let reasons: Vec<(String, NaiveDate)> =
        sqlx::query_as("select reason, day from streak_change order by id")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    let ends: Vec<&str> = reasons[3..]
        .iter()
        .map(|(reason, _)| reason.as_str())
        .collect();
    assert_eq!(
        ends,
        ["MISSED", "REPAIRED", "MISSED"],
        "and the next day was missed as well"
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repair_that_trading_cannot_decide_holds_up_no_other(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    study(&world, MONDAY).await;
    let set = world.random_set(OTHER).await;
    world.complete(OTHER, &set).await;
    set_hour(&world, MONDAY + Days::new(2), 12);
    world.work().await;
    world.trading.fails_for.store(MEMBER, Ordering::SeqCst);
    let undecided = world.repair(MEMBER).await.unwrap_err();
    assert_eq!(undecided.code(), tonic::Code::Unavailable);
    world.trading.loses_answer.store(true, Ordering::SeqCst);
    world.repair(OTHER).await.unwrap_err();
    world.trading.loses_answer.store(false, Ordering::SeqCst);
    world.work().await;
    let repairs: Vec<(i64, String)> =
        sqlx::query_as("select member_id, state from streak_repair order by noted_at, member_id")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    let expected = [(MEMBER, "NOTED".to_owned()), (OTHER, "DONE".to_owned())];
    assert_eq!(repairs, expected);
    assert_eq!(world.trading.total(), 50);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn no_repair_is_paid_for_a_day_that_late_answers_can_complete(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    study(&world, MONDAY).await;
    set_hour(&world, MONDAY + Days::new(1), 20);
    let set = world.random_set(MEMBER).await;
    let given = kernel::Clock::now(&world.clock);
    let after = MONDAY + Days::new(2);
    set_hour(&world, after, 9);
    world.work().await;
    assert_eq!(streak(&world).await.repair, None);
    let refused = world.repair(MEMBER).await.unwrap_err();
    assert_eq!(reason(&refused), "REPAIR_NOT_POSSIBLE");
    for quiz in &set.quizzes {
        let late = AnswerRequest {
            answered_at_us: micros(given),
            ..answer_of(MEMBER, quiz.member_education_id, world.right(quiz))
        };
        world.try_answer(late).await.unwrap();
    }
    set_hour(&world, after, 12);
    world.work().await;
    let now = streak(&world).await;
    assert_eq!((now.current, now.repair), (2, None));
    assert_eq!(world.trading.total(), 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repair_is_possible_from_noon_on_before_the_job_judges(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    study(&world, MONDAY).await;
    study(&world, MONDAY + Days::new(1)).await;
    let after = MONDAY + Days::new(3);
    set_hour(&world, after, 11);
    world.work().await;
    assert_eq!(streak(&world).await.repair, None);
    set_hour(&world, after, 12);
    assert_eq!(streak(&world).await.repair.unwrap().date, "2026-11-25");
    let repaired = world.repair(MEMBER).await.unwrap();
    assert_eq!((repaired.current, repaired.repair), (2, None));
    world.repair(MEMBER).await.unwrap();
    assert_eq!(world.trading.total(), 50);
    assert_eq!(study(&world, after).await, 3);
    set_hour(&world, after + Days::new(1), 12);
    world.work().await;
    assert_eq!(streak(&world).await.current, 3);
    let nothing = world.repair(MEMBER).await.unwrap_err();
    assert_eq!(reason(&nothing), "REPAIR_NOT_POSSIBLE");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_member_who_cannot_be_judged_delays_nobody(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    study(&world, MONDAY).await;
    set_hour(&world, MONDAY + Days::new(1), 9);
    let set = world.random_set(OTHER).await;
    world.complete(OTHER, &set).await;
    let fail = "
        create function fail() returns trigger language plpgsql as $$
            begin
                if new.member_id = 100007 then raise exception 'on purpose'; end if;
                return new;
            end $$;
        create trigger fail before insert on streak_change for each row execute function fail()";
    sqlx::raw_sql(fail).execute(&world.pool).await.unwrap();
    set_hour(&world, MONDAY + Days::new(2), 13);
    world.work().await;
    let judged = "select count(*) from streak_change";
    let judged: i64 = sqlx::query_scalar(judged)
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(judged, 1, "the other one, who comes later");
    let mend = "drop trigger fail on streak_change";
    sqlx::query(mend).execute(&world.pool).await.unwrap();
    world.work().await;
    assert_eq!(streak(&world).await.best, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn late_work_is_measured(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let late = async || {
        let backlog = world.store.backlog().await.unwrap();
        (backlog.day.num_hours(), backlog.repair.num_hours())
    };
    assert_eq!(late().await, (0, 0));
    study(&world, MONDAY).await;
    set_hour(&world, MONDAY + Days::new(1), 11);
    assert_eq!(late().await, (0, 0));
    set_hour(&world, MONDAY + Days::new(2), 13);
    assert_eq!(late().await, (25, 0));
    world.work().await;
    assert_eq!(late().await, (0, 0));
    world.store.note_repair(MemberId(MEMBER)).await.unwrap();
    set_hour(&world, MONDAY + Days::new(2), 15);
    assert_eq!(late().await, (0, 2));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repair_that_is_paid_is_done_though_another_attempt_was_refused(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    study(&world, MONDAY).await;
    set_hour(&world, MONDAY + Days::new(2), 13);
    world.work().await;
    let member = MemberId(MEMBER);
    let missed = MONDAY + Days::new(1);
    let attempt = async || match world.store.note_repair(member).await.unwrap() {
        RepairStep::Pay(noted) => noted,
        RepairStep::Done => panic!("nothing is paid yet"),
    };
    let (first, second) = (attempt().await, attempt().await);
    assert_eq!((first.day, first.attempt), (missed, 1));
    assert_eq!((second.day, second.attempt), (missed, 2));
    // The first found too few points, and speaks while the second is paid. Had the process died
    // before it could finish, the job would.
    world.store.refuse_repair(member, first).await.unwrap();
    world.work().await;
    assert_eq!(world.trading.total(), 50);
    assert_eq!(streak(&world).await.current, 1);
    world.store.refuse_repair(member, second).await.unwrap();
    world.store.finish_repair(member, missed).await.unwrap();
    assert_eq!(streak(&world).await.current, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repair_that_is_asked_for_again_after_midnight_goes_on(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    study(&world, MONDAY).await;
    let after = MONDAY + Days::new(2);
    set_hour(&world, after, 23);
    world.work().await;
    world.trading.loses_answer.store(true, Ordering::SeqCst);
    world.repair(MEMBER).await.unwrap_err();
    world.trading.loses_answer.store(false, Ordering::SeqCst);
    set_hour(&world, after + Days::new(1), 0);
    let repaired = world.repair(MEMBER).await.unwrap();
    assert_eq!(repaired.current, 1);
    assert_eq!(world.trading.total(), 50);
}

/// What the rule says about a history, day by day.
struct Model {
    days: i32,
    freezes: i32,
    best: i32,
    bonuses: i64,
    /// The day and length of the last streak that ended.
    ended: Option<(NaiveDate, i32)>,
}

impl Model {
    fn judge(&mut self, day: NaiveDate, done: bool, rest: bool, repaired: bool) {
        if done {
            self.days += 1;
            self.best = self.best.max(self.days);
            if self.days % 7 == 0 {
                self.bonuses += 1;
                self.freezes = (self.freezes + 1).min(2);
            }
        } else if self.days > 0 && !rest && !repaired {
            if self.freezes > 0 {
                self.freezes -= 1;
            } else {
                self.ended = Some((day, self.days));
                self.days = 0;
            }
        }
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn streaks_follow_the_rule_over_random_histories(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    for seed in 1..=4_u64 {
        for table in [
            "student",
            "streak_change",
            "rest_day",
            "streak_repair",
            "study_day",
            "point_grant",
            "outbox",
        ] {
            sqlx::query(sqlx::AssertSqlSafe(format!("delete from {table}")))
                .execute(&world.pool)
                .await
                .unwrap();
        }
        one_history(&world, seed).await;
    }
}

async fn one_history(world: &World, seed: u64) {
    let mut dice = Dice(seed * 7_919);
    let mut model = Model {
        days: 0,
        freezes: 0,
        best: 0,
        bonuses: 0,
        ended: None,
    };
    let mut rests: Vec<(NaiveDate, u32)> = Vec::new();
    let mut done = BTreeSet::new();
    let mut repaired: Option<NaiveDate> = None;
    let first = MONDAY + Days::new(seed * 100);
    study(world, first).await;
    done.insert(first);
    for ahead in 1..60_u64 {
        let day = first + Days::new(ahead);
        let yesterday = day - Days::new(1);
        if dice.roll(12) == 0 {
            let weekday = u32::try_from(dice.roll(8)).unwrap();
            set_hour(world, day, 1);
            rest_on(world, i32::try_from(weekday).unwrap()).await;
            let monday = day + Days::new(u64::from(7 - day.weekday().num_days_from_monday()));
            rests.retain(|(from, _)| *from != monday);
            rests.push((monday, weekday));
        }
        // The job runs late on some days, and twice on others.
        set_hour(world, day, 12);
        if dice.roll(3) > 0 {
            world.work().await;
        }
        let rest = rests.iter().rev().find(|(from, _)| *from <= yesterday);
        let is_rest =
            rest.is_some_and(|(_, weekday)| *weekday == yesterday.weekday().number_from_monday());
        model.judge(
            yesterday,
            done.contains(&yesterday),
            is_rest,
            repaired == Some(yesterday),
        );
        let can_repair = model.ended.is_some_and(|(end, _)| end == yesterday);
        if dice.roll(2) == 0 {
            world.clock.advance(TimeDelta::hours(1));
            let repair = world.repair(MEMBER).await;
            assert_eq!(
                repair.is_ok(),
                can_repair,
                "seed {seed} day {day}: {repair:?}"
            );
            if let (true, Some((end, days))) = (can_repair, model.ended) {
                model.days += days;
                model.best = model.best.max(model.days);
                model.ended = None;
                repaired = Some(end);
            }
        }
        if dice.roll(5) > 0 {
            study(world, day).await;
            done.insert(day);
        }
        world.work().await;
        let shown = streak(world).await;
        let today = i32::from(done.contains(&day));
        assert_eq!(
            (shown.current, shown.freezes),
            (model.days + today, model.freezes),
            "seed {seed} day {day}"
        );
    }
    let bonuses: i64 = sqlx::query_scalar("select count(*) from point_grant where kind = 'STREAK'")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(bonuses, model.bonuses, "seed {seed}");
    let changes: Vec<(i32, i32)> =
        sqlx::query_as("select streak_before, streak_after from streak_change order by id")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    for pair in changes.windows(2) {
        assert_eq!(pair[0].1, pair[1].0, "every change is a row");
    }
}
