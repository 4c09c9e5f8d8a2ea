//! Turns points into won of the BASIC account.

use kernel::{AccountCode, AccountId, MemberId, RequestId, Won};
use proto::trading::v1::MovePointsReply;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::change::{NewChange, PointChangeKind};
use crate::accounts::open::{AccountChoice, open_accounts};
use crate::entity::account;
use crate::error::TradingError;
use crate::ledger::{self, Asset, JournalKind, Source};
use crate::orders::validation::OrderRejection;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::write_set::BaseChange;

/// What a point is worth, before the multiplier.
const WON_PER_POINT: i64 = 1_000;

/// A request to turn points into won.
#[derive(Clone, Debug)]
pub struct MovePoints {
    pub member_id: MemberId,
    pub request_id: RequestId,
    pub digest: RequestDigest,
    /// Only the BASIC account takes points.
    pub account: AccountChoice,
    /// At least 1.
    pub points: i64,
}

struct Act<'a> {
    store: &'a Store,
    account: AccountId,
    request: &'a MovePoints,
}

impl Store {
    /// Moves points into the BASIC account, multiplied by the member's level before.
    ///
    /// # Errors
    /// [`TradingError`]: too few points, another account, a total that cannot be known now, or of the
    /// database.
    pub async fn move_points(&self, request: &MovePoints) -> Result<MovePointsReply, TradingError> {
        let (account, _) = self.open_basic_account(request.member_id).await?;
        let money_request = MoneyRequest::new(
            request.member_id,
            &request.request_id,
            &request.digest,
            [account],
        );
        let act = Act {
            store: self,
            account,
            request,
        };
        self.once(&money_request, &act).await
    }
}

impl MoneyAct for Act<'_> {
    type Reply = MovePointsReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<MovePointsReply, TradingError> {
        check_account(self, books).await?;
        let points = self.request.points;
        let asset = Asset::EducationPoint;
        let has = ledger::amount_of(books.transaction, self.account, asset).await?;
        if has < points {
            return Err(
                insufficient("학습포인트 이전에 실패했습니다: 잔액 부족", points, has).into(),
            );
        }
        // A fill in another account would move money between what the totals read.
        let accounts = open_accounts(books.transaction, self.request.member_id).await?;
        books.lock_more(&accounts).await?;
        let totals = self
            .store
            .exact_totals(books.transaction, self.request.member_id);
        let level = totals.await?.level;
        let won = won(points, level.multiplier_tenths).ok_or(TradingError::Malformed("points"))?;
        let change = NewChange {
            won,
            multiplier_tenths: Some(level.multiplier_tenths.into()),
            ..NewChange::new(self.account, PointChangeKind::Moved, -points, books.now)
        };
        let source = Source::PointChange(change.write(books.transaction).await?);
        books
            .post(JournalKind::PointsMoved, source, change.postings())
            .await?;
        let base = BaseChange {
            education: won,
            ..BaseChange::default()
        };
        books.writes.base_change(self.account, base);
        Ok(MovePointsReply {
            points,
            won: won.0,
            multiplier_tenths: level.multiplier_tenths.into(),
            level: level.number.into(),
            deposit_won: books.account(self.account)?.won.amount,
            education_points: has - points,
            message: format!("계좌에 {won}을 넣었어요"),
            replayed: false,
        })
    }
}

pub(super) fn insufficient(sentence: &str, need: i64, have: i64) -> Refusal {
    Refusal::new("INSUFFICIENT_POINTS", sentence)
        .with("need", need)
        .with("have", have)
}

/// Only the BASIC account takes points; one that is not the member's is none.
async fn check_account(act: &Act<'_>, books: &Books<'_>) -> Result<(), TradingError> {
    let basic = &books.account(act.account)?.account.account_no;
    let is_competition = match &act.request.account {
        AccountChoice::Basic => return Ok(()),
        AccountChoice::Number(number) if number.as_str() == basic => return Ok(()),
        AccountChoice::Competition => true,
        AccountChoice::Number(number) => {
            let named = account::Entity::find()
                .filter(account::Column::MemberId.eq(act.request.member_id))
                .filter(account::Column::AccountNo.eq(number.as_str()))
                .filter(account::Column::Code.eq(AccountCode::Competition.as_str()));
            named.one(books.transaction).await?.is_some()
        }
    };
    if is_competition {
        let sentence = "학습포인트 이전에 실패했습니다: 대회 계좌 불가";
        Err(Refusal::new("COMPETITION_LOCKED", sentence).into())
    } else {
        Err(OrderRejection::AccountForbidden.into())
    }
}

/// Floored by itself: a tenth of 1,000 won is a whole number.
fn won(points: i64, multiplier_tenths: u8) -> Option<Won> {
    let tenths = points.checked_mul(WON_PER_POINT)?;
    let won = tenths.checked_mul(i64::from(multiplier_tenths))? / 10;
    Some(Won(won))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_a_thousand_won_times_the_multiplier() {
        assert_eq!(won(1, 10), Some(Won(1_000)));
        assert_eq!(won(3, 13), Some(Won(3_900)));
        assert_eq!(won(7, 18), Some(Won(12_600)));
        assert_eq!(won(i64::MAX, 18), None);
    }
}
