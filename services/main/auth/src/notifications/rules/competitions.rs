use proto::trading::v1::{CompetitionEnded, CompetitionRanked, CompetitionStarted};

use crate::domain::NotificationType;
use crate::notifications::Notice;
use crate::notifications::words::{number, with_particle};

pub(super) fn started(event: &CompetitionStarted) -> Vec<Notice> {
    let key = format!("competition-started:{}", event.competition_id);
    let notice = Notice::once(event.member_id, NotificationType::Competition, key).text(
        "대회가 시작됐어요",
        format!("{}에서 지금부터 주문할 수 있어요.", event.name),
    );
    vec![notice.link(link(event.competition_id))]
}

pub(super) fn ended(event: &CompetitionEnded) -> Vec<Notice> {
    let key = format!("competition-ended:{}", event.competition_id);
    let notice = Notice::once(event.member_id, NotificationType::Competition, key).text(
        "대회가 끝났어요",
        format!("{} 순위를 정리하고 있어요.", event.name),
    );
    vec![notice.link(link(event.competition_id))]
}

pub(super) fn ranked(event: &CompetitionRanked) -> Vec<Notice> {
    let key = format!("competition-ranked:{}", event.competition_id);
    let count = |people: i32| number(people.into());
    let place = format!(
        "{} {}명 중 {}위예요.",
        event.name,
        count(event.ranked),
        count(event.rank)
    );
    let body = if event.points > 0 {
        let points = format!("{}포인트", number(event.points.into()));
        format!(
            "{place} 이의 신청 기간이 지나면 {} 받아요.",
            with_particle(&points, "를")
        )
    } else {
        place
    };
    let notice = Notice::once(event.member_id, NotificationType::Competition, key)
        .text("대회 결과가 나왔어요", body);
    vec![notice.link(link(event.competition_id))]
}

fn link(competition_id: i64) -> String {
    format!("/competition/{competition_id}")
}
