use bootstrap::grpc::Reply;
use chrono::{Datelike, NaiveDate};
use kernel::MemberId;
use proto::convert::micros;
use proto::education::v1 as wire;
use proto::education::v1::progress_service_server::ProgressService;
use tonic::{Request, Response};

use super::{Service, int, quizzes, totals};
use crate::domain::points::REPAIR;
use crate::error::StudyError;
use crate::store::{RestDay, StreakView};

#[tonic::async_trait]
impl ProgressService for Service {
    async fn get_progress(
        &self,
        request: Request<wire::GetProgressRequest>,
    ) -> Reply<wire::Progress> {
        let member = MemberId(request.into_inner().member_id);
        let progress = self.store.progress(member).await?;
        let next = progress.next_review_on;
        Ok(Response::new(wire::Progress {
            day: Some(quizzes::day(&progress)),
            themes: self.themes(Some(&progress)),
            reviews_due: int(progress.reviews_due),
            next_review_on: next.map(|day| day.to_string()).unwrap_or_default(),
            totals: Some(totals(progress.totals)),
            completed_lessons: progress.lessons,
            streak: Some(streak(&progress.streak)),
        }))
    }

    async fn get_calendar(
        &self,
        request: Request<wire::GetCalendarRequest>,
    ) -> Reply<wire::Calendar> {
        let request = request.into_inner();
        let first = match request.month.as_str() {
            "" => self.store.today().with_day(1),
            month => NaiveDate::parse_from_str(&format!("{month}-01"), "%Y-%m-%d").ok(),
        };
        let first = first.ok_or(StudyError::Malformed)?;
        let member = MemberId(request.member_id);
        let days = self.store.calendar(member, first).await?.into_iter();
        let days = days.map(|(date, row)| wire::CalendarDay {
            date: date.to_string(),
            points: row.points,
            answered: row.answered,
            correct: row.correct,
            sets: row.sets,
            articles: row.articles,
            streak: row.streak,
        });
        Ok(Response::new(wire::Calendar {
            month: first.format("%Y-%m").to_string(),
            days: days.collect(),
        }))
    }

    async fn set_rest_day(
        &self,
        request: Request<wire::SetRestDayRequest>,
    ) -> Reply<wire::RestDay> {
        let request = request.into_inner();
        let weekday = match request.weekday {
            0 => None,
            day if (1..=7).contains(&day) => i16::try_from(day).ok(),
            _ => return Err(StudyError::Malformed.into()),
        };
        let member = MemberId(request.member_id);
        let rest = self.store.set_rest_day(member, weekday).await?;
        let (next_weekday, next_from) = change(&rest);
        Ok(Response::new(wire::RestDay {
            weekday: number(rest.weekday),
            next_weekday,
            next_from,
        }))
    }

    async fn repair_streak(
        &self,
        request: Request<wire::RepairStreakRequest>,
    ) -> Reply<wire::Streak> {
        // One repair for each missed day, whatever the request id.
        let member = MemberId(request.into_inner().member_id);
        let view = self.repairs.repair(member).await?;
        Ok(Response::new(streak(&view)))
    }
}

fn streak(view: &StreakView) -> wire::Streak {
    let (next_rest_weekday, next_rest_from) = change(&view.rest);
    wire::Streak {
        current: view.current,
        best: view.best,
        freezes: view.freezes.into(),
        at_risk_until_us: view.at_risk_until.map(micros).unwrap_or_default(),
        rest_weekday: number(view.rest.weekday),
        next_rest_weekday,
        next_rest_from,
        repair: view.repair.map(|offer| wire::Repair {
            date: offer.day.to_string(),
            streak: offer.streak,
            points: REPAIR,
            until_us: micros(offer.until),
        }),
    }
}

fn change(rest: &RestDay) -> (i32, String) {
    let change = rest.change;
    change.map_or((0, String::new()), |(from, weekday)| {
        (number(weekday), from.to_string())
    })
}

fn number(weekday: Option<i16>) -> i32 {
    weekday.map(i32::from).unwrap_or_default()
}
