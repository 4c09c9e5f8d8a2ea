use proto::convert::InvalidField;
use proto::trading::v1::{ContractMatured, ContractMissed};

use super::InvalidNotice;
use crate::domain::NotificationType;
use crate::notifications::Notice;
use crate::notifications::words::{is, with_particle, won};

pub(super) fn matured(event: &ContractMatured) -> Result<Vec<Notice>, InvalidNotice> {
    let interest = is(&won(event.interest_won));
    let payout = won(event.paid_in_won.saturating_add(event.interest_won));
    let body = match event.outcome.as_str() {
        "PAID_OUT" => format!(
            "이자는 {interest}. {} 기본 계좌로 옮겼어요.",
            with_particle(&payout, "을")
        ),
        "KEPT" => format!(
            "이자는 {interest}. {} 찾을 수 있어요.",
            with_particle(&payout, "을")
        ),
        "RENEWED" => format!("이자는 {interest}. 같은 상품에 다시 맡겼어요."),
        _ => return Err(InvalidField("outcome").into()),
    };
    let key = format!("maturity:{}", event.account_no);
    let title = format!("{} 만기가 됐어요", event.name);
    let notice = Notice::once(event.member_id, NotificationType::Maturity, key);
    Ok(vec![
        notice.text(title, body).link(link(&event.account_no)?),
    ])
}

pub(super) fn missed(event: &ContractMissed) -> Result<Vec<Notice>, InvalidNotice> {
    let amount = won(event.amount_won);
    let body = if event.is_retried {
        format!("기본 계좌에 {amount}이 없었어요. 내일 다시 시도할게요.")
    } else {
        format!("기본 계좌에 {amount}이 없었어요. 직접 넣을 수 있어요.")
    };
    let (account, number, day) = (&event.account_no, event.number, event.missed_on);
    let key = format!("autopay:{account}:{number}:{day}");
    let notice = Notice::once(event.member_id, NotificationType::AutopayMissed, key);
    let title = format!("{} 자동이체를 하지 못했어요", event.name);
    let notice = notice.text(title, body).link(link(account)?);
    Ok(vec![Notice {
        collapse_key: format!("autopay:{account}:{number}"),
        ..notice
    }])
}

fn link(account_no: &str) -> Result<String, InvalidField> {
    let is_number = !account_no.is_empty() && account_no.bytes().all(|c| c.is_ascii_digit());
    if is_number {
        Ok(format!("/my/contracts/{account_no}"))
    } else {
        Err(InvalidField("account_no"))
    }
}
