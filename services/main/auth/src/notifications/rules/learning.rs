use proto::convert::to_instant;
use proto::education::v1::StreakAtRisk;

use super::InvalidNotice;
use crate::domain::NotificationType;
use crate::notifications::Notice;

pub(super) fn at_risk(event: &StreakAtRisk) -> Result<Vec<Notice>, InvalidNotice> {
    let key = format!("streak:{}", event.day);
    let notice = Notice::once(event.member_id, NotificationType::Streak, key)
        .text(
            format!("{}일 연속 학습이 오늘 밤에 끝나요", event.days),
            "오늘의 퀴즈를 풀면 이어갈 수 있어요.",
        )
        .link("/study-v2/quiz/random");
    Ok(vec![Notice {
        until: Some(to_instant(event.until_us, "until_us")?),
        ..notice
    }])
}
